import type { Fact } from '../match-model.ts'

export type Batter = {
  playerId: number
  runs: number
  balls: number
  fours: number
  sixes: number
  /** Null for who is not out. */
  out: { kind: string | null; bowlerId: number | null; fielderId: number | null } | null
}
export type Bowler = {
  playerId: number
  balls: number
  runs: number
  wickets: number
  maidens: number
  wides: number
  noBalls: number
}
export type Extras = { wides: number; noBalls: number; byes: number; legByes: number; penaltyRuns: number }
export type InningsCard = {
  number: number
  /** The team that bats. */
  teamId: number | null
  runs: number
  wickets: number
  balls: number
  /** In the order in which they came in. */
  batting: Batter[]
  bowling: Bowler[]
  extras: Extras
  fallOfWickets: { wicket: number; runs: number; balls: number; playerId: number | null }[]
  fielding: { playerId: number; name: 'catches' | 'stumpings' | 'runOuts' }[]
}

const BAT = new Set(['runs', 'four', 'six', 'wicket'])
const EXTRA: Readonly<Record<string, keyof Extras>> = {
  wide: 'wides',
  noBall: 'noBalls',
  bye: 'byes',
  legBye: 'legByes',
  penaltyRuns: 'penaltyRuns',
}
const NOT_BOWLED = new Set(['wide', 'noBall', 'penaltyRuns'])
const OUT_OF_PLAY = new Set(['retiredOut', 'retiredHurt', 'retiredNotOut', 'timedOut'])
const NOT_OUT = new Set(['retiredHurt', 'retiredNotOut'])
const NOT_BOWLERS = new Set(['runOut', 'obstructingTheField', 'hitBallTwice', ...OUT_OF_PLAY])
const FIELDED: Readonly<Record<string, InningsCard['fielding'][number]['name']>> = {
  caught: 'catches',
  caughtBehind: 'catches',
  stumped: 'stumpings',
  runOut: 'runOuts',
}

/**
 * The cards of every innings, from facts in match order. The bowler of a ball is its `details.bowlerId`, else whom the last
 * `newBowler` named; an extra whose fact names a batter is a ball to him.
 */
export function cricketCard(facts: readonly Fact[]): InningsCard[] {
  const cards = new Map<number, Card>()
  let bowler: Pick<Fact, 'playerId' | 'teamId'> | undefined
  for (const fact of facts) {
    if (fact.type === 'newBowler') bowler = fact
    if (fact.period < 1 || !(BAT.has(fact.type) || Object.hasOwn(EXTRA, fact.type) || fact.type === 'newBatter'))
      continue
    const card = cards.get(fact.period) ?? new Card(fact.period)
    cards.set(fact.period, card)
    const said = fact.details.bowlerId
    // whoever bowled last is of the side that bats now: nobody was named yet
    const last = bowler && (bowler.teamId === null || bowler.teamId !== fact.teamId) ? bowler.playerId : null
    card.take(fact, typeof said === 'number' ? said : last)
  }
  return [...cards.values()].map((card) => card.shown)
}

class Card {
  readonly shown: InningsCard
  readonly #overs = new Map<number, number[]>()

  constructor(number: number) {
    const extras = { wides: 0, noBalls: 0, byes: 0, legByes: 0, penaltyRuns: 0 }
    const none = { batting: [], bowling: [], fallOfWickets: [], fielding: [] }
    this.shown = { number, teamId: null, runs: 0, wickets: 0, balls: 0, extras, ...none }
  }

  take(fact: Fact, bowlerId: number | null): void {
    const { shown } = this
    const { type, points, playerId } = fact
    if (type === 'newBatter') {
      if (playerId !== null) this.#batter(playerId)
      return
    }
    if (type !== 'penaltyRuns') shown.teamId ??= fact.teamId
    // penalty runs may go to the side that fields
    if (type === 'penaltyRuns' && shown.teamId !== null && fact.teamId !== shown.teamId) return
    const kind = type === 'wicket' ? String(fact.details.kind ?? fact.value ?? '') : ''
    const bowled = !(NOT_BOWLED.has(type) || OUT_OF_PLAY.has(kind))
    shown.runs += points
    if (bowled) shown.balls += 1
    const extra = EXTRA[type]
    if (extra) shown.extras[extra] += points
    if (playerId !== null && type !== 'wide' && type !== 'penaltyRuns') {
      const batter = this.#batter(playerId)
      if (bowled) batter.balls += 1
      if (!extra) batter.runs += points
      if (type === 'four') batter.fours += 1
      if (type === 'six') batter.sixes += 1
    }
    this.#bowl(fact, bowlerId, bowled, extra)
    if (type === 'wicket') this.#wicket(fact, kind, bowlerId)
  }

  #bowl({ type, points }: Fact, bowlerId: number | null, bowled: boolean, extra: keyof Extras | undefined): void {
    if (bowlerId === null || type === 'penaltyRuns') return
    const bowler = this.#bowler(bowlerId)
    const conceded = type === 'bye' || type === 'legBye' ? 0 : points
    bowler.runs += conceded
    if (extra === 'wides' || extra === 'noBalls') bowler[extra] += 1
    const over = this.#overs.get(bowlerId) ?? []
    over.push(bowled ? conceded : conceded + 1)
    this.#overs.set(bowlerId, over)
    if (!bowled) return
    bowler.balls += 1
    if (bowler.balls % 6 !== 0) return
    if (over.every((runs) => runs === 0)) bowler.maidens += 1
    this.#overs.set(bowlerId, [])
  }

  #wicket({ playerId, secondaryPlayerId }: Fact, kind: string, bowlerId: number | null): void {
    const { shown } = this
    if (NOT_OUT.has(kind)) return
    shown.wickets += 1
    shown.fallOfWickets.push({ wicket: shown.wickets, runs: shown.runs, balls: shown.balls, playerId })
    const byBowler = bowlerId !== null && !NOT_BOWLERS.has(kind)
    if (byBowler) this.#bowler(bowlerId).wickets += 1
    if (playerId !== null)
      this.#batter(playerId).out = {
        kind: kind || null,
        bowlerId: byBowler ? bowlerId : null,
        fielderId: secondaryPlayerId,
      }
    const fielded = FIELDED[kind]
    if (fielded && secondaryPlayerId !== null) shown.fielding.push({ playerId: secondaryPlayerId, name: fielded })
  }

  #batter(playerId: number): Batter {
    const found = this.shown.batting.find((one) => one.playerId === playerId)
    if (found) return found
    const batter: Batter = { playerId, runs: 0, balls: 0, fours: 0, sixes: 0, out: null }
    this.shown.batting.push(batter)
    return batter
  }

  #bowler(playerId: number): Bowler {
    const found = this.shown.bowling.find((one) => one.playerId === playerId)
    if (found) return found
    const bowler: Bowler = { playerId, balls: 0, runs: 0, wickets: 0, maidens: 0, wides: 0, noBalls: 0 }
    this.shown.bowling.push(bowler)
    return bowler
  }
}
