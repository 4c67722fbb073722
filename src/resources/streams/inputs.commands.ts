import { randomBytes } from 'node:crypto'
import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import type { Context, RecordContext } from '../../context.ts'
import { invalid } from '../../errors.ts'
import { digestOf } from '../../secrets/digest.ts'
import { changedColumns } from '../changed-columns.ts'
import { nextId } from '../next-id.ts'
import { getInput, getInputRow } from './inputs.queries.ts'
import type { StreamInput, StreamInputCreation, StreamInputUpdate } from './inputs.schema.ts'
import { inUse, refuseWhileRunning, removeActor, runningWith } from './removal.ts'
import { checkTarget } from './urls.ts'

type Shape = z.output<typeof StreamInput>
type Creation = z.output<typeof StreamInputCreation>

/** 32 hexadecimal digits: a name that every ingest takes. */
export const newKey = () => randomBytes(16).toString('hex')
const keyDigest = (streamKey: string) => (streamKey === '' ? null : digestOf(streamKey))

/** Tells every node, when it is committed: a sender that is refused before its ingest knows the key comes back seconds later. */
const announce = (tx: TransactionSql, inputId: number) =>
  tx`select pg_notify('stream_input', ${JSON.stringify({ id: inputId })})`

/** Creates an input; a push input with a stream key of its own. */
export async function createInput(ctx: Context, asked: Creation): Promise<Shape> {
  checkTarget(ctx.media, 'sourceUrl', asked.sourceUrl)
  return insertInput(ctx, asked, (id, tx) => getInput(ctx, id, tx))
}

/** As `createInput` of a push input, where no server is running. */
export const seedInput = (ctx: RecordContext, name: string): Promise<{ id: number }> =>
  insertInput(ctx, { name, type: 'default', latencyMs: 2000 }, async (id) => ({ id }))

function insertInput<T>(ctx: RecordContext, asked: Creation, shape: (id: number, tx: TransactionSql) => Promise<T>) {
  const { name, type, latencyMs, sourceUrl = '' } = asked
  // a source may hold a password: neither it nor the key goes to the journal
  return ctx.db.write(
    ctx,
    { ref: 'stream-input/new', type: 'create', asked: { name, type, latencyMs } },
    async (tx) => {
      const id = await nextId(tx, 'stream_input')
      const secrets = { streamKey: type === 'pull' ? '' : newKey(), sourceUrl }
      await tx`
        insert into stream_input (id, organization_id, name, type, secrets, stream_key_digest, latency_ms)
        overriding system value
        values (${id}, ${ctx.organizationId}, ${name}, ${type}, ${ctx.db.secrets.seal('stream_input', id, secrets)},
          ${keyDigest(secrets.streamKey)}, ${latencyMs})`
      await announce(tx, id)
      return {
        ref: `stream-input/${id}`,
        result: await shape(id, tx),
        events: [{ type: 'streamInput.created', inputId: id, name, inputType: type }],
      }
    },
  )
}

/** Fields left out keep their value. The source of a running stream changes only when the stream has stopped. */
export function updateInput(ctx: Context, inputId: number, asked: z.output<typeof StreamInputUpdate>): Promise<Shape> {
  const { sourceUrl, ...told } = asked
  const changed = Object.keys(asked)
  const command = { ref: `stream-input/${inputId}`, type: 'update', asked: { ...told, changed } }
  return ctx.db.write(ctx, command, async (tx) => {
    const { latencyMs, ...input } = await lockInput(ctx, tx, inputId)
    const secrets = ctx.db.secrets.open('stream_input', inputId, input.secrets)
    const stored = { latencyMs, sourceUrl: secrets.sourceUrl }
    if (sourceUrl !== undefined && input.type !== 'pull')
      throw invalid({ 'body.sourceUrl': { message: 'only type pull has a sourceUrl' } })
    checkTarget(ctx.media, 'sourceUrl', sourceUrl)
    const user = await runningWith(tx, { inputId })
    const fixed = (['sourceUrl', 'latencyMs'] as const).filter(
      (field) => asked[field] !== undefined && asked[field] !== stored[field],
    )
    if (user !== undefined && fixed.length > 0)
      throw invalid(Object.fromEntries(fixed.map((field) => [`body.${field}`, { message: inUse(user) }])))
    const columns = {
      ...changedColumns({ name: 'name', latencyMs: 'latency_ms' }, asked),
      ...(sourceUrl !== undefined && {
        secrets: ctx.db.secrets.seal('stream_input', inputId, { ...secrets, sourceUrl }),
      }),
    }
    if (changed.length > 0) {
      await tx`update stream_input set ${tx(columns)}, updated_at = clock_timestamp() where id = ${inputId}`
      await announce(tx, inputId)
    }
    return {
      result: await getInput(ctx, inputId, tx),
      events: [{ type: 'streamInput.updated', inputId, changed }],
    }
  })
}

/** Gives a push input another key; a sender with the old one is dropped, also while a stream runs. */
export function rotateKey(ctx: Context, inputId: number): Promise<Shape> {
  return ctx.db.write(ctx, { ref: `stream-input/${inputId}`, type: 'rotateKey' }, async (tx) => {
    const { type, secrets } = await lockInput(ctx, tx, inputId)
    if (type === 'pull')
      throw invalid({ 'path.inputId': { message: 'an input of type pull has no key', value: inputId } })
    const streamKey = newKey()
    const sealed = ctx.db.secrets.seal('stream_input', inputId, {
      ...ctx.db.secrets.open('stream_input', inputId, secrets),
      streamKey,
    })
    await tx`
      update stream_input set secrets = ${sealed}, stream_key_digest = ${keyDigest(streamKey)},
        updated_at = clock_timestamp()
      where id = ${inputId}`
    await announce(tx, inputId)
    return {
      result: await getInput(ctx, inputId, tx),
      events: [{ type: 'streamInput.keyRotated', inputId }],
    }
  })
}

/** The row of an own input, locked: secrets that are sealed together are written together. */
async function lockInput(ctx: Context, tx: TransactionSql, inputId: number) {
  await tx`select from stream_input where id = ${inputId} for no key update`
  return getInputRow(ctx, inputId, tx)
}

/** Removes an input with its actor; streams that stand still lose it. Its sender is dropped. */
export async function deleteInput(ctx: Context, inputId: number): Promise<undefined> {
  await ctx.db.write(ctx, { ref: `stream-input/${inputId}`, type: 'delete' }, async (tx) => {
    await getInputRow(ctx, inputId, tx)
    await refuseWhileRunning(tx, { inputId }, 'path.inputId')
    await tx`update stream_settings set input_id = null, updated_at = clock_timestamp() where input_id = ${inputId}`
    await tx`delete from stream_input where id = ${inputId}`
    // after the record: until then its sender could wake it for the first time
    await removeActor(tx, `input/${inputId}`)
    await announce(tx, inputId)
    return { result: undefined, events: [{ type: 'streamInput.deleted', inputId }] }
  })
  ctx.actors.forget(`input/${inputId}`)
  return undefined
}
