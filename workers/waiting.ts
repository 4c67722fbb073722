import type { Sql } from 'postgres'

/** Whether there is anything for the rounds of the workers. */
export type Waiting = { timers: boolean; outbox: boolean }

const EVERYTHING: Waiting = { timers: true, outbox: true }

/** Rounds that begin together ask once. */
const FRESH_MS = 50

/** Asks the database once for all the rounds that begin together, so that a node where nothing waits asks little. */
export function waitingIn(sql: Sql): () => Promise<Waiting> {
  let asked: Promise<Waiting> | undefined
  let askedAt = Number.NEGATIVE_INFINITY
  const ask = async (): Promise<Waiting> => {
    const [row] = await sql<Waiting[]>`
      select exists (select from timer where due_at < clock_timestamp()) as timers,
        exists (select from outbox where handed_at is null or kind = 'reaction') as outbox`
    return row ?? EVERYTHING
  }
  return () => {
    if (performance.now() - askedAt > FRESH_MS || !asked) {
      askedAt = performance.now()
      // each round finds out for itself what is wrong
      asked = ask().catch(() => EVERYTHING)
    }
    return asked
  }
}
