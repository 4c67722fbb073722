import type { ISql } from 'postgres'
import type { Variable } from '../../catalog/cards.ts'

/** The control variables of a graphic by name. */
export type Manifest = ReadonlyMap<string, Variable>

/**
 * The version that presets of a graphic are checked against: the one in the theme's active version, else the latest published
 * one, else its working copy. Undefined when the theme has no such graphic. `usable` is false when the graphic was deleted and
 * is not in the active version either.
 */
export async function findManifest(
  sql: ISql,
  themeId: number,
  graphicId: string,
): Promise<{ variables: Manifest; usable: boolean } | undefined> {
  const [graphic] = await sql<{ variables: readonly Variable[] | null; usable: boolean }[]>`
    select coalesce(
        active.state_machine,
        (select v.state_machine from graphic_version v where v.graphic_id = g.id order by v.version desc limit 1),
        (select d.state_machine from graphic_draft d where d.graphic_id = g.id)
      )->'controlVariables' as variables, g.deleted_at is null or active.version is not null as usable
    from graphic g
    join theme t on t.id = g.theme_id
    left join theme_version_graphic p on p.theme_id = t.id and p.version = t.active_version and p.graphic_id = g.id
    left join graphic_version active on active.graphic_id = p.graphic_id and active.version = p.graphic_version
    where g.id = ${graphicId} and g.theme_id = ${themeId}`
  if (!graphic) return undefined
  const { variables, usable } = graphic
  return { variables: new Map((variables ?? []).map((variable) => [variable.name, variable])), usable }
}
