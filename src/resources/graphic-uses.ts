import type { TransactionSql } from 'postgres'
import type { RecordContext } from '../context.ts'

/** A record that values of control variables name by its id. */
type Named = { type: 'ad' | 'team' | 'player'; id: number }

/**
 * What shows a record because a value of a control variable of its type names it, as words for people: presets, game plans, defaults of
 * graphics, items of rundowns and scheduled commands. Graphics count as they are worked at and as the active theme version has them.
 */
export async function graphicUses(
  { organizationId }: Pick<RecordContext, 'organizationId'>,
  tx: TransactionSql,
  { type, id }: Named,
): Promise<string[]> {
  const rows = await tx<{ use: string }[]>`
    with own_variable as (
      select x.graphic_id, g.name as graphic, g.theme_id, x.is_used, v ->> 'name' as name, v ->> 'defaultValue' as value from (
        select graphic_id, state_machine, true as is_used from graphic_draft union all
        select v.graphic_id, v.state_machine, exists (select from theme_version_graphic p
          join theme t on t.id = p.theme_id and t.active_version = p.version
          where p.graphic_id = v.graphic_id and p.graphic_version = v.version)
        from graphic_version v
      ) x
      join graphic g on g.id = x.graphic_id join theme t on t.id = g.theme_id and t.organization_id = ${organizationId}
      cross join jsonb_path_query(x.state_machine, '$.controlVariables[*]') v where v ->> 'type' = ${type}
    ), variable as (
      select distinct graphic_id, name from own_variable
    ), own_preset as (
      select p.id, p.name, p.control_room_id, p.graphic_id, p.variable_values from preset p
      join control_room r on r.id = p.control_room_id and r.organization_id = ${organizationId}
    ), own_overlay as (
      select o.id, a.snapshot::jsonb -> 'context' as context from overlay o join actor a on a.ref = 'overlay/' || o.id
      where o.organization_id = ${organizationId}
    )
    select 'preset “' || p.name || '” of control room ' || p.control_room_id as use from own_preset p
      join variable v on v.graphic_id = p.graphic_id where p.variable_values ->> v.name = ${id}::text
    union
    select 'rule “' || (rule ->> 'name') || '” of the game plan of theme profile ' || f.id from theme_profile f
      join game_plan n on n.theme_profile_id = f.id cross join json_array_elements(n.rules) rule
      join own_preset p on p.id = (rule ->> 'presetId')::int join variable v on v.graphic_id = p.graphic_id
      where f.organization_id = ${organizationId} and f.archived_at is null
        and rule -> 'variableValues' ->> v.name = ${id}::text
    union
    select 'variable “' || name || '” of graphic “' || graphic || '” of theme ' || theme_id from own_variable
      where is_used and value = ${id}::text
    union
    select 'item “' || coalesce(item ->> 'name', p.name) || '” of the rundown of overlay ' || o.id from own_overlay o
      join rundown r on r.overlay_id = o.id cross join json_array_elements(r.items) item
      join own_preset p on p.id = (item ->> 'presetId')::int join variable v on v.graphic_id = p.graphic_id
      where item -> 'variableValues' ->> v.name = ${id}::text
    union
    select 'scheduled commands of overlay ' || o.id from own_overlay o
      cross join jsonb_path_query(o.context, '$.schedule.*') command
      left join own_preset p on p.id = (command ->> 'presetId')::int
      join variable v on v.graphic_id = coalesce(command ->> 'graphicId', p.graphic_id)
      where command -> 'values' ->> v.name = ${id}::text
    order by 1`
  return rows.map(({ use }) => use)
}
