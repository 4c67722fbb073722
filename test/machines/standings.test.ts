import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SPORTS } from '../../machines/sports.ts'
import { type Result, type StandingsRules, standingsOf, TIE_BREAKERS, usualRules } from '../../machines/standings.ts'

const RULES: StandingsRules = { ...usualRules('football') }
const NAMES = ['Ash', 'Birch', 'Cedar', 'Dogwood', 'Elm', 'Fir']
const teams = (count: number) => NAMES.slice(0, count).map((name, index) => ({ id: index + 1, name }))
const match = (home: number, away: number, score: string, more: Partial<Result> = {}): Result => {
  const [one = 0, other = 0] = score.split('-').map(Number)
  return { home: { teamId: home, score: one }, away: { teamId: away, score: other }, ...more }
}
const tableOf = (results: readonly Result[], more: Partial<Parameters<typeof standingsOf>[0]> = {}, count = 4) =>
  standingsOf({ teams: teams(count), results, rules: RULES, adjustments: [], ...more })
const order = (rows: readonly { teamId: number }[]) => rows.map(({ teamId }) => teamId)

describe('a table from results', () => {
  it('counts matches, points, goals and the last five results, the latest last', () => {
    const rows = tableOf(
      [
        match(1, 2, '2-1'),
        match(2, 1, '0-0'),
        match(1, 3, '0-3'),
        match(1, 2, '1-0'),
        match(1, 2, '4-0'),
        match(1, 3, '1-1'),
      ],
      {},
      3,
    )
    expect(rows[0]).toEqual({
      teamId: 1,
      group: null,
      position: 1,
      played: 6,
      won: 3,
      drawn: 2,
      lost: 1,
      noResult: 0,
      for: 8,
      against: 5,
      difference: 3,
      points: 11,
      bonus: 0,
      adjustment: 0,
      netRunRate: null,
      form: ['D', 'L', 'W', 'W', 'D'],
    })
    expect(order(rows)).toEqual([1, 3, 2])
  })

  it('names teams that have not played, by name', () => {
    expect(tableOf([]).map(({ position, played }) => [position, played])).toEqual([
      [1, 0],
      [2, 0],
      [3, 0],
      [4, 0],
    ])
  })

  it('an abandoned match counts as played, with its points, where the rules have some', () => {
    const rules = { ...RULES, points: { ...RULES.points, noResult: 1 } }
    const rows = tableOf([match(1, 2, '3-0', { noResult: true }), match(1, 2, '1-0')], { rules }, 2)
    expect(rows).toMatchObject([
      { teamId: 1, played: 2, won: 1, drawn: 0, lost: 0, noResult: 1, for: 1, points: 4, form: ['N', 'W'] },
      { teamId: 2, played: 2, won: 0, lost: 1, noResult: 1, against: 1, points: 1, form: ['N', 'L'] },
    ])
  })

  it('of cricket has the net run rate, which separates teams that are level', () => {
    const scored = (team: number, runs: number, balls: number) => ({
      teamId: team,
      score: runs,
      batted: { runs, balls },
    })
    const rules = usualRules('cricket')
    const results = [
      { home: scored(1, 160, 120), away: scored(2, 140, 120) },
      { home: scored(2, 170, 120), away: scored(3, 120, 120) },
      { home: scored(3, 151, 110), away: scored(1, 150, 120) },
    ]
    const rows = tableOf(results, { rules }, 3)
    expect(rows.map(({ teamId, points, netRunRate }) => [teamId, points, netRunRate])).toEqual([
      // 310 runs off 40 overs against 280 off 40
      [2, 2, 0.75],
      [1, 2, 0.159],
      [3, 2, -0.93],
    ])
    expect(tableOf(results, { rules: { ...rules, tieBreakers: ['name'] } }, 3).map(({ teamId }) => teamId)).toEqual([
      1, 2, 3,
    ])
  })

  it('adjusts points, several times too, and never the matches', () => {
    const adjustments = [
      { teamId: 1, points: -3 },
      { teamId: 1, points: -1.5 },
      { teamId: 9, points: 40 },
    ]
    const rows = tableOf([match(1, 2, '1-0'), match(3, 4, '0-0')], { adjustments })
    expect(rows.find(({ teamId }) => teamId === 1)).toMatchObject({ points: -1.5, adjustment: -4.5, won: 1 })
    expect(order(rows)).toEqual([3, 4, 2, 1])
  })

  it('matches of teams that are not of the competition do not count', () => {
    expect(tableOf([match(1, 9, '9-0')])[0]).toMatchObject({ played: 0 })
  })
})

describe('points', () => {
  it('of overtime, a shoot-out and a deciding set are their own where the rules say so', () => {
    const hockey = { ...usualRules('iceHockey') }
    const rows = tableOf(
      [
        match(1, 2, '3-2', { decidedBy: 'overtime' }),
        match(3, 4, '2-2', { shootoutWinner: 'away' }),
        match(1, 3, '1-0'),
      ],
      { rules: hockey },
    )
    expect(
      Object.fromEntries(rows.map(({ teamId, points, won, lost, drawn }) => [teamId, [points, won, drawn, lost]])),
    ).toEqual({
      1: [5, 2, 0, 0],
      2: [1, 0, 0, 1],
      3: [1, 0, 0, 2],
      4: [2, 1, 0, 0],
    })
    const volleyball = tableOf([match(1, 2, '3-2', { decidedBy: 'decidingSet' }), match(3, 4, '3-1')], {
      rules: usualRules('volleyball'),
    })
    expect(Object.fromEntries(volleyball.map(({ teamId, points }) => [teamId, points]))).toEqual({
      1: 2,
      2: 1,
      3: 3,
      4: 0,
    })
  })

  it('a shoot-out leaves a draw in a league that gives it no points', () => {
    const [row] = tableOf([match(1, 2, '1-1', { shootoutWinner: 'away' })])
    expect(row).toMatchObject({ drawn: 1, points: 1, form: ['D'] })
  })

  it('a bonus comes beside the points of the result: tries, a narrow loss, a clear win, a high score', () => {
    const rules: StandingsRules = {
      ...usualRules('rugbyUnion'),
      bonus: [
        ...usualRules('rugbyUnion').bonus,
        { type: 'clearWin', atLeast: 20, points: 0.5 },
        { type: 'score', atLeast: 40, points: 2 },
      ],
    }
    const result: Result = {
      home: { teamId: 1, score: 19, statistics: { tries: 3 } },
      away: { teamId: 2, score: 12, statistics: { tries: 4 } },
    }
    const rows = tableOf([result, match(3, 4, '41-3')], { rules })
    const of = (id: number) => rows.find(({ teamId }) => teamId === id)
    expect(of(1)).toMatchObject({ points: 4, bonus: 0 })
    expect(of(2)).toMatchObject({ points: 2, bonus: 2 })
    expect(of(3)).toMatchObject({ points: 6.5, bonus: 2.5 })
  })

  it.each(Object.keys(SPORTS))('the usual rules of %s end with the name and give a win the most', (sport) => {
    const { points, tieBreakers } = usualRules(sport)
    expect(tieBreakers.at(-1)).toBe('name')
    expect(points.win).toBeGreaterThan(points.loss)
    expect(points.win).toBeGreaterThan(points.draw)
  })
})

describe('tie-breakers', () => {
  it('head to head is a table of the tied teams alone, over the difference of all matches', () => {
    const results = [
      // 1 beat 2, who beat 3, who lost to 1; all have 6 points of matches with the others
      match(1, 2, '1-0'),
      match(2, 3, '1-0'),
      match(1, 4, '0-1'),
      match(2, 4, '9-0'),
      match(3, 4, '2-0'),
      match(3, 1, '0-1'),
      match(4, 3, '0-1'),
    ]
    const first = { ...RULES, tieBreakers: ['headToHead', 'difference', 'name'] as const }
    expect(order(tableOf(results, { rules: first })).slice(0, 3)).toEqual([1, 2, 3])
    expect(order(tableOf(results)).slice(0, 3)).toEqual([2, 3, 1])
  })

  it('counts the matches of those who are still level anew', () => {
    const rules = { ...RULES, tieBreakers: ['headToHead', 'name'] as const }
    // three in a ring, level but for difference: 3 is ahead of 1 and 2, who are then told apart by their own match
    const results = [match(2, 1, '1-0'), match(1, 3, '2-1'), match(3, 2, '3-2')]
    const rows = tableOf(results, { rules }, 3)
    expect(rows.map(({ points }) => points)).toEqual([3, 3, 3])
    // differences of the ring: 1: 0, 2: 0, 3: 0; scored: 1: 2, 2: 3, 3: 4
    expect(order(rows)).toEqual([3, 2, 1])
    const level = tableOf(
      [match(2, 1, '1-0'), match(1, 3, '2-1'), match(3, 2, '2-1'), match(3, 4, '0-3'), match(4, 3, '0-3')],
      { rules },
    )
    // 1 and 2 are level with 3 until only their own match is looked at
    expect(order(level).indexOf(2)).toBeLessThan(order(level).indexOf(1))
  })

  it('groups have tables of their own; matches between them count when the rules say so', () => {
    const groups = [
      { name: 'B', teamIds: [3, 4] },
      { name: 'A', teamIds: [1] },
    ]
    const results = [match(1, 3, '0-2'), match(3, 4, '0-1')]
    const apart = tableOf(results, { rules: { ...RULES, groups } })
    expect(apart.map(({ teamId, group, position, played }) => [teamId, group, position, played])).toEqual([
      [4, 'B', 1, 1],
      [3, 'B', 2, 1],
      [1, 'A', 1, 0],
      [2, null, 1, 0],
    ])
    const between = tableOf(results, { rules: { ...RULES, groups, betweenGroups: true } })
    expect(between.map(({ teamId, points }) => [teamId, points])).toEqual([
      [3, 3],
      [4, 3],
      [1, 0],
      [2, 0],
    ])
  })
})

const result = (count: number) =>
  fc
    .tuple(fc.integer({ min: 1, max: count }), fc.integer({ min: 1, max: count }), fc.nat(4), fc.nat(4))
    .filter(([home, away]) => home !== away)
    .map(([home, away, one, other]) => match(home, away, `${one}-${other}`))
const season = fc.array(result(6), { maxLength: 40 })
const anyRules = fc.record({
  points: fc.record({ win: fc.integer({ min: 1, max: 5 }), draw: fc.nat(3), loss: fc.nat(1) }),
  bonus: fc.constant([]),
  tieBreakers: fc.shuffledSubarray([...TIE_BREAKERS]),
  groups: fc.constant([]),
  betweenGroups: fc.boolean(),
}) satisfies fc.Arbitrary<StandingsRules>

describe('any season', () => {
  it('the points of all are those of all matches and adjustments, goals for are goals against', () => {
    const adjusted = fc.array(
      fc.record({ teamId: fc.integer({ min: 1, max: 6 }), points: fc.integer({ min: -9, max: 9 }) }),
      {
        maxLength: 5,
      },
    )
    fc.assert(
      fc.property(season, anyRules, adjusted, (results, rules, adjustments) => {
        const rows = tableOf(results, { rules, adjustments }, 6)
        const sum = (key: 'points' | 'for' | 'against' | 'difference' | 'won' | 'lost' | 'played') =>
          rows.reduce((all, row) => all + row[key], 0)
        const { win, draw, loss } = rules.points
        const worth = results.map(({ home, away }) => (home.score === away.score ? 2 * draw : win + loss))
        const given = [...worth, ...adjustments.map(({ points }) => points)].reduce((all, one) => all + one, 0)
        expect(sum('points')).toBe(given)
        expect(sum('for')).toBe(sum('against'))
        expect(sum('difference')).toBe(0)
        expect(sum('won')).toBe(sum('lost'))
        expect(sum('played')).toBe(2 * results.length)
      }),
    )
  })

  it('no order of results or teams changes who stands where, but for the form', () => {
    fc.assert(
      fc.property(
        season.chain((results) =>
          fc.tuple(fc.constant(results), fc.shuffledSubarray(results, { minLength: results.length })),
        ),
        fc.shuffledSubarray(teams(6), { minLength: 6 }),
        anyRules,
        ([results, shuffled], named, rules) => {
          const plain = (rows: ReturnType<typeof standingsOf>) => rows.map(({ form: _, ...row }) => row)
          const again = standingsOf({ teams: named, results: shuffled, rules, adjustments: [] })
          expect(plain(again)).toEqual(plain(tableOf(results, { rules }, 6)))
        },
      ),
    )
  })

  it('every team has one position, 1 to the last, and whoever has more points stands higher', () => {
    fc.assert(
      fc.property(season, anyRules, (results, rules) => {
        const rows = tableOf(results, { rules }, 6)
        expect(rows.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6])
        expect([...order(rows)].sort()).toEqual([1, 2, 3, 4, 5, 6])
        const points = rows.map((row) => row.points)
        expect(points).toEqual([...points].sort((one, other) => other - one))
      }),
    )
  })
})
