import { sideOfFact } from '../../../machines/game-plan/matching.ts'
import type { Ads, OnAir, Overlay as OverlayState, Values } from '../../../machines/overlay/model.ts'
import { sideOf } from '../../../machines/play/sides.ts'
import { type MaybePromise, whenKnown } from '../../catalog/cache.ts'
import type { Brands, OverlayCard, PinnedGraphic } from '../../catalog/cards.ts'
import type { Context } from '../../context.ts'
import { invalid } from '../../errors.ts'
import { type GivenValues, isSlot } from '../control-variables.ts'
import { eligibleBrands, furthestBehind, mayShow, type SlotSituation } from '../sponsor-slots/choose.ts'
import { seenInSlot } from '../sponsor-slots/ledger.ts'
import { databaseNow } from './recorded-commands.queries.ts'

/** A graphic that is shown or updated, with the variables of it whose value is a brand. */
type Dressed = {
  ctx: Context
  overlay: OverlayCard
  /** The graphics on air beside this one. */
  state: OverlayState
  graphic: PinnedGraphic
  ads: readonly string[]
  /** The graphic as it is on air, when it is updated. */
  shown?: OnAir | undefined
  play?: { factId: number | null } | undefined
}
type Worn = { values: Values; ads: Ads }

/**
 * The values of a graphic with the brands that go on air: those that are named, and for sponsor slots the brand that is chosen now; an
 * update keeps what was chosen at the show. Without a brand the variable has no value. Throws invalid where the game plan shows it and
 * there is none. game-plan: Brands and sponsor slots
 */
export function withBrands(dressed: Dressed, merged: GivenValues): MaybePromise<Worn> {
  const { ctx, overlay, graphic, shown } = dressed
  return whenKnown(ctx.catalog.brands(overlay.organizationId), (brands) => {
    const values: GivenValues = { ...merged }
    const ads: Record<string, string | null> = {}
    const open: string[] = []
    for (const name of dressed.ads) {
      const given = values[name] ?? graphic.variables.get(name)?.defaultValue ?? null
      delete values[name]
      const before = shown?.ads?.[name]
      const kept = shown?.values[name]
      if (isSlot(given)) {
        ads[name] = given.slot
        if (before !== given.slot) open.push(name)
        else if (kept !== undefined) values[name] = kept
      } else if (typeof given === 'number') {
        // pages send the brand on air again, which stays the choice of the slot
        ads[name] = (given === kept && before) || null
        if (given === kept || mayShow(brands.get(given), overlay.adType)) values[name] = given
      }
    }
    const settled = () => checked(dressed, { values: values as Values, ads })
    return open.length === 0 ? settled() : chooseAll(dressed, { values, ads, open, brands }).then(settled)
  })
}

/** The values of a graphic that was dressed a while ago, without brands that the overlay may not show now. */
export const allowedValues = (
  ctx: Context,
  overlay: OverlayCard,
  { values, ads }: Pick<OnAir, 'values' | 'ads'>,
): MaybePromise<Values> =>
  ads === undefined
    ? values
    : whenKnown(ctx.catalog.brands(overlay.organizationId), (brands) => {
        const isShown = ([name, value]: [string, Values[string]]) =>
          !(name in ads) || (typeof value === 'number' && mayShow(brands.get(value), overlay.adType))
        return Object.fromEntries(Object.entries(values).filter(isShown))
      })

/** A rule of the game plan without its brand is not shown: nobody would see why. */
function checked({ play, shown }: Dressed, worn: Worn): Worn {
  if (play && !shown)
    for (const [name, value] of Object.entries(worn.ads))
      if (worn.values[name] === undefined)
        throw invalid({ [`body.variableValues.${name}`]: { message: 'there is no brand to show', value } })
  return worn
}

type Open = { values: GivenValues; ads: Record<string, string | null>; open: readonly string[]; brands: Brands }

/** Chooses the brands of slots, one after the other: a graphic does not show a brand twice while there is another. */
async function chooseAll(dressed: Dressed, { values, ads, open, brands }: Open): Promise<void> {
  const { ctx, overlay, state } = dressed
  const { adType, profileId } = overlay
  if (adType === 'noBrands' || profileId === null) return
  const slots = await ctx.catalog.slots(profileId)
  const at = await databaseNow(ctx.db.sql)
  const taken = new Set(Object.keys(ads).map((name) => values[name]))
  for (const name of open) {
    const slot = slots.get(ads[name] ?? '')
    if (!slot) continue
    const isSided = slot.brands.some(({ side }) => side !== undefined)
    const side = isSided ? await sideOfGraphic(dressed, values) : null
    const eligible = eligibleBrands(slot, brands, { adType, at, side })
    const others = eligible.filter(({ brandId }) => !taken.has(brandId))
    const seen = await seenInSlot(ctx.db.sql, {
      overlay,
      slotId: slot.id,
      now: at,
      onAir: Object.values(state.graphics),
    })
    const chosen = furthestBehind(others.length > 0 ? others : eligible, seen)
    if (!chosen) continue
    values[name] = chosen.brandId
    taken.add(chosen.brandId)
  }
}

/** The side of the one team that a graphic is about by the records that its values name; null when it is about none, or about both. */
async function sideOfGraphic(
  { ctx, overlay, graphic, play }: Dressed,
  values: GivenValues,
): Promise<SlotSituation['side']> {
  const match = (await ctx.actors.read('match', overlay.matchId))?.context
  if (!match) return null
  const ofTeam = (teamId: unknown) =>
    sideOf(match.competitors.find((one) => one.teamId !== null && one.teamId === teamId))
  const ofFact = (factId: unknown) => {
    const fact = match.facts.find(({ id }) => id === factId)
    return fact && sideOfFact(match, fact)
  }
  const sides = new Set([play && ofFact(play.factId)])
  for (const [name, { type, defaultValue }] of graphic.variables) {
    const value = values[name] ?? defaultValue
    if (type === 'team') sides.add(ofTeam(value))
    else if (type === 'fact') sides.add(ofFact(value))
    else if (type === 'player' && typeof value === 'number') {
      const own = match.competitors.find(({ playerId }) => playerId === value)
      sides.add(own ? sideOf(own) : ofTeam(await teamOf(ctx, overlay, value)))
    }
  }
  sides.delete(undefined)
  return sides.size === 1 ? ([...sides][0] ?? null) : null
}

/** The team of the match that a player is of; of both, as sport data has it. */
async function teamOf({ live }: Context, overlay: OverlayCard, playerId: number): Promise<unknown> {
  const players = (await live?.(overlay.id, 0))?.data?.players
  return Array.isArray(players) ? players.find(({ id }) => id === playerId)?.teamId : undefined
}
