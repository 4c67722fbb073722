/** How far the database's clock is ahead of this machine's, ms. */
let aheadMs = 0

/**
 * The time of the whole service, ms since 1970: the database's. What is stored, compared with what another node wrote, or told to
 * people is in this time; how long something takes is for `performance.now()`.
 */
export const serviceTime = (): number => Math.round(Date.now() + aheadMs)

/** The same as text, as the API writes moments. */
export const serviceMoment = (): string => new Date(serviceTime()).toISOString()

/**
 * The database's clock said this at some moment while it was asked. Nothing moves as long as that may be true: an answer that took
 * long says little, and machines with one time keep it to the millisecond.
 */
export function heardDatabaseTime(databaseMs: number, askedAtMs: number, answeredAtMs: number): void {
  // this machine's clock was set back meanwhile
  if (answeredAtMs < askedAtMs) return
  aheadMs = Math.max(databaseMs - answeredAtMs, Math.min(databaseMs - askedAtMs, aheadMs))
}
