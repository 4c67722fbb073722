import type { Refusal } from '../../../machines/game-plan/commands.ts'
import { foldPlan } from '../../../machines/game-plan/events.ts'
import { sideOfFact } from '../../../machines/game-plan/matching.ts'
import type { Effect, Plan } from '../../../machines/game-plan/model.ts'
import type { Rule } from '../../../machines/game-plan/rule.ts'
import type { Match } from '../../../machines/match-model.ts'
import type { Context, Errand } from '../../context.ts'
import { notFound, unexpected } from '../../errors.ts'
import type { Scope } from '../../expressions/scope.ts'
import { liveData } from '../matches/live-data.ts'
import { type Judging, judge, judging, needsData, type Shows, type Sponsors, withoutBrand } from './judge.ts'
import { type Advance, advanceOf, type Look, lookAt } from './look.ts'
import { handsOf, type Stage, stageOf } from './world.ts'

/**
 * `done`: what the overlay was to do up to this number is done; plays with brands that it has shown, and those that it could not show.
 * `leftOut`: numbers of shows that it never did, whose play was over before; the release before tells none.
 */
type Asked = {
  overlayId: number
  done: number
  shown: readonly number[]
  refused: readonly number[]
  leftOut?: readonly number[]
}

/** `until`: when the time of a show is over, ms since 1970, after which it is not done any more; null: it has none. */
export type DueEffect = Effect & { until?: number | null }

/**
 * One look of a plan at its match and its overlay; answers what the overlay is to do, in order, and whether that is in rehearsal. A show with
 * `leftOut` is not to be done: it is to be told whether it was.
 */
export const advanceErrand: Errand<Asked, { effects: readonly DueEffect[]; rehearsal?: boolean }> = {
  name: 'advancePlan',
  run: (ctx, asked) =>
    ctx.actors.send(ctx, 'game-plan', asked.overlayId, {
      asked: { type: 'advance' },
      decide: (plan) => decide(ctx, plan, asked),
      reply: (plan) => ({ effects: due(plan, asked.done), rehearsal: plan.rehearsal !== undefined }),
      refused: unexpected,
    }),
}

/** The effects that are still to be carried out: no graphic is shown whose time was over before it could be. */
function due({ effects, layers }: Plan, done: number): DueEffect[] {
  const running = new Map(Object.values(layers).map((layer) => [layer.running?.id, layer.running?.until ?? null]))
  return effects.flatMap((effect) => {
    const until = running.get(effect.play.id)
    if (effect.do === 'hide') return [effect]
    if (until !== undefined) return [effect.do === 'show' ? { ...effect, until } : effect]
    return effect.leftOut !== undefined && effect.n > done ? [effect] : []
  })
}

async function decide(ctx: Context, played: Plan, asked: Asked): Promise<Advance> {
  const stage = await stageOf(ctx.db.sql, asked.overlayId)
  if (!stage) throw notFound()
  const match = stage.autoMode ? await ctx.actors.read('match', stage.matchId) : undefined
  if (!match) return switchedOff(played, stage, asked)
  const { rehearsal } = stage
  const turns = (played.rehearsal !== undefined) !== rehearsal
  const plan = turns ? foldPlan(played, { type: 'plan.rehearsing', on: rehearsal, at: stage.at }) : played
  const { facts, competitors, play, settings } = match.context
  const look = lookAt(stage.rules, plan, { facts, competitors, play, date: settings.date }, stage.at)
  // a graphic that comes on air needs the overlay in any case: it is read while the plan decides
  if (look.occurrences.length > 0) void Promise.resolve(ctx.live?.(asked.overlayId, 0)).catch(() => {})
  const shows = await showsOf(ctx, stage)
  const matchNow = { overlayId: asked.overlayId, matchId: stage.matchId, seq: match.seq }
  const data = await dataOf(ctx, matchNow, [...look.occurrences, ...look.corrected])
  const by = judging(data, shows, await sponsorsOf(ctx, stage, match.context))
  const seen = await seeing(ctx, look, stage, asked, shows)
  const refusals = [...refusalsOf(plan, asked.refused, by), ...leftOutOf(plan, asked)]
  return advanceOf(look, (rule, fact) => judge(rule, fact, by), {
    ...seen,
    rehearsal,
    refusals,
    done: asked.done,
    shown: asked.shown,
  })
}

/** Why the overlay could not show plays: those with a brand had one when they fired, or could not know that there was none. */
function refusalsOf({ effects }: Plan, refused: readonly number[], by: Judging): Refusal[] {
  return refused.map((playId) => {
    const play = effects.find((effect) => effect.do === 'show' && effect.play.id === playId)?.play
    if (!play?.sponsored || !by.shows(play.presetId)) return { playId, reason: 'presetInvalid' }
    return { playId, reason: withoutBrand(play, null, by) ?? 'noBrand' }
  })
}

/** Shows that the overlay never did; of one whose play still runs its time was over. */
const leftOutOf = ({ effects }: Plan, { leftOut: numbers = [] }: Asked): Refusal[] =>
  effects.flatMap(({ n, play, leftOut = 'tooOld' }) =>
    numbers.includes(n) ? [{ playId: play.id, reason: leftOut }] : [],
  )

const switchedOff = (plan: Plan, { at }: Stage, asked: Asked): Advance => ({
  ...{ type: 'advance', on: false, at, match: plan.match, overlaySeq: plan.overlaySeq, alarmAt: null },
  ...{ done: asked.done, shown: asked.shown, refusals: leftOutOf(plan, asked) },
  ...{ hands: [], corrections: [], memories: {}, firings: [] },
})

/** Commands of the overlay that were not the plan's. A plan that looks for the first time begins with the graphics on air. */
async function seeing(ctx: Context, { plan, rules }: Look, stage: Stage, asked: Asked, shows: Shows) {
  if (!plan.match) return { overlaySeq: stage.overlaySeq, hands: [] }
  const layersOf = (graphicId: string) =>
    rules.flatMap(({ presetId, layer }) =>
      shows(presetId)?.graphic.graphicId === graphicId ? [layer ?? graphicId] : [],
    )
  const since = { from: plan.overlaySeq, now: stage.overlaySeq, rehearsal: stage.rehearsal }
  const { hands, upTo } = await handsOf(ctx.db.sql, asked.overlayId, since, layersOf)
  return { overlaySeq: upTo, hands }
}

/** The presets of the overlay's room whose graphic is in the active version of its theme. */
export async function showsOf({ catalog }: Context, { rules, roomId }: Stage): Promise<Shows> {
  const shown = new Map<number, NonNullable<ReturnType<Shows>>>()
  for (const presetId of new Set(rules.map((rule) => rule.presetId))) {
    const preset = await catalog.preset(presetId)
    if (!preset || preset.roomId !== roomId) continue
    const graphic = (await catalog.active(preset.themeId)).get(preset.graphicId)
    if (graphic) shown.set(presetId, { preset, graphic })
  }
  return (presetId) => shown.get(presetId)
}

const NO_SLOTS: Sponsors['slots'] = new Map()

/** The brands that an overlay may show now. */
export async function sponsorsOf(
  { catalog, organizationId }: Context,
  { adType, profileId, at }: Pick<Stage, 'adType' | 'profileId' | 'at'>,
  match: Pick<Match, 'competitors'>,
): Promise<Sponsors> {
  const brands = await catalog.brands(organizationId)
  const slots = profileId === null ? NO_SLOTS : await catalog.slots(profileId)
  return { adType, at, brands, slots, sideOf: (fact) => sideOfFact(match, fact) ?? null }
}

const NO_DATA: Scope = {}

/**
 * The data of the match, by which rules are judged, at least as of this `seq` of it, since another node may have committed that a moment ago.
 * Undefined when no rule asks for any.
 */
export async function dataOf(
  ctx: Context,
  { overlayId, matchId, seq }: { overlayId: number; matchId: number; seq: number },
  about: readonly { rule: Rule | undefined }[],
): Promise<Scope> {
  if (!about.some(({ rule }) => rule && needsData(rule))) return NO_DATA
  const held = await ctx.live?.(overlayId, 0)
  const isFresh = held !== undefined && (held.revisions[`match/${matchId}`] ?? 0) >= seq
  const { data } = isFresh ? held : await liveData(ctx.db.sql, ctx.publicUrl, overlayId)
  return data ?? NO_DATA
}
