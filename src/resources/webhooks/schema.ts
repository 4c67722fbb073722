import { z } from 'zod'
import { alsoWhenInvalid, Id, Moment, Timestamp, text } from '../../schema/fields.ts'
import { paged, paging } from '../../schema/paging.ts'
import { WebhookEventType } from './events.schema.ts'

const Events = z
  .union([z.array(WebhookEventType).min(1), z.tuple([z.literal('*')])])
  .meta({ description: 'The types that it is told of; `["*"]`: all, those of later versions too' })

const isHttpUrl = (value: string) => {
  if (!URL.canParse(value)) return false
  const { protocol, username, password } = new URL(value)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}
const Url = text(1, 2_048).refine(isHttpUrl, { error: 'expected an http or https URL without user and password' })
const description = text(0, 255).nullable()

const shown = {
  id: Id,
  url: z.string(),
  events: z.array(z.string()),
  description: z.string().nullable(),
  enabled: z.boolean(),
  createdAt: Timestamp,
  lastSuccessAt: Timestamp.nullable(),
  failingSince: Timestamp.nullable().meta({
    description: 'Since when no attempt was taken; after three days it is disabled, and at once when it answers 410',
  }),
}

/** integrations: Webhooks */
export const Webhook = z.object(shown).meta({ id: 'Webhook' })
export const WebhookWithSecret = z
  .object({
    ...shown,
    secret: z
      .string()
      .nullable()
      .meta({ description: '`whsec_…`, shown this once; null when the request was repeated' }),
  })
  .meta({ id: 'WebhookWithSecret' })
export const WebhookList = paged('webhooks', Webhook).meta({ id: 'WebhookList' })

export const WebhookCreation = z
  .object({ url: Url, events: Events, description: description.optional(), enabled: z.boolean().optional() })
  .meta({ id: 'WebhookCreation' })
/** Fields left out keep their value. */
export const WebhookUpdate = z
  .object({
    url: Url.optional(),
    events: Events.optional(),
    description: description.optional(),
    enabled: z.boolean().optional(),
  })
  .meta({ id: 'WebhookUpdate' })

export const WebhookParams = z.object({ webhookId: Id }).meta({ id: 'WebhookParams' })

const State = z.enum(['pending', 'delivered', 'failed']).meta({ id: 'WebhookDeliveryState' })

export const WebhookDelivery = z
  .object({
    id: z.string().meta({ description: 'The `webhook-id` of all its attempts' }),
    type: z.string(),
    attempts: z
      .array(
        z.object({
          at: Timestamp,
          status: z.int().nullable().meta({ description: 'Null: there was no answer' }),
          ms: z.int(),
          error: z.string().nullable(),
        }),
      )
      .meta({ description: 'The latest twenty' }),
    state: State,
    nextAt: Timestamp.nullable().meta({
      description: 'When it is tried next, while it is pending and the webhook enabled',
    }),
  })
  .meta({ id: 'WebhookDelivery' })
export const WebhookDeliveryList = paged('deliveries', WebhookDelivery).meta({ id: 'WebhookDeliveryList' })
export const WebhookDeliveryFilter = z
  .object({ status: State.optional(), ...paging })
  .meta({ id: 'WebhookDeliveryFilter' })
export const WebhookDeliveryParams = z
  .object({ webhookId: Id, deliveryId: text(1, 64) })
  .meta({ id: 'WebhookDeliveryParams' })

type Span = { from?: unknown; to?: unknown }
export const WebhookReplay = z
  .object({
    from: Moment,
    to: Moment.optional().meta({ description: 'Now, unless said' }),
    types: z
      .array(WebhookEventType)
      .min(1)
      .optional()
      .meta({ description: 'Those that the webhook wants, unless said' }),
  })
  .refine(
    ({ from, to }: Span) => typeof from !== 'string' || typeof to !== 'string' || Date.parse(from) < Date.parse(to),
    {
      path: ['to'],
      error: 'must be later than from',
      ...alsoWhenInvalid,
    },
  )
  .meta({ id: 'WebhookReplay' })
export const WebhookReplayed = z
  .object({ replayed: z.int().meta({ description: 'How many events are delivered again' }) })
  .meta({ id: 'WebhookReplayed' })

export const WebhookSchemas = z
  .record(z.string(), z.record(z.string(), z.unknown()))
  .meta({ id: 'WebhookSchemas', description: 'By type of event, the JSON Schema (draft 2020-12) of the whole body' })
