import type { ISql } from 'postgres'
import type { z } from 'zod'
import { kindOf } from '../../catalog/graphic-kind.ts'
import type { ReadContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Paging } from '../../schema/paging.ts'
import { getTheme } from './queries.ts'
import type { ThemeVersion } from './versions.schema.ts'

type Shape = z.output<typeof ThemeVersion>
type Row = Omit<Shape, 'publishedAt'> & { publishedAt: Date }

const shapeOf = ({ publishedAt, ...row }: Row): Shape => ({ ...row, publishedAt: publishedAt.toISOString() })

const columns = (sql: ISql) => sql`
  v.version, v.version is not distinct from t.active_version as active, v.notes, v.published_at as "publishedAt",
  (select coalesce(json_agg(json_build_object('graphicId', g.id, 'name', g.name, 'type', ${kindOf(sql)},
      'version', p.graphic_version) order by g.created_at, g.id), '[]')
    from theme_version_graphic p join graphic g on g.id = p.graphic_id
    where p.theme_id = v.theme_id and p.version = v.version) as graphics`

/** The published versions of a theme, ascending, each with the versions that it pins. */
export async function listThemeVersions(ctx: ReadContext, themeId: number, { limit, offset }: Paging) {
  const { sql } = ctx.db
  const theme = await getTheme(ctx, themeId)
  const rows = await sql<Row[]>`
    select ${columns(sql)} from theme_version v join theme t on t.id = v.theme_id
    where t.id = ${themeId} order by v.version limit ${limit} offset ${offset}`
  return { versions: rows.map(shapeOf), total: theme.versions.length, returned: rows.length }
}

/** Throws notFound. A command gives its transaction. */
export async function getThemeVersion(
  ctx: ReadContext,
  themeId: number,
  version: number,
  sql: ISql = ctx.db.sql,
): Promise<Shape> {
  const [row] = await sql<Row[]>`
    select ${columns(sql)} from theme_version v join theme t on t.id = v.theme_id
    where t.id = ${themeId} and t.organization_id = ${ctx.organizationId} and v.version = ${version}`
  if (!row) throw notFound()
  return shapeOf(row)
}
