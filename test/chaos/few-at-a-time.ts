/** Does the work of each item, so many at a time: all at once would all be answered before a fault, or none. */
export function fewAtATime<T>(items: readonly T[], places: number, work: (item: T) => Promise<void>) {
  const waiting = [...items]
  let done = 0
  let reached = () => {}
  /** Resolves once more than half are done. */
  const half = new Promise<void>((resolve) => {
    reached = resolve
  })
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      await work(item)
      if (++done > items.length / 2) reached()
    }
  }
  return { half, all: Promise.all(Array.from({ length: places }, worker)) }
}
