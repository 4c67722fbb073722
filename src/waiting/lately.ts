/** Makes a value at most once in so many milliseconds, for all callers meanwhile; after a failure the next call tries again. */
export function lately<T>(everyMs: number, make: () => Promise<T>, now = () => performance.now()): () => Promise<T> {
  let last: { at: number; made: Promise<T> } | undefined
  let underWay = false
  return () => {
    if (last && (underWay || now() - last.at < everyMs)) return last.made
    underWay = true
    const made = make()
    last = { at: now(), made }
    made.then(
      () => {
        underWay = false
      },
      () => {
        underWay = false
        last = undefined
      },
    )
    return made
  }
}
