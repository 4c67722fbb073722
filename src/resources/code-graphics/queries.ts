import type { ISql } from 'postgres'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { getTheme } from '../themes/queries.ts'
import type { CodeGraphic } from './schema.ts'

type Shape = z.output<typeof CodeGraphic>
type Row = Omit<Shape, 'lock'>

const columns = (sql: ISql) => sql`
  g.id as "graphicId", d.id, g.name, g.kind as type, d.version, d.sports, d.state_machine as "stateMachine", d.assets,
  (select coalesce(array_agg(v.version order by v.version), '{}') from graphic_version v where v.graphic_id = g.id)
    as "publishedVersions"`

/** The working copies of a theme's code graphics, in the order they were made. */
export async function listCodeGraphics(ctx: Context, themeId: number): Promise<Shape[]> {
  const { sql } = ctx.db
  await getTheme(ctx, themeId)
  const rows = await sql<Row[]>`
    select ${columns(sql)} from graphic g join graphic_draft d on d.graphic_id = g.id
    where g.theme_id = ${themeId} and g.kind = 'code' order by g.created_at, g.id`
  return Promise.all(rows.map((row) => withLock(ctx, row)))
}

/** Throws notFound for a theme or graphic that is not there or not the organization's. A command gives its transaction. */
export async function getCodeGraphic(
  ctx: Context,
  themeId: number,
  graphicId: string,
  sql: ISql = ctx.db.sql,
): Promise<Shape> {
  const [row] = await sql<Row[]>`
    select ${columns(sql)} from graphic g
    join graphic_draft d on d.graphic_id = g.id
    join theme t on t.id = g.theme_id
    where g.id = ${graphicId} and g.theme_id = ${themeId} and g.kind = 'code' and t.organization_id = ${ctx.organizationId}`
  if (!row) throw notFound()
  return withLock(ctx, row)
}

async function withLock(ctx: Context, row: Row): Promise<Shape> {
  const lock = await ctx.actors.read('graphic-lock', row.graphicId)
  const holder = lock?.context.holder
  return { ...row, lock: holder ? { userName: holder.userName } : null }
}
