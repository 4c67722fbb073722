import type { ISql } from 'postgres'
import type { z } from 'zod'
import type { ReadContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Paging } from '../../schema/paging.ts'
import { owned } from '../ownership.ts'
import { page } from '../page.ts'
import type { Webhook, WebhookDelivery, WebhookDeliveryFilter } from './schema.ts'

type Shape = z.output<typeof Webhook>
type Delivery = z.output<typeof WebhookDelivery>
type Row = Omit<Shape, 'url' | 'createdAt' | 'lastSuccessAt' | 'failingSince'> & {
  secrets: string
  createdAt: Date
  lastSuccessAt: Date | null
  failingSince: Date | null
}

const columns = (sql: ISql) => sql`
  w.id, w.secrets, w.events, w.description, w.enabled, w.created_at as "createdAt", w.last_success_at as "lastSuccessAt",
  w.failing_since as "failingSince"`

const webhookOf =
  ({ db }: ReadContext) =>
  ({ id, secrets, createdAt, lastSuccessAt, failingSince, ...rest }: Row): Shape => ({
    id,
    url: db.secrets.open('webhook', id, secrets).url,
    ...rest,
    createdAt: createdAt.toISOString(),
    lastSuccessAt: lastSuccessAt?.toISOString() ?? null,
    failingSince: failingSince?.toISOString() ?? null,
  })

/** The organization's webhooks by id. */
export async function listWebhooks(ctx: ReadContext, paging: Paging) {
  const { sql } = ctx.db
  const { rows, total } = await page<Row>(sql, {
    select: columns(sql),
    from: sql`from webhook w where w.organization_id = ${ctx.organizationId}`,
    source: 'w',
    ...paging,
  })
  return { webhooks: rows.map(webhookOf(ctx)), total, returned: rows.length }
}

/** Throws notFound, or forbidden when it is another organization's. A command gives its transaction. */
export async function getWebhook(ctx: ReadContext, webhookId: number, sql: ISql = ctx.db.sql): Promise<Shape> {
  const [row] = await sql<(Row & { organizationId: number })[]>`
    select w.organization_id as "organizationId", ${columns(sql)} from webhook w where w.id = ${webhookId}`
  return webhookOf(ctx)(owned(ctx, row))
}

type DeliveryRow = Omit<Delivery, 'nextAt'> & { nextAt: Date | null }

const deliveryColumns = (sql: ISql) => sql`
  e.id, e.type, d.attempts, d.state,
  case when d.state = 'pending' and d.next_at < 'infinity' then d.next_at end as "nextAt"`

const deliveryOf = ({ nextAt, ...rest }: DeliveryRow): Delivery => ({
  ...rest,
  nextAt: nextAt?.toISOString() ?? null,
})

/** What a webhook is or was told, newest first. Throws notFound and forbidden. */
export async function listDeliveries(
  ctx: ReadContext,
  webhookId: number,
  { status, limit, offset }: z.output<typeof WebhookDeliveryFilter>,
) {
  await getWebhook(ctx, webhookId)
  const { sql } = ctx.db
  const where = sql`d.webhook_id = ${webhookId} ${status === undefined ? sql`` : sql`and d.state = ${status}`}`
  const [rows, [counted]] = await Promise.all([
    sql<DeliveryRow[]>`
      select ${deliveryColumns(sql)} from webhook_delivery d join webhook_event e using (place)
      where ${where} order by d.place desc limit ${limit} offset ${offset}`,
    sql<{ total: number }[]>`select count(*)::int as total from webhook_delivery d where ${where}`,
  ])
  return { deliveries: rows.map(deliveryOf), total: counted?.total ?? 0, returned: rows.length }
}

/** A delivery of a webhook that is the caller's. Throws notFound. */
export async function getDelivery(sql: ISql, webhookId: number, deliveryId: string): Promise<Delivery> {
  const [row] = await sql<DeliveryRow[]>`
    select ${deliveryColumns(sql)} from webhook_delivery d join webhook_event e using (place)
    where d.webhook_id = ${webhookId} and e.id = ${deliveryId}`
  if (!row) throw notFound()
  return deliveryOf(row)
}

/** For the administrator, who names a webhook alone. */
export async function findOrganizationOfWebhook(sql: ISql, webhookId: number): Promise<number | undefined> {
  const [row] = await sql<{ organizationId: number }[]>`
    select organization_id as "organizationId" from webhook where id = ${webhookId}`
  return row?.organizationId
}

/** How many deliveries of enabled webhooks wait, for the metrics. */
export async function pendingDeliveries(sql: ISql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from webhook_delivery where state = 'pending' and next_at < 'infinity'`
  return row?.count ?? 0
}

/** How many enabled webhooks take nothing at present, for the metrics. */
export async function failingWebhooks(sql: ISql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from webhook where enabled and failing_since is not null`
  return row?.count ?? 0
}
