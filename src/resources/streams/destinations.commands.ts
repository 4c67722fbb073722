import { randomBytes } from 'node:crypto'
import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { invalid } from '../../errors.ts'
import type { RowSecrets } from '../../secrets/secrets.ts'
import { changedColumns } from '../changed-columns.ts'
import { nextId } from '../next-id.ts'
import { type DestinationRow, getDestination, getDestinationRow } from './destinations.queries.ts'
import {
  type DestinationType,
  misfits,
  type StreamDestination,
  type StreamDestinationCreation,
  type StreamDestinationUpdate,
} from './destinations.schema.ts'
import { getStreamRow } from './queries.ts'
import { removeActor } from './removal.ts'
import { checkTarget } from './urls.ts'

type Shape = z.output<typeof StreamDestination>
type Creation = z.output<typeof StreamDestinationCreation>
type Update = z.output<typeof StreamDestinationUpdate>

/** The addresses where services take streams, for destinations that name none. */
export const SERVICES: Readonly<Partial<Record<DestinationType, string>>> = {
  youtube: 'rtmps://a.rtmps.youtube.com:443/live2',
  facebook: 'rtmps://live-api-s.facebook.com:443/rtmp',
}

/** Each is a process of its own while it publishes. */
const MAX_DESTINATIONS = 50

/** Creates a destination of a stream, also while that runs; it publishes when it is asked to. */
export async function createDestination(ctx: Context, streamId: number, asked: Creation): Promise<Shape> {
  const { name, type } = asked
  // neither URLs nor keys go to the journal
  const command = { ref: 'stream-destination/new', type: 'create', asked: { streamSettingsId: streamId, name, type } }
  return ctx.db.write(ctx, command, async (tx) => {
    await getStreamRow(ctx, streamId, tx)
    // a stream that is being deleted takes its destinations with it; two that are added at once are counted one by one
    await tx`select from stream_settings where id = ${streamId} for no key update`
    await mustHaveRoom(tx, streamId)
    checkTarget(ctx.media, 'url', asked.url)
    const id = await insertDestination(ctx, tx, { ...asked, streamId })
    return {
      ref: `stream-destination/${id}`,
      result: await getDestination(ctx, id, tx),
      events: [
        {
          type: 'streamDestination.created',
          destinationId: id,
          streamSettingsId: streamId,
          name,
          destinationType: type,
        },
      ],
    }
  })
}

async function mustHaveRoom(tx: TransactionSql, streamId: number): Promise<void> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from stream_destination where stream_settings_id = ${streamId}`
  if (row && row.count >= MAX_DESTINATIONS)
    throw invalid({
      'path.streamSettingsId': { message: `a stream has at most ${MAX_DESTINATIONS} destinations`, value: streamId },
    })
}

/** The row of a new destination; answers its id. */
export async function insertDestination(
  { organizationId, db }: Pick<Context, 'organizationId' | 'db'>,
  tx: TransactionSql,
  { streamId, name, type, url, streamKey, pullProtocol, latencyMs }: Creation & { streamId: number },
): Promise<number> {
  const pulled = type === 'pull'
  const id = await nextId(tx, 'stream_destination')
  const sealed = db.secrets.seal('stream_destination', id, {
    url: url ?? SERVICES[type] ?? '',
    streamKey: streamKey ?? '',
    pullToken: pulled ? randomBytes(24).toString('base64url') : null,
  })
  await tx`
    insert into stream_destination (id, organization_id, stream_settings_id, name, type, secrets, pull_protocol, latency_ms)
    overriding system value
    values (${id}, ${organizationId}, ${streamId}, ${name}, ${type}, ${sealed},
      ${pulled ? (pullProtocol ?? 'hls') : null}, ${latencyMs ?? 200})`
  return id
}

/** Fields left out keep their value. Where it goes changes only while it does not publish. */
export function updateDestination(ctx: Context, destinationId: number, asked: Update): Promise<Shape> {
  const changed = Object.keys(asked)
  const { name } = asked
  const command = {
    ref: `stream-destination/${destinationId}`,
    type: 'update',
    asked: { ...(name !== undefined && { name }), changed },
  }
  return ctx.db.write(ctx, command, async (tx) => {
    const stored = await lockDestination(ctx, tx, destinationId)
    const where = ctx.db.secrets.open('stream_destination', destinationId, stored.secrets)
    const wrong = { ...misfits(stored.type, asked, false), ...fixed({ ...stored, ...where }, asked) }
    if (Object.keys(wrong).length > 0)
      throw invalid(Object.fromEntries(Object.entries(wrong).map(([field, message]) => [`body.${field}`, { message }])))
    checkTarget(ctx.media, 'url', asked.url)
    const { url = where.url, streamKey = where.streamKey } = asked
    const columns = {
      ...changedColumns({ name: 'name', pullProtocol: 'pull_protocol', latencyMs: 'latency_ms' }, asked),
      secrets: ctx.db.secrets.seal('stream_destination', destinationId, { ...where, url, streamKey }),
    }
    if (changed.length > 0)
      await tx`update stream_destination set ${tx(columns)}, updated_at = clock_timestamp() where id = ${destinationId}`
    return {
      result: await getDestination(ctx, destinationId, tx),
      events: [{ type: 'streamDestination.updated', destinationId, changed }],
    }
  })
}

/** Removes a destination that does not publish, with its actor. */
export async function deleteDestination(ctx: Context, destinationId: number): Promise<undefined> {
  const ref = `stream-destination/${destinationId}`
  const actor = await ctx.db.write(ctx, { ref, type: 'delete' }, async (tx) => {
    const stored = await lockDestination(ctx, tx, destinationId)
    if (isPublishing(stored))
      throw invalid({ 'path.destinationId': { message: 'it is publishing: stop it first', value: destinationId } })
    await tx`delete from stream_destination where id = ${destinationId}`
    return {
      // after the record: until then a reaction could wake it for the first time
      result: await removeActor(tx, `destination/${destinationId}`),
      events: [{ type: 'streamDestination.deleted', destinationId, streamSettingsId: stored.streamSettingsId }],
    }
  })
  ctx.actors.forget(actor)
  return undefined
}

/** The row; its stream commits nothing until the transaction ends, so that whether it publishes stays as it is read. */
async function lockDestination(ctx: Context, tx: TransactionSql, destinationId: number) {
  const { streamSettingsId } = await getDestinationRow(ctx, destinationId, tx)
  await tx`select from actor where ref = ${`stream/${streamSettingsId}`} for share`
  // secrets that are sealed together are written together
  await tx`select from stream_destination where id = ${destinationId} for no key update`
  return getDestinationRow(ctx, destinationId, tx)
}

const isPublishing = ({ id, publishing }: Pick<DestinationRow, 'id' | 'publishing'>) =>
  publishing?.includes(id) ?? false

const fixed = (stored: Omit<DestinationRow, 'organizationId'> & RowSecrets['stream_destination'], asked: Update) =>
  Object.fromEntries(
    (isPublishing(stored) ? (['url', 'streamKey', 'pullProtocol', 'latencyMs'] as const) : [])
      .filter((field) => asked[field] !== undefined && asked[field] !== stored[field])
      .map((field) => [field, 'it is publishing: stop it first']),
  )
