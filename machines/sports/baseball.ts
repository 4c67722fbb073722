import type { Fact } from '../match-model.ts'
import { type Outcome, type Scored, Scoring, type Side, type Situation, sideMissing } from './scoring.ts'

type Bases = readonly [boolean, boolean, boolean]
const EMPTY: Bases = [false, false, false]

/**
 * Innings of two halves: the away side bats in the top, the home side in the bottom. The third strike is an out, the fourth ball a
 * walk, the third out ends the half. `details.bases` says the runners on base; only walks, home runs and outs follow by themselves.
 */
export class BaseballScoring extends Scoring {
  override readonly ownsPeriods = true
  #half: 'top' | 'bottom' = 'top'
  #outs = 0
  #balls = 0
  #strikes = 0
  #bases: Bases = EMPTY

  override begin(period: number, side: Side | undefined, fact: Fact): void {
    super.begin(period, side, fact)
    this.#enter('top')
  }

  take({ fact, side, period }: Scored): Outcome {
    if (fact.points > 0) {
      if (!side) return sideMissing
      if (side === 'home' && this.#half === 'top') this.#enter('bottom')
      if (side === 'away' && this.#half === 'bottom')
        return { path: 'teamId', message: 'the home side bats in the bottom of an inning' }
      this.add(period, side, fact.points)
    }
    const out = this.#pitch(fact)
    this.#said(fact)
    if (out) this.#outs += 1
    return this.#outcome(period)
  }

  override note(fact: Fact): void {
    if (fact.type === 'bases') this.#said(fact)
  }

  override situation(period: number): Situation | null {
    if (period === 0) return null
    return {
      inning: period,
      half: this.#half,
      batting: this.#half === 'top' ? 'away' : 'home',
      outs: this.#outs,
      balls: this.#balls,
      strikes: this.#strikes,
      bases: this.#bases,
    }
  }

  #said({ details: { bases } }: Fact): void {
    if (Array.isArray(bases)) this.#bases = [bases[0] === true, bases[1] === true, bases[2] === true]
  }

  /** Moves the count; true when the batter is out. */
  #pitch({ type }: Fact): boolean {
    switch (type) {
      case 'ball':
        this.#balls += 1
        if (this.#balls === 4) this.#walk()
        return false
      case 'foulBall':
        this.#strikes = Math.min(2, this.#strikes + 1)
        return false
      case 'strike':
        this.#strikes += 1
        if (this.#strikes < 3) return false
        this.#nextBatter()
        return true
      case 'walk':
      case 'hitByPitch':
        this.#walk()
        return false
      case 'homeRun':
        this.#bases = EMPTY
        this.#nextBatter()
        return false
      case 'out':
        this.#nextBatter()
        return true
      case 'hit':
      case 'error':
        this.#nextBatter()
        return false
      default:
        return false
    }
  }

  /** The batter takes first base; runners that are forced move on. */
  #walk(): void {
    const [first, second, third] = this.#bases
    this.#bases = [true, first || second, (first && second) || third]
    this.#nextBatter()
  }

  #nextBatter(): void {
    this.#balls = 0
    this.#strikes = 0
  }

  #enter(half: 'top' | 'bottom'): void {
    this.#half = half
    this.#outs = 0
    this.#bases = EMPTY
    this.#nextBatter()
  }

  #outcome(period: number): Outcome {
    const { home, away } = this.total
    const last = period >= this.config.periodCount
    // a home side that leads in the bottom of the last inning has won and does not bat on
    if (last && this.#half === 'bottom' && home > away) return 'matchOver'
    if (this.#outs < 3) return 'on'
    if (this.#half === 'bottom') return last && home !== away ? 'matchOver' : 'periodOver'
    if (last && home > away) return 'matchOver'
    this.#enter('bottom')
    return 'on'
  }
}
