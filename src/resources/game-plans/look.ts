import type { Correction, Firing, Hand, PlanCommand, Refusal } from '../../../machines/game-plan/decide.ts'
import {
  type Game,
  type Happened,
  happenedSince,
  isOf,
  nextTimes,
  type Occurrence,
  seenOf,
} from '../../../machines/game-plan/matching.ts'
import type { Memory, Picture, Plan, Play, Reason, Seen } from '../../../machines/game-plan/model.ts'
import type { Rule } from '../../../machines/game-plan/rule.ts'
import type { Fact } from '../../../machines/match-model.ts'

/** A match as a plan finds it; `at` is ms since 1970. */
export type Look = Happened & { rules: readonly Rule[]; plan: Plan; game: Game; seen: Seen; at: number }

/** What speaks against a rule now, and what it would show: looked up and worked out from the data of the match. */
export type Judged = { reason: Reason | null; picture: Picture | null }

/** What happened since the plan looked last. */
export function lookAt(rules: readonly Rule[], plan: Plan, game: Game, at: number): Look {
  const seen = seenOf(game, plan.match, at)
  return { rules, plan, game, seen, at, ...happenedSince(rules, plan, { game, seen, at }) }
}

/** What a rule says now of an occurrence of it, or of a fact that was corrected. */
export type Judge = (rule: Rule, fact: Fact | null) => Judged

const firingOf = ({ rule, order, fact, reason }: Occurrence, judged: Judged): Firing => ({
  rule,
  order,
  factId: fact?.id ?? null,
  factAt: fact?.updatedAt ?? null,
  reason: reason ?? judged.reason,
  picture: judged.picture,
})

export type CorrectedPlay = { play: Play; rule: Rule | undefined; fact: Fact | undefined }

/** What runs or waits because of a fact that was corrected since, with its rule; without the fact when it is gone, or none for the rule any more. */
export function correctedPlays({ plan, rules, game }: Look): CorrectedPlay[] {
  const layers = Object.values(plan.layers)
  const plays = [...plan.waiting, ...layers.flatMap(({ running, queue }) => (running ? [running, ...queue] : queue))]
  const about = plays.filter(({ factId }) => factId !== null)
  if (about.length === 0) return []
  const facts = new Map(game.facts.map((fact) => [fact.id, fact]))
  return about.flatMap((play) => {
    const fact = facts.get(play.factId ?? 0)
    if (fact && fact.updatedAt === play.factAt) return []
    const rule = rules.find(({ id }) => id === play.ruleId)
    return [{ play, rule, fact: fact && (!rule || isOf(rule.trigger, fact, game)) ? fact : undefined }]
  })
}

export type Advance = Omit<Extract<PlanCommand, { type: 'advance' }>, 'seq'>

/** What a corrected fact means for its play; undefined: that cannot be said now, and it stays as it is. */
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
}

/** The command that tells a plan all of it: what happened and what was corrected, judged now. */
export function advanceOf(look: Look, judge: Judge, seeing: Seeing): Advance {
  const { rules, plan, game, seen, at } = look
  const memories: Record<string, Memory> = Object.fromEntries(look.memories)
  const [next] = nextTimes(rules, { rules: { ...plan.rules, ...memories } }, { game, seen, at })
  return {
    type: 'advance',
    at,
    on: true,
    match: seen,
    memories,
    firings: look.occurrences.map((occurrence) => {
      const { rule, fact, reason } = occurrence
      return firingOf(occurrence, reason === null ? judge(rule, fact) : { reason, picture: null })
    }),
    corrections: correctedPlays(look).flatMap(
      (one) => correctionOf(one, one.rule && one.fact && judge(one.rule, one.fact)) ?? [],
    ),
    alarmAt: next?.at ?? null,
    ...seeing,
  }
}
