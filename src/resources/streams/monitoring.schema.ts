import { z } from 'zod'
import { CausedBy } from '../../schema/cause.ts'
import { Id, Timestamp } from '../../schema/fields.ts'
import { DestinationReport, DestinationType } from './destinations.schema.ts'
import { StreamInputType } from './inputs.schema.ts'
import { StreamState } from './schema.ts'

const measured = {
  bitrateKb: z.number().nullable().meta({ description: 'kb/s over the last seconds; null when nothing flows' }),
  history: z
    .array(z.object({ at: Timestamp, bitrateKb: z.number() }).meta({ id: 'StreamBitratePoint' }))
    .meta({ description: 'The last ten minutes, oldest first' }),
}

const lastError = z.string().nullable()

/** One thing that happened to a stream, its input or a destination. */
const StreamHistoryEvent = z
  .object({
    at: Timestamp,
    subject: z.enum(['stream', 'input', 'destination']),
    id: Id,
    type: z.string(),
    details: z.record(z.string(), z.unknown()),
    by: CausedBy.meta({ id: 'StreamHistoryCause', description: 'Who or what caused it' }),
    requestId: z.string(),
  })
  .meta({ id: 'StreamHistoryEvent' })
export type StreamHistoryEvent = z.output<typeof StreamHistoryEvent>

const events = z.array(StreamHistoryEvent).meta({ description: 'The latest fifty, newest first' })

const input = {
  inputId: Id,
  name: z.string(),
  type: StreamInputType,
  state: z.enum(['idle', 'waiting', 'live', 'reconnecting']).meta({ id: 'StreamInputState' }),
  protocol: z.enum(['rtmp', 'srt', 'pull']).nullable(),
  liveAt: Timestamp.nullable(),
  lastError,
  ...measured,
}
export const StreamInputHealth = z.object(input).meta({ id: 'StreamInputHealth' })
export const StreamInputMonitoring = z.object({ ...input, events }).meta({ id: 'StreamInputMonitoring' })

const destination = {
  ...DestinationReport.required().shape,
  name: z.string(),
  type: DestinationType,
  connectedAt: Timestamp.nullable(),
  failures: z.int32().meta({ description: 'Tries that failed since it was last connected' }),
  lastError,
  history: measured.history,
}
export const StreamDestinationHealth = z.object(destination).meta({ id: 'StreamDestinationHealth' })
export const StreamDestinationMonitoring = z
  .object({ ...destination, streamSettingsId: Id, events })
  .meta({ id: 'StreamDestinationMonitoring' })

export const StreamMonitoring = z
  .object({
    streamSettingsId: Id,
    matchId: Id,
    state: StreamState,
    overlayHidden: z.boolean(),
    startedAt: Timestamp.nullable(),
    liveAt: Timestamp.nullable(),
    lastError,
    automation: z
      .object({ startAt: Timestamp.nullable(), stopAt: Timestamp.nullable() })
      .meta({ id: 'StreamSchedule', description: 'What Auto Stream will still do' })
      .nullable(),
    input: StreamInputHealth.nullable(),
    program: z
      .object({ ...measured, cpuPercent: z.number().nullable(), rssBytes: z.number().nullable() })
      .meta({
        id: 'StreamProgram',
        description: 'The encoder that burns graphics in; null when the input is passed on',
      })
      .nullable(),
    destinations: z.array(StreamDestinationHealth),
    problems: z.array(z.string()).meta({ description: 'What this server lacks for streams' }),
    events,
  })
  .meta({ id: 'StreamMonitoring' })
