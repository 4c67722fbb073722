/** How long the loop may be held up at a time. */
const BREATH_MS = 8

/** How many items are worth a look at the clock. */
const AT_A_TIME = 32

export type Breathe = () => Promise<void>

/** Makes a function to await between the parts of long work, so that everybody else is answered meanwhile. */
export function createBreaths(): Breathe {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < BREATH_MS) return
    await new Promise((resolve) => setImmediate(resolve))
    since = performance.now()
  }
}

/** The results of `each` for the items, in order, with breaths between them. */
export async function mapInBreaths<T, U>(breathe: Breathe, items: Iterable<T>, each: (item: T) => U): Promise<U[]> {
  const made: U[] = []
  for (const item of items) {
    made.push(each(item))
    if (made.length % AT_A_TIME === 0) await breathe()
  }
  return made
}
