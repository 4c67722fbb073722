import type { Fact, Match } from '../match-model.ts'
import { courseOf } from '../play.ts'
import type { Side } from '../sports/scoring.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60_000

/** A clock beside the match clock: `endsAt` (ISO 8601) while it runs, else what is left on it. */
export type SideClock = { running: true; endsAt: string } | { running: false; remainingMs: number }
export type Penalty = SideClock & { side: Side; playerId: number | null; factId: number; type: string; minutes: number }
export type SideClocks = {
  penalties?: Penalty[]
  /** The side with more players, and until when. */
  powerPlay?: (SideClock & { side: Side; advantage: number }) | null
  shotClock?: SideClock | null
  playClock?: SideClock | null
  timeoutsLeft?: { home: number; away: number }
}

type Suspension = {
  /** By type of fact, in seconds, unless `details.minutes` or `details.seconds` says another time. */
  seconds: Readonly<Record<string, number>>
  /** A goal of the other side ends it: the rest, or two minutes of it. */
  endsByGoal?: boolean
  /** The side plays with fewer: below so many minutes. */
  shortBelowMinutes?: number
}

const SUSPENSIONS: Readonly<Record<string, Suspension>> = {
  iceHockey: { seconds: { penalty: 120 }, endsByGoal: true, shortBelowMinutes: 10 },
  handBall: { seconds: { twoMinuteSuspension: 120 }, shortBelowMinutes: 10 },
  waterPolo: { seconds: { exclusion: 18, thirdExclusion: 18 }, endsByGoal: true, shortBelowMinutes: 4 },
  lacrosse: { seconds: { penalty: 60 }, endsByGoal: true, shortBelowMinutes: 10 },
  futsal: { seconds: { redCard: 120, secondYellow: 120 }, endsByGoal: true, shortBelowMinutes: 10 },
  fieldHockey: { seconds: { greenCard: 120, yellowCard: 300 } },
  rugbyUnion: { seconds: { yellowCard: 600 } },
  rugbySevens: { seconds: { yellowCard: 120 } },
  rugbyLeague: { seconds: { sinBin: 600 } },
  touchFootball: { seconds: { sinBin: 300 } },
  netball: { seconds: { suspension: 120 } },
}

/** The part of the match that a period is of, and the time-outs that a side has in it. */
type Timeouts = (period: number) => readonly [part: number, count: number]
const each =
  (count: number, periods: number): Timeouts =>
  (period) => [Math.ceil(Math.max(1, period) / periods), count]
const TIMEOUTS: Readonly<Record<string, Timeouts>> = {
  // two in the first half, three in the second, one in each overtime
  basketball: (period) => (period > 4 ? [period, 1] : period > 2 ? [2, 3] : [1, 2]),
  futsal: each(1, 1),
  gridiron: each(3, 2),
  handBall: each(3, Number.POSITIVE_INFINITY),
  iceHockey: each(1, Number.POSITIVE_INFINITY),
  waterPolo: each(2, Number.POSITIVE_INFINITY),
  lacrosse: each(2, 2),
  volleyball: each(2, 1),
}
const SHOT_CLOCK: Readonly<Record<string, number>> = { waterPolo: 28, basketball: 24 }
const PLAY_CLOCK_SECONDS = 40

/**
 * The clocks that a sport has beside that of the match, from its facts; null where it has none or the match has not begun. They stop
 * and run with the match clock, but for the play clock of gridiron. Pure, so one that has run out since the last fact is still there,
 * with an `endsAt` that is over. show-control: Statistics and standings
 */
export function sideClocks(match: Match): SideClocks | null {
  const { sport, facts, play } = match
  const suspension = SUSPENSIONS[sport]
  const timeouts = TIMEOUTS[sport]
  const shotSeconds = SHOT_CLOCK[sport]
  if (!play.period || (!suspension && !timeouts && shotSeconds === undefined && sport !== 'gridiron')) return null
  const sideOf = ({ teamId }: Fact): Side | undefined => {
    const own = teamId === null ? undefined : match.competitors.find((one) => one.teamId === teamId)
    return own && (own.isHome ? 'home' : 'away')
  }
  const clocks: SideClocks = {}
  const timed = facts.some(
    ({ type }) => type === 'shotClock' || (suspension && Object.hasOwn(suspension.seconds, type)),
  )
  // a refold of all facts is spared where nothing runs beside the match clock
  const { ranAt, ran } = timed ? runningTimes(match) : { ranAt: [], ran: 0 }
  const clock = (left: number): SideClock =>
    play.clock.running
      ? { running: true, endsAt: new Date(Date.parse(play.clock.asOf) + left).toISOString() }
      : { running: false, remainingMs: left }
  if (suspension) {
    // the match clock may have been set long before the latest fact
    const latest = Math.max(ran, ranAt.at(-1) ?? 0)
    const served = serving(match, suspension, ranAt, sideOf).flatMap(({ until, ...one }) =>
      until > latest ? [{ ...one, ...clock(until - ran), left: until - ran }] : [],
    )
    clocks.penalties = served.map(({ left: _, ...one }) => one)
    if (suspension.shortBelowMinutes !== undefined)
      clocks.powerPlay = powerPlay(served, suspension.shortBelowMinutes, clock)
  }
  if (shotSeconds !== undefined) {
    const at = latestOf(match, 'shotClock')
    const fact = facts[at]
    const left = fact && secondsOf(fact, shotSeconds) * SECOND_MS - (ran - (ranAt[at] ?? ran))
    clocks.shotClock = left === undefined ? null : clock(Math.max(0, left))
  }
  if (sport === 'gridiron') {
    const fact = facts[latestOf(match, 'playClock')]
    const left = fact && secondsOf(fact, PLAY_CLOCK_SECONDS) * SECOND_MS
    clocks.playClock =
      fact === undefined || left === undefined
        ? null
        : fact.details.running === false
          ? { running: false, remainingMs: left }
          : { running: true, endsAt: new Date(Date.parse(fact.timestamp) + left).toISOString() }
  }
  if (timeouts) clocks.timeoutsLeft = timeoutsLeft(match, timeouts, sideOf)
  return clocks
}

/** What only its sport has at this moment of a match, with the clocks beside that of the match. */
export function situationOf(match: Match): Match['play']['situation'] {
  const clocks = sideClocks(match)
  return clocks ? { ...match.play.situation, ...clocks } : match.play.situation
}

/** The place of the latest fact of a type in the period that is played; -1 without one. */
function latestOf({ facts, play }: Match, type: string): number {
  let at = facts.length - 1
  while (at >= 0 && !(facts[at]?.type === type && facts[at]?.period === play.period?.number)) at--
  return at
}

/** How long the match clock had run at each fact, and has run as of the play's clock, ms. */
function runningTimes(match: Match): { ranAt: number[]; ran: number } {
  const course = courseOf(match)
  let ran = 0
  const until = (timestamp: string) =>
    course.clock.running ? Math.abs(course.clock.at(timestamp, course.period) - course.clock.shown.valueMs) : 0
  // between two facts that set the clock it runs on from the first of them
  let base = 0
  const ranAt = match.facts.map((fact) => {
    ran = base + until(fact.timestamp)
    const before = course.clock.shown.asOf
    course.take(fact)
    if (course.clock.shown.asOf !== before) base = ran
    return ran
  })
  const { asOf } = match.play.clock
  // stopped by hand at another time than by a fact
  const now = asOf === course.clock.shown.asOf ? base : base + until(asOf)
  return { ranAt, ran: now }
}

const secondsOf = ({ details, value }: Fact, usual: number): number => {
  const { seconds, minutes } = details
  if (typeof seconds === 'number' && seconds >= 0) return seconds
  if (typeof minutes === 'number' && minutes >= 0) return minutes * 60
  return typeof value === 'number' && value >= 0 ? value : usual
}

type Serving = { side: Side; playerId: number | null; factId: number; type: string; minutes: number; until: number }

/** Everybody who was suspended, with the running time at which he is back. */
function serving(
  { facts }: Match,
  { seconds, endsByGoal, shortBelowMinutes = 0 }: Suspension,
  ranAt: readonly number[],
  sideOf: (fact: Fact) => Side | undefined,
): Serving[] {
  const all: Serving[] = []
  for (const [index, fact] of facts.entries()) {
    const side = sideOf(fact)
    const at = ranAt[index] ?? 0
    if (!side) continue
    const usual = seconds[fact.type]
    if (usual !== undefined) {
      // a number that is told of a penalty in minutes is minutes
      const told = typeof fact.value === 'number' && usual >= 60 ? fact.value * 60 : usual
      const ms = secondsOf({ ...fact, value: null }, told) * SECOND_MS
      const { playerId, id: factId, type } = fact
      all.push({ side, playerId, factId, type, minutes: ms / MINUTE_MS, until: at + ms })
    }
    if (!endsByGoal || fact.points === 0 || fact.periodType === 'shootout') continue
    const short = (one: Side) =>
      all.filter((each) => each.side === one && each.until > at && each.minutes < shortBelowMinutes)
    const other: Side = side === 'home' ? 'away' : 'home'
    const [first] = short(other).filter(({ minutes }) => minutes < 5)
    if (!first || short(other).length <= short(side).length) continue
    const left = first.until - at
    first.until = left > 2 * MINUTE_MS ? at + 2 * MINUTE_MS : at
  }
  return all
}

function powerPlay(
  served: readonly (Penalty & { left: number })[],
  below: number,
  clock: (left: number) => SideClock,
): NonNullable<SideClocks['powerPlay']> | null {
  const short = (side: Side) => served.filter((one) => one.side === side && one.minutes < below)
  const [home, away] = [short('home'), short('away')]
  if (home.length === away.length) return null
  const fewer = home.length > away.length ? home : away
  const side: Side = fewer === home ? 'away' : 'home'
  const left = Math.min(...fewer.map((one) => one.left))
  return { side, advantage: Math.abs(home.length - away.length), ...clock(left) }
}

function timeoutsLeft(
  { facts, play }: Match,
  partOf: Timeouts,
  sideOf: (fact: Fact) => Side | undefined,
): { home: number; away: number } {
  const [part, count] = partOf(play.period?.number ?? 1)
  const left = { home: count, away: count }
  for (const fact of facts) {
    const side = sideOf(fact)
    if (fact.type === 'timeout' && side && partOf(fact.period)[0] === part) left[side] = Math.max(0, left[side] - 1)
  }
  return left
}
