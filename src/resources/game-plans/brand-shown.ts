import type { Play } from '../../../machines/game-plan/model.ts'
import type { Fact } from '../../../machines/match-model.ts'
import type { PinnedGraphic, PresetCard } from '../../catalog/cards.ts'
import { type GivenValues, isSlot } from '../control-variables.ts'
import { brandOf } from '../overlays/brand.ts'
import { storedValues, withDefaults } from '../overlays/values.ts'
import { type BrandSeen, eligibleBrands, furthestBehind } from '../sponsor-slots/choose.ts'
import type { Sponsors } from './judge.ts'

/** A brand of a graphic that is on air in virtual time; `variable`: whose value it is; `slot`: the sponsor slot that chose it. */
export type BrandShown = { name: string; brandId: number | null; variable: string | null; slot: string | null }

type Pictured = { preset: PresetCard; graphic: PinnedGraphic }

/** The brands of a simulation. Slots are filled as on air, by the seconds seen since virtual time began. game-plan: Brands and sponsor slots */
export class VirtualBrands {
  readonly #sponsors: Sponsors
  readonly #seen = new Map<string, Map<number, BrandSeen>>()

  constructor(sponsors: Sponsors) {
    this.#sponsors = sponsors
  }

  /**
   * The brands of a play that goes on air, or is updated there; `before`: those that it showed until then; `at`: ms since 1970. A graphic
   * does not show a brand twice while its slots have another.
   */
  of(play: Pick<Play, 'values'>, shown: Pictured, { fact, at, before }: Situation): readonly BrandShown[] {
    const values = valuesShown(play, shown)
    const brands = new Map<string, BrandShown>()
    const open: { variable: string; slot: string }[] = []
    for (const variable of shown.graphic.ads ?? []) {
      const given = values[variable] ?? null
      const kept = isSlot(given) && before.find((one) => one.variable === variable && one.slot === given.slot)
      const brand = isSlot(given) ? kept : this.#named(variable, Number(given))
      if (brand) brands.set(variable, brand)
      else if (isSlot(given)) open.push({ variable, slot: given.slot })
    }
    const taken = new Set([...brands.values()].map(({ brandId }) => brandId))
    for (const one of open) {
      const brand = this.#choose(one, { fact, at, taken })
      if (brand) brands.set(one.variable, brand)
      if (brand) taken.add(brand.brandId)
    }
    if (brands.size > 0) return [...brands.values()]
    const text = brandOf(
      Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (isSlot(value) ? [] : [[name, value]]))),
    )
    return text === null ? [] : [{ name: text, brandId: null, variable: null, slot: null }]
  }

  /** Counts how long a brand was on air. */
  seen({ slot, brandId }: BrandShown, ms: number): void {
    const before = slot === null || brandId === null ? undefined : this.#seen.get(slot)?.get(brandId)
    if (before) before.paintedMs += ms
  }

  #choose({ variable, slot }: { variable: string; slot: string }, { fact, at, taken }: Choosing): BrandShown | null {
    const { brands, slots } = this.#sponsors
    const side = fact && this.#sponsors.sideOf(fact)
    const eligible = eligibleBrands({ brands: slots.get(slot)?.brands ?? [] }, brands, { ...this.#sponsors, at, side })
    const seen = this.#seen.get(slot) ?? new Map<number, BrandSeen>()
    const others = eligible.filter(({ brandId }) => !taken.has(brandId))
    const chosen = furthestBehind(others.length > 0 ? others : eligible, seen)
    if (!chosen) return null
    const { paintedMs = 0 } = seen.get(chosen.brandId) ?? {}
    this.#seen.set(slot, seen.set(chosen.brandId, { paintedMs, shownAt: at }))
    const { brandId } = chosen
    return { name: brands.get(brandId)?.name ?? String(brandId), brandId, variable, slot }
  }

  #named(variable: string, brandId: number): BrandShown | null {
    const brand = this.#sponsors.brands.get(brandId)
    return brand ? { name: brand.name, brandId, variable, slot: null } : null
  }
}

type Situation = { fact: Fact | null; at: number; before: readonly BrandShown[] }
type Choosing = Omit<Situation, 'before'> & { taken: ReadonlySet<number | null> }

/** The values that a play puts on air: those of its preset with those of its rule over them. */
const valuesShown = ({ values }: Pick<Play, 'values'>, { preset, graphic }: Pictured): GivenValues =>
  withDefaults({ ...storedValues(preset, graphic).values, ...values }, graphic)
