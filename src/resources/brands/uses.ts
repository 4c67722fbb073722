import type { TransactionSql } from 'postgres'
import type { RecordContext } from '../../context.ts'
import { graphicUses } from '../graphic-uses.ts'

/**
 * The uses of a brand, as words for people: slots and whatever shows it by a value that names it (`graphicUses`), and graphics
 * on air, in rehearsal and on preview that show it.
 */
export async function usesOfBrand(
  ctx: Pick<RecordContext, 'organizationId'>,
  tx: TransactionSql,
  brandId: number,
): Promise<string[]> {
  const { organizationId } = ctx
  const rows = await tx<{ use: string }[]>`
    select distinct 'sponsor slot “' || (slot ->> 'name') || '” of theme profile ' || p.id as use
      from theme_profile p join sponsor_slots s on s.theme_profile_id = p.id
      cross join json_array_elements(s.slots) slot cross join json_array_elements(slot -> 'brands') share
      where p.organization_id = ${organizationId} and p.archived_at is null and share ->> 'brandId' = ${brandId}::text
    union
    select 'graphics ' || place || ' on overlay ' || o.id from overlay o join actor a on a.ref = 'overlay/' || o.id
      cross join lateral (select a.snapshot::jsonb -> 'context' as context) own
      cross join lateral (
        select 'on air' as place, shown from jsonb_path_query(own.context, '$.graphics.*') shown
        union all select 'in rehearsal', shown from jsonb_path_query(own.context, '$.rehearsal.graphics.*') shown
        union all select 'on preview', shown from jsonb_path_query(own.context, '$.preview.*') shown
      ) at cross join jsonb_object_keys(coalesce(shown -> 'ads', '{}')) ad
      where o.organization_id = ${organizationId} and shown -> 'values' ->> ad = ${brandId}::text
    order by 1`
  return [...rows.map(({ use }) => use), ...(await graphicUses(ctx, tx, { type: 'ad', id: brandId }))].sort()
}
