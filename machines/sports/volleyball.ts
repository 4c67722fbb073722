import type { Fact } from '../match-model.ts'
import { type Outcome, otherSide, type Scored, Scoring, type Side, type Situation, sideMissing } from './scoring.ts'

const SET = 25
const LAST_SET = 15

/** Rally points: sets to 25, the last to 15, by two; the score is the sets won. */
export class VolleyballScoring extends Scoring {
  override readonly ownsPeriods = true
  #server: Side | null = null

  take({ side, period }: Scored): Outcome {
    if (!side) return sideMissing
    this.#server = side
    const set = this.of(period)
    set[side] += 1
    if (!this.#won(period, side)) return 'on'
    this.total[side] += 1
    return this.total[side] > this.config.periodCount / 2 ? 'matchOver' : 'periodOver'
  }

  override begin(period: number, side: Side | undefined, fact: Fact): void {
    super.begin(period, side, fact)
    if (fact.type === 'periodStart' || fact.type === 'matchStart') this.#server = side ?? this.#server
  }

  override mayEnd(period: number): boolean {
    return this.#won(period, 'home') || this.#won(period, 'away')
  }

  override situation(period: number): Situation | null {
    if (period === 0) return null
    return { set: period, points: { ...this.of(period) }, sets: { ...this.total }, server: this.#server }
  }

  #won(period: number, side: Side): boolean {
    const set = this.of(period)
    const target = period === this.config.periodCount ? LAST_SET : SET
    return set[side] >= target && set[side] - set[otherSide(side)] >= 2
  }
}
