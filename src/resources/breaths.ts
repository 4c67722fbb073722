/** How long the loop may be held up at a time. */
const BREATH_MS = 8

/** Makes a function to await between the parts of long work, so that everybody else is answered meanwhile. */
export function createBreaths(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < BREATH_MS) return
    await new Promise((resolve) => setImmediate(resolve))
    since = performance.now()
  }
}
