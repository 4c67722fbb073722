import type { Logger } from 'pino'
import { isOutOfReach } from '../src/store/postgres.ts'

const AGAIN_MS = 30_000

/** Logs work that fails again and again: at once, then now and then. Readiness tells that the database is away. */
export function complaining(log: Logger, text: string): (error: unknown) => void {
  let toldAt = Number.NEGATIVE_INFINITY
  return (error) => {
    const now = performance.now()
    if (isOutOfReach(error) || now - toldAt < AGAIN_MS) return log.debug({ err: error }, text)
    toldAt = now
    log.warn({ err: error }, text)
  }
}
