import { z } from 'zod'
import { Count, Id, Timestamp, text } from '../../schema/fields.ts'
import { paged, paging } from '../../schema/paging.ts'
import { urlOf } from './urls.ts'

export const DestinationType = z.enum(['rtmp', 'srt', 'youtube', 'facebook', 'pull']).meta({
  id: 'StreamDestinationType',
  description: '`pull` is fetched from us; all others are pushed to, `rtmp` also over TLS',
})
export type DestinationType = z.output<typeof DestinationType>

/** spec: Stream destination report */
export const DestinationStatus = z.enum(['connected', 'connecting', 'retrying']).meta({ id: 'StreamDestinationStatus' })

const report = {
  id: Id,
  status: DestinationStatus,
  bitrateKb: z.number().nullable().meta({ description: 'Outgoing kb/s; only when connected' }),
  nextRetryDate: Timestamp.nullable().meta({ description: 'Only when retrying' }),
  activeClients: Count.nullable().meta({ description: 'Connected clients; only of a pull destination that publishes' }),
  publishing: z.boolean().optional().meta({
    description: 'False when it is stopped: its status is then `connecting`, and all else of the report is null',
  }),
}

/** spec: Stream destination report */
export const DestinationReport = z.object(report).meta({ id: 'StreamDestinationReport' })
export type DestinationReport = z.output<typeof DestinationReport>

/** The result of an operation on destinations: a report of each one of the stream. spec: Streams 13 */
export const StreamDestinationReports = z
  .object({ streamSettingsId: Id, matchId: Id, destinations: z.array(DestinationReport) })
  .meta({ id: 'StreamDestinationReports' })

const PullProtocol = z.enum(['hls', 'srt']).meta({ id: 'StreamPullProtocol' })

export const StreamDestination = z
  .object({
    ...report,
    streamSettingsId: Id,
    name: z.string(),
    type: DestinationType,
    url: z.string().meta({
      description: 'Where it is pushed to, or where others fetch it. Keys without `streams:write` see only the host',
    }),
    streamKey: z.string().meta({ description: 'Empty without one, and for keys without `streams:write`' }),
    pullProtocol: PullProtocol.nullable(),
    latencyMs: z.number(),
    lastError: z.string().nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'StreamDestination' })

const DestinationName = text(1, 100)
const PushUrl = urlOf(['rtmp', 'rtmps', 'srt'])
// characters of the path of a URL, of any service
const StreamKey = text(1, 512).regex(/^[!-[\]-~]+$/, { error: 'printable ASCII without spaces' })
const DestinationLatency = z.int32().min(120).max(30_000).meta({ description: 'Latency of SRT in milliseconds' })

const change = {
  url: PushUrl.optional().meta({
    description:
      'rtmp or rtmps; srt of type srt; without a user or a password. youtube and facebook have one of their own',
  }),
  streamKey: StreamKey.optional().meta({ description: 'Sent as the last part of the URL; not of types srt and pull' }),
  pullProtocol: PullProtocol.optional().meta({ description: 'Of type pull; hls unless said' }),
  latencyMs: DestinationLatency.optional(),
}

type Where = { url?: string | undefined; streamKey?: string | undefined; pullProtocol?: 'hls' | 'srt' | undefined }

/** Fields that do not fit the type of a destination; `complete` when those that it needs must be there. */
export function misfits(type: DestinationType, where: Where, complete: boolean): Record<string, string> {
  const { url, streamKey, pullProtocol } = where
  const wrong: Record<string, string> = {}
  const scheme = url?.slice(0, url.indexOf(':')).toLowerCase()
  if (type === 'pull') {
    if (url !== undefined) wrong.url = 'the URL of a pull destination is made by the server'
    if (streamKey !== undefined) wrong.streamKey = 'a pull destination has no key'
    return wrong
  }
  if (pullProtocol !== undefined) wrong.pullProtocol = 'only of type pull'
  if (scheme !== undefined && (scheme === 'srt') !== (type === 'srt'))
    wrong.url = type === 'srt' ? 'expected a URL of srt' : 'expected a URL of rtmp, rtmps'
  if (type === 'srt' && streamKey !== undefined) wrong.streamKey = 'SRT has its stream id in the URL'
  if (!complete) return wrong
  if ((type === 'rtmp' || type === 'srt') && url === undefined) wrong.url = `type ${type} needs a url`
  if ((type === 'youtube' || type === 'facebook') && streamKey === undefined)
    wrong.streamKey = `type ${type} needs a streamKey`
  return wrong
}

export const StreamDestinationCreation = z
  .object({ name: DestinationName, type: DestinationType, ...change })
  .check((payload) => {
    const { type, ...where } = payload.value
    if (!DestinationType.safeParse(type).success) return
    for (const [field, message] of Object.entries(misfits(type, where, true)))
      payload.issues.push({ code: 'custom', input: undefined, path: [field], message })
  })
  .meta({ id: 'StreamDestinationCreation' })

/** Fields left out keep their value. While the destination publishes only its name changes. */
export const StreamDestinationUpdate = z
  .object({ name: DestinationName.optional(), ...change })
  .meta({ id: 'StreamDestinationUpdate' })

export const StreamDestinationParams = z.object({ destinationId: Id }).meta({ id: 'StreamDestinationParams' })
export const StreamDestinationFilter = z.object(paging).meta({ id: 'StreamDestinationFilter' })
export const StreamDestinationList = paged('destinations', StreamDestination).meta({ id: 'StreamDestinationList' })

const destinationIds = z.array(Id).min(1).max(1000)

/** spec: Streams 13 */
export const DestinationsNamed = z.object({ destinationIds }).meta({ id: 'StreamDestinationsNamed' })

export const GoLive = z
  .object({ destinationIds: destinationIds.optional().meta({ description: 'All of the stream unless said' }) })
  .prefault({})
  .meta({ id: 'StreamGoLive' })
