import type { ISql } from 'postgres'
import type { Variable } from './catalog.ts'

/** The control variables of a graphic by name. */
export type Manifest = ReadonlyMap<string, Variable>

/**
 * What presets of a graphic are checked against: its version in the active version of the theme, else its latest published
 * one, else its working copy. Undefined when the theme has no such graphic.
 */
export async function findManifest(sql: ISql, themeId: number, graphicId: string): Promise<Manifest | undefined> {
  const [graphic] = await sql<{ variables: readonly Variable[] | null }[]>`
    select coalesce(
        (select v.state_machine from theme t
          join theme_version_graphic p on p.theme_id = t.id and p.version = t.active_version and p.graphic_id = g.id
          join graphic_version v on v.graphic_id = p.graphic_id and v.version = p.graphic_version
          where t.id = g.theme_id),
        (select v.state_machine from graphic_version v where v.graphic_id = g.id order by v.version desc limit 1),
        (select d.state_machine from graphic_draft d where d.graphic_id = g.id)
      )->'controlVariables' as variables
    from graphic g
    where g.id = ${graphicId} and g.theme_id = ${themeId} and (g.deleted_at is null or exists (
      select from theme t join theme_version_graphic p on p.theme_id = t.id and p.version = t.active_version
      where t.id = g.theme_id and p.graphic_id = g.id))`
  return graphic && new Map((graphic.variables ?? []).map((variable) => [variable.name, variable]))
}
