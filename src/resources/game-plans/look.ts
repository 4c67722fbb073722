import type { Correction, Firing, Hand, PlanCommand, Refusal } from '../../../machines/game-plan/commands.ts'
import {
  type Game,
  type Happened,
  happenedSince,
  isOf,
  isReleased,
  nextTimes,
  type Occurrence,
  seenOf,
} from '../../../machines/game-plan/matching.ts'
import type { Memory, Picture, Plan, Play, Reason, SeenMatch } from '../../../machines/game-plan/model.ts'
import type { Rule } from '../../../machines/game-plan/rule.ts'
import type { Fact } from '../../../machines/match-model.ts'

/** A match as a plan finds it; `at` is ms since 1970. */
export type Look = Happened & {
  rules: readonly Rule[]
  plan: Plan
  game: Game
  seen: SeenMatch
  at: number
  corrected: readonly CorrectedPlay[]
}

/** The reason against a rule now, and the graphic that it would show: from its presets, and from the data of the match. */
export type Judged = { reason: Reason | null; picture: Picture | null }

/** The match and the overlay since the plan looked last. */
export function lookAt(rules: readonly Rule[], plan: Plan, game: Game, at: number): Look {
  const seen = seenOf(game, plan.match, at)
  const corrected = correctedPlays({ plan, rules, game })
  return { rules, plan, game, seen, at, corrected, ...happenedSince(rules, plan, { game, seen, at }) }
}

/** Judges a rule now for a trigger that matched, or for a fact that was corrected. */
export type Judge = (rule: Rule, fact: Fact | null) => Judged

const firingOf = ({ rule, order, fact, reason }: Occurrence, judged: Judged): Firing => ({
  rule,
  order,
  factId: fact?.id ?? null,
  factAt: fact?.updatedAt ?? null,
  reason: reason ?? judged.reason,
  picture: judged.picture,
})

/** Plays that are worth no table of all facts. */
const FEW = 10

export type CorrectedPlay = { play: Play; rule: Rule | undefined; fact: Fact | undefined }

/** The plays whose fact was corrected since, with their rules; without the fact when it is gone, or does not match the rule any more. */
function correctedPlays({ plan, rules, game }: Pick<Look, 'plan' | 'rules' | 'game'>): CorrectedPlay[] {
  const layers = Object.values(plan.layers)
  const plays = [...plan.waiting, ...layers.flatMap(({ running, queue }) => (running ? [running, ...queue] : queue))]
  const about = plays.filter(({ factId }) => factId !== null)
  if (about.length === 0) return []
  // a table of all facts of a match takes longer than to look for a few
  const facts = about.length > FEW ? new Map(game.facts.map((fact) => [fact.id, fact])) : undefined
  return about.flatMap((play) => {
    const fact = facts ? facts.get(play.factId ?? 0) : game.facts.findLast(({ id }) => id === play.factId)
    if (fact && fact.updatedAt === play.factAt) return []
    const rule = rules.find(({ id }) => id === play.ruleId)
    return [{ play, rule, fact: fact && (!rule || isOf(rule.trigger, fact, game)) ? fact : undefined }]
  })
}

export type Advance = Omit<Extract<PlanCommand, { type: 'advance' }>, 'seq'>

/** The change that a corrected fact makes to its play; undefined: an expression failed, and the play stays as it is. */
function correctionOf({ play, fact }: CorrectedPlay, judged: Judged | undefined): Correction | undefined {
  if (!fact || judged?.reason === 'condition') return { playId: play.id, factAt: null, values: null }
  return judged?.picture ? { playId: play.id, factAt: fact.updatedAt, values: judged.picture.values } : undefined
}

type Seeing = {
  overlaySeq: number
  hands: readonly Hand[]
  refusals: readonly Refusal[]
  shown: readonly number[]
  done: number
  rehearsal?: boolean
}

/** The command that tells a plan of the triggers that matched and the facts that were corrected, judged now. */
export function advanceOf(look: Look, judge: Judge, seeing: Seeing): Advance {
  const { rules, plan, game, seen, at } = look
  const memories: Record<string, Memory> = Object.fromEntries(look.memories)
  const firings = look.occurrences.flatMap((occurrence) => {
    const { rule, fact, reason, again } = occurrence
    const judged = reason === null ? judge(rule, fact) : { reason, picture: null }
    if (!again || isReleased(plan, rule.layer ?? judged.picture?.graphicId)) return [firingOf(occurrence, judged)]
    // what goes on there was not interrupted
    delete memories[rule.id]
    return []
  })
  const [next] = nextTimes(rules, plan, { game, seen, at }, memories)
  return {
    type: 'advance',
    at,
    on: true,
    match: seen,
    memories,
    firings,
    corrections: look.corrected.flatMap(
      (one) => correctionOf(one, one.rule && one.fact && judge(one.rule, one.fact)) ?? [],
    ),
    alarmAt: next?.at ?? null,
    ...seeing,
  }
}
