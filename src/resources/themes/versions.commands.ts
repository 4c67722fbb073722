import type { ISql, TransactionSql } from 'postgres'
import type { z } from 'zod'
import { kindOf } from '../../catalog/graphic-kind.ts'
import type { RecordContext } from '../../context.ts'
import { invalid, notFound } from '../../errors.ts'
import { obsRefreshesOf } from '../overlays/obs.queries.ts'
import { asRead, checkTarget, lockedTheme, lockTheme, touchTheme } from '../target.ts'
import { activate, effectsOf, tellCatalog } from './activation.ts'
import { getTheme } from './queries.ts'
import { getThemeVersion } from './versions.queries.ts'
import type { ActivatedTheme, PublishedTheme, ThemeActivation, ThemePublication } from './versions.schema.ts'

type Publication = Partial<z.output<typeof ThemePublication>>
type Published = z.output<typeof PublishedTheme>
type Activation = Partial<z.output<typeof ThemeActivation>>
type Activated = z.output<typeof ActivatedTheme>

/**
 * Pins the latest published version of every graphic in the next theme version, and makes it active when asked; a graphic
 * without one is skipped. Graphics on air stay as they are until they are shown again. A dry run answers the effects, with
 * the theme's present `updatedAt`. spec: Graphic versions and lock
 */
export async function publishThemeVersion(ctx: RecordContext, themeId: number, asked: Publication): Promise<Published> {
  if (asked.dryRun) return tryOut(ctx, themeId, asked, (tx) => planned(ctx, tx, themeId, asked))
  const command = { ref: `theme/${themeId}`, type: 'publish', asked }
  const published = await ctx.db.write(ctx, command, async (tx) => {
    await lockTheme(ctx, tx, themeId, asked.ifUnchangedSince)
    const plan = await planned(ctx, tx, themeId, asked)
    const { version, graphics } = plan
    await tx`insert into theme_version (theme_id, version, notes) values (${themeId}, ${version}, ${asked.notes ?? null})`
    await tx`insert into theme_version_graphic ${tx(
      graphics.map((graphic) => ({
        theme_id: themeId,
        version,
        graphic_id: graphic.graphicId,
        graphic_version: graphic.version,
      })),
    )}`
    const activated = asked.activate ? await activate(tx, themeId, version) : undefined
    const updatedAt = await touchTheme(tx, themeId)
    await tellCatalog(tx, themeId)
    return {
      result: { ...plan, updatedAt },
      events: [{ type: 'theme.versionPublished', themeId, version }, ...(activated ? [activated] : [])],
      outbox: activated ? await obsRefreshesOf(tx, themeId) : [],
    }
  })
  ctx.catalog.forget({ theme: themeId })
  return published
}

type GraphicRow = { graphicId: string; name: string; type: string; version: number | null }

async function planned(ctx: RecordContext, sql: ISql, themeId: number, asked: Publication): Promise<Published> {
  const theme = await getTheme(ctx, themeId, sql)
  const rows = await sql<GraphicRow[]>`
    select g.id as "graphicId", g.name, ${kindOf(sql)} as type,
      (select max(v.version) from graphic_version v where v.graphic_id = g.id) as version
    from graphic g where g.theme_id = ${themeId} and g.deleted_at is null order by g.created_at, g.id`
  const graphics = rows.flatMap(({ version, ...graphic }) => (version === null ? [] : [{ ...graphic, version }]))
  if (graphics.length === 0) throw invalid({}, 'The theme has no published graphics')
  const version = Math.max(0, ...theme.versions) + 1
  return {
    version,
    activeVersion: asked.activate ? version : theme.activeVersion,
    dryRun: asked.dryRun ?? false,
    graphics,
    skipped: rows.flatMap(({ graphicId, name, version: latest }) =>
      latest === null ? [{ graphicId, name, reason: 'NO_PUBLISHED_VERSION' as const }] : [],
    ),
    ...(asked.activate && (await effectsOf(ctx, sql, themeId, graphics))),
    updatedAt: theme.updatedAt ?? '',
  }
}

/** Makes a published version the active one, an earlier one too. Throws notFound when the theme has no such version. */
export async function activateThemeVersion(
  ctx: RecordContext,
  themeId: number,
  version: number,
  asked: Activation,
): Promise<Activated> {
  const outcome = (tx: ISql) => activationOf(ctx, tx, { themeId, version, dryRun: asked.dryRun ?? false })
  if (asked.dryRun) return tryOut(ctx, themeId, asked, outcome)
  const command = { ref: `theme/${themeId}`, type: 'activate', asked: { version, ...asked } }
  const answer = await ctx.db.write(ctx, command, async (tx) => {
    const theme = await lockedTheme(ctx, tx, themeId, asked.ifUnchangedSince)
    const result = await outcome(tx)
    checkTarget(theme)
    const activated = await activate(tx, themeId, version)
    if (!activated) throw notFound()
    const updatedAt = await touchTheme(tx, themeId)
    await tellCatalog(tx, themeId)
    return { result: { ...result, updatedAt }, events: [activated], outbox: await obsRefreshesOf(tx, themeId) }
  })
  ctx.catalog.forget({ theme: themeId })
  return answer
}

async function activationOf(
  ctx: RecordContext,
  sql: ISql,
  { themeId, version, dryRun }: { themeId: number; version: number; dryRun: boolean },
): Promise<Activated> {
  const theme = await getTheme(ctx, themeId, sql)
  const { graphics } = await getThemeVersion(ctx, themeId, version, sql)
  return {
    activeVersion: version,
    previousVersion: theme.activeVersion,
    dryRun,
    ...(await effectsOf(ctx, sql, themeId, graphics)),
    updatedAt: theme.updatedAt ?? '',
  }
}

/** Runs a dry run on one picture of the database, after the checks that the write would make. */
async function tryOut<T>(
  ctx: RecordContext,
  themeId: number,
  { ifUnchangedSince }: { ifUnchangedSince?: string | undefined },
  run: (tx: TransactionSql) => Promise<T>,
): Promise<T> {
  const outcome = await ctx.db.sql.begin('isolation level repeatable read read only', async (tx) => {
    const [theme] = await tx<{ unchanged: boolean }[]>`
      select ${asRead(tx, ifUnchangedSince)} as unchanged from theme
      where id = ${themeId} and organization_id = ${ctx.organizationId}`
    if (!theme) throw notFound()
    const answer = await run(tx)
    checkTarget(theme)
    return { outcome: answer }
  })
  return outcome.outcome
}
