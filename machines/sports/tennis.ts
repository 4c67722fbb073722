import type { Fact } from '../match-model.ts'
import {
  type Both,
  type Outcome,
  otherSide,
  type Scored,
  Scoring,
  type Side,
  type Situation,
  sideMissing,
} from './scoring.ts'

const CALLS = ['0', '15', '30', '40']
const TIE_BREAK = 7
const LAST_TIE_BREAK = 10

/**
 * Points make games, games sets; the score is the sets won. A tie-break at 6-6 goes to 7, in the last set to 10. `goldenGoal` is
 * the deciding point at deuce, `extraTime` a match tie-break in place of the last set.
 */
export class TennisScoring extends Scoring {
  override readonly ownsPeriods = true
  #set = 0
  #points: Both<number> = { home: 0, away: 0 }
  #server: Side | null = null
  readonly #tieBreaks: { set: number; home: number; away: number }[] = []

  take({ side, period }: Scored): Outcome {
    if (!side) return sideMissing
    const tieBreak = this.#tieBreak(period)
    this.#points[side] += 1
    if (!this.#gameWon(side, tieBreak)) return 'on'
    if (tieBreak > 0) this.#tieBreaks.push({ set: period, ...this.#points })
    this.#points = { home: 0, away: 0 }
    // the side that receives first in a tie-break serves first in the next set, as after any game
    if (this.#server) this.#server = otherSide(this.#server)
    const games = this.of(period)
    games[side] += 1
    const won = tieBreak > 0 || (games[side] >= 6 && games[side] - games[otherSide(side)] >= 2)
    if (!won) return 'on'
    this.total[side] += 1
    this.#set = 0
    return this.total[side] > this.config.periodCount / 2 ? 'matchOver' : 'periodOver'
  }

  override begin(period: number, side: Side | undefined, fact: Fact): void {
    super.begin(period, side, fact)
    this.#set = period
    if (fact.type === 'periodStart' || fact.type === 'matchStart') this.#server = side ?? this.#server
  }

  override mayEnd(period: number): boolean {
    return this.#set !== period
  }

  override note(fact: Fact, side: Side | undefined): void {
    if (fact.type === 'serveChange' && side) this.#server = side
  }

  override situation(period: number): Situation | null {
    if (period === 0) return null
    const tieBreak = this.#set === period && this.#tieBreak(period) > 0
    return {
      set: period,
      points: { home: this.#call('home', tieBreak), away: this.#call('away', tieBreak) },
      games: { ...this.of(period) },
      sets: { ...this.total },
      server: this.#serving(tieBreak),
      tieBreak,
      tieBreaks: [...this.#tieBreaks],
    }
  }

  /** The points that win the tie-break under way, 0 when none is. */
  #tieBreak(period: number): number {
    const last = period === this.config.periodCount
    const { home, away } = this.of(period)
    if (last && this.config.extraTime) return LAST_TIE_BREAK
    if (home !== 6 || away !== 6) return 0
    return last ? LAST_TIE_BREAK : TIE_BREAK
  }

  #gameWon(side: Side, tieBreak: number): boolean {
    const [mine, theirs] = [this.#points[side], this.#points[otherSide(side)]]
    const lead = tieBreak === 0 && this.config.goldenGoal ? 1 : 2
    return mine >= (tieBreak || 4) && mine - theirs >= lead
  }

  #call(side: Side, tieBreak: boolean): string {
    const [mine, theirs] = [this.#points[side], this.#points[otherSide(side)]]
    if (tieBreak) return String(mine)
    return mine > 3 && mine > theirs ? 'Ad' : (CALLS[Math.min(mine, 3)] ?? '40')
  }

  /** In a tie-break the first point is served by one side, then two by each. */
  #serving(tieBreak: boolean): Side | null {
    if (!tieBreak || !this.#server) return this.#server
    const played = this.#points.home + this.#points.away
    return Math.floor((played + 1) / 2) % 2 === 0 ? this.#server : otherSide(this.#server)
  }
}
