import type { Fact, FactAsked, MatchClock, Refusal } from '../match-model.ts'
import type { FactType } from '../sports/fact-type.ts'
import type { Course } from './course.ts'

export type Draft = {
  id: number
  /** Server time of the command, ISO 8601. */
  at: string
  asked: Partial<FactAsked>
  /** The fact that is corrected, undefined for a new one. */
  base: Fact | undefined
  /** The clock of a match that was stopped by hand; it goes on from there. */
  stood: MatchClock | null
  /** ISO 8601; of a score that is told after the end without its time. What the clock showed is not known. */
  late?: string
  /** Time of the latest fact, ISO 8601. */
  latest?: string | undefined
}

/** When the fact happened, as facts are ordered by: UTC in milliseconds. */
export function timeOf({ asked, base, at, late, latest }: Draft): string | Refusal {
  if (asked.timestamp === undefined && base) return base.timestamp
  if (late !== undefined) return late
  const ms = Date.parse(asked.timestamp ?? at)
  if (Number.isNaN(ms)) return { path: 'timestamp', message: 'is not a time', value: asked.timestamp }
  const time = new Date(ms).toISOString()
  // the client that gave the latest fact its time may have a clock that is ahead: a fact told after it comes after it
  return asked.timestamp === undefined && latest !== undefined && latest > time ? latest : time
}

/**
 * The whole fact that was asked for. A member left out stays as it was when a fact is corrected, unless it hangs on a member
 * that is corrected; else it comes from the course of the match, which stands where the fact goes in.
 */
export function complete(course: Course, draft: Draft, timestamp: string): Fact | Refusal {
  const { asked, base, id, at } = draft
  const name = asked.type ?? base?.type ?? ''
  const type = course.typeOf(name)
  if (!type)
    return {
      path: 'type',
      message: `is not one of the facts of this sport: ${course.typeNames.join(', ')}`,
      value: name,
    }
  const points = pointsOf(type, name, draft)
  if (typeof points === 'object') return points
  const kept =
    base?.timestamp === timestamp && course.typeOf(base.type)?.structural === type.structural ? base : undefined
  const period = asked.period ?? kept?.period ?? course.periodFor(name)
  const own = course.periodFor(name)
  if (asked.period !== undefined && course.assigns(type) && asked.period !== own)
    return { path: 'period', message: `play is in period ${own}`, value: asked.period }
  const periodType = periodTypeOf(course, name, period, asked)
  if (periodType !== null && typeof periodType === 'object') return periodType
  const { stood, late } = draft
  const shows = (shown: number) => (late === undefined ? course.shows(timestamp, shown) : null)
  const stoodMs = name === 'clockStart' && stood && timestamp >= stood.asOf ? stood.valueMs : null
  const clockMs = asked.clockMs ?? kept?.clockMs ?? (type.structural ? stoodMs : shows(period))
  const { minute, addedMinute } = minuteOf(course, draft, kept, { period, clockMs, type: name, shows })
  return {
    id,
    type: name,
    teamId: pick(asked.teamId, base?.teamId, null),
    playerId: pick(asked.playerId, base?.playerId, null),
    secondaryPlayerId: pick(asked.secondaryPlayerId, base?.secondaryPlayerId, null),
    period,
    periodType,
    clockMs,
    minute,
    addedMinute,
    points,
    value: pick(asked.value, base?.value, null),
    details: asked.details ?? base?.details ?? {},
    timestamp,
    source: asked.source ?? base?.source ?? 'api',
    dataProvider: pick(asked.dataProvider, base?.dataProvider, null),
    clientFactId: pick(asked.clientFactId, base?.clientFactId, null),
    createdAt: base?.createdAt ?? at,
    updatedAt: at,
  }
}

const pick = <T>(asked: T | undefined, base: T | undefined, fallback: T): T =>
  asked !== undefined ? asked : base !== undefined ? base : fallback

function pointsOf(type: FactType, name: string, { asked, base }: Draft): number | Refusal {
  if (typeof type.points === 'number') {
    if (asked.points === undefined || asked.points === type.points) return type.points
    return { path: 'points', message: `${name} is worth ${type.points}`, value: asked.points }
  }
  const { min, max } = type.points
  const given = asked.points ?? (typeof asked.value === 'number' ? asked.value : undefined)
  const points = given ?? (base?.type === name ? base.points : undefined) ?? type.points.default
  if (points === undefined || !Number.isInteger(points) || points < min || points > max)
    return { path: 'points', message: `${name} is worth ${min} to ${max}`, value: points }
  return points
}

function periodTypeOf(course: Course, name: string, period: number, { periodType }: Partial<FactAsked>) {
  if (period === 0) return null
  const own = name === 'shootoutStart' ? 'shootout' : course.describe(period).type
  if (periodType === undefined || periodType === null || periodType === own) return own
  return { path: 'periodType', message: `period ${period} is of type ${own}`, value: periodType }
}

type Placed = Pick<Fact, 'type' | 'period' | 'clockMs'> & { shows: (period: number) => number | null }

/** A minute that was said stays; else it follows from what the clock shows. */
function minuteOf(course: Course, { asked }: Draft, kept: Fact | undefined, placed: Placed) {
  if (asked.minute !== undefined && asked.minute !== null)
    return { minute: asked.minute, addedMinute: asked.addedMinute ?? null }
  if (kept && asked.clockMs === undefined && asked.period === undefined)
    return { minute: kept.minute, addedMinute: pick(asked.addedMinute, kept.addedMinute, null) }
  const { type, period, clockMs, shows } = placed
  const begins = type === 'matchStart' || type === 'periodStart'
  const shown = clockMs ?? (begins ? course.rule.startOf(period) : shows(period))
  const minute = period === 0 || shown === null ? NO_MINUTE : course.rule.minuteOf(shown, period)
  return asked.addedMinute === undefined ? minute : { ...minute, addedMinute: asked.addedMinute }
}

const NO_MINUTE = { minute: null, addedMinute: null }
