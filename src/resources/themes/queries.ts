import type { ISql } from 'postgres'
import type { z } from 'zod'
import type { ReadContext } from '../../context.ts'
import { forbidden, notFound } from '../../errors.ts'
import type { Paging } from '../../schema/paging.ts'
import type { Theme, ThemeProfile, ThemeVariable, ThemeVariableList } from './schema.ts'

type ThemeShape = z.output<typeof Theme>

const columns = (sql: ISql) => sql`
  t.id, t.name, t.active_version as "activeVersion",
  (select coalesce(array_agg(v.version order by v.version), '{}') from theme_version v where v.theme_id = t.id) as versions,
  (select coalesce(json_agg(json_build_object(
      'graphicId', g.id, 'name', g.name, 'type', g.kind, 'workingVersion', d.version,
      'publishedVersions', (select coalesce(json_agg(v.version order by v.version), '[]')
        from graphic_version v where v.graphic_id = g.id)) order by g.created_at, g.id), '[]')
    from graphic g join graphic_draft d on d.graphic_id = g.id where g.theme_id = t.id) as graphics`

/** Throws notFound, also for another organization's. spec: Themes 16 */
export async function getTheme(ctx: ReadContext, themeId: number, sql: ISql = ctx.db.sql): Promise<ThemeShape> {
  const [theme] = await sql<ThemeShape[]>`
    select ${columns(sql)} from theme t where t.organization_id = ${ctx.organizationId} and t.id = ${themeId}`
  if (!theme) throw notFound()
  return theme
}

export async function listThemes(ctx: ReadContext, { limit, offset }: Paging) {
  const { sql } = ctx.db
  const [themes, [counted]] = await Promise.all([
    sql<ThemeShape[]>`select ${columns(sql)} from theme t where t.organization_id = ${ctx.organizationId}
      order by t.id limit ${limit} offset ${offset}`,
    sql<{ total: number }[]>`select count(*)::int as total from theme where organization_id = ${ctx.organizationId}`,
  ])
  return { themes: [...themes], total: counted?.total ?? 0, returned: themes.length }
}

/** spec: Themes 17 */
export async function listThemeVariables(
  ctx: ReadContext,
  themeId: number,
): Promise<z.output<typeof ThemeVariableList>> {
  const { sql } = ctx.db
  const [theme] = await sql<{ updatedAt: Date }[]>`
    select updated_at as "updatedAt" from theme where organization_id = ${ctx.organizationId} and id = ${themeId}`
  if (!theme) throw notFound()
  const variables = await sql<z.output<typeof ThemeVariable>[]>`
    select id, name, type, default_value as "defaultValue", description, enum_options as "enumOptions",
      is_style as "isStyle"
    from theme_variable where theme_id = ${themeId} order by name`
  return { updatedAt: theme.updatedAt.toISOString(), variables: [...variables] }
}

/** Active profiles with themes of the organization. Missing competition 404, foreign 403. spec: Competitions 10 */
export async function listProfiles(ctx: ReadContext, competitionId: number): Promise<z.output<typeof ThemeProfile>[]> {
  const { sql } = ctx.db
  const [competition] = await sql<{ organizationId: number }[]>`
    select organization_id as "organizationId" from competition where id = ${competitionId}`
  if (!competition) throw notFound()
  if (competition.organizationId !== ctx.organizationId) throw forbidden()
  const profiles = await sql<Required<z.output<typeof ThemeProfile>>[]>`
    select p.id, p.competition_id as "competitionId", p.theme_id as "themeId", p.name,
      p.default_control_room_id as "defaultControlRoomId", p.is_default as "isDefault",
      (select coalesce(json_agg(json_build_object('variableId', v.variable_id, 'value', v.value) order by v.variable_id), '[]')
        from theme_variable_value v where v.theme_profile_id = p.id) as "themeVariableValues"
    from theme_profile p
    join theme t on t.id = p.theme_id and t.organization_id = ${ctx.organizationId}
    where p.competition_id = ${competitionId} and p.archived_at is null
    order by p.id`
  return [...profiles]
}
