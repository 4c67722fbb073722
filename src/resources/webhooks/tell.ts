import { randomBytes } from 'node:crypto'
import type { TransactionSql } from 'postgres'

/** Something that happened, as webhooks are told of it. `data` has no `sequence` yet. */
export type Happening = {
  type: string
  /** What its sequence counts for: `match/3`, `overlay/1`. */
  subject: string
  /** Where in the journal it comes from: it is told once. */
  ref: string
  seq: number
  nth: number
  /** Database time: ISO 8601 with microseconds. */
  at: string
  data: Readonly<Record<string, unknown>>
}

/** A delivery that is due now. */
export type DueDelivery = {
  webhookId: number
  place: number
  eventId: string
  type: string
  subject: string
  body: string
  /** Of the attempts that failed since it became due. */
  tries: number
}

/** integrations: a body is below 20 kB. */
const MAX_BODY_BYTES = 20_000

/**
 * Puts events in the order of their subjects and leaves a delivery of each for every enabled webhook of the organization that wants it;
 * `only`: for this one webhook, whatever it wants. What was told before is not told again.
 */
export async function tell(
  tx: TransactionSql,
  organizationId: number,
  happenings: readonly Happening[],
  only?: number,
): Promise<DueDelivery[]> {
  if (happenings.length === 0) return []
  const last = await reserve(tx, organizationId, happenings)
  const left = new Map<string, number>()
  for (const { subject } of happenings) left.set(subject, (left.get(subject) ?? 0) + 1)
  const events = happenings.map(({ subject, data, ...happening }) => {
    const after = (left.get(subject) ?? 1) - 1
    left.set(subject, after)
    const sequence = (last.get(subject) ?? 0) - after
    const id = `msg_${randomBytes(16).toString('hex')}`
    return { ...happening, subject, id, body: bodyText(happening.type, happening.at, { ...data, sequence }) }
  })
  const wants =
    only === undefined
      ? tx`w.organization_id = ${organizationId} and (t.type = any(w.events) or '*' = any(w.events))`
      : tx`w.id = ${only}`
  const rows = await tx<{ webhookId: number; place: number; eventId: string }[]>`
    with told as (
      insert into webhook_event (id, organization_id, type, subject, ref, seq, nth, at, body)
      select g.id, ${organizationId}, g.type, g.subject, g.ref, g.seq, g.nth, g.at, g.body
      from json_to_recordset(${JSON.stringify(events)}::text::json)
        as g(id text, type text, subject text, ref text, seq bigint, nth int, at timestamptz, body text)
      on conflict do nothing returning place, id, type, at
    ), asked as (
      insert into webhook_delivery (webhook_id, place)
      select w.id, t.place from told t join webhook w on w.enabled and w.enabled_at <= t.at and ${wants}
      returning webhook_id, place
    )
    select asked.webhook_id as "webhookId", asked.place, told.id as "eventId" from asked join told using (place)
    order by asked.place`
  const byId = new Map(events.map((event) => [event.id, event]))
  return rows.flatMap((row) => {
    const event = byId.get(row.eventId)
    return event ? [{ ...row, type: event.type, subject: event.subject, body: event.body, tries: 0 }] : []
  })
}

/** The last sequence of each subject, once these have theirs; nobody else gives one to them until the commit. */
async function reserve(tx: TransactionSql, organizationId: number, happenings: readonly Happening[]) {
  const rows = await tx<{ subject: string; sequence: number }[]>`
    insert into webhook_subject as s (organization_id, subject, sequence)
    select ${organizationId}, subject, count(*) from unnest(${happenings.map(({ subject }) => subject)}::text[]) as given(subject)
    group by subject order by subject
    on conflict (organization_id, subject) do update set sequence = s.sequence + excluded.sequence
    returning subject, sequence`
  return new Map(rows.map(({ subject, sequence }) => [subject, sequence]))
}

/** The body as it is signed and sent, to every endpoint and at every attempt the same bytes. */
function bodyText(type: string, at: string, data: Record<string, unknown>): string {
  const whole = JSON.stringify({ type, timestamp: new Date(at).toISOString(), data })
  if (Buffer.byteLength(whole) < MAX_BODY_BYTES) return whole
  const shorter = {
    ...data,
    ...('variableValues' in data && { variableValues: null }),
    ...('competitors' in data && { competitors: [] }),
  }
  return JSON.stringify({ type, timestamp: new Date(at).toISOString(), data: shorter })
}
