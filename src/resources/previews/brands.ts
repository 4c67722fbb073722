import type { Sql } from 'postgres'
import type { Values } from '../../../machines/overlay/model.ts'
import type { Brands, SponsorSlots } from '../../catalog/cards.ts'
import { findBrands, findSlots } from '../../catalog/queries.ts'
import { type GivenValues, isSlot } from '../control-variables.ts'
import { eligibleBrands, furthestBehind } from '../sponsor-slots/choose.ts'
import type { FoundPreview } from './queries.ts'

/** The brands and sponsor slots that a preview may show: slots of its profile, else of every profile of the theme. */
export async function findPreviewBrands(
  sql: Sql,
  { organizationId, themeId, settings }: Pick<FoundPreview, 'organizationId' | 'themeId' | 'settings'>,
): Promise<{ brands: Brands; slots: SponsorSlots }> {
  const profiles = await sql<{ id: number }[]>`
    select id from theme_profile where theme_id = ${themeId} and archived_at is null
      and id = coalesce(${settings.profileId ?? null}, id)
    order by id`
  const [brands, ...ofProfiles] = await Promise.all([
    findBrands(sql, organizationId),
    ...profiles.map(({ id }) => findSlots(sql, id)),
  ])
  return { brands, slots: new Map(ofProfiles.flatMap((slots) => [...slots])) }
}

/** Values with a brand in place of each slot: the one that a first show would choose, whichever side it is about. `at`: ms since 1970. */
export function withFirstBrands(
  given: GivenValues,
  { brands, slots }: { brands: Brands; slots: SponsorSlots },
  at: number,
): Values {
  const values: Values = {}
  for (const [name, value] of Object.entries(given)) {
    if (!isSlot(value)) {
      values[name] = value
      continue
    }
    const shares = slots.get(value.slot)?.brands ?? []
    const anySide = { brands: shares.map(({ brandId, share }) => ({ brandId, share })) }
    const chosen = furthestBehind(eligibleBrands(anySide, brands, { adType: 'brands', at, side: null }), new Map())
    if (chosen) values[name] = chosen.brandId
  }
  return values
}
