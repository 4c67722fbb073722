import type { ISql } from 'postgres'
import type { z } from 'zod'
import { IDLE_STREAM, type Stream } from '../../../machines/stream-model.ts'
import { contextRead } from '../../actors/rows.ts'
import type { Context, ReadContext } from '../../context.ts'
import { owned } from '../ownership.ts'
import { page } from '../page.ts'
import { type Reported, reportOf } from './destinations.queries.ts'
import type { StreamFilter, StreamSettings } from './schema.ts'

type Shape = z.output<typeof StreamSettings>

/** A stream as its row shows it, with the state of its actor as of the last commit. */
export type StreamRow = Omit<
  Shape,
  'state' | 'destinations' | 'overlayHidden' | 'startedAt' | 'liveAt' | 'lastError' | 'createdAt' | 'updatedAt'
> & {
  stream: Stream | null
  destinations: (Reported & { name: string })[]
  createdAt: Date
  updatedAt: Date
}

const columns = (sql: ISql) => sql`
  s.id, s.organization_id as "organizationId", s.match_id as "matchId", s.name, s.input_id as "inputId",
  s.overlay_id as "overlayId", s.resolution, s.fps, s.video_bitrate_kb as "videoBitrateKb", s.region,
  s.input_volume as "inputVolume", s.generate_highlights as "generateHighlights",
  s.start_overlay_hidden as "startOverlayHidden", s.auto_stream as "autoStream",
  s.created_at as "createdAt", s.updated_at as "updatedAt", a.snapshot->'context' as stream,
  (select coalesce(json_agg(json_build_object(
      'id', d.id, 'name', d.name, 'type', d.type, 'state', da.snapshot->'context') order by d.id), '[]')
    from stream_destination d left join actor da on da.ref = 'destination/' || d.id
    where d.stream_settings_id = s.id) as destinations`

const source = (sql: ISql) => sql`from stream_settings s left join actor a on a.ref = 'stream/' || s.id`

/** The state of a stream in one word. */
export const stateOf = ({ phase, error }: Stream): Shape['state'] =>
  phase === 'stopped' ? (error === null ? 'idle' : 'error') : phase === 'running' ? 'live' : phase

/** The shown state of an actor that cannot be loaded: a list is not to fail for one of its streams. live-path 9 */
const UNREADABLE: Stream = { ...IDLE_STREAM, error: 'its stored state cannot be read, and waits for a repair' }

const readable = <R extends StreamRow>(row: R): R => ({
  ...row,
  stream: row.stream && (contextRead('stream', row.stream) ?? UNREADABLE),
})

/** A row as the API shows it; a command that knows more than the row gives the state it leads to. */
export function streamOf(media: Context['media'], row: StreamRow, stream = row.stream ?? IDLE_STREAM): Shape {
  const { stream: _, destinations, createdAt, updatedAt, ...settings } = row
  return {
    ...settings,
    state: stateOf(stream),
    overlayHidden: stream.overlayHidden,
    destinations: destinations.map((destination) => {
      const { id, status, publishing } = reportOf(media, destination, stream.publishing.includes(destination.id))
      return { id, name: destination.name, type: destination.type, status, publishing }
    }),
    startedAt: stream.startedAt,
    liveAt: stream.liveAt,
    lastError: stream.error,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}

/** The row of an own stream. Throws notFound, or forbidden when it is another organization's. */
export async function getStreamRow(ctx: ReadContext, streamId: number, sql: ISql = ctx.db.sql): Promise<StreamRow> {
  const [row] = await sql<(StreamRow & { organizationId: number })[]>`
    select ${columns(sql)} ${source(sql)} where s.id = ${streamId}`
  return owned(ctx, row && readable(row))
}

type Reading = ReadContext & Pick<Context, 'media'>

/** As `getStreamRow`, in the shape of the API. A command gives its transaction. */
export const getStream = async (ctx: Reading, streamId: number, sql: ISql = ctx.db.sql): Promise<Shape> =>
  streamOf(ctx.media, await getStreamRow(ctx, streamId, sql))

/** The organization's streams by id. */
export async function listStreams(ctx: Reading, { matchId, state, ...paging }: z.output<typeof StreamFilter>) {
  const { sql } = ctx.db
  const { rows, total } = await page<StreamRow & { organizationId: number }>(sql, {
    select: columns(sql),
    from: sql`${source(sql)} where s.organization_id = ${ctx.organizationId}
      ${matchId === undefined ? sql`` : sql`and s.match_id = ${matchId}`}
      ${state === undefined ? sql`` : sql`and ${inState(sql, state)}`}`,
    source: 's',
    ...paging,
  })
  const streams = rows.map(({ organizationId: _, ...row }) => streamOf(ctx.media, readable(row)))
  return { streams, total, returned: streams.length }
}

/** The streams of these matches by id, for the `s` include of match reads. */
export async function streamsOfMatches(ctx: Reading, matchIds: readonly number[]): Promise<Shape[]> {
  const { sql } = ctx.db
  const rows = await sql<(StreamRow & { organizationId: number })[]>`
    select ${columns(sql)} ${source(sql)}
    where s.organization_id = ${ctx.organizationId} and s.match_id = any(${[...matchIds]}) order by s.id`
  return rows.map(({ organizationId: _, ...row }) => streamOf(ctx.media, readable(row)))
}

/** As `stateOf`, in SQL. */
function inState(sql: ISql, state: Shape['state']) {
  const phase = sql`coalesce(a.snapshot->'context'->>'phase', 'stopped')`
  const error = sql`a.snapshot->'context'->>'error'`
  switch (state) {
    case 'idle':
      return sql`${phase} = 'stopped' and ${error} is null`
    case 'error':
      return sql`${phase} = 'stopped' and ${error} is not null`
    case 'live':
      return sql`${phase} = 'running'`
    default:
      return sql`${phase} = ${state}`
  }
}
