import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import type { RecordContext } from '../../context.ts'
import { invalid } from '../../errors.ts'
import type { SportKey } from '../../schema/sport.ts'
import { obsRefreshesOf } from '../overlays/obs.queries.ts'
import { lockTheme, touchTheme } from '../target.ts'
import { activate, tellCatalog } from './activation.ts'
import { getTheme } from './queries.ts'
import type { Theme, ThemeUpdate } from './schema.ts'
import { insertVariable, type NewVariable } from './variables.commands.ts'

type Shape = z.output<typeof Theme>

/** Creates a theme with its variables, unpublished. */
export function createTheme(
  ctx: RecordContext,
  asked: { name: string; sports: readonly SportKey[]; variables?: readonly NewVariable[] },
): Promise<Shape> {
  return ctx.db.write(ctx, { ref: 'theme/new', type: 'create', asked }, async (tx) => {
    const [theme] = await tx<{ id: number }[]>`
      insert into theme (organization_id, name, sports)
      values (${ctx.organizationId}, ${asked.name}, ${[...new Set(asked.sports)]}) returning id`
    if (!theme) throw new Error('an insert returned no row')
    for (const variable of asked.variables ?? []) await insertVariable(tx, theme.id, variable)
    return {
      ref: `theme/${theme.id}`,
      result: await getTheme(ctx, theme.id, tx),
      events: [{ type: 'theme.created', themeId: theme.id, name: asked.name }],
    }
  })
}

/** Changes the fields that were sent. Another active version leaves graphics on air as they are, until they are shown again. */
export async function updateTheme(
  ctx: RecordContext,
  themeId: number,
  asked: z.output<typeof ThemeUpdate>,
): Promise<Shape> {
  const { ifUnchangedSince, activeVersion, ...changes } = asked
  const command = { ref: `theme/${themeId}`, type: 'update', asked }
  const theme = await ctx.db.write(ctx, command, async (tx) => {
    await lockTheme(ctx, tx, themeId, ifUnchangedSince)
    if (activeVersion === undefined && Object.values(changes).every((value) => value === undefined))
      return { result: await getTheme(ctx, themeId, tx), events: [] }
    await tx`update theme set name = coalesce(${changes.name ?? null}, name),
      sports = coalesce(${changes.sports ? [...new Set(changes.sports)] : null}::text[], sports) where id = ${themeId}`
    const activated = activeVersion === undefined ? [] : [await setActive(tx, themeId, activeVersion)]
    await touchTheme(tx, themeId)
    await tellCatalog(tx, themeId)
    return {
      result: await getTheme(ctx, themeId, tx),
      events: [{ type: 'theme.updated', themeId, changes: { ...changes, activeVersion } }, ...activated],
      outbox: activated.length > 0 ? await obsRefreshesOf(tx, themeId) : [],
    }
  })
  ctx.catalog.forget({ theme: themeId })
  return theme
}

async function setActive(tx: TransactionSql, themeId: number, version: number | null) {
  const activated = await activate(tx, themeId, version)
  if (!activated)
    throw invalid({ 'body.activeVersion': { message: 'not a published version of the theme', value: version } })
  return activated
}
