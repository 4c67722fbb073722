import type { Play } from '../../../machines/game-plan/model.ts'
import type { Fact } from '../../../machines/match-model.ts'
import type { PinnedGraphic, PresetCard } from '../../catalog/cards.ts'
import { type GivenValues, isSlot } from '../control-variables.ts'
import { brandOf } from '../overlays/brand.ts'
import { storedValues, withDefaults } from '../overlays/values.ts'
import { type BrandSeen, eligibleBrands, furthestBehind } from '../sponsor-slots/choose.ts'
import type { Sponsors } from './judge.ts'

/** The brand of a graphic that is on air in virtual time; `slot`: the sponsor slot that chose it. */
export type BrandShown = { name: string; brandId: number | null; slot: string | null }

type Pictured = { preset: PresetCard; graphic: PinnedGraphic }

/** The brands of a simulation. Slots are filled as on air, by the seconds seen since virtual time began. game-plan: Brands and sponsor slots */
export class VirtualBrands {
  readonly #sponsors: Sponsors
  readonly #seen = new Map<string, Map<number, BrandSeen>>()

  constructor(sponsors: Sponsors) {
    this.#sponsors = sponsors
  }

  /** The first brand of a play that goes on air, or is updated there; `before`: the brand that it showed until then; `at`: ms since 1970. */
  of(play: Pick<Play, 'values'>, shown: Pictured, { fact, at, before }: Situation): BrandShown | null {
    const values = valuesShown(play, shown)
    for (const name of shown.graphic.ads ?? []) {
      const given = values[name] ?? null
      const brand = isSlot(given)
        ? before?.slot === given.slot
          ? before
          : this.#choose(given.slot, fact, at)
        : this.#named(Number(given))
      if (brand) return brand
    }
    const text = brandOf(
      Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (isSlot(value) ? [] : [[name, value]]))),
    )
    return text === null ? null : { name: text, brandId: null, slot: null }
  }

  /** Counts how long a brand was on air. */
  seen({ slot, brandId }: BrandShown, ms: number): void {
    const before = slot === null || brandId === null ? undefined : this.#seen.get(slot)?.get(brandId)
    if (before) before.paintedMs += ms
  }

  #choose(slot: string, fact: Fact | null, at: number): BrandShown | null {
    const { brands, slots } = this.#sponsors
    const side = fact && this.#sponsors.sideOf(fact)
    const eligible = eligibleBrands({ brands: slots.get(slot)?.brands ?? [] }, brands, { ...this.#sponsors, at, side })
    const seen = this.#seen.get(slot) ?? new Map<number, BrandSeen>()
    const chosen = furthestBehind(eligible, seen)
    if (!chosen) return null
    const { paintedMs = 0 } = seen.get(chosen.brandId) ?? {}
    this.#seen.set(slot, seen.set(chosen.brandId, { paintedMs, shownAt: at }))
    return { name: brands.get(chosen.brandId)?.name ?? String(chosen.brandId), brandId: chosen.brandId, slot }
  }

  #named(brandId: number): BrandShown | null {
    const brand = this.#sponsors.brands.get(brandId)
    return brand ? { name: brand.name, brandId, slot: null } : null
  }
}

type Situation = { fact: Fact | null; at: number; before: BrandShown | null }

/** The values that a play puts on air: those of its preset with those of its rule over them. */
const valuesShown = ({ values }: Pick<Play, 'values'>, { preset, graphic }: Pictured): GivenValues =>
  withDefaults({ ...storedValues(preset, graphic).values, ...values }, graphic)
