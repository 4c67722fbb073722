import type { Fact, MatchConfig, Refusal } from '../match-model.ts'

export type Side = 'home' | 'away'
export type Both<T> = { home: T; away: T }
export type Situation = Readonly<Record<string, unknown>>

export const otherSide = (side: Side): Side => (side === 'home' ? 'away' : 'home')

/** A fact that moves the score. `side`: the side it is credited to, unknown where the type needs none. */
export type Scored = { fact: Fact; side: Side | undefined; period: number }

/** The outcome of a scoring fact: play goes on, the period or the match is decided, or the fact cannot be. */
export type Outcome = 'on' | 'periodOver' | 'matchOver' | Refusal

/** How points add up to a score. One object per fold; it is fed facts in match order and never goes back. */
export abstract class Scoring {
  readonly config: MatchConfig
  /** The score by period, that of period 1 first. */
  readonly periods: Both<number>[] = []
  readonly total: Both<number> = { home: 0, away: 0 }
  /** The points say when a period is over and which is the next; elsewhere only structural facts do. */
  readonly ownsPeriods: boolean = false

  constructor(config: MatchConfig) {
    this.config = config
  }

  abstract take(scored: Scored): Outcome

  /** A period begins, by a fact or by the first point in it. */
  begin(period: number, _side: Side | undefined, _fact: Fact): void {
    this.of(period)
  }

  /** Whether a structural fact may end the period now. */
  mayEnd(_period: number): boolean {
    return true
  }

  /** Any fact that is not structural, before it is scored. */
  note(_fact: Fact, _side: Side | undefined): void {}

  /** The part of the state that only this sport has. */
  situation(_period: number): Situation | null {
    return null
  }

  protected of(period: number): Both<number> {
    while (this.periods.length < period) this.periods.push({ home: 0, away: 0 })
    return this.periods[period - 1] ?? { home: 0, away: 0 }
  }

  protected add(period: number, side: Side, points: number): void {
    this.of(period)[side] += points
    this.total[side] += points
  }
}

/** The refusal of a fact that names no side although it needs one. */
export const sideMissing: Refusal = { path: 'teamId', message: 'a fact that scores needs a team of the match' }
