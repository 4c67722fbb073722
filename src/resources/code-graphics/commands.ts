import { randomUUID } from 'node:crypto'
import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import type { Context, RecordContext } from '../../context.ts'
import { codeGraphicInvalid, invalid } from '../../errors.ts'
import { lockTheme, thisWrite, touchTheme } from '../target.ts'
import { brokenFileRules } from './file-rules.ts'
import { getWrittenGraphic } from './queries.ts'
import { brokenStateMachineRules, entryOf, type StateMachine } from './rules.ts'
import type {
  CodeGraphic,
  CodeGraphicCreation,
  CodeGraphicUpdate,
  GraphicPath,
  PublishedCodeGraphic,
} from './schema.ts'
import {
  type Draft,
  deleteByRef,
  digestOf,
  graphicRef,
  lockDraft,
  lockRef,
  lockThemeAndDraft,
  plain,
  storeBundle,
} from './working-copy.ts'

/** What a code graphic starts with when the creation names no state machine. */
const STANDARD: StateMachine = { runtime: { entry: 'index.html' }, controlVariables: [], userExpressions: [] }

/** What was asked, without its state machine, which may be large. */
const journaled = ({ stateMachine, ...asked }: { stateMachine?: StateMachine | undefined }) => ({
  ...asked,
  ...(stateMachine && { stateMachine: digestOf(stateMachine) }),
})

const nameTaken = (name: string) =>
  invalid({ 'body.name': { message: 'another graphic of the theme has this name', value: name } })

function checkName(name: string) {
  if (name === '__proto__') throw invalid({ 'body.name': { message: 'the name is reserved' } })
}

/** Creates an empty code graphic; its files come with `putBundle`. spec: Themes 20 */
export function createCodeGraphic(
  ctx: RecordContext,
  themeId: number,
  asked: Omit<z.output<typeof CodeGraphicCreation>, 'sports'> & { sports?: readonly string[] | undefined },
): Promise<z.output<typeof CodeGraphic>> {
  const graphicId = randomUUID()
  const stateMachine = asked.stateMachine ?? STANDARD
  const command = { ref: graphicRef(graphicId), type: 'create', asked: journaled(asked) }
  return ctx.db.write(ctx, command, async (tx) => {
    await lockTheme(ctx, tx, themeId, asked.ifUnchangedSince)
    const rules = brokenStateMachineRules(stateMachine)
    if (rules.length > 0) throw codeGraphicInvalid(rules)
    checkName(asked.name)
    const [graphic] = await tx`
      insert into graphic (id, theme_id, kind, name) values (${graphicId}, ${themeId}, 'code', ${asked.name})
      on conflict (theme_id, name) where deleted_at is null do nothing returning id`
    if (!graphic) throw nameTaken(asked.name)
    await tx`
      insert into graphic_draft (graphic_id, version, sports, state_machine)
      select ${graphicId}, 1, coalesce(${asked.sports ? [...asked.sports] : null}::text[], sports), ${tx.json(plain(stateMachine))}
      from theme where id = ${themeId}`
    await touchTheme(tx, themeId)
    return {
      result: await getWrittenGraphic(ctx, tx, { themeId, graphicId }),
      events: [{ type: 'graphic.created', graphicId, themeId, name: asked.name }],
    }
  })
}

/** Renames a code graphic, or changes the sports or the state machine of its working copy. */
export async function updateCodeGraphic(
  ctx: RecordContext,
  path: GraphicPath,
  asked: z.output<typeof CodeGraphicUpdate>,
): Promise<z.output<typeof CodeGraphic>> {
  const { themeId, graphicId } = path
  const { name, ifUnchangedSince } = asked
  const command = { ref: graphicRef(graphicId), type: 'update', asked: journaled(asked) }
  const graphic = await ctx.db.write(ctx, command, async (tx) => {
    const lock = name === undefined ? lockDraft : lockThemeAndDraft
    const draft = await lock(ctx, tx, path, ifUnchangedSince)
    const events = []
    if (asked.stateMachine || asked.sports) {
      await changeDraft(tx, graphicId, draft, asked)
      events.push({ type: 'graphic.updated', graphicId })
    }
    if (name !== undefined && name !== draft.name) {
      await rename(tx, path, name)
      events.push({ type: 'graphic.renamed', graphicId, name })
    }
    if (events.length > 0)
      await tx`update graphic_draft set updated_at = ${thisWrite(tx)} where graphic_id = ${graphicId}`
    return { result: await getWrittenGraphic(ctx, tx, path), events }
  })
  if (name !== undefined) ctx.catalog.forget({ theme: themeId })
  return graphic
}

async function changeDraft(
  tx: TransactionSql,
  graphicId: string,
  draft: Draft,
  { stateMachine = draft.stateMachine, sports }: z.output<typeof CodeGraphicUpdate>,
) {
  const entry = entryOf(stateMachine)
  const isEmpty = draft.assets.length === 0
  const rules = [...brokenStateMachineRules(stateMachine), ...(isEmpty ? [] : brokenFileRules(draft.assets, entry))]
  if (rules.length > 0) throw codeGraphicInvalid(rules)
  const bundleHash = isEmpty ? null : await storeBundle(tx, entry, draft.assets)
  await tx`
    update graphic_draft set state_machine = ${tx.json(plain(stateMachine))}, bundle_hash = ${bundleHash},
      sports = coalesce(${sports ?? null}::text[], sports)
    where graphic_id = ${graphicId}`
}

async function rename(tx: TransactionSql, { themeId, graphicId }: GraphicPath, name: string) {
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

/**
 * Takes a code graphic out of its theme, with its working copy, uploads and lock. What a theme version pins still plays, and
 * presets still name it. Publications of the theme leave it out from now on.
 */
export async function removeCodeGraphic(
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

/** Publishes the working copy as an immutable version; the working copy goes on as the next one, under a new id. */
export function publishCodeGraphic(
  ctx: RecordContext,
  themeId: number,
  graphicId: string,
  { ifUnchangedSince }: { ifUnchangedSince?: string | undefined } = {},
): Promise<z.output<typeof PublishedCodeGraphic>> {
  const path = { themeId, graphicId }
  return ctx.db.write(ctx, { ref: graphicRef(graphicId), type: 'publish' }, async (tx) => {
    const { assets, stateMachine, version } = await lockThemeAndDraft(ctx, tx, path, ifUnchangedSince)
    const rules = [...brokenStateMachineRules(stateMachine), ...brokenFileRules(assets, entryOf(stateMachine))]
    if (rules.length > 0) throw codeGraphicInvalid(rules)
    await tx`
      insert into graphic_version (graphic_id, version, sports, state_machine, bundle_hash)
      select graphic_id, version, sports, state_machine, bundle_hash from graphic_draft where graphic_id = ${graphicId}`
    await tx`
      update graphic_draft set id = default, version = version + 1, updated_at = ${thisWrite(tx)}
      where graphic_id = ${graphicId}`
    const updatedAt = await touchTheme(tx, themeId)
    return {
      result: { publishedVersion: version, graphic: await getWrittenGraphic(ctx, tx, path), updatedAt },
      events: [{ type: 'graphic.published', graphicId, version }],
    }
  })
}
