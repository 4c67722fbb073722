import type { Logger } from 'pino'
import type { Sql, TransactionSql } from 'postgres'
import { type JobRequest, OutboxTask } from '../src/jobs.ts'
import { findOutboxEntry, finishOutboxRow } from '../src/store/outbox.ts'
import type { Delivery } from '../src/store/queue.ts'
import type { Fire } from './timers.ts'

/** The schedules of Auto Stream, as settings and matches are now. */
export type Schedules = {
  /** A stream changed: actors that depend on it hear of it. */
  changed(streamId: number): Promise<void>
  reschedule(streamId: number): Promise<void>
  rescheduleAll(): Promise<void>
}

const NAME = 'auto-stream'
const EVERY_MS = 60_000
const TIMERS: ReadonlySet<string> = new Set(['autoStart', 'autoStop'])

/** Brings all schedules in line with the rows, and asks for the next round in the commit that ends this one. */
export const autoStreamRunner =
  (sql: Sql, { rescheduleAll }: Schedules, log: Logger) =>
  async ({ data, last }: Delivery): Promise<undefined> => {
    const { outboxId } = OutboxTask.parse(data)
    const entry = await findOutboxEntry(sql, outboxId)
    if (entry?.kind !== 'job') return
    try {
      await rescheduleAll()
    } catch (error) {
      if (!last) throw error
      log.error({ err: error }, 'schedules of streams wait for the next round')
    }
    await finishOutboxRow(sql, outboxId, (tx) => ensureAutoStream(tx))
  }

/** Asks for a round in a minute unless one is asked for already. */
export async function ensureAutoStream(sql: Sql | TransactionSql, delayMs = EVERY_MS): Promise<void> {
  const request: JobRequest = { name: NAME, data: {}, delayMs, attempts: 5 }
  await sql`
    insert into outbox (kind, payload) select 'job', ${JSON.stringify(request)}::text::json
    where not exists (select from outbox where kind = 'job' and payload ->> 'name' = ${NAME})`
}

/** Asks for a round at once: while no worker ran, rows may have changed whose reaction is still to come. */
export const beginAutoStream = (sql: Sql): Promise<void> =>
  sql.begin(async (tx) => {
    await tx`delete from outbox where kind = 'job' and payload ->> 'name' = ${NAME}`
    await ensureAutoStream(tx, 0)
  })

/**
 * Fires the timers of a schedule by what settings and match say now: one that was overtaken is set anew and not due any more. The
 * stream's start does not wait for the reaction, so that a match goes on air while the queue is away.
 */
export const firingOnTime =
  (fire: Fire, { reschedule, changed }: Schedules): Fire =>
  async (ref, name) => {
    if (!ref.startsWith('stream/') || !TIMERS.has(name)) return fire(ref, name)
    const streamId = Number(ref.slice('stream/'.length))
    await reschedule(streamId)
    await fire(ref, name)
    await changed(streamId)
  }
