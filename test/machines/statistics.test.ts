import { describe, expect, it } from 'vitest'
import { decideMatch, foldMatch, judgeMatch, newMatch, UNSAID } from '../../machines/match.ts'
import type { Fact, Match } from '../../machines/match-model.ts'
import { effectiveConfig, SPORTS } from '../../machines/sports.ts'
import { cricketCard } from '../../machines/statistics/cricket.ts'
import { givenNames, refusedName, statisticNames } from '../../machines/statistics/names.ts'
import { playerValues } from '../../machines/statistics/players.ts'
import { setsOf } from '../../machines/statistics/sets.ts'

const [HOME, AWAY] = [1, 2]
const START = Date.parse('2026-11-01T15:00:00Z')

/** A match that has been played by these facts, each so many seconds after the start. */
function played(
  sport: string,
  facts: readonly [second: number, fact: Partial<Fact> & { type: string }][],
  config = {},
) {
  const side = (teamId: number, isHome: boolean) => ({ entityType: 'team', teamId, playerId: null, isHome }) as const
  const competitors = [side(HOME, true), side(AWAY, false)]
  const at = new Date(START).toISOString()
  let match = newMatch({ sport, settings: { ...UNSAID, date: at }, config, competitors, at })
  for (const [index, [second, fact]] of facts.entries()) {
    const timestamp = new Date(START + second * 1_000).toISOString()
    const command = {
      type: 'record',
      seq: index + 1,
      at: timestamp,
      id: index + 1,
      fact: { ...fact, timestamp },
    } as const
    expect(judgeMatch(match, command), JSON.stringify(fact)).toBeUndefined()
    match = decideMatch(match, command).reduce(foldMatch, match)
  }
  return match
}

const valuesOf = (match: Match, starters: readonly { playerId: number; teamId: number }[] = []) => {
  const { sport, facts, competitors, play } = match
  const config = effectiveConfig(sport, match.config)
  return playerValues({ sport, config, facts, competitors, starters, state: play.state })
}

describe('[show-control] what facts come to for a player', () => {
  it('football: goals with penalties and without own goals, assists, cards, minutes without added time', () => {
    const match = played('football', [
      [0, { type: 'matchStart' }],
      [600, { type: 'goal', teamId: HOME, playerId: 10, secondaryPlayerId: 11 }],
      [1_200, { type: 'penaltyGoal', teamId: HOME, playerId: 10 }],
      [1_260, { type: 'ownGoal', teamId: AWAY, playerId: 20 }],
      [1_800, { type: 'yellowCard', teamId: AWAY, playerId: 20 }],
      [2_820, { type: 'periodEnd' }],
      [3_600, { type: 'periodStart' }],
      [4_500, { type: 'substitution', teamId: HOME, playerId: 12, secondaryPlayerId: 11 }],
      [5_400, { type: 'redCard', teamId: AWAY, playerId: 20 }],
      [6_400, { type: 'matchEnd' }],
    ])
    const values = valuesOf(match, [
      { playerId: 10, teamId: HOME },
      { playerId: 11, teamId: HOME },
      { playerId: 20, teamId: AWAY },
    ])
    expect(values.get(10)).toEqual({ goals: 2, penaltyGoals: 1, points: 2, minutes: 90 })
    expect(values.get(11)).toEqual({ assists: 1, minutes: 60 })
    expect(values.get(12)).toEqual({ substitutions: 1, minutes: 30 })
    expect(values.get(20)).toEqual({ ownGoals: 1, yellowCards: 1, redCards: 1, cards: 2, minutes: 75 })
  })

  it('ice hockey: an assist is a point; basketball: points by their worth', () => {
    const hockey = played('iceHockey', [
      [0, { type: 'matchStart' }],
      [60, { type: 'goal', teamId: HOME, playerId: 9, secondaryPlayerId: 8, details: { kind: 'powerPlay' } }],
    ])
    expect(valuesOf(hockey).get(9)).toEqual({ goals: 1, powerPlayGoals: 1, points: 1 })
    expect(valuesOf(hockey).get(8)).toEqual({ assists: 1, points: 1 })
    const basketball = played('basketball', [
      [0, { type: 'matchStart' }],
      [20, { type: 'threePointer', teamId: HOME, playerId: 4, secondaryPlayerId: 5 }],
      [40, { type: 'freeThrow', teamId: HOME, playerId: 4 }],
      [50, { type: 'assist', teamId: HOME, playerId: 5 }],
    ])
    expect(valuesOf(basketball).get(4)).toMatchObject({ points: 4, threePointers: 1 })
    // told as a fact of its own, it is not counted twice
    expect(valuesOf(basketball).get(5)).toEqual({ assists: 1 })
  })
})

describe('[show-control] the cards of cricket', () => {
  const match = played(
    'cricket',
    [
      [0, { type: 'matchStart', teamId: HOME, details: { overs: 20 } }],
      [1, { type: 'newBowler', teamId: AWAY, playerId: 21 }],
      [2, { type: 'runs', teamId: HOME, playerId: 1, points: 0 }],
      [3, { type: 'runs', teamId: HOME, playerId: 1, points: 3 }],
      [4, { type: 'wide', teamId: HOME, points: 1 }],
      [5, { type: 'four', teamId: HOME, playerId: 2 }],
      [6, { type: 'bye', teamId: HOME, playerId: 2, points: 1 }],
      [7, { type: 'wicket', teamId: HOME, playerId: 1, secondaryPlayerId: 22, details: { kind: 'caught' } }],
      [8, { type: 'six', teamId: HOME, playerId: 2 }],
      [9, { type: 'newBowler', teamId: AWAY, playerId: 23 }],
      [10, { type: 'wicket', teamId: HOME, playerId: 3, secondaryPlayerId: 22, details: { kind: 'runOut' } }],
    ],
    {},
  )

  it('batting, bowling, extras and the fall of wickets, which add up to the score', () => {
    const [card] = cricketCard(match.facts)
    expect(card).toMatchObject({
      number: 1,
      teamId: HOME,
      runs: 15,
      wickets: 2,
      balls: 7,
      batting: [
        { playerId: 1, runs: 3, balls: 3, fours: 0, sixes: 0, out: { kind: 'caught', bowlerId: 21, fielderId: 22 } },
        { playerId: 2, runs: 10, balls: 3, fours: 1, sixes: 1, out: null },
        { playerId: 3, runs: 0, balls: 1, out: { kind: 'runOut', bowlerId: null, fielderId: 22 } },
      ],
      bowling: [
        { playerId: 21, balls: 6, runs: 14, wickets: 1, wides: 1, maidens: 0 },
        { playerId: 23, balls: 1, runs: 0, wickets: 0 },
      ],
      extras: { wides: 1, noBalls: 0, byes: 1, legByes: 0, penaltyRuns: 0 },
      fallOfWickets: [
        { wicket: 1, runs: 9, balls: 5, playerId: 1 },
        { wicket: 2, runs: 15, balls: 7, playerId: 3 },
      ],
    })
    expect(match.play.score.home).toBe(15)
  })

  it('players have the values of their cards', () => {
    expect(valuesOf(match).get(2)).toEqual({ runs: 10, balls: 3, fours: 1, sixes: 1 })
    expect(valuesOf(match).get(21)).toEqual({ ballsBowled: 6, runsConceded: 14, wickets: 1, maidens: 0 })
    expect(valuesOf(match).get(22)).toEqual({ catches: 1, runOuts: 1 })
  })
})

describe('[show-control] sets', () => {
  const points = (home: number, away: number, from: number) =>
    Array.from(
      { length: home + away },
      (_, index) =>
        [from + index, { type: 'point', teamId: index < away ? AWAY : HOME }] as [
          number,
          { type: string; teamId: number },
        ],
    )
  const lines = (match: Match) =>
    setsOf(
      match.sport,
      effectiveConfig(match.sport, match.config),
      match.facts,
      match.play.score.periods,
      ({ teamId }) => (teamId === HOME ? 'home' : 'away'),
    )

  it('volleyball: points of each set, and set points from 24 on', () => {
    const match = played('volleyball', [[0, { type: 'matchStart' }], ...points(25, 20, 1), ...points(3, 1, 100)])
    expect(lines(match)).toEqual([
      { number: 1, home: 25, away: 20, points: { home: 25, away: 20 }, setPoints: { home: 1, away: 0 } },
      { number: 2, home: 3, away: 1, points: { home: 3, away: 1 }, setPoints: { home: 0, away: 0 } },
    ])
  })

  it('tennis: games and points of each set, and the points that could have won it', () => {
    // five games to love, then forty to thirty and the set
    const match = played('tennis', [
      [0, { type: 'matchStart' }],
      ...points(23, 0, 1),
      [30, { type: 'point', teamId: AWAY }],
      [31, { type: 'point', teamId: HOME }],
    ])
    expect(lines(match)).toMatchObject([
      { number: 1, home: 6, away: 0, points: { home: 24, away: 1 }, setPoints: { home: 2, away: 0 } },
    ])
  })
})

describe('[show-control] names of statistics', () => {
  it.each(Object.keys(SPORTS))('%s has values that may be told, names that facts count, and free ones', (sport) => {
    expect(givenNames(sport).length).toBeGreaterThan(2)
    expect(new Set(statisticNames(sport)).size).toBe(statisticNames(sport).length)
    for (const name of givenNames(sport)) expect(refusedName(sport, name, new Set())).toBeUndefined()
    expect(refusedName(sport, 'x_anything_1', new Set())).toBeUndefined()
    for (const name of ['x_', 'luck', 'x_ä']) expect(refusedName(sport, name, new Set())).toContain('no statistic')
    expect(refusedName(sport, givenNames(sport)[0] ?? '', new Set(givenNames(sport)))).toContain('counted')
  })
})
