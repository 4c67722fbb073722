import type { Fact, FactAsked, Match, MatchCommand, MatchEvent, MatchState, Refusal } from '../match-model.ts'
import { courseOf, inMatchOrder, play, playOf, playOn } from '../play.ts'
import { complete, type Draft, timeOf } from './complete.ts'
import { isRefusal, refuse } from './refusal.ts'
import { resumed } from './said.ts'

type Command<Type> = Extract<MatchCommand, { type: Type }>

/** More than a test match of five days has; it bounds the cost of a refold. */
export const MAX_FACTS = 5_000

/** Said by hand: nothing is played any more. */
const OVER: ReadonlySet<MatchState> = new Set(['postponed', 'abandoned', 'cancelled', 'finished'])

/** A fact that was not known yet. */
export function record(match: Match, { id, fact: asked, at }: Command<'record'>): MatchEvent[] | Refusal {
  if (match.facts.some((one) => one.id === id)) return refuse('', `there is a fact ${id} already`)
  if (match.facts.length >= MAX_FACTS) return refuse('', `a match has at most ${MAX_FACTS} facts`)
  const stood = match.play.state === 'suspended' ? match.play.clock : null
  const latest = match.facts.at(-1)?.timestamp
  const placed = place(match, match.facts, { id, at, asked, base: undefined, stood, latest, ...lateTime(match, asked) })
  if (isRefusal(placed)) return placed
  const { fact, course } = placed
  return [{ type: 'match.fact.recorded', fact, play: playOf(course, { ...match, ...resumed(match, fact) }) }]
}

/** Another truth about a fact. */
export function correct(match: Match, { factId, fact: asked, at }: Command<'correct'>): MatchEvent[] | Refusal {
  const base = match.facts.find(({ id }) => id === factId)
  if (!base) return refuse('factId', 'no such fact', factId)
  const others = match.facts.filter((one) => one !== base)
  const placed = place(match, others, { id: factId, at, asked, base, stood: null })
  if (isRefusal(placed)) return placed
  return [{ type: 'match.fact.corrected', fact: placed.fact, play: playOf(placed.course, match) }]
}

/** A fact that was none. */
export function erase(match: Match, { factId }: Command<'erase'>): MatchEvent[] | Refusal {
  const facts = match.facts.filter(({ id }) => id !== factId)
  if (facts.length === match.facts.length) return refuse('factId', 'no such fact', factId)
  const erased = play({ ...match, facts })
  return isRefusal(erased) ? erased : [{ type: 'match.fact.erased', factId, play: erased }]
}

/** A score told after the end that says its period but not its time fell before the end, at an unknown time. */
function lateTime(match: Match, { type = '', period, timestamp }: Partial<FactAsked>): Pick<Draft, 'late'> {
  const end = match.facts.find((one) => one.type === 'matchEnd')
  if (!end || period === undefined || timestamp !== undefined) return {}
  const known = courseOf(match).typeOf(type)
  return known?.scoring ? { late: new Date(Date.parse(end.timestamp) - 1).toISOString() } : {}
}

/** Plays the other facts up to where the new one goes in, completes it there, and plays on. */
function place(match: Match, others: readonly Fact[], draft: Draft) {
  const timestamp = timeOf(draft)
  if (typeof timestamp === 'object') return timestamp
  const course = courseOf(match)
  const at = { id: draft.id, timestamp }
  const next = others.findIndex((one) => inMatchOrder(one, at) > 0)
  const index = next < 0 ? others.length : next
  const before = playOn(course, others.slice(0, index), undefined)
  if (before) return before
  const fact = complete(course, draft, timestamp)
  if (isRefusal(fact)) return fact
  const { structural, scoring } = course.typeOf(fact.type) ?? {}
  const { declared } = match
  // a word that the facts have gone past says nothing any more
  const over = declared !== null && OVER.has(declared) && match.play.state === declared
  if (!draft.base && (structural || scoring) && over) return refuse('type', `the match is ${declared}`, fact.type)
  const refusal = playOn(course, [fact, ...others.slice(index)], fact.id)
  if (refusal) return refusal
  return { fact, course }
}
