/** An answer that is on its way for so long may be one of a line that is dead by now. */
const LATE_MS = 2_000
/** On a line that is only slow a reading comes to its end. */
const LATEST_MS = 30_000

export type Rereading = {
  /** Reads at once, unless it is being read. */
  now(): void
  /** The answer is out of date: reads again soon. */
  changed(): void
  close(): void
}

/**
 * Reads something, one reading at a time, and again `soonMs` after the first word that it has changed: where changes come all the
 * time, none of them puts it off. `read` never rejects, and answers in how many ms to read again without any word; 0: never.
 */
export function createRereading(read: (signal: AbortSignal) => Promise<number>, soonMs: number): Rereading {
  let reading: { since: number; abort: AbortController } | undefined
  let changedAgain = false
  let isSoon = false
  let closed = false
  let lateMs = LATE_MS
  let timer: ReturnType<typeof setTimeout> | undefined

  const begin = async () => {
    clearTimeout(timer)
    isSoon = false
    changedAgain = false
    const mine = { since: performance.now(), abort: new AbortController() }
    reading = mine
    const againMs = await read(mine.abort.signal)
    if (reading !== mine) return
    reading = undefined
    lateMs = LATE_MS
    if (changedAgain) soon()
    else if (againMs > 0) timer = setTimeout(begin, againMs)
  }
  const giveUp = () => {
    reading?.abort.abort()
    reading = undefined
  }
  const soon = () => {
    if (isSoon) return
    isSoon = true
    clearTimeout(timer)
    timer = setTimeout(begin, soonMs)
  }
  return {
    now() {
      if (!reading && !closed) void begin()
    },
    changed() {
      if (closed) return
      if (reading && performance.now() - reading.since < lateMs) {
        changedAgain = true
        return
      }
      if (reading) lateMs = Math.min(LATEST_MS, 2 * lateMs)
      giveUp()
      soon()
    },
    close() {
      closed = true
      clearTimeout(timer)
      giveUp()
    },
  }
}
