import type { Picture } from '../../../machines/game-plan/model.ts'
import type { Rule, RuleValue } from '../../../machines/game-plan/rule.ts'
import type { Fact } from '../../../machines/match-model.ts'
import type { Scalar } from '../../../machines/overlay/model.ts'
import type { Brands, PinnedGraphic, PresetCard, SponsorSlots } from '../../catalog/cards.ts'
import { MAX_SET_MS, Stopwatch } from '../../expressions/budget.ts'
import { type Compiled, compileRule } from '../../expressions/compile.ts'
import type { Scope } from '../../expressions/scope.ts'
import { isSlot, type SlotChoice, wrongValue } from '../control-variables.ts'
import { storedValues } from '../overlays/values.ts'
import { eligibleBrands, mayShow, type SlotSituation } from '../sponsor-slots/choose.ts'
import type { Judged } from './look.ts'

/** A preset of the overlay's control room with its graphic as the active theme version has it; undefined: it cannot be shown there. */
export type Shows = (presetId: number) => { preset: PresetCard; graphic: PinnedGraphic } | undefined

const MAX_COMPILED = 2_000
const compiled = new Map<string, Compiled>()

function expression(source: string): Compiled {
  const known = compiled.get(source)
  if (known) return known
  const made = compileRule(source)
  if (compiled.size >= MAX_COMPILED) compiled.clear()
  compiled.set(source, made)
  return made
}

/** Whether a condition or value of a rule is worked out from the data of the match. Most rules need their fact only. */
export const needsData = ({ condition, variableValues = {} }: Rule): boolean =>
  (condition !== undefined && readsData(condition)) ||
  Object.values(variableValues).some(
    (value) => typeof value === 'object' && value !== null && 'expression' in value && readsData(value.expression),
  )

function readsData(source: string): boolean {
  try {
    return [...expression(source).names].some((name) => name !== 'fact')
  } catch {
    // an expression that does not compile any more fails where it is evaluated
    return false
  }
}

/** The brands that an overlay may show. */
export type Sponsors = Omit<SlotSituation, 'side'> & {
  brands: Brands
  slots: SponsorSlots
  /** The side that a fact is about. */
  sideOf(fact: Fact): SlotSituation['side']
}
/** The evidence for rules: the data of the match, the brands, and the time that the expressions of all of them may take together. */
export type Judging = {
  data: Scope
  shows: Shows
  sponsors: Sponsors
  watch: Stopwatch
  /** The variables of expressions about the last fact: the same for all rules. */
  scope?: { fact: Fact | null; data: Scope; scope: Scope }
}
export const judging = (data: Scope, shows: Shows, sponsors: Sponsors): Judging => ({
  data,
  shows,
  sponsors,
  watch: new Stopwatch(MAX_SET_MS),
})

/** Whether a rule may fire on this data, and the graphic that it shows. A failure of an expression is a reason, never thrown. */
export function judge(rule: Rule, fact: Fact | null, by: Judging): Judged {
  if (rule.condition !== undefined) {
    const met = evaluated(rule.condition, fact, by)
    if (met === undefined) return { reason: 'conditionFailed', picture: null }
    if (met.value !== true) return { reason: 'condition', picture: null }
  }
  const picture = pictureOf(rule, fact, by)
  if (!picture) return { reason: 'presetInvalid', picture: null }
  const reason = withoutBrand(picture, fact, by)
  return reason ? { reason, picture: null } : { reason: null, picture }
}

const settledAd = (
  name: string,
  { values }: Pick<Picture, 'values'>,
  { preset, graphic }: NonNullable<ReturnType<Shows>>,
) => values[name] ?? storedValues(preset, graphic).values[name] ?? graphic.variables.get(name)?.defaultValue ?? null

/**
 * Why a graphic has no brand to show; null when it has each that it needs. Without a fact its side is looked at when it is shown.
 * game-plan: Rules of behaviour 3, Brands and sponsor slots
 */
export function withoutBrand(
  { presetId, values }: Picture,
  fact: Fact | null,
  { shows, sponsors }: Judging,
): 'noBrands' | 'noBrand' | null {
  const shown = shows(presetId)
  const { ads = NO_ADS } = shown?.graphic ?? {}
  if (!shown || ads.length === 0) return null
  const { brands, slots, adType } = sponsors
  const side = fact && sponsors.sideOf(fact)
  const isThere = ({ slot }: SlotChoice) => {
    const shares = slots.get(slot)?.brands ?? []
    const meant = fact ? shares : shares.map(({ brandId, share }) => ({ brandId, share }))
    return eligibleBrands({ brands: meant }, brands, { ...sponsors, side }).length > 0
  }
  for (const name of ads) {
    const value = settledAd(name, { values }, shown)
    if (value === null) continue
    if (adType === 'noBrands') return 'noBrands'
    if (!(isSlot(value) ? isThere(value) : mayShow(brands.get(Number(value)), adType))) return 'noBrand'
  }
  return null
}

const NO_ADS: readonly string[] = []

/** Undefined when the preset cannot be shown with these values. */
export function pictureOf(
  { presetId, variableValues = {} }: Rule,
  fact: Fact | null,
  by: Judging,
): Picture | undefined {
  const shown = by.shows(presetId)
  if (!shown) return undefined
  const { graphic } = shown
  const values: Record<string, Picture['values'][string]> = {}
  for (const [name, given] of Object.entries(variableValues)) {
    const value = worth(given, fact, by)
    if (value === undefined) return undefined
    if (wrongValue(graphic.variables.get(name), value) !== undefined) return undefined
    values[name] = value
  }
  const { graphicId, graphicName, ads = NO_ADS } = graphic
  const sponsored = ads.some((name) => settledAd(name, { values }, shown) !== null)
  return { presetId, graphicId, graphicName, values, ...(sponsored && { sponsored }) }
}

/** Undefined when its expression fails, or its value is none that a variable can hold. */
function worth(given: RuleValue, fact: Fact | null, by: Judging): Picture['values'][string] | undefined {
  if (typeof given !== 'object' || given === null || 'slot' in given) return given
  const made = evaluated(given.expression, fact, by)
  return made && (typeof made.value !== 'object' || made.value === null)
    ? { value: made.value as Scalar }.value
    : undefined
}

/** Undefined when it fails, and when those before it took the time of all. */
function evaluated(source: string, fact: Fact | null, by: Judging): { value: unknown } | undefined {
  if (by.watch.late()) return undefined
  try {
    return { value: expression(source).evaluate(scopeOf(fact, by)) }
  } catch {
    return undefined
  }
}

function scopeOf(fact: Fact | null, by: Judging): Scope {
  const { data, sponsors } = by
  if (by.scope?.fact !== fact || by.scope.data !== data) {
    const told = fact && { ...fact, side: sponsors.sideOf(fact) }
    by.scope = { fact, data, scope: { ...data, fact: told } }
  }
  return by.scope.scope
}
