import { setTimeout as pause } from 'node:timers/promises'
import type { z } from 'zod'
import { IDLE_STREAM, type Stream } from '../../../machines/stream-model.ts'
import type { Context } from '../../context.ts'
import { forbidden, invalid } from '../../errors.ts'
import type { Need } from '../../media/ports.ts'
import { serviceMoment } from '../../waiting/service-time.ts'
import { type DestinationRow, destinationsOf, hearOf, reportOf } from './destinations.queries.ts'
import type { DestinationsNamed, GoLive, StreamDestinationReports } from './destinations.schema.ts'
import { getStreamRow } from './queries.ts'
import { mustHave, NOT_RUNNING, notNow, settle } from './run.commands.ts'
import { targetOf } from './urls.ts'

type Reports = z.output<typeof StreamDestinationReports>
type Named = z.output<typeof DestinationsNamed>

const STOPPED_WITHIN_MS = 1_000

/** Publishes a running stream to destinations, all of them unless said. Throws invalid when it is not running. */
export const goLive = (ctx: Context, streamId: number, { destinationIds }: z.output<typeof GoLive>): Promise<Reports> =>
  publish(ctx, streamId, 'goLive', destinationIds)

/** Has destinations of a running stream publish; one that waits for its next try does not wait. */
export const startDestinations = (ctx: Context, streamId: number, { destinationIds }: Named): Promise<Reports> =>
  publish(ctx, streamId, 'publish', destinationIds)

async function publish(
  ctx: Context,
  streamId: number,
  type: 'goLive' | 'publish',
  asked: Named['destinationIds'] | undefined,
) {
  const at = serviceMoment()
  const { matchId } = await getStreamRow(ctx, streamId)
  if (asked) await ownLinked(ctx, streamId, asked)
  let all: DestinationRow[] = []
  await ctx.actors.send(ctx, 'stream', streamId, {
    asked: { type, ...(asked && { destinationIds: asked }) },
    async decide({ phase }) {
      if (phase !== 'running') throw notNow(streamId, NOT_RUNNING)
      all = await destinationsOf(ctx.db.sql, streamId)
      const chosen = asked ? all.filter(({ id }) => asked.includes(id)) : all
      if (chosen.length === 0) throw notNow(streamId, 'The stream has no destination')
      mustHave(
        ctx,
        chosen.map((row) => needOf(ctx, row)),
      )
      const destinationIds = chosen.map(({ id }) => id)
      return type === 'goLive' ? { type, at, destinationIds } : { type, destinationIds }
    },
    reply: (stream) => ({ streamSettingsId: streamId, matchId, destinations: expected(ctx, all, stream) }),
    refused: () => notNow(streamId, NOT_RUNNING),
  })
  await settle(ctx, streamId, true)
  return reports(ctx, streamId, matchId)
}

const needOf = ({ db }: Context, row: DestinationRow): Need =>
  targetOf(row, db.secrets.open('stream_destination', row.id, row.secrets)).protocol

/** Stops destinations of a running stream; they can be started again. Answers when their processes have ended. spec: Streams 13 */
export async function stopDestinations(ctx: Context, streamId: number, { destinationIds }: Named): Promise<Reports> {
  const { matchId } = await getStreamRow(ctx, streamId)
  await ownLinked(ctx, streamId, destinationIds)
  let all: DestinationRow[] = []
  await ctx.actors.send(ctx, 'stream', streamId, {
    asked: { type: 'unpublish', destinationIds },
    async decide({ phase }) {
      if (phase !== 'running') throw notNow(streamId, NOT_RUNNING)
      all = await destinationsOf(ctx.db.sql, streamId)
      return { type: 'unpublish', destinationIds }
    },
    reply: (stream) => ({ streamSettingsId: streamId, matchId, destinations: expected(ctx, all, stream) }),
    refused: () => notNow(streamId, NOT_RUNNING),
  })
  await settle(ctx, streamId, false)
  // a relay whose far end takes nothing any more is forced to end, which may take longer than an answer
  await Promise.race([ctx.media.settled(destinationIds), pause(STOPPED_WITHIN_MS, undefined, { ref: false })])
  return reports(ctx, streamId, matchId)
}

/** Destinations that a request names: another organization's 403, one that is not linked to the stream 400. spec: Streams 13 */
async function ownLinked(ctx: Context, streamId: number, ids: readonly number[]): Promise<void> {
  const rows = await ctx.db.sql<{ id: number; organizationId: number; streamSettingsId: number }[]>`
    select id, organization_id as "organizationId", stream_settings_id as "streamSettingsId"
    from stream_destination where id = any(${[...ids]})`
  if (rows.some(({ organizationId }) => organizationId !== ctx.organizationId)) throw forbidden()
  const linked = new Set(rows.filter((row) => row.streamSettingsId === streamId).map(({ id }) => id))
  const unlinked = ids.flatMap((id, index) => (linked.has(id) ? [] : [{ id, index }]))
  if (unlinked.length === 0) return
  const details = unlinked.map(({ id, index }) => [
    `body.destinationIds[${index}]`,
    { message: 'not linked to the stream', value: id },
  ])
  throw invalid(Object.fromEntries(details))
}

/** The reports of destinations as they will be once they have heard the wish of their stream. */
const expected = ({ media }: Context, rows: readonly DestinationRow[], { publishing }: Stream) =>
  rows.map((row) => {
    // a destination that waits for its next try is not made to wait
    const state = row.state?.phase === 'retrying' ? null : row.state
    return reportOf(media, { ...row, state }, publishing.includes(row.id))
  })

async function reports(ctx: Context, streamId: number, matchId: number): Promise<Reports> {
  const rows = await destinationsOf(ctx.db.sql, streamId)
  await hearOf(ctx, rows)
  const destinations = rows.map((row) =>
    reportOf(ctx.media, row, (row.publishing ?? IDLE_STREAM.publishing).includes(row.id)),
  )
  return { streamSettingsId: streamId, matchId, destinations }
}
