import type { ISql } from 'postgres'
import type { z } from 'zod'
import type { ReadContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { getTheme } from '../themes/queries.ts'
import type { CodeGraphic } from './schema.ts'

type Shape = z.output<typeof CodeGraphic>
const columns = (sql: ISql) => sql`
  g.id as "graphicId", d.id, g.name, g.kind as type, d.version, d.sports, d.state_machine as "stateMachine", d.assets,
  (select coalesce(array_agg(v.version order by v.version), '{}') from graphic_version v where v.graphic_id = g.id)
    as "publishedVersions",
  (select json_build_object('userName', a.snapshot->'context'->'holder'->>'userName') from actor a
    where a.ref = 'graphic-lock/' || g.id and a.snapshot->'context'->'holder'->>'userName' is not null) as lock`

/** The working copies of a theme's code graphics, in the order they were made. */
export async function listCodeGraphics(ctx: ReadContext, themeId: number): Promise<Shape[]> {
  const { sql } = ctx.db
  await getTheme(ctx, themeId)
  const rows = await sql<Shape[]>`
    select ${columns(sql)} from graphic g join graphic_draft d on d.graphic_id = g.id
    where g.theme_id = ${themeId} and g.kind = 'code' order by g.created_at, g.id`
  return [...rows]
}

/** Throws notFound for a theme or graphic that is not there or not the organization's. A command gives its transaction. */
export async function getCodeGraphic(
  ctx: ReadContext,
  themeId: number,
  graphicId: string,
  sql: ISql = ctx.db.sql,
): Promise<Shape> {
  const [row] = await sql<Shape[]>`
    select ${columns(sql)} from graphic g
    join graphic_draft d on d.graphic_id = g.id
    join theme t on t.id = g.theme_id
    where g.id = ${graphicId} and g.theme_id = ${themeId} and g.kind = 'code' and t.organization_id = ${ctx.organizationId}`
  if (!row) throw notFound()
  return row
}
