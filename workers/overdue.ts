/** How long one that failed lets others go first. */
const AGAIN_MS = 1_000

export type Overdue<T> = {
  /** The overdue ones, except those that these keys name. */
  find(except: readonly string[]): Promise<readonly T[]>
  keyOf(one: T): string
  run(one: T): Promise<void>
  failed(one: T, error: unknown): void
}

/** A round that runs all overdue ones at once, without the queue, and answers those that it has run. */
export function overdueRunner<T>({ find, keyOf, run, failed }: Overdue<T>): () => Promise<T[]> {
  // one that cannot be run now must not keep others from being found; by key, when to try again
  const failing = new Map<string, number>()
  return async () => {
    const now = performance.now()
    for (const [key, againAt] of failing) if (againAt <= now) failing.delete(key)
    const done: T[] = []
    const overdue = await find([...failing.keys()])
    await Promise.all(
      overdue.map(async (one) => {
        try {
          await run(one)
          done.push(one)
        } catch (error) {
          failing.set(keyOf(one), performance.now() + AGAIN_MS)
          failed(one, error)
        }
      }),
    )
    return done
  }
}
