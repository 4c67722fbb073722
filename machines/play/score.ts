import type { Competitor, Fact, Play } from '../match-model.ts'
import type { FactType } from '../sports/fact-type.ts'
import { type Both, type Outcome, otherSide, type Scoring, type Side, sideMissing } from '../sports/scoring.ts'

type Counts = Record<string, number>

/** The sum of the facts: points by the rules of the sport, the shoot-out apart from them, statistics. */
export class Score {
  readonly statistics: Both<Counts> = { home: {}, away: {} }
  /** A scoring fact has been taken. */
  any = false
  readonly #scoring: Scoring
  readonly #competitors: readonly Competitor[]
  readonly #own: number[] | undefined
  readonly #kicks: Both<boolean[]> = { home: [], away: [] }

  constructor(scoring: Scoring, competitors: readonly Competitor[], group: boolean) {
    this.#scoring = scoring
    this.#competitors = competitors
    this.#own = group ? competitors.map(() => 0) : undefined
  }

  /** A scoring fact outside the shoot-out. `index` is the competitor, `side` its side. */
  take(fact: Fact, type: FactType, index: number | undefined, side: Side | undefined, period: number): Outcome {
    this.any = true
    const credited = side && type.credit === 'opponent' ? otherSide(side) : side
    this.#scoring.note(fact, side)
    if (this.#own && index !== undefined) {
      if (type.credit === 'opponent') return sideMissing
      this.#own[index] = (this.#own[index] ?? 0) + fact.points
      // a side of a group is its first competitor
      if (this.#competitors.findIndex((one) => one.isHome === this.#competitors[index]?.isHome) !== index) return 'on'
    }
    return this.#scoring.take({ fact, side: credited, period })
  }

  kick(side: Side, scored: boolean): void {
    this.#kicks[side].push(scored)
  }

  /** Counts the fact in the statistics of its side; those of a shoot-out are not counted. */
  count(type: FactType, fact: Fact, side: Side | undefined, shootout: number): void {
    if (!side || (shootout > 0 && type.scoring && fact.period === shootout)) return
    const counts = this.statistics[side]
    if (type.statistic !== undefined) counts[type.statistic] = (counts[type.statistic] ?? 0) + 1
    const said = fact.details.kind ?? fact.value
    const kind = typeof said === 'string' && Object.hasOwn(type.kinds, said) ? type.kinds[said] : undefined
    if (kind !== undefined) counts[kind] = (counts[kind] ?? 0) + 1
  }

  get total(): Both<number> {
    return this.#scoring.total
  }

  of(period: number): Both<number> {
    return this.#scoring.periods[period - 1] ?? { home: 0, away: 0 }
  }

  /** By order of the competitors, `total` being that of the sides. */
  competitors(total: Both<number>): number[] {
    return this.#own ?? this.#competitors.map(({ isHome }) => (isHome ? total.home : total.away))
  }

  /** The part of the state that only this sport has, with the shoot-out once there is one. */
  situation(period: number, shootout: number): Play['situation'] {
    const situation = this.#scoring.situation(period)
    if (shootout === 0) return situation
    const { home, away } = this.#kicks
    const goals = (kicks: readonly boolean[]) => kicks.filter(Boolean).length
    return { ...situation, shootout: { home: goals(home), away: goals(away), kicks: { home, away } } }
  }
}
