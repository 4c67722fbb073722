import type { BrandCard, Brands } from '../../catalog/cards.ts'
import { imageUrl } from '../images.ts'
import type { ShownBrand } from './schema.ts'

/** The brands that values of graphics may name, as graphics are given them. */
export type ShownBrands = readonly ShownBrand[]
export const NO_BRANDS: ShownBrands = []

const known = new WeakMap<Brands, { publicUrl: string; shown: ShownBrands }>()

/** Brands as graphics are given them: the same object for the same ones. `publicUrl` is without a trailing slash. */
export function shownBrands(brands: Brands, publicUrl: string): ShownBrands {
  const before = known.get(brands)
  if (before?.publicUrl === publicUrl) return before.shown
  const shown = [...brands.values()].map((brand) => shownBrand(brand, publicUrl))
  known.set(brands, { publicUrl, shown })
  return shown
}

const shownBrand = (
  { id, name, logo, primaryColor, textColor, tagline }: BrandCard,
  publicUrl: string,
): ShownBrand => ({
  id,
  name,
  logoUrl: logo === null ? null : imageUrl(publicUrl, logo),
  primaryColor,
  textColor,
  tagline,
})
