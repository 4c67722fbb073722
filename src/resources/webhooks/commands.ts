import { randomBytes } from 'node:crypto'
import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import type { Context, WriteContext } from '../../context.ts'
import { invalid } from '../../errors.ts'
import type { Raw } from '../../http/route.ts'
import { nextId } from '../next-id.ts'
import { checkOwn } from '../ownership.ts'
import { shownOnce } from '../shown-once.ts'
import { exactly } from '../target.ts'
import { TEST_TYPE } from './events.schema.ts'
import { getDelivery, getWebhook } from './queries.ts'
import type {
  Webhook,
  WebhookCreation,
  WebhookDelivery,
  WebhookReplay,
  WebhookReplayed,
  WebhookUpdate,
} from './schema.ts'
import { tell } from './tell.ts'

type Shape = z.output<typeof Webhook>
type Delivery = z.output<typeof WebhookDelivery>

/** Running servers read the webhooks of this organization anew. */
export const WEBHOOKS_CHANGED = 'webhook'
/** Deliveries of these webhooks are due now: a list of their ids, as JSON. */
export const WEBHOOKS_DUE = 'webhook_due'

const MAX_WEBHOOKS = 500
const MAX_REPLAYED = 20_000

/** 256 bits, as Standard Webhooks writes a key for HMAC-SHA256. */
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

/** Of an address that may be a secret by itself the journal is told the host. */
const hostOf = (url: string) => new URL(url).host

/** The parts of a command that is given an address. */
type UrlContext = WriteContext & { readonly media: Pick<Context['media'], 'refuses'> }

/** The row of a new webhook and its secret, which is shown this once. Throws invalid. */
export async function makeWebhook(
  ctx: UrlContext,
  { url, events, description = null, enabled = true }: z.output<typeof WebhookCreation>,
): Promise<Shape & { secret: string }> {
  checkUrl(ctx, url)
  const secret = newSecret()
  const asked = { host: hostOf(url), events, description, enabled }
  const made = await ctx.db.write(ctx, { ref: 'webhook/new', type: 'create', asked }, async (tx) => {
    await mustHaveRoom(ctx, tx)
    const id = await nextId(tx, 'webhook')
    const sealed = ctx.db.secrets.seal('webhook', id, { url, secret, before: null })
    await tx`
      insert into webhook (id, organization_id, secrets, events, description, enabled) overriding system value
      values (${id}, ${ctx.organizationId}, ${sealed}, ${[...new Set(events)]}::text[], ${description}, ${enabled})`
    await changed(ctx, tx)
    return {
      ref: `webhook/${id}`,
      result: { ...(await getWebhook(ctx, id, tx)), secret: null },
      events: [{ type: 'webhook.created', webhookId: id, ...asked }],
    }
  })
  return { ...made, secret }
}

export const createWebhook = async (ctx: UrlContext, asked: z.output<typeof WebhookCreation>): Promise<Raw> =>
  shownOnce(await makeWebhook(ctx, asked))

/** A name may lead into our network later: every attempt looks again. */
function checkUrl({ media }: UrlContext, url: string): void {
  const message = media.refuses(url)
  if (message !== undefined) throw invalid({ 'body.url': { message } })
}

async function mustHaveRoom(ctx: WriteContext, tx: TransactionSql): Promise<void> {
  // two that are made at once are counted one by one
  await tx`select from organization where id = ${ctx.organizationId} for no key update`
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from webhook where organization_id = ${ctx.organizationId}`
  if (row && row.count >= MAX_WEBHOOKS)
    throw invalid({ 'body.url': { message: `an organization has at most ${MAX_WEBHOOKS} webhooks` } })
}

/** Fields left out keep their value. One that is enabled again goes on with what waits, and is told of what happens from now on. */
export async function updateWebhook(
  ctx: UrlContext,
  webhookId: number,
  asked: z.output<typeof WebhookUpdate>,
): Promise<Shape> {
  const { url, ...rest } = asked
  if (url !== undefined) checkUrl(ctx, url)
  const told = { ...rest, ...(url !== undefined && { host: hostOf(url) }) }
  return ctx.db.write(ctx, { ref: `webhook/${webhookId}`, type: 'update', asked: told }, async (tx) => {
    const { enabled, secrets } = await lockWebhook(ctx, tx, webhookId)
    if (Object.keys(asked).length === 0) return { result: await getWebhook(ctx, webhookId, tx), events: [] }
    const columns = {
      ...(asked.events && { events: [...new Set<string>(asked.events)] }),
      ...(asked.description !== undefined && { description: asked.description }),
      ...(url !== undefined && {
        secrets: ctx.db.secrets.seal('webhook', webhookId, {
          ...ctx.db.secrets.open('webhook', webhookId, secrets),
          url,
        }),
      }),
    }
    if (Object.keys(columns).length > 0) await tx`update webhook set ${tx(columns)} where id = ${webhookId}`
    if (asked.enabled !== undefined && asked.enabled !== enabled) await setEnabled(tx, webhookId, asked.enabled)
    // one that somebody disables does not fail: nobody asks it, and it did not end by itself
    if (asked.enabled === false && enabled) await tx`update webhook set failing_since = null where id = ${webhookId}`
    await changed(ctx, tx)
    return {
      result: await getWebhook(ctx, webhookId, tx),
      events: [{ type: 'webhook.updated', webhookId, ...told }],
    }
  })
}

/** What waits for a webhook that is disabled waits on, and goes on when it is enabled. */
export async function setEnabled(tx: TransactionSql, webhookId: number, enabled: boolean): Promise<void> {
  if (enabled)
    await tx`
      update webhook set enabled = true, enabled_at = clock_timestamp(), failing_since = null where id = ${webhookId}`
  else await tx`update webhook set enabled = false where id = ${webhookId}`
  const nextAt = enabled ? tx`clock_timestamp()` : tx`'infinity'`
  await tx`update webhook_delivery set next_at = ${nextAt} where webhook_id = ${webhookId} and state = 'pending'`
  if (enabled) await due(tx, [webhookId])
}

export async function deleteWebhook(ctx: WriteContext, webhookId: number): Promise<undefined> {
  return ctx.db.write(ctx, { ref: `webhook/${webhookId}`, type: 'delete' }, async (tx) => {
    const { secrets } = await lockWebhook(ctx, tx, webhookId)
    const { url } = ctx.db.secrets.open('webhook', webhookId, secrets)
    await tx`delete from webhook where id = ${webhookId}`
    await changed(ctx, tx)
    return { result: undefined, events: [{ type: 'webhook.deleted', webhookId, host: hostOf(url) }] }
  })
}

/** A new secret, shown this once; the one before signs along for a day, and one before that no more. */
export async function newSecretOf(ctx: WriteContext, webhookId: number): Promise<Shape & { secret: string }> {
  const secret = newSecret()
  const shown = await ctx.db.write(ctx, { ref: `webhook/${webhookId}`, type: 'rotate-secret' }, async (tx) => {
    const { secrets } = await lockWebhook(ctx, tx, webhookId)
    const { url, secret: before } = ctx.db.secrets.open('webhook', webhookId, secrets)
    const sealed = ctx.db.secrets.seal('webhook', webhookId, { url, secret, before })
    await tx`update webhook set secrets = ${sealed}, rotated_at = clock_timestamp() where id = ${webhookId}`
    await changed(ctx, tx)
    return {
      result: { ...(await getWebhook(ctx, webhookId, tx)), secret: null },
      events: [{ type: 'webhook.secretRotated', webhookId }],
    }
  })
  return { ...shown, secret }
}

export const rotateSecret = async (ctx: WriteContext, webhookId: number): Promise<Raw> =>
  shownOnce(await newSecretOf(ctx, webhookId))

/** Throws invalid for a webhook that is disabled. */
export function sendTest(ctx: WriteContext, webhookId: number): Promise<Delivery> {
  const ref = `webhook/${webhookId}`
  return ctx.db.write(ctx, { ref, type: 'test' }, async (tx) => {
    mustBeEnabled(await lockWebhook(ctx, tx, webhookId))
    const [now] = await tx<{ at: string; seq: number }[]>`
      select ${exactly(tx, 'at')} as at, nextval('journal_record_seq') as seq from clock_timestamp() as at`
    if (!now) throw new Error('the database told no time')
    const [made] = await tell(
      tx,
      ctx.organizationId,
      [{ type: TEST_TYPE, subject: ref, ref, ...now, nth: 0, data: { webhookId } }],
      webhookId,
    )
    if (!made) throw new Error('a test was not told')
    await due(tx, [webhookId])
    return {
      result: await getDelivery(tx, webhookId, made.eventId),
      events: [{ type: 'webhook.tested', webhookId, deliveryId: made.eventId }],
    }
  })
}

/** Throws invalid for a webhook that is disabled. */
export function redeliver(ctx: WriteContext, webhookId: number, deliveryId: string): Promise<Delivery> {
  return ctx.db.write(ctx, { ref: `webhook/${webhookId}`, type: 'redeliver', asked: { deliveryId } }, async (tx) => {
    const webhook = await lockWebhook(ctx, tx, webhookId)
    await getDelivery(tx, webhookId, deliveryId)
    mustBeEnabled(webhook)
    await tx`
      update webhook_delivery set state = 'pending', tries = 0, next_at = clock_timestamp()
      where webhook_id = ${webhookId} and place = (select place from webhook_event where id = ${deliveryId})`
    await due(tx, [webhookId])
    return {
      result: await getDelivery(tx, webhookId, deliveryId),
      events: [{ type: 'webhook.redelivered', webhookId, deliveryId }],
    }
  })
}

/** Events of a span of time, those too that were never told to this webhook. Throws invalid when they are too many. */
export function replayEvents(
  ctx: WriteContext,
  webhookId: number,
  asked: z.output<typeof WebhookReplay>,
): Promise<z.output<typeof WebhookReplayed>> {
  return ctx.db.write(ctx, { ref: `webhook/${webhookId}`, type: 'replay', asked }, async (tx) => {
    const webhook = await lockWebhook(ctx, tx, webhookId)
    mustBeEnabled(webhook)
    const types = asked.types ?? webhook.events
    const { count } = await tx`
      insert into webhook_delivery as d (webhook_id, place)
      select ${webhookId}, place from webhook_event
      where organization_id = ${ctx.organizationId} and at >= ${asked.from}::text::timestamptz
        and at < coalesce(${asked.to ?? null}::text::timestamptz, 'infinity') and type <> ${TEST_TYPE}
        and (type = any(${[...types]}::text[]) or ${types.some((type) => type === '*')})
      order by place limit ${MAX_REPLAYED + 1}
      on conflict (webhook_id, place) do update set state = 'pending', tries = 0, next_at = clock_timestamp()`
    if (count > MAX_REPLAYED)
      throw invalid({ 'body.to': { message: `more than ${MAX_REPLAYED} events: replay a shorter time` } })
    await due(tx, [webhookId])
    return { result: { replayed: count }, events: [{ type: 'webhook.replayed', webhookId, ...asked, replayed: count }] }
  })
}

/** Every node looks whether it is one of its webhooks, once this is committed. */
export async function due(tx: TransactionSql, webhookIds: readonly number[]): Promise<void> {
  await tx`select pg_notify(${WEBHOOKS_DUE}, ${JSON.stringify(webhookIds)})`
}

const changed = ({ organizationId }: WriteContext, tx: TransactionSql) =>
  tx`select pg_notify(${WEBHOOKS_CHANGED}, ${String(organizationId)})`

type Locked = { organizationId: number; enabled: boolean; events: string[]; secrets: string }

async function lockWebhook(ctx: WriteContext, tx: TransactionSql, webhookId: number): Promise<Locked> {
  const [row] = await tx<Locked[]>`
    select organization_id as "organizationId", enabled, events, secrets from webhook where id = ${webhookId} for update`
  checkOwn(ctx, row)
  return row
}

function mustBeEnabled({ enabled }: Pick<Locked, 'enabled'>): void {
  if (!enabled) throw invalid({ 'path.webhookId': { message: 'the webhook is disabled: enable it first' } })
}
