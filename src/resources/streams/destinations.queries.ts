import type { ISql } from 'postgres'
import type { z } from 'zod'
import type { Destination } from '../../../machines/destination.ts'
import type { Stream } from '../../../machines/stream-model.ts'
import { storedPart } from '../../catalog/stored-part.ts'
import type { Context, ReadContext } from '../../context.ts'
import type { Paging } from '../../schema/paging.ts'
import { owned, ownRecords } from '../ownership.ts'
import { page } from '../page.ts'
import type { DestinationReport, DestinationType, StreamDestination } from './destinations.schema.ts'
import { hostOnly, type TargetRow } from './urls.ts'

type Shape = z.output<typeof StreamDestination>

/** A destination as reports need it: its actor's state (null before its first command), and the wish of its stream. */
export type Reported = { id: number; type: DestinationType; state: Destination | null }

export type DestinationRow = Reported &
  TargetRow & {
    type: DestinationType
    organizationId: number
    streamSettingsId: number
    secrets: string
    name: string
    publishing: Stream['publishing'] | null
    createdAt: Date
    updatedAt: Date
  }

const columns = (sql: ISql) => sql`
  d.id, d.organization_id as "organizationId", d.stream_settings_id as "streamSettingsId", d.name, d.type, d.secrets,
  d.pull_protocol as "pullProtocol",
  d.latency_ms as "latencyMs", d.created_at as "createdAt", d.updated_at as "updatedAt",
  a.snapshot->'context' as state, ${storedPart(sql, 's', 'publishing', 'array')} as publishing`

const source = (sql: ISql) => sql`
  from stream_destination d
  left join actor a on a.ref = 'destination/' || d.id
  left join actor s on s.ref = 'stream/' || d.stream_settings_id`

/**
 * How it goes with a destination. The intent is its stream's: until its actor has heard of it, it counts as connecting.
 * spec: Stream destination report
 */
export function reportOf(
  media: Context['media'],
  { id, type, state }: Reported,
  publishing: boolean,
): DestinationReport & { publishing: boolean } {
  const status = publishing && state && state.phase !== 'stopped' ? state.phase : 'connecting'
  const measured = publishing ? media.destination(id) : undefined
  return {
    id,
    status,
    bitrateKb: status === 'connected' ? (measured?.bitrateKb ?? null) : null,
    nextRetryDate: status === 'retrying' ? (state?.nextRetryDate ?? null) : null,
    activeClients: type === 'pull' && publishing ? (measured?.activeClients ?? 0) : null,
    publishing,
  }
}

type Reading = ReadContext & Pick<Context, 'media' | 'scopes'>

function destinationOf({ media, scopes, db }: Reading, row: Omit<DestinationRow, 'organizationId'>): Shape {
  const { type, pullProtocol, publishing } = row
  const { url, streamKey, pullToken } = db.secrets.open('stream_destination', row.id, row.secrets)
  const mayWrite = scopes.has('streams:write')
  const address = pullProtocol && pullToken ? media.pullUrl({ protocol: pullProtocol, token: pullToken }) : url
  return {
    ...reportOf(media, row, publishing?.includes(row.id) ?? false),
    streamSettingsId: row.streamSettingsId,
    name: row.name,
    type,
    url: mayWrite ? address : hostOnly(address),
    streamKey: mayWrite ? streamKey : '',
    pullProtocol,
    latencyMs: row.latencyMs,
    lastError: row.state?.error ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** The row of an own destination. Throws notFound, or forbidden when it is another organization's. */
export async function getDestinationRow(ctx: ReadContext, destinationId: number, sql: ISql = ctx.db.sql) {
  const [row] = await sql<DestinationRow[]>`select ${columns(sql)} ${source(sql)} where d.id = ${destinationId}`
  return owned(ctx, row)
}

/** As `getDestinationRow`, with how it goes. A command gives its transaction. */
export const getDestination = async (ctx: Reading, destinationId: number, sql: ISql = ctx.db.sql): Promise<Shape> =>
  destinationOf(ctx, await getDestinationRow(ctx, destinationId, sql))

/** As `getDestination`, with the rates of now, wherever it runs. */
export async function readDestination(ctx: Reading, destinationId: number): Promise<Shape> {
  const row = await getDestinationRow(ctx, destinationId)
  await hearOf(ctx, [row])
  return destinationOf(ctx, row)
}

/** Of those that publish, so that their rates are of now. */
export const hearOf = ({ media }: Pick<Context, 'media'>, rows: readonly Pick<DestinationRow, 'id' | 'publishing'>[]) =>
  media.hear(rows.filter(({ id, publishing }) => publishing?.includes(id)).map(({ id }) => `destination/${id}`))

/** The destinations of a stream by id. Throws notFound, or forbidden when it is another organization's. */
export async function listDestinations(ctx: Reading, streamId: number, paging: Paging) {
  const { sql } = ctx.db
  await ownRecords(ctx, sql, 'stream_settings', [streamId])
  const { rows, total } = await page<DestinationRow>(sql, {
    select: columns(sql),
    from: sql`${source(sql)} where d.stream_settings_id = ${streamId} and d.organization_id = ${ctx.organizationId}`,
    source: 'd',
    ...paging,
  })
  await hearOf(ctx, rows)
  return { destinations: rows.map((row) => destinationOf(ctx, row)), total, returned: rows.length }
}

/** All destinations of a stream, by id, with the columns needed to connect them. */
export const destinationsOf = async (sql: ISql, streamId: number): Promise<DestinationRow[]> => [
  ...(await sql<
    DestinationRow[]
  >`select ${columns(sql)} ${source(sql)} where d.stream_settings_id = ${streamId} order by d.id`),
]
