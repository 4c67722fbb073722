import { isDeepStrictEqual } from 'node:util'
import type { Values } from '../../../machines/overlay/model.ts'
import { isOwnName, statisticNames } from '../../../machines/statistics/names.ts'
import { type MaybePromise, whenKnown } from '../../catalog/cache.ts'
import type { Members, OverlayCard, PinnedGraphic, PresetCard, Variable } from '../../catalog/cards.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import { type GivenValue, type GivenValues, isSlot, valueErrors, wrongValue } from '../control-variables.ts'

const OF_THE_MATCH = new Set(['team', 'player', 'match', 'fact', 'stat', 'teamStat'])

/** The fault of a record id that has the right form: the record must be part of the match. */
function stranger(variable: Variable | undefined, value: GivenValue, overlay: OverlayCard, members: Members) {
  if (variable?.type === 'stat' || variable?.type === 'teamStat') {
    if (typeof value !== 'string' || isOwnName(value) || statisticNames(overlay.sport).includes(value)) return undefined
    return `not a statistic of ${overlay.sport}`
  }
  if (typeof value !== 'number') return undefined
  if (variable?.type === 'team' && !members.teams.has(value)) return 'not a team of the match'
  if (variable?.type === 'player' && !members.players.has(value)) return 'not a player of the match'
  if (variable?.type === 'fact' && !members.facts.has(value)) return 'not a fact of the match'
  if (variable?.type === 'match' && value !== overlay.matchId) return 'not the match of the overlay'
  return undefined
}

const refuse = (details: FieldErrors | undefined) => {
  if (details) throw invalid(details)
}

/**
 * Checks the values of a request against the variables of the graphic, and record ids against the match of the overlay; `permit`
 * says why the caller may not set a value that is right in itself. Throws `invalid` naming every bad one.
 */
export function checkValues(
  catalog: Catalog,
  overlay: OverlayCard,
  graphic: PinnedGraphic,
  given: GivenValues,
  permit: Permit = everything,
): MaybePromise<void> {
  let namesMembers = false
  let namesAds = false
  refuse(
    valueErrors(given, (name, value) => {
      const variable = graphic.variables.get(name)
      namesMembers ||= variable !== undefined && OF_THE_MATCH.has(variable.type)
      namesAds ||= variable?.type === 'ad' && value !== null
      return wrongValue(variable, value) ?? permit(name, value)
    }),
  )
  const members = () => (namesMembers ? checkMembers(catalog, overlay, graphic, given) : undefined)
  return namesAds ? whenKnown(checkAds(catalog, overlay, graphic, given), members) : members()
}

type Checked = [catalog: Catalog, overlay: OverlayCard, graphic: PinnedGraphic, given: GivenValues]

/** Brands must be of the organization, slots of the profile of the overlay. */
function checkAds(...[catalog, { organizationId, profileId }, { ads = [] }, given]: Checked): MaybePromise<void> {
  return whenKnown(catalog.brands(organizationId), (brands) =>
    whenKnown(profileId === null ? undefined : catalog.slots(profileId), (slots) => {
      const wrong = (value: GivenValue) => {
        if (isSlot(value)) return slots?.has(value.slot) ? undefined : 'not a sponsor slot of the profile'
        return typeof value !== 'number' || brands.has(value) ? undefined : 'not a brand of the organization'
      }
      refuse(valueErrors(given, (name, value) => (ads.includes(name) ? wrong(value) : undefined)))
    }),
  )
}

function checkMembers(...[catalog, overlay, graphic, given]: Checked): MaybePromise<void> {
  const strangers = (members: Members) =>
    valueErrors(given, (name, value) => stranger(graphic.variables.get(name), value, overlay, members))
  return whenKnown(catalog.members(overlay.matchId), (members) => {
    if (!strangers(members)) return undefined
    // somebody may have joined since the members were read
    catalog.forget({ match: overlay.matchId })
    return whenKnown(catalog.members(overlay.matchId), (fresh) => refuse(strangers(fresh)))
  })
}

/** Why a value may not be set; undefined when it may. */
type Permit = (name: string, value: GivenValue) => string | undefined

const everything: Permit = () => undefined

/**
 * The values that a link may set: those that the preset exposes. Its page also sends again, unchanged, values stored in the preset
 * or on air, so that an update leaves them there.
 */
export function exposedOnly(preset: PresetCard, graphic: PinnedGraphic, onAir: Values | undefined): Permit {
  const stored = storedValues(preset, graphic).values
  return (name, value) => {
    if (preset.exposed.includes(name)) return undefined
    const settled = (one: GivenValue | undefined) => one ?? graphic.variables.get(name)?.defaultValue ?? null
    const stays = (values: GivenValues) => isSame(settled(values[name]), settled(value))
    return stays(stored) || (onAir && stays(onAir)) ? undefined : 'the preset does not expose it'
  }
}

const isSame = (one: GivenValue, other: GivenValue) =>
  typeof one === 'object' && typeof other === 'object' ? isDeepStrictEqual(one, other) : one === other

const usable = new WeakMap<PresetCard, { graphic: PinnedGraphic; values: GivenValues; leftOut: string[] }>()

/** The stored values of a preset that this version of the graphic can take, and the names of the others; kept per preset. */
export function storedValues(preset: PresetCard, graphic: PinnedGraphic) {
  const known = usable.get(preset)
  if (known?.graphic === graphic) return { values: known.values, leftOut: NOTHING }
  const entries = Object.entries(preset.values)
  const fits = ([name, value]: [string, GivenValue]) => wrongValue(graphic.variables.get(name), value) === undefined
  const found = {
    graphic,
    values: withDefaults(Object.fromEntries(entries.filter(fits)), graphic),
    leftOut: entries.filter((entry) => !fits(entry)).map(([name]) => name),
  }
  usable.set(preset, found)
  return found
}

const NOTHING: readonly string[] = []

/** Null means the default of the variable; a variable without one is left out. */
export function withDefaults(values: GivenValues, graphic: Pick<PinnedGraphic, 'variables'>): GivenValues {
  if (!Object.values(values).includes(null)) return values
  const settled: GivenValues = {}
  for (const [name, value] of Object.entries(values)) {
    const effective = value ?? graphic.variables.get(name)?.defaultValue ?? null
    if (effective !== null) settled[name] = effective
  }
  return settled
}
