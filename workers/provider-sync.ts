import type { Logger } from 'pino'
import type { Sql, TransactionSql } from 'postgres'
import { jobPayloads, OutboxTask } from '../src/jobs.ts'
import type { Sync } from '../src/providers/sync.ts'
import { findOutboxEntry, finishOutboxRow } from '../src/store/outbox.ts'
import type { Delivery, DeliveryResult } from '../src/store/queue.ts'

/** A job that comes this much too early waits for its time; one that comes earlier belongs to a schedule that has changed. */
const EARLY_MS = 15_000
const BUSY_MS = 1_000

/** Runs the syncs that are due. The connection's row says what is due; the job only says "look at it". */
export const providerSyncRunner =
  (sql: Sql, sync: Sync, log: Logger) =>
  async ({ data, last }: Delivery): Promise<DeliveryResult> => {
    const { outboxId } = OutboxTask.parse(data)
    // the next round is asked for in the commit that ends this one
    const finish = () => finishOutboxRow(sql, outboxId, ensureProviderSyncs)
    try {
      const entry = await findOutboxEntry(sql, outboxId)
      if (entry?.kind !== 'job') return undefined
      const { connectionId } = jobPayloads['provider-sync'].parse(entry.payload.data)
      const outcome = await sync(connectionId)
      if ('busy' in outcome) {
        if (outcome.busy) return { againInMs: BUSY_MS }
        if (outcome.waitMs !== undefined && outcome.waitMs < EARLY_MS) return { againInMs: outcome.waitMs }
      }
    } catch (error) {
      if (!last) throw error
      log.error({ err: error, outboxId }, 'a sync was given up after its last attempt')
    }
    await finish()
    return undefined
  }

/** Asks for the next sync of each connection that has none asked for: the schedule is made anew from the connections alone. */
export async function ensureProviderSyncs(sql: Sql | TransactionSql): Promise<void> {
  await sql`
    insert into outbox (kind, payload)
    select 'job', json_build_object('name', 'provider-sync', 'data', json_build_object('connectionId', c.id), 'attempts', 20,
      'delayMs', greatest(0, ceil(extract(epoch from c.due_at - clock_timestamp()) * 1000))::bigint)
    from provider_connection c
    where not exists (
      select from outbox where kind = 'job' and payload ->> 'name' = 'provider-sync'
        and payload -> 'data' ->> 'connectionId' = c.id::text)`
}
