import type { Fact, Match, MatchClock, PeriodScore, Play, Refusal } from './match-model.ts'
import { Course } from './play/course.ts'
import { holds } from './play/said.ts'
import { effectiveConfig, sportOf } from './sports.ts'

/** The parts of a match that its play follows from. */
export type PlayInput = Pick<
  Match,
  'sport' | 'config' | 'competitors' | 'facts' | 'declared' | 'declaredAt' | 'scoreOverride' | 'createdAt'
> & { settings: Pick<Match['settings'], 'competitorsType'> }

type Placed = Pick<Fact, 'id' | 'timestamp'>

/** Facts in match order: by `timestamp`, then by id. */
export const inMatchOrder = (a: Placed, b: Placed): number =>
  a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : a.id - b.id

/** A match before its first fact. */
export const courseOf = ({ sport, config, competitors, settings, createdAt }: PlayInput): Course =>
  new Course({
    sport: sportOf(sport),
    config: effectiveConfig(sport, config),
    competitors,
    group: settings.competitorsType === 'group',
    createdAt,
  })

/** Plays these facts on. A refusal tells which of them cannot be; for the fact at index `asked` it names the field. */
export function playOn(course: Course, facts: readonly Fact[], asked?: number): Refusal | undefined {
  for (const fact of facts) {
    const refusal = course.take(fact)
    if (!refusal) continue
    if (fact.id === asked) return refusal
    return { path: '', message: `fact ${fact.id} (${fact.type}) would be impossible: ${refusal.message}` }
  }
  return undefined
}

/** The play at the end of a course, with state and score that were said by hand over it. */
export function playOf(course: Course, input: Pick<PlayInput, 'declared' | 'declaredAt' | 'scoreOverride'>): Play {
  const { declared, declaredAt, scoreOverride } = input
  const { period, shootout, score } = course
  const said = declared !== null && holds(declared, course) ? declared : undefined
  const { home, away } = scoreOverride ?? score.total
  const begun = Array.from({ length: period }, (_, index) => index + 1).filter((number) => number !== shootout)
  return {
    state: said ?? course.state,
    period: period === 0 ? null : course.describe(period),
    clock: said && declaredAt ? stoodAt(course, declaredAt) : course.clock.shown,
    score: {
      home,
      away,
      periods: begun.map((number) => scoreOf(course, number)),
    },
    competitorScores: score.competitors({ home, away }),
    statistics: score.statistics,
    situation: score.situation(period, shootout),
  }
}

function scoreOf(course: Course, period: number): PeriodScore {
  const { number, type, name } = course.describe(period)
  const { home, away } = course.score.of(period)
  return { number, type, name, home, away }
}

function stoodAt({ clock, period }: Course, time: string): MatchClock {
  if (!clock.running || time < clock.shown.asOf) return { ...clock.shown, running: false }
  return { ...clock.shown, running: false, valueMs: clock.at(time, period), asOf: time }
}

/** Refolds all facts, which are in match order, from nothing. Pure; the same facts always come to the same play. */
export function play(input: PlayInput): Play | Refusal {
  const course = courseOf(input)
  return playOn(course, input.facts) ?? playOf(course, input)
}
