import type { Match, MatchConfig } from '../../../machines/match-model.ts'
import { effectiveConfig, sportOf } from '../../../machines/sports.ts'
import type { Schedule } from '../../../machines/stream-model.ts'

const MINUTE_MS = 60_000
/** A match that nobody ends keeps a stream for this long after its nominal end, no longer. */
const NEVER_ENDED_MS = 6 * 3_600_000
/** Play with a clock that stops takes this many times what the clock shows. */
const STOPPING = 2.5
/** How long a period without a set length takes, in minutes. */
const UNTIMED: Readonly<Record<string, number>> = { volleyball: 25, tennis: 50, baseball: 20, cricket: 210 }
const INJURY_MINUTES = 10
const SHOOTOUT_MINUTES = 15

type Times = Pick<Schedule, 'startAt' | 'stopAt'>
const none: Times = { startAt: null, stopAt: null }

/**
 * When Auto Stream starts and stops the stream of a match. The stop follows the end of the match as it is known: said or played,
 * hours away while it is in play, else reckoned from its kick-off and length. spec: Streams 14
 */
export function timesOf(match: Match): Times {
  const { date, pregameAutomationTime: before, postgameAutomationTime: after } = match.settings
  if (before === null || after === null) return none
  const kickOff = Date.parse(date)
  const startAt = kickOff - before * MINUTE_MS
  switch (match.play.state) {
    case 'scheduled':
      return { startAt, stopAt: kickOff + nominalMs(match) + after * MINUTE_MS }
    case 'live':
    case 'break':
    case 'suspended':
    case 'delayed': {
      const begun = Date.parse(match.facts[0]?.timestamp ?? date)
      return { startAt, stopAt: Math.max(kickOff, begun) + nominalMs(match) + NEVER_ENDED_MS }
    }
    case 'finished':
      return { startAt, stopAt: endOf(match) + after * MINUTE_MS }
    case 'postponed':
    case 'abandoned':
    case 'cancelled':
      return { startAt: null, stopAt: endOf(match) + after * MINUTE_MS }
  }
}

/** When it was over: as said by hand, else the fact that ended it. */
function endOf({ sport, facts, play, declared, declaredAt, settings }: Match): number {
  if (declared === play.state && declaredAt !== null) return Date.parse(declaredAt)
  const { factTypes } = sportOf(sport)
  const ends = (type: string) => factTypes[type]?.structural || factTypes[type]?.scoring
  const last = facts.find(({ type }) => type === 'matchEnd') ?? facts.findLast(({ type }) => ends(type))
  return Date.parse(last?.timestamp ?? settings.date)
}

/** How long a match like this takes from kick-off to its end. */
function nominalMs({ sport, config }: Pick<Match, 'sport' | 'config'>): number {
  const played = effectiveConfig(sport, config)
  return Math.round(MINUTE_MS * (regular(sport, played) + extra(sport, played)))
}

function regular(sport: string, { periodCount, periodLength, breakLength, injuryTime }: MatchConfig): number {
  const length = periodLength > 0 ? periodLength * pace(sport) : (UNTIMED[sport] ?? 0)
  return periodCount * length + (periodCount - 1) * breakLength + (injuryTime ? INJURY_MINUTES : 0)
}

function extra(sport: string, { extraTime, shootout }: MatchConfig): number {
  const { count, length } = sportOf(sport).overtime
  return (extraTime ? Math.min(count, 2) * length * pace(sport) : 0) + (shootout ? SHOOTOUT_MINUTES : 0)
}

const pace = (sport: string) => (sportOf(sport).clockStops ? STOPPING : 1)
