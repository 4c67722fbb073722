import { unavailable } from '../errors.ts'

/** A body of more bytes takes milliseconds to parse, check and hand on. */
export const LARGE_BYTES = 65_536

/**
 * Lets one request after the other do something that holds up the loop, with a turn of the loop between two, so that all others
 * are answered meanwhile. Throws unavailable for a request whose sender has no more use for an answer.
 */
export function createYield(maxWaitMs: number): () => Promise<void> {
  let last: Promise<unknown> = Promise.resolve()
  return async () => {
    const since = performance.now()
    last = last.then(() => new Promise((resolve) => setImmediate(resolve)))
    await last
    if (performance.now() - since > maxWaitMs) throw unavailable()
  }
}
