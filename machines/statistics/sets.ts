import type { Fact, MatchConfig, Play } from '../match-model.ts'
import { type Both, otherSide, type Scoring, type Side } from '../sports/scoring.ts'
import { sportOf } from '../sports.ts'

/** A set: its score (points, in tennis games), all points won in it, and how often a side stood one point from winning it. */
export type SetLine = { number: number; home: number; away: number; points: Both<number>; setPoints: Both<number> }

const SIDES: readonly Side[] = ['home', 'away']
const VOLLEYBALL = { set: 25, last: 15 }
const TIE_BREAK = { set: 7, last: 10 }

/** The sets of a match in volleyball or tennis, from facts in match order; `sideOf` says whose fact it is. */
export function setsOf(
  sport: string,
  config: MatchConfig,
  facts: readonly Fact[],
  periods: Play['score']['periods'],
  sideOf: (fact: Fact) => Side | undefined,
): SetLine[] {
  const scoring = sportOf(sport).scoring(config)
  const lines = periods.map(({ number, home, away }): SetLine => {
    const none = () => ({ home: 0, away: 0 })
    return { number, home, away, points: none(), setPoints: none() }
  })
  let set = 0
  for (const fact of facts) {
    const side = sideOf(fact)
    if (fact.type !== 'point' || !side) continue
    if (fact.period !== set) scoring.begin(fact.period, undefined, fact)
    set = fact.period
    const line = lines[set - 1]
    if (!line) continue
    for (const one of SIDES) if (isSetPoint(sport, scoring, set, one)) line.setPoints[one] += 1
    line.points[side] += 1
    scoring.take({ fact, side, period: set })
  }
  return lines
}

/** Whether the next point would win the side the set. */
function isSetPoint(sport: string, scoring: Scoring, set: number, side: Side): boolean {
  const last = set === scoring.config.periodCount
  const { points, games, tieBreak } = { games: { home: 0, away: 0 }, tieBreak: false, ...scoring.situation(set) } as {
    points: Both<number | string>
    games: Both<number>
    tieBreak: boolean
  }
  const [mine, theirs] = [points[side], points[otherSide(side)]]
  const wins = (target: number) => Number(mine) + 1 >= target && Number(mine) + 1 - Number(theirs) >= 2
  if (sport === 'volleyball') return wins(last ? VOLLEYBALL.last : VOLLEYBALL.set)
  if (tieBreak) return wins(last ? TIE_BREAK.last : TIE_BREAK.set)
  const game = mine === 'Ad' || (mine === '40' && (theirs !== '40' || scoring.config.goldenGoal) && theirs !== 'Ad')
  const won = games[side] + 1
  return game && won >= 6 && won - games[otherSide(side)] >= 2
}
