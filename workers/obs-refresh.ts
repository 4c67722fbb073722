import type { ISql, Sql } from 'postgres'
import { jobPayloads, OutboxTask } from '../src/jobs.ts'
import type { RefreshObs } from '../src/obs/refresh.ts'
import { findOutboxEntry, finishOutboxRow } from '../src/store/outbox.ts'
import type { Delivery, DeliveryResult } from '../src/store/queue.ts'

/** Each may wait for an OBS that is gone; other work of the queue goes on beside them. */
const AT_ONCE = 8
const NO_ROOM_MS = 500
/** How often a screen that is not free is looked at. */
const ON_AIR_MS = 1_000

/** Has OBS refresh the sources of an overlay. Of several that wait for one overlay the latest stands for all. */
export function obsRefreshRunner(sql: Sql, refresh: RefreshObs) {
  let running = 0
  return async ({ data, last }: Delivery): Promise<DeliveryResult> => {
    const { outboxId } = OutboxTask.parse(data)
    if (running >= AT_ONCE) return { againInMs: NO_ROOM_MS }
    running++
    try {
      const entry = await findOutboxEntry(sql, outboxId)
      if (entry?.kind !== 'job') return undefined
      const { overlayId, now } = jobPayloads['obs-refresh'].parse(entry.payload.data)
      const outcome = (await hasLater(sql, outboxId, overlayId, now)) ? 'done' : await refresh(overlayId, now)
      if (outcome === 'onAir') return { againInMs: ON_AIR_MS }
      if (outcome === 'again' && !last) throw new Error('OBS is out of reach')
      await finishOutboxRow(sql, outboxId, async (tx) => {
        // those that waited for a free screen wanted nothing else
        await tx`delete from outbox where id < ${outboxId} and ${ofOverlay(tx, overlayId)}`
      })
      return undefined
    } finally {
      running--
    }
  }
}

/** One that is to be done at once is not left to one that may wait. */
async function hasLater(sql: Sql, outboxId: number, overlayId: number, now: boolean): Promise<boolean> {
  const [row] = await sql`
    select from outbox where id > ${outboxId} and ${ofOverlay(sql, overlayId)}
      and (not ${now} or (payload -> 'data' ->> 'now')::boolean) limit 1`
  return row !== undefined
}

const ofOverlay = (sql: ISql, overlayId: number) => sql`kind = 'job' and payload ->> 'name' = 'obs-refresh'
  and payload -> 'data' ->> 'overlayId' = ${String(overlayId)}`
