import type { z } from 'zod'
import { ApiError } from '../errors.ts'
import { refusedUrl } from '../media/url-guard.ts'
import { administratorOf } from '../resources/administrator.ts'
import {
  deleteWebhook,
  makeWebhook,
  newSecretOf,
  redeliver,
  replayEvents,
  sendTest,
  updateWebhook,
} from '../resources/webhooks/commands.ts'
import { findOrganizationOfWebhook, listDeliveries, listWebhooks } from '../resources/webhooks/queries.ts'
import {
  WebhookCreation,
  WebhookDeliveryFilter,
  WebhookDeliveryParams,
  WebhookReplay,
  WebhookUpdate,
} from '../resources/webhooks/schema.ts'
import { isPublicAddress } from '../store/addresses.ts'
import { anyAddress } from '../store/outbound.ts'
import type { ConnectedDatabase } from '../store/postgres.ts'
import { Id, required, UsageError, type Values } from './arguments.ts'
import type { Command, Surroundings } from './commands.ts'

const listed = (value: unknown) => (typeof value === 'string' ? value.split(',').map((part) => part.trim()) : undefined)

/** The options as the request of the API that they stand for. Throws UsageError, which names the option. */
function asked<T extends z.ZodType>(schema: T, body: Record<string, unknown>): z.output<T> {
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new UsageError(`--${String(issue?.path[0] ?? 'url')}: ${issue?.message ?? 'invalid'}`)
}

const contextOf = (db: ConnectedDatabase, organizationId: number, { config }: Surroundings) => ({
  ...administratorOf(db, organizationId),
  media: { refuses: (url: string) => refusedUrl(url, config.outboundPrivate ? anyAddress : isPublicAddress) },
})

/** Runs with the webhook that `--id` names. Throws UsageError, with the words of the API. */
const ofWebhook =
  <T>(run: (ctx: ReturnType<typeof contextOf>, id: number, values: Values) => Promise<T>) =>
  async (db: ConnectedDatabase, values: Values, surroundings: Surroundings): Promise<T> => {
    const id = required(values, 'id', Id)
    const organizationId = await findOrganizationOfWebhook(db.sql, id)
    if (organizationId === undefined) throw new UsageError(`There is no webhook ${id}`)
    return inWords(run(contextOf(db, organizationId, surroundings), id, values))
  }

async function inWords<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { details = {} } = error.body as { details?: Record<string, { message: string }> }
    const faults = Object.entries(details).map(([path, { message }]) => `${path.split('.').at(-1)}: ${message}`)
    throw new UsageError([faults.length === 0 ? error.message : faults.join('; ')].join('\n'))
  }
}

const EVENTS = "match.score_changed,overlay.graphic_shown|'*'"

export const webhookCommands: readonly Command[] = [
  {
    name: 'webhooks list',
    usage: '--org ID',
    options: { org: 'value' },
    async run(db, values) {
      const ctx = { db, organizationId: required(values, 'org', Id) }
      return (await listWebhooks(ctx, { limit: 1_000, offset: 0 })).webhooks
    },
  },
  {
    name: 'webhooks create',
    usage: `--org ID --url URL --events ${EVENTS} [--description TEXT]`,
    options: { org: 'value', url: 'value', events: 'value', description: 'value' },
    async run(db, values, surroundings) {
      const ctx = contextOf(db, required(values, 'org', Id), surroundings)
      const { url, events, description } = values
      return inWords(makeWebhook(ctx, asked(WebhookCreation, { url, events: listed(events), description })))
    },
  },
  {
    name: 'webhooks update',
    usage: '--id ID [--url URL] [--events …] [--description TEXT] [--enable | --disable]',
    options: {
      ...{ id: 'value', url: 'value', events: 'value', description: 'value' },
      ...{ enable: 'switch', disable: 'switch' },
    },
    run: ofWebhook((ctx, id, { url, events, description, enable, disable }) => {
      if (enable && disable) throw new UsageError('--enable and --disable: only one of them')
      const enabled = enable ? true : disable ? false : undefined
      return updateWebhook(ctx, id, asked(WebhookUpdate, { url, events: listed(events), description, enabled }))
    }),
  },
  {
    name: 'webhooks delete',
    usage: '--id ID',
    options: { id: 'value' },
    run: ofWebhook(async (ctx, id) => {
      await deleteWebhook(ctx, id)
      return { deleted: true }
    }),
  },
  {
    name: 'webhooks rotate',
    usage: '--id ID',
    options: { id: 'value' },
    run: ofWebhook((ctx, id) => newSecretOf(ctx, id)),
  },
  {
    name: 'webhooks test',
    usage: '--id ID',
    options: { id: 'value' },
    run: ofWebhook((ctx, id) => sendTest(ctx, id)),
  },
  {
    name: 'webhooks deliveries',
    usage: '--id ID [--status pending|delivered|failed]',
    options: { id: 'value', status: 'value' },
    run: ofWebhook(
      async (ctx, id, { status }) =>
        (await listDeliveries(ctx, id, asked(WebhookDeliveryFilter, { status }))).deliveries,
    ),
  },
  {
    name: 'webhooks redeliver',
    usage: '--id ID --delivery msg_…',
    options: { id: 'value', delivery: 'value' },
    run: ofWebhook((ctx, id, values) =>
      redeliver(ctx, id, required(values, 'delivery', WebhookDeliveryParams.shape.deliveryId)),
    ),
  },
  {
    name: 'webhooks replay',
    usage: '--id ID --from DATE [--to DATE] [--types match.score_changed,…]',
    options: { id: 'value', from: 'value', to: 'value', types: 'value' },
    run: ofWebhook((ctx, id, { from, to, types }) =>
      replayEvents(ctx, id, asked(WebhookReplay, { from, to, types: listed(types) })),
    ),
  },
]
