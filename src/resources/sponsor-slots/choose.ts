import type { BrandCard, Brands, OverlayCard, SlotBrand, SponsorSlot } from '../../catalog/cards.ts'

/** Whether an overlay of this `adType` shows a brand at all. game-plan: Brands and sponsor slots */
export const mayShow = (brand: BrandCard | undefined, adType: OverlayCard['adType']): brand is BrandCard =>
  brand !== undefined && adType !== 'noBrands' && (adType !== 'free' || brand.house)

export type SlotSituation = {
  adType: OverlayCard['adType']
  /** Ms since 1970. */
  at: number
  /** The side that the graphic is about; null when it is about none, or about both. */
  side: 'home' | 'away' | null
}

/** The brands of a slot that may be shown now, in their order. */
export const eligibleBrands = (
  { brands: shares }: Pick<SponsorSlot, 'brands'>,
  brands: Brands,
  { adType, at, side }: SlotSituation,
): SlotBrand[] =>
  shares.filter(({ brandId, side: only }) => {
    const brand = brands.get(brandId)
    if (!mayShow(brand, adType) || !brand.active || (only !== undefined && only !== side)) return false
    return (brand.from === null || brand.from <= at) && (brand.to === null || at < brand.to)
  })

/** How long a brand was seen in a slot, and when it was last put there; ms, and ms since 1970. */
export type BrandSeen = { paintedMs: number; shownAt: number }

/**
 * The brand of these that is furthest behind its share of the time that all of them were seen; at a tie the one not shown longest, then
 * the first. Undefined when there is none.
 */
export function furthestBehind(
  eligible: readonly SlotBrand[],
  seen: ReadonlyMap<number, BrandSeen>,
): SlotBrand | undefined {
  const painted = ({ brandId }: SlotBrand) => Math.round(seen.get(brandId)?.paintedMs ?? 0)
  const shownAt = ({ brandId }: SlotBrand) => seen.get(brandId)?.shownAt ?? Number.NEGATIVE_INFINITY
  const allShares = eligible.reduce((sum, { share }) => sum + share, 0)
  const allPainted = eligible.reduce((sum, one) => sum + painted(one), 0)
  // in whole numbers, so that a tie is one
  const behind = (one: SlotBrand) => one.share * allPainted - painted(one) * allShares
  let chosen: SlotBrand | undefined
  for (const one of eligible) {
    const ahead = chosen ? behind(one) - behind(chosen) : 1
    if (!chosen || ahead > 0 || (ahead === 0 && shownAt(one) < shownAt(chosen))) chosen = one
  }
  return chosen
}
