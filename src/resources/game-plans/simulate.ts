import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { Play as Firing } from '../../../machines/game-plan/model.ts'
import type { Rule } from '../../../machines/game-plan/rule.ts'
import type { Play } from '../../../machines/match-model.ts'
import type { PinnedGraphic, PresetCard } from '../../catalog/cards.ts'
import type { Context } from '../../context.ts'
import { forbidden, invalid, notFound } from '../../errors.ts'
import type { Scope } from '../../expressions/scope.ts'
import { createLongReads } from '../long-reads.ts'
import { type Composed, composeSportData, type Shown, shownOf } from '../matches/compose-sport-data.ts'
import { findSportParts } from '../matches/sport-data.ts'
import { databaseAnswers } from '../overlays/recorded-commands.queries.ts'
import { findScenario } from '../scenarios/queries.ts'
import { getProfile, type ProfilePath } from '../themes/profiles.queries.ts'
import { sponsorsOf } from './advance.ts'
import { VirtualBrands } from './brand-shown.ts'
import { judge, judging, needsData, type Sponsors, withoutBrand } from './judge.ts'
import { type Happening, happeningsOf, lastWord, PlayedMatch, type Said, saidIn, saidOf } from './played-match.ts'
import { adsOf, wrongRules } from './problems.queries.ts'
import { getGamePlan } from './queries.ts'
import { Rehearsal } from './rehearsal.ts'
import type { Simulation, SimulationAnswer } from './simulation.schema.ts'
import { Timeline } from './timeline.ts'
import { createAllowance, spanOf } from './virtual-time.ts'

type Asked = z.output<typeof Simulation>
type Answer = z.output<typeof SimulationAnswer>

/** A plan with 200 rules on a whole match may take seconds: two at a time, of an organization one. */
const simulations = createLongReads({ most: 2, mostOfOne: 1 })

/**
 * Plays a game plan on a match in virtual time, by the machine and the judge that play it on air: the graphics that it shows and does not show, and
 * how long. Changes nothing. 400 names wrong rules, and a plan that does too much; throws notFound and forbidden. game-plan: Game plan
 */
export async function simulateGamePlan(ctx: Context, path: ProfilePath, asked: Asked): Promise<Answer> {
  await databaseAnswers(ctx.db.sql)
  const { themeId } = await getProfile(ctx, path)
  const [rules, recording] = await Promise.all([rulesOf(ctx, path, themeId, asked), recordingOf(ctx, asked)])
  const shown = await picturesOf(ctx, themeId, rules)
  const stage = { adType: 'brands' as const, profileId: path.profileId, at: 0 }
  const sponsors = await sponsorsOf(ctx, stage, recording.parts.match)
  return simulations(() => rehearse(rules, { shown, sponsors }, recording), ctx.organizationId)
}

/** The rules that were sent, checked as when they are saved, or those of the plan. A rule without an id is known by its place. */
async function rulesOf(ctx: Context, path: ProfilePath, themeId: number, { rules }: Asked): Promise<readonly Rule[]> {
  if (!rules) return (await getGamePlan(ctx, path)).rules
  const [competition] = await ctx.db.sql<{ sport: Parameters<typeof wrongRules>[1]['sport'] }[]>`
    select sport from competition where id = ${path.competitionId}`
  if (!competition) throw notFound()
  const ads = await adsOf(ctx, ctx.db.sql, path.profileId)
  const details = await wrongRules(ctx.db.sql, { themeId, sport: competition.sport, ...ads }, rules)
  if (Object.keys(details).length > 0) throw invalid(details)
  return rules.map((rule, index) => ({ ...rule, id: rule.id ?? `rules[${index}]` }))
}

type Recording = { parts: Composed; said: readonly Said[]; until: number }

/** The match that is played. */
async function recordingOf(ctx: Context, { scenarioId, matchId }: Asked): Promise<Recording> {
  if (matchId === undefined) {
    const scenario = scenarioId === undefined ? undefined : findScenario(scenarioId)
    if (!scenario) throw invalid({ 'body.scenarioId': { message: 'no such scenario', value: scenarioId } })
    const { parts, at } = scenario
    return { parts, said: saidIn([lastWord(parts.match)]), until: Date.parse(at) }
  }
  const parts = await findSportParts(ctx.db.sql, ctx.publicUrl, matchId)
  if (!parts) throw notFound()
  if (parts.row.organizationId !== ctx.organizationId) throw forbidden()
  return { parts, said: await saidOf(ctx.db.sql, matchId, parts.match), until: 0 }
}

const NO_DATA: Scope = {}

type Pictured = { preset: PresetCard; graphic: PinnedGraphic }

/** The presets that rules show, by id: those of the theme whose graphic is in its active version. */
async function picturesOf({ catalog }: Context, themeId: number, rules: readonly Rule[]) {
  const active = await catalog.active(themeId)
  const pictures = new Map<number, Pictured>()
  for (const presetId of new Set(rules.map((rule) => rule.presetId))) {
    const preset = await catalog.preset(presetId)
    const graphic = preset?.themeId === themeId ? active.get(preset.graphicId) : undefined
    if (preset && graphic) pictures.set(presetId, { preset, graphic })
  }
  return pictures
}

/** Plays from before the match until after it, a breath between steps. */
async function rehearse(
  rules: readonly Rule[],
  { shown: pictures, sponsors }: { shown: ReadonlyMap<number, Pictured>; sponsors: Sponsors },
  { parts, said, until }: Recording,
): Promise<Answer> {
  const presets = new Map(rules.map(({ id, presetId }) => [id, presetId]))
  const happenings = happeningsOf(parts.match, said)
  const { begin, startsAt, end } = spanOf(parts.match, { happenings, rules, until })
  const played = new PlayedMatch(parts.match)
  const brands = new VirtualBrands(sponsors)
  const timeline = new Timeline({
    startsAt,
    graphicOf: (ruleId) => pictures.get(presets.get(ruleId) ?? 0)?.graphic.graphicName ?? null,
    brandsOf: (play, at, before) => {
      const shown = pictures.get(play.presetId)
      return shown ? brands.of(play, shown, { fact: factOf(play), at, before }) : []
    },
    seen: (brand, ms) => brands.seen(brand, ms),
  })
  const shows = (presetId: number) => pictures.get(presetId)
  let composed: Scope | undefined
  let whole: Shown | undefined
  const dataNow = () => {
    whole ??= shownOf(parts)
    const { match } = played
    composed ??= composeSportData({ ...parts, match }, { ...whole, facts: whole.facts.slice(0, match.facts.length) })
    return composed
  }
  const factOf = ({ factId }: Firing) => (factId === null ? null : played.factOf({ id: factId }))
  const rehearsal = new Rehearsal({
    rules,
    refusal: (play, at) => withoutBrand(play, factOf(play), judging({}, shows, { ...sponsors, at })),
    told: (event, at) => timeline.tell(event, at),
    judgeAt: ({ at }) => {
      const by = judging({}, shows, { ...sponsors, at })
      return (rule, fact) => {
        // once worked out it is the same for all rules
        by.data = needsData(rule) ? dataNow() : (composed ?? NO_DATA)
        return judge(rule, fact && played.factOf(fact), by)
      }
    },
  })
  const spend = createAllowance(timeline, rehearsal)
  const isNews = newsFor(rules)
  for (const happening of happenings) {
    if (happening.at > end) break
    if (happening.at >= begin) {
      if (!rehearsal.plan.on) rehearsal.look(played.game, begin)
      while (rehearsal.runOne(happening.at)) await spend()
    }
    const before = played.match.play
    played.take(happening)
    composed = undefined
    const { game } = played
    if (happening.at < begin) continue
    if (isNews(happening, before, game.play)) rehearsal.look(game, happening.at)
    else rehearsal.pass(game)
    await spend()
  }
  if (!rehearsal.plan.on) rehearsal.look(played.game, begin)
  while (rehearsal.runOne(end)) await spend()
  return timeline.answer(end)
}

/** Whether a plan of these rules could find anything in what happened: most facts of a match are none that a rule waits for, and move nothing on. */
function newsFor(rules: readonly Rule[]) {
  const awaited = new Set(rules.flatMap(({ trigger }) => (trigger.type === 'fact' ? trigger.factTypes : [])))
  return ({ facts, said }: Happening, before: Play, now: Play): boolean =>
    said !== undefined || facts.some(({ type }) => awaited.has(type)) || !isAsBefore(before, now)
}

/** Whether a match stands as it stood, as far as triggers ask. */
const isAsBefore = (before: Play, now: Play): boolean =>
  before.state === now.state &&
  before.period?.number === now.period?.number &&
  isDeepStrictEqual(before.clock, now.clock)
