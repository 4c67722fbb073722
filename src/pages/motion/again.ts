const FIRST_AGAIN_MS = 1_000
const LONGEST_AGAIN_MS = 30_000

type Asked = {
  /** False when nobody wants it any more. */
  isAsked(): boolean
  problem(text: string): void
}

/** Fetches a file that may be out of reach for a while, until it is there or unwanted. Resolves after the first attempt. */
export async function untilHad(
  fetchIt: (attempt: number) => Promise<void>,
  { isAsked, problem }: Asked,
): Promise<void> {
  const attempt = async (count: number) => {
    if (!isAsked()) return
    try {
      await fetchIt(count)
    } catch (error) {
      if (!isAsked()) return
      problem(error instanceof Error ? error.message : String(error))
      const waitMs = Math.min(LONGEST_AGAIN_MS, FIRST_AGAIN_MS * 2 ** count)
      // many pages miss the same picture
      window.setTimeout(() => void attempt(count + 1), waitMs * (0.75 + Math.random() / 4))
    }
  }
  await attempt(0)
}
