import type { Fact, Match, MatchState, Refusal } from '../match-model.ts'
import { effectiveConfig, sportOf } from '../sports.ts'
import type { Course } from './course.ts'
import { refuse } from './refusal.ts'

type Said = Pick<Match, 'declared' | 'declaredAt'>

const STARTS: ReadonlySet<string> = new Set(['matchStart', 'periodStart', 'clockStart'])

/** Whether play goes on with a fact after the match was delayed or suspended by hand. */
function resumes({ sport, config, declared, facts }: Match, { type, timestamp }: Fact): boolean {
  if (declared !== 'suspended' && declared !== 'delayed') return false
  const { factTypes } = sportOf(sport)
  // without a clock nothing but the next point says that play goes on
  const point = factTypes[type]?.scoring === true && !effectiveConfig(sport, config).useClock
  if (!STARTS.has(type) && !point) return false
  return !facts.some((one) => one.timestamp > timestamp && factTypes[one.type]?.structural)
}

/** State and score said by hand, once a fact has been recorded. */
export const resumed = (match: Match, fact: Fact): Said =>
  resumes(match, fact)
    ? { declared: null, declaredAt: null }
    : { declared: match.declared, declaredAt: match.declaredAt }

/** Whether a state said by hand is shown, or the facts have gone past it. */
export function holds(declared: MatchState, { state }: Course): boolean {
  switch (declared) {
    case 'delayed':
    case 'postponed':
      return state === 'scheduled'
    case 'suspended':
      return state === 'live' || state === 'break'
    case 'abandoned':
    case 'cancelled':
    case 'finished':
      return state !== 'finished'
    default:
      return false
  }
}

/** Takes a state by hand, or tells why the facts contradict it. `scored`: a score was given by hand as well. */
export function declare(said: Said, course: Course, state: MatchState, at: string, scored: boolean): Said | Refusal {
  if (state === course.state) return { declared: null, declaredAt: null }
  if (!holds(state, course)) return refuse('state', `by its facts the match is ${course.state}`, state)
  if (state === 'finished' && !course.started && !scored)
    return refuse('state', 'a match without facts is finished by a score only', state)
  return said.declared === state ? said : { declared: state, declaredAt: at }
}
