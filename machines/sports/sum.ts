import type { Fact } from '../match-model.ts'
import { type Both, type Outcome, type Scored, Scoring, type Side, type Situation, sideMissing } from './scoring.ts'

/** Points add up; nothing but a golden goal ends anything. */
export class SumScoring extends Scoring {
  take({ fact, side, period }: Scored): Outcome {
    if (fact.points === 0) return 'on'
    if (!side) return sideMissing
    this.add(period, side, fact.points)
    const golden = this.config.goldenGoal && period > this.config.periodCount
    return golden && this.total.home !== this.total.away ? 'matchOver' : 'on'
  }
}

/** Australian rules: goals of 6 and behinds of 1, shown as `12.8 (80)`. */
export class BehindsScoring extends SumScoring {
  readonly #goals: Both<number> = { home: 0, away: 0 }
  readonly #behinds: Both<number> = { home: 0, away: 0 }

  override take(scored: Scored): Outcome {
    const outcome = super.take(scored)
    if (scored.side) (scored.fact.points === 6 ? this.#goals : this.#behinds)[scored.side] += 1
    return outcome
  }

  override situation(): Situation {
    return { home: this.#line('home'), away: this.#line('away') }
  }

  #line(side: Side) {
    const [goals, behinds] = [this.#goals[side], this.#behinds[side]]
    return { goals, behinds, text: `${goals}.${behinds} (${this.total[side]})` }
  }
}

/** Sports in which the fouls of a team count within the period. */
export class FoulsScoring extends SumScoring {
  #period = 0
  #fouls: Both<number> = { home: 0, away: 0 }

  override begin(period: number, side: Side | undefined, fact: Fact): void {
    super.begin(period, side, fact)
    this.#period = period
    this.#fouls = { home: 0, away: 0 }
  }

  override note(fact: Fact, side: Side | undefined): void {
    if (side && fact.period === this.#period && (fact.type === 'foul' || fact.type === 'accumulatedFoul'))
      this.#fouls[side] += 1
  }

  override situation(period: number): Situation | null {
    return period === 0 ? null : { teamFouls: { ...this.#fouls } }
  }
}

/** Gridiron: the latest `down` says which side has the ball and how far it has to go. */
export class DownsScoring extends SumScoring {
  #down: Situation | null = null

  override note(fact: Fact, side: Side | undefined): void {
    if (fact.type !== 'down' && fact.type !== 'possession') return
    const { down, distance, yardLine } = fact.details
    this.#down = {
      possession: side ?? this.#down?.possession ?? null,
      down: numeric(down),
      distance: numeric(distance),
      yardLine: numeric(yardLine),
    }
  }

  override situation(): Situation | null {
    return this.#down
  }
}

const numeric = (value: unknown) => (typeof value === 'number' ? value : null)
