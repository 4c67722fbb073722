import type { Competitor, Fact, MatchConfig, MatchState, Play, Refusal } from '../match-model.ts'
import type { FactType } from '../sports/fact-type.ts'
import { type Scoring, type Side, sideMissing } from '../sports/scoring.ts'
import type { Sport } from '../sports/sport.ts'
import { ClockRule, RunningClock } from './clock.ts'
import { periodOf } from './periods.ts'
import { refuse } from './refusal.ts'
import { Score } from './score.ts'
import { competitorOf, sideOf } from './sides.ts'

export type CourseOf = {
  sport: Sport
  config: MatchConfig
  competitors: readonly Competitor[]
  /** Competitors of a group each have a score of their own. */
  group: boolean
  /** ISO 8601; the clock stands from then on until the match starts. */
  createdAt: string
}

/** As far as a clock in whole milliseconds goes in the API. */
const MAX_CLOCK_MS = 2 ** 31 - 1

/** The course of a match: facts go in one by one, in match order, and move it along in place until one cannot be. */
export class Course {
  readonly config: MatchConfig
  readonly clock: RunningClock
  readonly rule: ClockRule
  readonly score: Score
  state: MatchState & ('scheduled' | 'live' | 'break' | 'finished') = 'scheduled'
  /** The latest that began, from 1. */
  period = 0
  /** Number of the shoot-out once there is one. */
  shootout = 0
  readonly #sport: Sport
  readonly #competitors: readonly Competitor[]
  readonly #scoring: Scoring
  /** `implied` when only matchStart said that the period began. */
  #open: 'no' | 'implied' | 'said' = 'no'
  /** The points have decided the period. */
  #decided = false
  /** Decided by the points, or said by matchEnd. */
  #over: 'no' | 'decided' | 'said' = 'no'

  constructor({ sport, config, competitors, group, createdAt }: CourseOf) {
    this.#sport = sport
    this.#competitors = competitors
    this.config = config
    this.rule = new ClockRule(sport, config)
    this.clock = new RunningClock(this.rule, createdAt)
    this.#scoring = sport.scoring(config)
    this.score = new Score(this.#scoring, competitors, group)
  }

  get started(): boolean {
    return this.state !== 'scheduled'
  }

  /** How many periods there may be. */
  get most(): number {
    return this.config.periodCount + (this.config.extraTime ? this.#sport.overtime.count : 0)
  }

  /** Type of the facts with this name; undefined when the sport has none. */
  typeOf(name: string): FactType | undefined {
    return Object.hasOwn(this.#sport.factTypes, name) ? this.#sport.factTypes[name] : undefined
  }

  /** Names of all types of facts that the sport has. */
  get typeNames(): string[] {
    return Object.keys(this.#sport.factTypes)
  }

  /** The points themselves tell in which period a fact of this type falls. */
  assigns(type: FactType): boolean {
    return type.scoring && this.#scoring.ownsPeriods
  }

  /** What the clock shows at a time in the period; null when the period is another, or there is no clock. */
  shows(time: string, period: number): number | null {
    return this.config.useClock && this.period > 0 && period === this.period ? this.clock.at(time, this.period) : null
  }

  describe(period: number): NonNullable<Play['period']> {
    return periodOf(this.#sport, this.config, period, this.shootout)
  }

  /** The period that a fact of this type is about when the fact does not say. */
  periodFor(type: string): number {
    if (type === 'matchStart') return Math.max(1, this.period)
    if (type === 'shootoutStart') return this.shootout || this.period + 1
    const next = this.state === 'break' || this.#open === 'no' || this.#decided
    if (type === 'periodStart') return next && this.#over === 'no' ? this.period + 1 : this.period
    return this.typeOf(type)?.scoring && this.#decided && this.#over === 'no' ? this.period + 1 : this.period
  }

  /** Moves on by one fact; a refusal when it cannot be, after which the course is of no more use. */
  take(fact: Fact): Refusal | undefined {
    const type = this.typeOf(fact.type)
    if (!type) return refuse('type', 'is not a fact of this sport', fact.type)
    if (fact.period > this.most && fact.period !== (this.shootout || this.period + 1))
      return refuse('period', `a match like this has at most ${this.most} periods`, fact.period)
    const index = competitorOf(this.#competitors, fact)
    if (typeof index === 'object') return index
    const side = index === undefined ? undefined : sideOf(this.#competitors[index])
    const refusal = type.structural ? this.#drive(fact, side) : this.#play(fact, type, index, side)
    if (refusal) return refusal
    this.score.count(type, fact, side, this.shootout)
    return undefined
  }

  #drive(fact: Fact, side: Side | undefined): Refusal | undefined {
    const { type, period } = fact
    if (this.#over === 'said') return refuse('type', 'the match is over', type)
    if (this.#over === 'decided' && type !== 'periodEnd' && type !== 'matchEnd' && type !== 'clockStop')
      return refuse('type', 'the match is decided', type)
    if (!this.started && type !== 'matchStart' && type !== 'periodStart' && type !== 'clockSet')
      return refuse('type', 'the match has not started', type)
    switch (type) {
      case 'matchStart':
        if (this.started) return refuse('type', 'the match has already started', type)
        if (period !== 1) return refuse('period', 'a match starts with period 1', period)
        return this.#begin(fact, side, 'implied')
      case 'periodStart':
        return this.#cannotBegin(period) ?? this.#begin(fact, side, 'said')
      case 'periodEnd':
        return this.#endPeriod(fact)
      case 'breakStart':
        this.#stand(fact)
        this.state = 'break'
        return undefined
      case 'matchEnd':
        this.#stand(fact)
        this.#open = 'no'
        this.#over = 'said'
        this.state = 'finished'
        return undefined
      case 'shootoutStart':
        return this.#beginShootout(fact)
      case 'timeout':
        if (this.#sport.clockStops) this.#stand(fact)
        return undefined
      default:
        return this.#moveClock(fact)
    }
  }

  #cannotBegin(period: number): Refusal | undefined {
    const next = this.period + 1
    if (this.shootout > 0) return refuse('type', 'the shoot-out has begun')
    if (period > this.most) return refuse('period', `a match like this has at most ${this.most} periods`, period)
    if (period > next) return refuse('period', `period ${next} comes first`, period)
    if (period === next)
      return this.#open === 'no' || this.#decided || this.state === 'break'
        ? undefined
        : refuse('period', `period ${this.period} has not ended`, period)
    if (period < this.period || this.#open === 'no' || this.#decided)
      return refuse('period', `period ${period} has been played`, period)
    return this.#open === 'implied' && !this.score.any
      ? undefined
      : refuse('period', `period ${period} is already running`, period)
  }

  #begin(fact: Fact, side: Side | undefined, open: 'implied' | 'said'): undefined {
    this.#enter(fact, side, fact.period, open)
    this.clock.set(fact.timestamp, fact.clockMs ?? this.rule.startOf(fact.period), true)
  }

  #enter(fact: Fact, side: Side | undefined, period: number, open: 'implied' | 'said'): void {
    this.period = period
    this.#open = open
    this.#decided = false
    this.state = 'live'
    this.#scoring.begin(period, side, fact)
  }

  #endPeriod(fact: Fact): Refusal | undefined {
    const { period, type } = fact
    if (this.#open === 'no' || period !== this.period)
      return refuse(period === this.period ? 'type' : 'period', `period ${period} is not running`, period)
    if (period !== this.shootout && !this.#decided && !this.#scoring.mayEnd(period))
      return refuse('type', `period ${period} is not decided`, type)
    this.#stand(fact)
    this.#open = 'no'
    if (this.#over === 'no') this.state = this.#goesOn() ? 'break' : 'live'
    return undefined
  }

  /** Whether another period may follow: one is left, or the match is undecided and the sport has more periods to decide it. */
  #goesOn(): boolean {
    if (this.period < this.config.periodCount) return true
    const { home, away } = this.#scoring.total
    return home === away && (this.period < this.most || this.config.shootout) && this.shootout === 0
  }

  #beginShootout(fact: Fact): Refusal | undefined {
    const { type, period } = fact
    if (!this.config.shootout) return refuse('type', 'this match has no shoot-out', type)
    if (this.shootout > 0) return refuse('type', 'the shoot-out has begun', type)
    if (this.#open !== 'no' && this.state !== 'break')
      return refuse('type', `period ${this.period} has not ended`, type)
    if (this.period < this.config.periodCount) return refuse('type', `period ${this.period + 1} comes first`, type)
    if (period !== this.period + 1) return refuse('period', `the shoot-out is period ${this.period + 1}`, period)
    this.#stand(fact)
    this.period = period
    this.shootout = period
    this.#open = 'said'
    this.state = 'live'
    return undefined
  }

  #moveClock(fact: Fact): Refusal | undefined {
    const { type, timestamp } = fact
    if (type === 'clockStop') {
      this.#stand(fact)
      return undefined
    }
    if (type === 'clockSet') {
      const valueMs = fact.clockMs ?? fact.value
      if (typeof valueMs !== 'number') return refuse('clockMs', 'says what the clock is set to')
      if (!Number.isInteger(valueMs) || valueMs < 0 || valueMs > MAX_CLOCK_MS)
        return refuse(fact.clockMs === null ? 'value' : 'clockMs', 'is not what a clock can show', valueMs)
      // -0 counts as 0, as it does in JSON
      this.clock.set(timestamp, valueMs + 0, this.clock.running)
      return undefined
    }
    if (this.#open === 'no' || this.shootout > 0) return refuse('type', 'no period is running', type)
    this.clock.set(timestamp, fact.clockMs ?? this.clock.at(timestamp, this.period), true)
    this.state = 'live'
    return undefined
  }

  #stand({ timestamp, clockMs }: Fact): void {
    this.clock.set(timestamp, clockMs ?? this.clock.at(timestamp, this.period), false)
  }

  #play(fact: Fact, type: FactType, index: number | undefined, side: Side | undefined): Refusal | undefined {
    if (type.scoring) {
      if (this.#over !== 'no') return refuse('type', 'the match is over', fact.type)
      if (!this.started) return refuse('type', 'the match has not started', fact.type)
      if (type.team === 'required' && index === undefined) return sideMissing
      if (fact.period < 1) return refuse('period', 'a score counts for a period', fact.period)
    }
    if (!this.assigns(type) && fact.period > this.period)
      return refuse('period', `period ${fact.period} has not begun`, fact.period)
    if (!type.scoring) {
      this.#scoring.note(fact, side)
      return undefined
    }
    if (this.shootout > 0 && fact.period === this.shootout) {
      if (side) this.score.kick(side, fact.points > 0)
      return undefined
    }
    if (this.#scoring.ownsPeriods && (this.#decided || this.#open === 'no')) {
      if (this.period + 1 > this.most) return refuse('type', 'the match has no more periods', fact.type)
      this.#enter(fact, side, this.period + 1, 'said')
    }
    const period = this.#scoring.ownsPeriods ? this.period : fact.period
    const outcome = this.score.take(fact, type, index, side, period)
    if (typeof outcome === 'object') return outcome
    if (outcome === 'on') return undefined
    this.#decided = true
    if (outcome === 'periodOver') return undefined
    this.#over = 'decided'
    this.state = 'finished'
    this.#stand(fact)
    return undefined
  }
}
