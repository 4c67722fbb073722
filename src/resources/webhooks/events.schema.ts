import { z } from 'zod'
import { Count, Id, ShownPreset, Timestamp } from '../../schema/fields.ts'
import { SportKey } from '../../schema/sport.ts'

const Sequence = Count.meta({
  description:
    'Rises with each event of the same overlay, where `overlayId` is there, else of the same match, else of what the event is about: ' +
    'deliveries may overtake each other, and are put in order by it',
})
const sequence = { sequence: Sequence }
const ofMatch = { matchId: Id, ...sequence }
const ofOverlay = { overlayId: Id, ...sequence }

const MatchState = z.enum([
  'scheduled',
  'live',
  'break',
  'finished',
  'delayed',
  'postponed',
  'suspended',
  'abandoned',
  'cancelled',
])
const Score = z.object({ home: z.number(), away: z.number() })
const Period = z.object({ number: z.int(), type: z.string(), name: z.string() }).nullable()
const Clock = z
  .object({ running: z.boolean(), valueMs: z.number(), asOf: Timestamp, direction: z.enum(['up', 'down']) })
  .meta({ description: 'It shows `valueMs` at `asOf`, and goes on by itself while it runs' })
const Side = z.object({
  entityType: z.enum(['team', 'player']),
  teamId: Id.nullable(),
  playerId: Id.nullable(),
  isHome: z.boolean(),
})
const settings = {
  name: z.string().nullable(),
  date: z.string(),
  timezone: z.string(),
  venueId: Id.nullable(),
  round: z.string().nullable(),
  competitors: z.array(Side),
}
const Told = z.object({
  id: Id,
  type: z.string(),
  teamId: Id.nullable(),
  playerId: Id.nullable(),
  secondaryPlayerId: Id.nullable(),
  period: z.int(),
  periodType: z.string().nullable(),
  clockMs: z.number().nullable(),
  minute: z.number().nullable(),
  addedMinute: z.number().nullable(),
  points: z.number(),
  value: z.union([z.string(), z.number(), z.boolean(), z.null()]),
  details: z.record(z.string(), z.unknown()),
  timestamp: Timestamp,
  source: z.enum(['api', 'app', 'provider']),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
const aFact = { ...ofMatch, factId: Id, fact: Told }

const By = z
  .object({ type: z.string(), id: z.union([z.int(), z.string()]).nullable(), name: z.string().nullable() })
  .meta({ description: 'Who asked for it: a `key`, a `person`, the `link` of a control room, `gamePlan`, or `system`' })
const graphic = {
  ...ofOverlay,
  seq: Count.meta({ description: 'Of the overlay: as in its as-run log and on its sockets' }),
  graphicId: z.string(),
  graphicName: z.string(),
  presetId: ShownPreset,
}
const set = {
  ...graphic,
  variableValues: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({ description: 'Null when they are too long for a webhook: the overlay has them' }),
  by: By,
}
const aRule = {
  ...ofOverlay,
  ruleId: z.string(),
  name: z.string(),
  factId: Id.optional(),
}
const aRenderer = {
  ...ofOverlay,
  renderer: z.string().meta({ description: 'Its `?renderer=`, or the name of its connection' }),
}

/** What an event of each type says. integrations: Webhooks */
export const EVENT_DATA = {
  'match.created': z.object({ ...ofMatch, competitionId: Id, sport: SportKey, ...settings }),
  'match.updated': z.object({ ...ofMatch, ...settings }),
  'match.state_changed': z.object({
    ...ofMatch,
    state: MatchState,
    previousState: MatchState,
    period: Period,
    clock: Clock,
    factId: Id.optional(),
  }),
  'match.score_changed': z.object({
    ...ofMatch,
    score: Score,
    previousScore: Score,
    period: Period,
    clock: Clock,
    factId: Id.optional(),
  }),
  'match.fact_created': z.object(aFact),
  'match.fact_updated': z.object(aFact),
  'match.fact_deleted': z.object({ ...ofMatch, factId: Id }),
  'match.lineup_updated': z.object({ ...ofMatch, teamIds: z.array(Id) }),
  'overlay.created': z.object({ ...ofOverlay, matchId: Id, name: z.string() }),
  'overlay.graphic_shown': z.object(set),
  'overlay.graphic_updated': z.object(set),
  'overlay.graphic_hidden': z.object({ ...graphic, by: By }),
  'overlay.renderer_connected': z.object(aRenderer),
  'overlay.renderer_lost': z.object(aRenderer),
  'overlay.graphic_not_painted': z.object({
    ...graphic,
    renderers: Count.meta({ description: 'How many were connected, none of which has painted it' }),
  }),
  'stream.state_changed': z.object({
    ...ofMatch,
    streamSettingsId: Id,
    state: z.enum(['stopped', 'starting', 'running', 'stopping']),
    error: z.string().nullable(),
  }),
  'destination.status_changed': z.object({
    ...ofMatch,
    streamSettingsId: Id,
    destinationId: Id,
    status: z.enum(['stopped', 'connecting', 'connected', 'retrying']),
    error: z.string().nullable(),
  }),
  'input.connected': z.object({ ...sequence, inputId: Id, protocol: z.enum(['rtmp', 'srt', 'pull']) }),
  'input.lost': z.object({ ...sequence, inputId: Id }),
  'theme.version_published': z.object({ ...sequence, themeId: Id, version: Id }),
  'theme.version_activated': z.object({ ...sequence, themeId: Id, version: Id.nullable() }),
  'gameplan.fired': z.object(aRule),
  'gameplan.suppressed': z.object({ ...aRule, reason: z.string() }),
} as const

export type WebhookType = keyof typeof EVENT_DATA
export const WEBHOOK_TYPES = Object.keys(EVENT_DATA) as [WebhookType, ...WebhookType[]]

/** Sent when somebody asks for it, whatever the webhook wants to hear. */
export const TEST_TYPE = 'webhook.test'
export const TEST_DATA = z.object({ webhookId: Id, ...sequence })

export const WebhookEventType = z.enum(WEBHOOK_TYPES).meta({ id: 'WebhookEventType' })

const ALL: Readonly<Record<string, z.ZodObject>> = { ...EVENT_DATA, [TEST_TYPE]: TEST_DATA }

/** The shape of a whole body. */
export const bodyOf = (type: string): z.ZodObject =>
  z.object({
    type: z.literal(type),
    timestamp: Timestamp.meta({ description: 'When it happened' }),
    data: ALL[type] ?? z.object({}),
  })

let made: Record<string, Record<string, unknown>> | undefined

/** The JSON Schema of the body of every type, each a document of its own. */
export function webhookSchemas(): Record<string, Record<string, unknown>> {
  made ??= Object.fromEntries(
    Object.keys(ALL).map((type) => {
      const schema = z.toJSONSchema(bodyOf(type), {
        target: 'draft-2020-12',
        io: 'output',
        override: ({ zodSchema, jsonSchema }) => {
          // later versions may add members: a receiver must not refuse members that it does not know
          if (zodSchema._zod.def.type === 'object') delete jsonSchema.additionalProperties
          delete jsonSchema.id
        },
      })
      return [type, { ...schema, title: type }]
    }),
  )
  return made
}
