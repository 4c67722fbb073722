import type { Fact, Refusal } from '../match-model.ts'
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

const EXTRAS = new Set(['wide', 'noBall', 'penaltyRuns', 'declaration'])
const NO_WICKET: ReadonlySet<unknown> = new Set(['retiredHurt', 'retiredNotOut'])
const NO_BALL_BOWLED: ReadonlySet<unknown> = new Set(['retiredOut', 'retiredHurt', 'retiredNotOut', 'timedOut'])
const SUPER_OVER = { overs: 1, wickets: 2 }

type Innings = {
  number: number
  side: Side | null
  runs: number
  wickets: number
  balls: number
  /** Limit of overs, as `details.overs` of its periodStart or of the innings before says. */
  limit: number | null
}

const bothBat: Refusal = { path: 'teamId', message: 'the other side is batting' }

/**
 * Innings with runs, wickets and balls. An innings ends when all are out, the overs are bowled, it is declared or a fact ends it;
 * the last also when the target is passed. A super over counts apart from the score.
 */
export class CricketScoring extends Scoring {
  override readonly ownsPeriods = true
  readonly #innings: Innings[] = []
  readonly #superOver: Both<number> = { home: 0, away: 0 }
  #target: number | null = null

  override begin(period: number, side: Side | undefined, fact: Fact): void {
    super.begin(period, side, fact)
    const last = this.#innings.at(-1)
    const { overs } = fact.details
    const said = fact.type === 'periodStart' || fact.type === 'matchStart' ? side : undefined
    const limit = period > this.config.periodCount ? SUPER_OVER.overs : (last?.limit ?? null)
    if (last?.number === period) this.#innings.pop()
    const before = this.#innings.at(-1)
    this.#innings.push({
      number: period,
      side: said ?? (before?.side ? otherSide(before.side) : null),
      runs: 0,
      wickets: 0,
      balls: 0,
      limit: typeof overs === 'number' && overs > 0 ? overs : limit,
    })
  }

  take({ fact, side, period }: Scored): Outcome {
    const innings = this.#innings.at(-1)
    if (!innings) return sideMissing
    if (fact.type === 'declaration') return 'periodOver'
    if (fact.type === 'penaltyRuns') {
      if (!side) return sideMissing
      this.#count(innings, side, fact.points)
      return this.#outcome(innings, period)
    }
    if (fact.type !== 'wicket' || fact.points > 0) {
      if (!side) return sideMissing
      innings.side ??= side
      if (innings.side !== side) return bothBat
      this.#count(innings, side, fact.points)
    }
    const kind = fact.type === 'wicket' ? (fact.details.kind ?? fact.value) : undefined
    if (fact.type === 'wicket' && !NO_WICKET.has(kind)) innings.wickets += 1
    if (!EXTRAS.has(fact.type) && !NO_BALL_BOWLED.has(kind)) innings.balls += 1
    return this.#outcome(innings, period)
  }

  override note(fact: Fact): void {
    const target = fact.value ?? fact.details.runs
    if (fact.type === 'target' && typeof target === 'number' && target > 0) this.#target = target
  }

  override situation(period: number): Situation | null {
    const innings = this.#innings.at(-1)
    if (!innings || period === 0) return null
    const { side, runs, wickets, balls } = innings
    return {
      innings: this.#innings.map((one) => ({
        number: one.number,
        side: one.side,
        runs: one.runs,
        wickets: one.wickets,
        overs: oversOf(one.balls),
        oversLimit: one.limit,
      })),
      batting: side,
      runs,
      wickets,
      overs: oversOf(balls),
      balls,
      oversLimit: innings.limit,
      target: this.#toWin(innings),
      ...(period > this.config.periodCount && { superOver: { ...this.#superOver } }),
    }
  }

  #count(innings: Innings, side: Side, runs: number): void {
    if (innings.side === side) innings.runs += runs
    if (innings.number <= this.config.periodCount) {
      this.add(innings.number, side, runs)
    } else {
      this.of(innings.number)[side] += runs
      this.#superOver[side] += runs
    }
  }

  /** The runs that this innings needs, when it is the last of the match or of the super over. */
  #toWin({ number, side, runs }: Innings): number | null {
    const { periodCount } = this.config
    if (!side || (number !== periodCount && number !== periodCount + 2)) return null
    if (number === periodCount && this.#target !== null) return this.#target
    const score = number > periodCount ? this.#superOver : this.total
    return score[otherSide(side)] - (score[side] - runs) + 1
  }

  #outcome(innings: Innings, period: number): Outcome {
    const { periodCount, startingSize, extraTime } = this.config
    const toWin = this.#toWin(innings)
    if (toWin !== null && innings.runs >= toWin) return 'matchOver'
    const wickets = period > periodCount ? SUPER_OVER.wickets : startingSize - 1
    const over = innings.wickets >= wickets || (innings.limit !== null && innings.balls >= innings.limit * 6)
    if (!over) return 'on'
    const tied = toWin !== null && innings.runs === toWin - 1
    return toWin === null || (tied && extraTime && period === periodCount) ? 'periodOver' : 'matchOver'
  }
}

/** 75 balls are `12.3` overs. */
const oversOf = (balls: number) => `${Math.floor(balls / 6)}.${balls % 6}`
