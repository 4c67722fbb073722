import type { TransactionSql } from 'postgres'
import type { RecordContext } from '../../context.ts'

/**
 * The uses of a brand, as words for people: slots, presets, game plans and graphics that name it, graphics on air, in rehearsal and on
 * preview that show it, and items of rundowns and commands that will. Graphics count as they are worked at and as the active theme version has them.
 */
export async function usesOfBrand(
  { organizationId }: Pick<RecordContext, 'organizationId'>,
  tx: TransactionSql,
  brandId: number,
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
      cross join jsonb_path_query(x.state_machine, '$.controlVariables[*]') v where v ->> 'type' = 'ad'
    ), variable as (
      select distinct graphic_id, name from own_variable
    ), own_preset as (
      select p.id, p.name, p.control_room_id, p.graphic_id, p.variable_values from preset p
      join control_room r on r.id = p.control_room_id and r.organization_id = ${organizationId}
    ), own_overlay as (
      select o.id, a.snapshot::jsonb -> 'context' as context from overlay o join actor a on a.ref = 'overlay/' || o.id
      where o.organization_id = ${organizationId}
    )
    select distinct 'sponsor slot “' || (slot ->> 'name') || '” of theme profile ' || p.id as use
      from theme_profile p join sponsor_slots s on s.theme_profile_id = p.id
      cross join json_array_elements(s.slots) slot cross join json_array_elements(slot -> 'brands') share
      where p.organization_id = ${organizationId} and p.archived_at is null and share ->> 'brandId' = ${brandId}::text
    union
    select 'preset “' || p.name || '” of control room ' || p.control_room_id from own_preset p
      join variable v on v.graphic_id = p.graphic_id where p.variable_values ->> v.name = ${brandId}::text
    union
    select 'rule “' || (rule ->> 'name') || '” of the game plan of theme profile ' || f.id from theme_profile f
      join game_plan n on n.theme_profile_id = f.id cross join json_array_elements(n.rules) rule
      join own_preset p on p.id = (rule ->> 'presetId')::int join variable v on v.graphic_id = p.graphic_id
      where f.organization_id = ${organizationId} and f.archived_at is null
        and rule -> 'variableValues' ->> v.name = ${brandId}::text
    union
    select 'variable “' || name || '” of graphic “' || graphic || '” of theme ' || theme_id from own_variable
      where is_used and value = ${brandId}::text
    union
    select 'graphics ' || place || ' on overlay ' || o.id from own_overlay o
      cross join lateral (
        select 'on air' as place, shown from jsonb_path_query(o.context, '$.graphics.*') shown
        union all select 'in rehearsal', shown from jsonb_path_query(o.context, '$.rehearsal.graphics.*') shown
        union all select 'on preview', shown from jsonb_path_query(o.context, '$.preview.*') shown
      ) at cross join jsonb_object_keys(coalesce(shown -> 'ads', '{}')) ad
      where shown -> 'values' ->> ad = ${brandId}::text
    union
    select 'item “' || coalesce(item ->> 'name', p.name) || '” of the rundown of overlay ' || o.id from own_overlay o
      join rundown r on r.overlay_id = o.id cross join json_array_elements(r.items) item
      join own_preset p on p.id = (item ->> 'presetId')::int join variable v on v.graphic_id = p.graphic_id
      where item -> 'variableValues' ->> v.name = ${brandId}::text
    union
    select 'scheduled commands of overlay ' || o.id from own_overlay o
      cross join jsonb_path_query(o.context, '$.schedule.*') command
      left join own_preset p on p.id = (command ->> 'presetId')::int
      join variable v on v.graphic_id = coalesce(command ->> 'graphicId', p.graphic_id)
      where command -> 'values' ->> v.name = ${brandId}::text
    order by 1`
  return rows.map(({ use }) => use)
}
