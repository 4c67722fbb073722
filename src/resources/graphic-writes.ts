import type { TransactionSql } from 'postgres'
import type { Context, RecordContext } from '../context.ts'
import { invalid } from '../errors.ts'
import type { GraphicPath } from './code-graphics/schema.ts'
import {
  type Draft,
  deleteByRef,
  graphicRef,
  lockDraft,
  lockRef,
  lockThemeAndDraft,
} from './code-graphics/working-copy.ts'
import { inLane, thisWrite, touchTheme } from './target.ts'

const nameTaken = (name: string) =>
  invalid({ 'body.name': { message: 'another graphic of the theme has this name', value: name } })

function checkName(name: string) {
  if (name === '__proto__') throw invalid({ 'body.name': { message: 'the name is reserved' } })
}

type NewGraphic = { name: string; sports?: readonly string[] | undefined; stateMachine: object }

/**
 * Adds a graphic to a theme that is locked, with its working copy; answers the events. Its sports are those of the theme
 * unless given. Throws invalid when the name is taken.
 */
export async function insertGraphic(
  tx: TransactionSql,
  { themeId, graphicId, kind }: Required<GraphicPath>,
  { name, sports, stateMachine }: NewGraphic,
) {
  checkName(name)
  const [graphic] = await tx`
    insert into graphic (id, theme_id, kind, name) values (${graphicId}, ${themeId}, ${kind}, ${name})
    on conflict (theme_id, name) where deleted_at is null do nothing returning id`
  if (!graphic) throw nameTaken(name)
  await tx`
    insert into graphic_draft (graphic_id, version, sports, state_machine, updated_at)
    select ${graphicId}, 1, coalesce(${sports ? [...sports] : null}::text[], sports), ${JSON.stringify(stateMachine)}::text::jsonb,
      ${inLane(tx, 'draft')}
    from theme where id = ${themeId}`
  await touchTheme(tx, themeId)
  return [{ type: 'graphic.created', graphicId, themeId, name }]
}

/** Gives a graphic another name, in a write that has locked its theme. Throws invalid when it is taken. */
export async function renameGraphic(tx: TransactionSql, { themeId, graphicId }: GraphicPath, name: string) {
  checkName(name)
  // the lock on the theme keeps others from taking the name meanwhile
  const renamed = await tx`
    update graphic set name = ${name} where id = ${graphicId} and not exists (
      select from graphic other where other.theme_id = ${themeId} and other.name = ${name} and other.deleted_at is null)
    returning id`
  if (renamed.length === 0) throw nameTaken(name)
  await touchTheme(tx, themeId)
  await tx`select pg_notify('catalog', ${JSON.stringify({ theme: themeId })})`
}

type GraphicUpdate<R> = {
  name: string | undefined
  ifUnchangedSince: string | undefined
  /** As journaled. */
  asked: object
  /** Changes the working copy; undefined when only the name changes. */
  change: ((tx: TransactionSql, draft: Draft) => Promise<unknown>) | undefined
  /** The answer to the caller, as of this write. */
  read(tx: TransactionSql): Promise<R>
}

/** Renames a graphic, or changes its working copy. Throws errors of `change`, and invalid when the name is taken. */
export async function updateGraphic<R>(
  ctx: RecordContext,
  path: GraphicPath,
  { name, ifUnchangedSince, asked, change, read }: GraphicUpdate<R>,
): Promise<R> {
  const { themeId, graphicId } = path
  const graphic = await ctx.db.write(ctx, { ref: graphicRef(graphicId), type: 'update', asked }, async (tx) => {
    const lock = name === undefined ? lockDraft : lockThemeAndDraft
    const draft = await lock(ctx, tx, path, ifUnchangedSince)
    const events = []
    if (change) {
      await change(tx, draft)
      events.push({ type: 'graphic.updated', graphicId })
    }
    if (name !== undefined && name !== draft.name) {
      await renameGraphic(tx, path, name)
      events.push({ type: 'graphic.renamed', graphicId, name })
    }
    if (events.length > 0)
      await tx`update graphic_draft set updated_at = ${inLane(tx, 'draft', thisWrite(tx))} where graphic_id = ${graphicId}`
    return { result: await read(tx), events }
  })
  if (name !== undefined) ctx.catalog.forget({ theme: themeId })
  return graphic
}

/**
 * Takes a graphic out of its theme, with its working copy, uploads and lock. Versions that a theme version pins still play,
 * and presets still name it. Publications of the theme leave it out from now on.
 */
export async function removeGraphic(
  ctx: RecordContext & Pick<Context, 'actors'>,
  path: GraphicPath,
  { ifUnchangedSince }: { ifUnchangedSince?: string | undefined },
): Promise<undefined> {
  const { themeId, graphicId } = path
  const ref = graphicRef(graphicId)
  await ctx.db.write(ctx, { ref, type: 'delete' }, async (tx) => {
    await lockThemeAndDraft(ctx, tx, path, ifUnchangedSince)
    await deleteByRef(tx, [graphicId])
    await tx`delete from graphic_draft where graphic_id = ${graphicId}`
    await tx`update graphic set deleted_at = clock_timestamp() where id = ${graphicId}`
    await touchTheme(tx, themeId)
    return { result: undefined, events: [{ type: 'graphic.deleted', graphicId, themeId }] }
  })
  ctx.actors.forget(lockRef(graphicId))
}

/** Makes the working copy an immutable version, and moves it on to the next one; answers the theme's new `updatedAt`. */
export async function publishDraft(tx: TransactionSql, { themeId, graphicId }: GraphicPath): Promise<string> {
  await tx`
    insert into graphic_version (graphic_id, version, sports, state_machine, bundle_hash, motion, ograf)
    select graphic_id, version, sports, state_machine, bundle_hash, motion, ograf
    from graphic_draft where graphic_id = ${graphicId}`
  await tx`
    update graphic_draft set id = default, version = version + 1, updated_at = ${inLane(tx, 'draft', thisWrite(tx))}
    where graphic_id = ${graphicId}`
  return touchTheme(tx, themeId)
}
