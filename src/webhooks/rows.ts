import { randomUUID } from 'node:crypto'
import type { Sql } from 'postgres'
import type { Database } from '../database.ts'
import { setEnabled, WEBHOOKS_CHANGED } from '../resources/webhooks/commands.ts'
import type { DueDelivery } from '../resources/webhooks/tell.ts'
import type { Outcome } from './outcome.ts'

/** integrations: three days of failing disable. */
const FAILING_FOR = '3 days'
/** A job did its part so long after the time, or it is not coming. */
const OVERDUE_MS = 1_500
const OVERDUE_LIMIT = 500
/** The newest attempts are shown. */
const SHOWN_ATTEMPTS = 20

export type Rows = {
  /** Deliveries of a webhook that are due, the oldest first, but for these places. */
  due(webhookId: number, except: readonly number[], limit: number): Promise<DueDelivery[]>
  /** Notes attempts. A webhook that is gone, or failed too long, is disabled with them. */
  settle(outcomes: readonly Outcome[]): Promise<void>
  /** Enabled webhooks with deliveries that are due and that nobody came for. */
  overdue(): Promise<number[]>
}

export function deliveryRows(db: Database): Rows {
  const { sql } = db

  const disable = (organizationId: number, webhookId: number, reason: 'gone' | 'failing') => {
    const ctx = {
      ...{ organizationId, actor: { type: 'system', name: 'webhooks' } as const, db },
      ...{ requestId: `webhook-${webhookId}`, commandId: randomUUID() },
    }
    return db.write(ctx, { ref: `webhook/${webhookId}`, type: 'disable' }, async (tx) => {
      const [row] = await tx`select from webhook where id = ${webhookId} and enabled for update`
      if (!row) return { result: undefined, events: [] }
      await setEnabled(tx, webhookId, false)
      await tx`select pg_notify(${WEBHOOKS_CHANGED}, ${String(organizationId)})`
      return { result: undefined, events: [{ type: 'webhook.disabled', webhookId, reason }] }
    })
  }

  return {
    due: async (webhookId, except, limit) => [
      ...(await sql<DueDelivery[]>`
        select d.webhook_id as "webhookId", d.place, d.tries, e.id as "eventId", e.type, e.subject, e.body
        from webhook_delivery d join webhook_event e using (place)
        where d.webhook_id = ${webhookId} and d.state = 'pending' and d.next_at <= clock_timestamp()
          and d.place <> all(${[...except]}::bigint[])
        order by d.place limit ${limit}`),
    ],

    async settle(outcomes) {
      const told = outcomes.map(({ attempt, ...outcome }) => ({
        ...outcome,
        attempt: { ...attempt, at: new Date(attempt.at).toISOString() },
      }))
      await sql`
        update webhook_delivery d set state = g.state, tries = d.tries + 1,
          attempts = case when jsonb_array_length(d.attempts) >= ${SHOWN_ATTEMPTS} then d.attempts - 0 else d.attempts end
            || jsonb_build_array(g.attempt),
          next_at = case when w.enabled then clock_timestamp() + make_interval(secs => g."waitMs" / 1000) else 'infinity' end
        from json_to_recordset(${JSON.stringify(told)}::text::json)
          as g("webhookId" int, place bigint, tries int, state text, "waitMs" float8, attempt jsonb), webhook w
        where w.id = g."webhookId" and d.webhook_id = g."webhookId" and d.place = g.place
          and d.state = 'pending' and d.tries = g.tries`
      await noteHealth(sql, outcomes, disable)
    },

    async overdue() {
      const rows = await sql<{ id: number }[]>`
        select distinct d.webhook_id as id from (
          select webhook_id from webhook_delivery
          where state = 'pending' and next_at < clock_timestamp() - make_interval(secs => ${OVERDUE_MS / 1000})
          limit ${OVERDUE_LIMIT}
        ) d join webhook w on w.id = d.webhook_id where w.enabled`
      return rows.map(({ id }) => id)
    },
  }
}

type Disable = (organizationId: number, webhookId: number, reason: 'gone' | 'failing') => Promise<unknown>

async function noteHealth(sql: Sql, outcomes: readonly Outcome[], disable: Disable): Promise<void> {
  const of = (test: (outcome: Outcome) => boolean) => [
    ...new Set(outcomes.filter(test).map(({ webhookId }) => webhookId)),
  ]
  const well = of(({ attempt }) => attempt.error === null)
  const failing = of(({ attempt }) => attempt.error !== null).filter((id) => !well.includes(id))
  const gone = new Set(of(({ isGone }) => isGone))
  // one that takes hundreds in a second is written once in it
  if (well.length > 0)
    await sql`
      update webhook set last_success_at = clock_timestamp(), failing_since = null
      where id = any(${well}) and (failing_since is not null
        or coalesce(last_success_at < clock_timestamp() - interval '1 second', true))`
  if (failing.length === 0 && gone.size === 0) return
  const failed = await sql<{ id: number; organizationId: number; isOver: boolean }[]>`
    update webhook set failing_since = coalesce(failing_since, clock_timestamp())
    where id = any(${[...failing, ...gone]}) and enabled
    returning id, organization_id as "organizationId",
      failing_since < clock_timestamp() - ${FAILING_FOR}::interval as "isOver"`
  for (const { id, organizationId, isOver } of failed)
    if (gone.has(id) || isOver) await disable(organizationId, id, gone.has(id) ? 'gone' : 'failing')
}
