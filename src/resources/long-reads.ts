import { unavailable } from '../errors.ts'

export type LongReadsOptions = {
  /** How many run at a time. */
  most: number
  /** How many may wait for their turn. */
  mostWaiting?: number
  /** How long one may wait: later nobody waits for its answer any more. */
  patienceMs?: number
}

/**
 * Makes a function that runs work which reads much a few at a time, so that it leaves connections and the processor to what is on
 * air, however many ask at once. Throws unavailable when too many wait, or one has waited too long.
 */
export function createLongReads({ most, mostWaiting = 16, patienceMs = 8_000 }: LongReadsOptions) {
  let running = 0
  const waiting: (() => void)[] = []
  const turn = async () => {
    if (running < most) {
      running++
      return
    }
    if (waiting.length >= mostWaiting) throw unavailable()
    // the turn is handed over by the one before
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  return async <T>(work: () => Promise<T>): Promise<T> => {
    const since = performance.now()
    await turn()
    try {
      if (performance.now() - since > patienceMs) throw unavailable()
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
