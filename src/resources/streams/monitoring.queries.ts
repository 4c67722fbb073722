import type { ISql } from 'postgres'
import type { z } from 'zod'
import { IDLE_INPUT, type Input } from '../../../machines/input.ts'
import { type Automation, IDLE_STREAM } from '../../../machines/stream-model.ts'
import type { Context } from '../../context.ts'
import type { Measured } from '../../media/ports.ts'
import type { JournalPrincipal } from '../../principal.ts'
import { causedBy } from '../caused-by.ts'
import { type DestinationRow, destinationsOf, getDestinationRow, reportOf } from './destinations.queries.ts'
import { getInputRow } from './inputs.queries.ts'
import type {
  StreamDestinationHealth,
  StreamDestinationMonitoring,
  StreamHistoryEvent,
  StreamInputHealth,
  StreamInputMonitoring,
  StreamMonitoring,
} from './monitoring.schema.ts'
import { getStreamRow, stateOf } from './queries.ts'

/** Everything that people who watch over a stream look at. Throws notFound, or forbidden when it is another organization's. */
export async function monitorStream(ctx: Context, streamId: number): Promise<z.output<typeof StreamMonitoring>> {
  const row = await getStreamRow(ctx, streamId)
  const { sql } = ctx.db
  const { inputId } = row
  const stream = row.stream ?? IDLE_STREAM
  const of = [`stream/${streamId}`, ...row.destinations.map(({ id }) => `destination/${id}`)]
  await ctx.media.hear([...of, ...(inputId === null ? [] : [`input/${inputId}`])])
  const [input, destinations, events] = await Promise.all([
    inputId === null ? null : inputHealth(ctx, inputId),
    destinationsOf(sql, streamId),
    eventsOf(sql, inputId === null ? of : [...of, `input/${inputId}`]),
  ])
  const program = ctx.media.program(streamId)
  return {
    streamSettingsId: streamId,
    matchId: row.matchId,
    state: stateOf(stream),
    overlayHidden: stream.overlayHidden,
    startedAt: stream.startedAt,
    liveAt: stream.liveAt,
    lastError: stream.error,
    automation: stream.automation && stillToCome(stream.automation),
    input,
    program: program ? { ...measured(program), cpuPercent: program.cpuPercent, rssBytes: program.rssBytes } : null,
    destinations: destinations.map((destination) => destinationHealth(ctx, destination)),
    problems: [...ctx.media.problems(streamId)],
    events,
  }
}

/** As `monitorStream`, of an input. */
export async function monitorInput(ctx: Context, inputId: number): Promise<z.output<typeof StreamInputMonitoring>> {
  // of an own one only
  await getInputRow(ctx, inputId)
  await ctx.media.hear([`input/${inputId}`])
  const health = await inputHealth(ctx, inputId)
  return { ...health, events: await eventsOf(ctx.db.sql, [`input/${inputId}`]) }
}

/** As `monitorStream`, of a destination. */
export async function monitorDestination(
  ctx: Context,
  destinationId: number,
): Promise<z.output<typeof StreamDestinationMonitoring>> {
  const row = await getDestinationRow(ctx, destinationId)
  await ctx.media.hear([`destination/${destinationId}`])
  return {
    ...destinationHealth(ctx, row),
    streamSettingsId: row.streamSettingsId,
    events: await eventsOf(ctx.db.sql, [`destination/${destinationId}`]),
  }
}

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())

const measured = ({ bitrateKb, history }: Measured) => ({
  bitrateKb,
  history: history.map((point) => ({ at: new Date(point.at).toISOString(), bitrateKb: point.bitrateKb })),
})

/** Starts and stops that were made, or undone by hand, are not made again. */
function stillToCome({ startAt, stopAt, startUsed, stopUsed }: Automation) {
  const ahead = (at: number | null, used: number | null) => (at !== null && (used === null || at > used) ? at : null)
  return { startAt: iso(ahead(startAt, startUsed)), stopAt: iso(ahead(stopAt, stopUsed)) }
}

async function inputHealth(ctx: Context, inputId: number): Promise<z.output<typeof StreamInputHealth>> {
  const { name, type } = await getInputRow(ctx, inputId)
  const [actor] = await ctx.db.sql<{ state: Input }[]>`
    select snapshot->'context' as state from actor where ref = ${`input/${inputId}`}`
  const { phase, protocol, liveAt, error } = actor?.state ?? IDLE_INPUT
  const { bitrateKb, history } = measured(ctx.media.input(inputId))
  return {
    inputId,
    name,
    type,
    state: phase,
    protocol,
    liveAt,
    lastError: error,
    // a rate of the last seconds of a connection is no rate of now
    bitrateKb: phase === 'live' ? bitrateKb : null,
    history,
  }
}

function destinationHealth(
  { media }: Context,
  row: Omit<DestinationRow, 'organizationId'>,
): z.output<typeof StreamDestinationHealth> {
  const publishing = row.publishing?.includes(row.id) ?? false
  return {
    ...reportOf(media, row, publishing),
    name: row.name,
    type: row.type,
    connectedAt: row.state?.connectedAt ?? null,
    failures: row.state?.failures ?? 0,
    lastError: row.state?.error ?? null,
    history: measured(media.destination(row.id)).history,
  }
}

const LATEST = 50
/** The refs of the records that belong to these actors. */
const RECORDS: Readonly<Record<string, string>> = {
  stream: 'stream-settings',
  input: 'stream-input',
  destination: 'stream-destination',
}

type EventRow = {
  ref: string
  at: Date
  event: { type: string } & Record<string, unknown>
  principal: JournalPrincipal
  requestId: string
}

/** The latest that the journal tells of actors and their records, newest first. */
async function eventsOf(sql: ISql, actors: readonly string[]): Promise<StreamHistoryEvent[]> {
  const refs = actors.flatMap((ref) => {
    const [kind = '', id] = ref.split('/')
    return [ref, `${RECORDS[kind]}/${id}`]
  })
  const rows = await sql<EventRow[]>`
    select told.ref, told.at, told.principal, told.request_id as "requestId", event
    from unnest(${refs}::text[]) as named(ref)
    cross join lateral (
      select ref, seq, at, principal, request_id, events from journal where ref = named.ref
      order by seq desc limit ${LATEST}
    ) told
    cross join lateral json_array_elements(told.events) with ordinality as one(event, nth)
    where event->>'type' <> 'destination.wished'
    order by told.at desc, told.seq desc, nth desc limit ${LATEST}`
  return rows.map(historyEvent)
}

function historyEvent({ ref, at, event, principal, requestId }: EventRow): StreamHistoryEvent {
  const [kind = '', id] = ref.split('/')
  const { type, ...details } = event
  return {
    at: at.toISOString(),
    subject: subjectOf(kind),
    id: Number(id),
    type,
    details,
    by: causedBy(principal),
    requestId,
  }
}

const subjectOf = (kind: string): StreamHistoryEvent['subject'] =>
  kind.endsWith('destination') ? 'destination' : kind.endsWith('input') ? 'input' : 'stream'
