import type { MatchClock, MatchConfig } from '../match-model.ts'
import type { Sport } from '../sports/sport.ts'

const MINUTE_MS = 60_000

/** The rule that the clock of a match goes by: all times in ms. */
export class ClockRule {
  readonly config: MatchConfig
  readonly #sport: Sport

  constructor(sport: Sport, config: MatchConfig) {
    this.#sport = sport
    this.config = config
  }

  /** Length of a period; 0 when the sport gives it none. */
  lengthOf(period: number): number {
    return (period > this.config.periodCount ? this.#sport.overtime.length : this.config.periodLength) * MINUTE_MS
  }

  /** Playing time before a period. */
  before(period: number): number {
    const { periodCount, periodLength } = this.config
    const regular = Math.min(period - 1, periodCount) * periodLength
    return (regular + Math.max(0, period - 1 - periodCount) * this.#sport.overtime.length) * MINUTE_MS
  }

  /** What the clock shows when the period begins. */
  startOf(period: number): number {
    if (!this.config.useClock) return 0
    if (this.config.clockDirection === 'down') return this.lengthOf(period)
    return this.config.cumulative ? this.before(period) : 0
  }

  /** Where the clock stops by itself in the period: infinite when it runs on. */
  limitOf(period: number): number {
    const length = this.lengthOf(period)
    if (this.config.endBehaviour === 'tickUntilEnd' || length === 0) return Number.POSITIVE_INFINITY
    return this.config.cumulative ? this.before(period) + length : length
  }

  /** What a clock shows after it ran for `ranMs`. */
  after(valueMs: number, ranMs: number, period: number): number {
    if (this.config.clockDirection === 'down') return Math.max(0, valueMs - ranMs)
    // a clock that was set beyond its limit stays there
    return Math.max(valueMs, Math.min(valueMs + ranMs, this.limitOf(period)))
  }

  /** Minute of the match, from 1, and how far beyond the length of its period. */
  minuteOf(valueMs: number, period: number): { minute: number | null; addedMinute: number | null } {
    const none = { minute: null, addedMinute: null }
    if (!this.config.useClock || period === 0) return none
    const length = this.lengthOf(period)
    const { clockDirection, cumulative } = this.config
    const start = this.before(period)
    const played = clockDirection === 'down' ? length - valueMs : valueMs - (cumulative ? start : 0)
    const minute = Math.floor((start + Math.max(0, played)) / MINUTE_MS) + 1
    const last = (start + length) / MINUTE_MS
    return length === 0 || minute <= last
      ? { minute, addedMinute: null }
      : { minute: Math.max(1, last), addedMinute: minute - last }
  }
}

type Timed = { config: MatchConfig; clock: MatchClock; period: { number: number } | null }

/** The clock of a match with the time at which it stops by itself, in ms; null when it runs on. */
export function limitedClock(sport: Sport, { config, clock, period }: Timed): MatchClock & { limitMs: number | null } {
  const limit = new ClockRule(sport, config).limitOf(period?.number ?? 1)
  const last = clock.direction === 'down' ? 0 : Math.max(limit, clock.valueMs)
  return { ...clock, limitMs: Number.isFinite(last) ? last : null }
}

/** A clock in a fold: it is moved along in place. */
export class RunningClock {
  readonly #rule: ClockRule
  running = false
  #valueMs: number
  #asOf: string
  #asOfMs: number

  constructor(rule: ClockRule, asOf: string) {
    this.#rule = rule
    this.#asOf = asOf
    this.#asOfMs = Date.parse(asOf)
    this.#valueMs = rule.startOf(1)
  }

  /** What the clock shows at a time in the period. */
  at(time: string, period: number): number {
    if (!this.running) return this.#valueMs
    return this.#rule.after(this.#valueMs, Math.max(0, Date.parse(time) - this.#asOfMs), period)
  }

  /** From now on the clock shows `valueMs` and runs or stands; a clock that the sport does not use never moves. */
  set(time: string, valueMs: number, running: boolean): void {
    if (!this.#rule.config.useClock) return
    this.#valueMs = valueMs
    this.running = running
    this.#asOf = time
    this.#asOfMs = Date.parse(time)
  }

  /** The clock as the state of a match shows it. */
  get shown(): MatchClock {
    return {
      running: this.running,
      valueMs: this.#valueMs,
      asOf: this.#asOf,
      direction: this.#rule.config.clockDirection,
    }
  }
}
