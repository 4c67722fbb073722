import { randomBytes } from 'node:crypto'
import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import type { Context, RecordContext } from '../../context.ts'
import { invalid } from '../../errors.ts'
import { changedColumns } from '../changed-columns.ts'
import { getInput, getInputRow } from './inputs.queries.ts'
import type { StreamInput, StreamInputCreation, StreamInputUpdate } from './inputs.schema.ts'
import { inUse, refuseWhileRunning, removeActor, runningWith } from './removal.ts'
import { checkTarget } from './urls.ts'

type Shape = z.output<typeof StreamInput>
type Creation = z.output<typeof StreamInputCreation>

/** 32 hexadecimal digits: a name that every ingest takes. */
const newKey = () => randomBytes(16).toString('hex')

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
      const [input] = await tx<{ id: number }[]>`
      insert into stream_input (organization_id, name, type, stream_key, source_url, latency_ms)
      values (${ctx.organizationId}, ${name}, ${type}, ${type === 'pull' ? '' : newKey()}, ${sourceUrl}, ${latencyMs})
      returning id`
      if (!input) throw new Error('an insert returned no row')
      await announce(tx, input.id)
      return {
        ref: `stream-input/${input.id}`,
        result: await shape(input.id, tx),
        events: [{ type: 'streamInput.created', inputId: input.id, name, inputType: type }],
      }
    },
  )
}

/** Fields left out keep their value. What a running stream reads from changes only when that has stopped. */
export function updateInput(ctx: Context, inputId: number, asked: z.output<typeof StreamInputUpdate>): Promise<Shape> {
  const { sourceUrl, ...told } = asked
  const changed = Object.keys(asked)
  const command = { ref: `stream-input/${inputId}`, type: 'update', asked: { ...told, changed } }
  return ctx.db.write(ctx, command, async (tx) => {
    const input = await getInputRow(ctx, inputId, tx)
    if (sourceUrl !== undefined && input.type !== 'pull')
      throw invalid({ 'body.sourceUrl': { message: 'only type pull has a sourceUrl' } })
    checkTarget(ctx.media, 'sourceUrl', sourceUrl)
    const user = await runningWith(tx, { inputId })
    const fixed = (['sourceUrl', 'latencyMs'] as const).filter(
      (field) => asked[field] !== undefined && asked[field] !== input[field],
    )
    if (user !== undefined && fixed.length > 0)
      throw invalid(Object.fromEntries(fixed.map((field) => [`body.${field}`, { message: inUse(user) }])))
    const columns = changedColumns({ name: 'name', sourceUrl: 'source_url', latencyMs: 'latency_ms' }, asked)
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

/** Gives a push input another key; who sends with the old one is dropped, also while a stream runs. */
export function rotateKey(ctx: Context, inputId: number): Promise<Shape> {
  return ctx.db.write(ctx, { ref: `stream-input/${inputId}`, type: 'rotateKey' }, async (tx) => {
    const { type } = await getInputRow(ctx, inputId, tx)
    if (type === 'pull')
      throw invalid({ 'path.inputId': { message: 'an input of type pull has no key', value: inputId } })
    await tx`update stream_input set stream_key = ${newKey()}, updated_at = clock_timestamp() where id = ${inputId}`
    await announce(tx, inputId)
    return {
      result: await getInput(ctx, inputId, tx),
      events: [{ type: 'streamInput.keyRotated', inputId }],
    }
  })
}

/** Removes an input with its actor; streams that stand still lose it. Who sends to it is dropped. */
export async function deleteInput(ctx: Context, inputId: number): Promise<undefined> {
  await ctx.db.write(ctx, { ref: `stream-input/${inputId}`, type: 'delete' }, async (tx) => {
    await getInputRow(ctx, inputId, tx)
    await refuseWhileRunning(tx, { inputId }, 'path.inputId')
    await removeActor(tx, `input/${inputId}`)
    await tx`update stream_settings set input_id = null, updated_at = clock_timestamp() where input_id = ${inputId}`
    await tx`delete from stream_input where id = ${inputId}`
    await announce(tx, inputId)
    return { result: undefined, events: [{ type: 'streamInput.deleted', inputId }] }
  })
  ctx.actors.forget(`input/${inputId}`)
  return undefined
}
