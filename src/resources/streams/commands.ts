import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import type { Context, Errand, RecordContext } from '../../context.ts'
import { type FieldErrors, invalid, unexpected } from '../../errors.ts'
import { changedColumns } from '../changed-columns.ts'
import { ownRecords } from '../ownership.ts'
import { insertDestination } from './destinations.commands.ts'
import type { StreamDestinationCreation } from './destinations.schema.ts'
import { getStream, getStreamRow, type StreamRow } from './queries.ts'
import { removeStreams } from './removal.ts'
import { followSettings } from './schedule.ts'
import type { StreamCreation, StreamSettings, StreamUpdate } from './schema.ts'

type Shape = z.output<typeof StreamSettings>
type Creation = z.output<typeof StreamCreation>
type Update = z.output<typeof StreamUpdate>

/** Creates a stream of a match, idle. */
export async function createStream(ctx: Context, asked: Creation): Promise<Shape> {
  const stream = await insertStream(ctx, asked, (id, tx) => getStream(ctx, id, tx))
  return asked.startOverlayHidden ? hiddenAtStart(ctx, stream) : stream
}

/** As `createStream` with destinations, where no server is running. */
export const seedStream = (
  ctx: RecordContext,
  { destinations, ...asked }: Creation & { destinations: readonly z.output<typeof StreamDestinationCreation>[] },
): Promise<{ streamSettingsId: number; destinationIds: number[] }> =>
  insertStream(ctx, asked, async (id, tx) => {
    const destinationIds: number[] = []
    for (const destination of destinations)
      destinationIds.push(await insertDestination(ctx, tx, { ...destination, streamId: id }))
    return { streamSettingsId: id, destinationIds }
  })

function insertStream<T>(ctx: RecordContext, asked: Creation, shape: (id: number, tx: TransactionSql) => Promise<T>) {
  const { matchId, name } = asked
  return ctx.db.write(ctx, { ref: 'stream-settings/new', type: 'create', asked }, async (tx) => {
    await ownNamed(ctx, tx, asked, matchId)
    const [row] = await tx<{ id: number }[]>`
      insert into stream_settings ${tx({
        organization_id: ctx.organizationId,
        match_id: matchId,
        name,
        ...changedColumns(COLUMNS, asked),
      })} returning id`
    if (!row) throw new Error('an insert returned no row')
    return {
      ref: `stream-settings/${row.id}`,
      result: await shape(row.id, tx),
      events: [{ type: 'stream.created', streamSettingsId: row.id, matchId, name }],
    }
  })
}

const COLUMNS = {
  name: 'name',
  inputId: 'input_id',
  overlayId: 'overlay_id',
  resolution: 'resolution',
  fps: 'fps',
  videoBitrateKb: 'video_bitrate_kb',
  region: 'region',
  inputVolume: 'input_volume',
  generateHighlights: 'generate_highlights',
  startOverlayHidden: 'start_overlay_hidden',
} as const

/** The organization of the named records is checked before their use. */
async function ownNamed(
  ctx: RecordContext,
  tx: TransactionSql,
  { inputId, overlayId }: Pick<Creation, 'inputId' | 'overlayId'>,
  matchId: number,
): Promise<void> {
  await ownRecords(ctx, tx, 'match', [matchId])
  await ownRecords(ctx, tx, 'stream_input', typeof inputId === 'number' ? [inputId] : [])
  if (typeof overlayId !== 'number') return
  await ownRecords(ctx, tx, 'overlay', [overlayId])
  const [overlay] = await tx<{ matchId: number }[]>`select match_id as "matchId" from overlay where id = ${overlayId}`
  if (overlay?.matchId !== matchId)
    throw invalid({ 'body.overlayId': { message: 'an overlay of another match', value: overlayId } })
}

/** Fields left out keep their value. Input, picture and whether graphics are burned in stay as they are while the stream runs. */
export async function updateStream(ctx: Context, streamId: number, asked: Update): Promise<Shape> {
  let turned = false
  const stream = await ctx.db.write(ctx, { ref: `stream-settings/${streamId}`, type: 'update', asked }, async (tx) => {
    await getStreamRow(ctx, streamId, tx)
    // its actor commits nothing until the transaction ends, so that whether it runs stays as it is read
    await tx`select from actor where ref = ${`stream/${streamId}`} for share`
    const stored = await getStreamRow(ctx, streamId, tx)
    await ownNamed(ctx, tx, asked, stored.matchId)
    const fixed = fixedWhileRunning(stored, asked)
    if (Object.keys(fixed).length > 0) throw invalid(fixed, 'The stream is running')
    turned = asked.startOverlayHidden !== undefined && (stored.stream?.phase ?? 'stopped') === 'stopped'
    const columns = changedColumns(COLUMNS, asked)
    if (Object.keys(columns).length > 0)
      await tx`update stream_settings set ${tx(columns)}, updated_at = clock_timestamp() where id = ${streamId}`
    return {
      result: await getStream(ctx, streamId, tx),
      events: [{ type: 'stream.updated', streamSettingsId: streamId, changed: asked }],
    }
  })
  await followSettings(ctx, streamId)
  return turned ? hiddenAtStart(ctx, stream) : stream
}

/** How a stream that stands still begins, also by Auto Stream, is in the state of its actor. */
async function hiddenAtStart(ctx: Context, stream: Shape): Promise<Shape> {
  const hidden = stream.startOverlayHidden
  const streamId = stream.id
  const overlayHidden = await ctx.atOwner(`stream/${streamId}`, hiddenAtStartErrand, { streamId, hidden })
  return { ...stream, overlayHidden }
}

export const hiddenAtStartErrand: Errand<{ streamId: number; hidden: boolean }, boolean> = {
  name: 'hidden at start',
  run: (ctx, { streamId, hidden }) =>
    ctx.actors.send(ctx, 'stream', streamId, {
      asked: { type: 'startOverlayHidden', hidden },
      decide: () => ({ type: 'setOverlayHidden', hidden }),
      reply: (state) => state.overlayHidden,
      refused: unexpected,
    }),
}

const FIXED = ['inputId', 'resolution', 'fps', 'videoBitrateKb', 'region', 'startOverlayHidden'] as const

function fixedWhileRunning(stored: StreamRow, asked: Update): FieldErrors {
  if ((stored.stream?.phase ?? 'stopped') === 'stopped') return {}
  const fixed: FieldErrors = {}
  for (const field of FIXED)
    if (asked[field] !== undefined && asked[field] !== stored[field])
      fixed[`body.${field}`] = { message: 'does not change while the stream runs', value: asked[field] }
  const { overlayId, inputVolume = stored.inputVolume } = asked
  // the encoder starts anew for it, which ends every connection
  if (inputVolume !== stored.inputVolume && stored.overlayId !== null && (stored.stream?.publishing.length ?? 0) > 0)
    fixed['body.inputVolume'] = { message: 'does not change while the stream is published', value: inputVolume }
  if (overlayId !== undefined && (overlayId === null) !== (stored.overlayId === null))
    fixed['body.overlayId'] = {
      message: 'while the stream runs, only another overlay can take the place of the one that is burned in',
      value: overlayId,
    }
  return fixed
}

/** Removes a stream that stands still, with its destinations and all actors. */
export async function deleteStream(ctx: Context, streamId: number): Promise<undefined> {
  const actors = await ctx.db.write(ctx, { ref: `stream-settings/${streamId}`, type: 'delete' }, async (tx) => {
    const { matchId } = await getStreamRow(ctx, streamId, tx)
    return {
      result: await removeStreams(tx, [streamId], 'path.streamSettingsId'),
      events: [{ type: 'stream.deleted', streamSettingsId: streamId, matchId }],
    }
  })
  for (const actor of actors) ctx.actors.forget(actor)
  return undefined
}
