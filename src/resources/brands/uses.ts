import type { TransactionSql } from 'postgres'
import type { RecordContext } from '../../context.ts'

/** The uses of a brand, as words for people: slots, presets and game plans that name it, graphics on air that show it. */
export async function usesOfBrand(
  { organizationId }: Pick<RecordContext, 'organizationId'>,
  tx: TransactionSql,
  brandId: number,
): Promise<string[]> {
  const rows = await tx<{ use: string }[]>`
    with variable as (
      select distinct x.graphic_id, v ->> 'name' as name from (
        select graphic_id, state_machine from graphic_draft union all select graphic_id, state_machine from graphic_version
      ) x
      join graphic g on g.id = x.graphic_id join theme t on t.id = g.theme_id and t.organization_id = ${organizationId}
      cross join jsonb_path_query(x.state_machine, '$.controlVariables[*]') v where v ->> 'type' = 'ad'
    ), own_preset as (
      select p.id, p.name, p.control_room_id, p.graphic_id, p.variable_values from preset p
      join control_room r on r.id = p.control_room_id and r.organization_id = ${organizationId}
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
    select 'graphics on air on overlay ' || o.id from overlay o join actor a on a.ref = 'overlay/' || o.id
      cross join jsonb_path_query(a.snapshot::jsonb, '$.context.graphics.*') shown
      cross join jsonb_object_keys(coalesce(shown -> 'ads', '{}')) ad
      where o.organization_id = ${organizationId} and shown -> 'values' ->> ad = ${brandId}::text
    order by 1`
  return rows.map(({ use }) => use)
}
