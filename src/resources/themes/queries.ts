import type { ISql } from 'postgres'
import type { z } from 'zod'
import { kindOf } from '../../catalog/graphic-kind.ts'
import type { ReadContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Paging } from '../../schema/paging.ts'
import { page } from '../page.ts'
import { exactly } from '../target.ts'
import type { Theme } from './schema.ts'

type ThemeShape = z.output<typeof Theme>

const columns = (sql: ISql) => sql`
  t.id, t.name, t.active_version as "activeVersion",
  (select coalesce(array_agg(v.version order by v.version), '{}') from theme_version v where v.theme_id = t.id) as versions,
  (select coalesce(json_agg(json_build_object(
      'graphicId', g.id, 'name', g.name, 'type', ${kindOf(sql)}, 'workingVersion', d.version,
      'publishedVersions', (select coalesce(json_agg(v.version order by v.version), '[]')
        from graphic_version v where v.graphic_id = g.id)) order by g.created_at, g.id), '[]')
    from graphic g join graphic_draft d on d.graphic_id = g.id where g.theme_id = t.id) as graphics,
  t.sports, ${exactly(sql, 't.updated_at')} as "updatedAt"`

/** Throws notFound, also for another organization's. spec: Themes 16 */
export async function getTheme(ctx: ReadContext, themeId: number, sql: ISql = ctx.db.sql): Promise<ThemeShape> {
  const [theme] = await sql<ThemeShape[]>`
    select ${columns(sql)} from theme t where t.organization_id = ${ctx.organizationId} and t.id = ${themeId}`
  if (!theme) throw notFound()
  return theme
}

/** The organization's themes by id. */
export async function listThemes(ctx: ReadContext, paging: Paging) {
  const { sql } = ctx.db
  const { rows: themes, total } = await page<ThemeShape>(sql, {
    select: columns(sql),
    from: sql`from theme t where t.organization_id = ${ctx.organizationId}`,
    source: 't',
    ...paging,
  })
  return { themes, total, returned: themes.length }
}
