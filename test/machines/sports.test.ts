import { describe, expect, it } from 'vitest'
import {
  effectiveConfig,
  factTypesOf,
  judgeConfig,
  SPORTS,
  type SportName,
  STRUCTURAL,
  sportOf,
  statisticsOf,
} from '../../machines/sports.ts'
import { SPORTS as SPEC_SPORTS } from '../../src/schema/sport.ts'
import { type Brief, matchOf, minutes, played, refusalOf } from './match-support.ts'

const names = Object.keys(SPORTS) as SportName[]

describe('the table of sports (domain 2)', () => {
  it('holds the 19 sports of the specification and no other', () => {
    expect([...names].sort()).toEqual([...SPEC_SPORTS].sort())
  })

  it('throws for a sport that does not exist, even one that every object knows', () => {
    expect(() => sportOf('chess')).toThrow('no sport is called chess')
    expect(() => sportOf('toString')).toThrow()
  })

  it.each(names)('%s: names are camelCase, and each that scores is counted once', (name) => {
    for (const [type, { statistic, points, scoring, team }] of Object.entries(sportOf(name).factTypes)) {
      expect(type).toMatch(/^[a-z][A-Za-z0-9]+$/)
      if (statistic !== undefined) expect(statistic).toMatch(/^[a-z][A-Za-z0-9]+(s|sMissed)$/)
      if (points !== 0)
        expect({ type, scoring, team: type === 'wicket' ? 'required' : team }).toEqual({
          type,
          scoring: true,
          team: 'required',
        })
    }
    expect(new Set(statisticsOf(name)).size).toBe(statisticsOf(name).length)
    expect(factTypesOf(name)).toEqual(expect.arrayContaining(Object.keys(STRUCTURAL)))
  })

  it.each([
    ['football', 'half', 2, 45, 'up', 11],
    ['futsal', 'half', 2, 20, 'down', 5],
    ['rugbyUnion', 'half', 2, 40, 'up', 15],
    ['rugbySevens', 'half', 2, 7, 'up', 7],
    ['rugbyLeague', 'half', 2, 40, 'up', 13],
    ['touchFootball', 'half', 2, 20, 'down', 6],
    ['ausRules', 'quarter', 4, 20, 'down', 18],
    ['gridiron', 'quarter', 4, 15, 'down', 11],
    ['basketball', 'quarter', 4, 10, 'down', 5],
    ['netball', 'quarter', 4, 15, 'down', 7],
    ['fieldHockey', 'quarter', 4, 15, 'down', 11],
    ['iceHockey', 'period', 3, 20, 'down', 6],
    ['handBall', 'half', 2, 30, 'up', 7],
    ['waterPolo', 'quarter', 4, 8, 'down', 7],
    ['lacrosse', 'quarter', 4, 15, 'down', 10],
    ['volleyball', 'set', 5, 0, 'up', 6],
    ['tennis', 'set', 3, 0, 'up', 2],
    ['cricket', 'innings', 2, 0, 'up', 11],
    ['baseball', 'innings', 9, 0, 'up', 9],
  ] as const)('%s is played in its periods', (name, type, periodCount, periodLength, clockDirection, startingSize) => {
    expect(sportOf(name).periodType).toBe(type)
    expect(effectiveConfig(name, {})).toMatchObject({ periodCount, periodLength, clockDirection, startingSize })
    expect(effectiveConfig(name, { periodCount: 1 })).toMatchObject({ periodCount: 1, periodLength })
  })

  it('sets are the best of an odd number', () => {
    expect(judgeConfig('tennis', { periodCount: 4 })).toMatchObject({ path: 'config.periodCount', value: 4 })
    expect(judgeConfig('tennis', { periodCount: 5 })).toBeUndefined()
    expect(judgeConfig('football', { periodCount: 2 })).toBeUndefined()
  })
})

const times = (count: number, ...facts: readonly Brief[]): Brief[] => Array.from({ length: count }, () => facts).flat()
const home = (type: string, more: Partial<Brief> = {}): Brief => ({ type, side: 'home', ...more })
const away = (type: string, more: Partial<Brief> = {}): Brief => ({ type, side: 'away', ...more })
const say = (type: string, more: Partial<Brief> = {}): Brief => ({ type, ...more })
/** These facts in periods one after the other, then the end. */
const inPeriods = (...periods: readonly (readonly Brief[])[]): Brief[] => [
  ...periods.flatMap((facts) => [say('periodStart'), ...facts, say('periodEnd')]),
  say('matchEnd'),
]

type Expected = { score: [number, number]; periods?: [number, number][]; statistics?: object; situation?: unknown }

const sequences: Record<SportName, [Brief[], Expected]> = {
  football: [
    inPeriods(
      [home('goal'), away('ownGoal'), away('yellowCard')],
      [away('penaltyGoal'), home('penaltyMissed'), away('secondYellow')],
    ),
    {
      score: [2, 1],
      periods: [
        [2, 0],
        [0, 1],
      ],
      statistics: {
        home: { goals: 1, penaltiesMissed: 1 },
        away: { ownGoals: 1, yellowCards: 1, secondYellows: 1, penaltyGoals: 1 },
      },
    },
  ],
  futsal: [
    inPeriods([home('goal'), ...times(6, away('foul'))], [home('secondPenaltyGoal'), away('foul')]),
    { score: [2, 0], situation: { teamFouls: { home: 0, away: 1 } } },
  ],
  rugbyUnion: [
    inPeriods(
      [home('try'), home('conversion'), away('penaltyGoal')],
      [away('dropGoal'), away('penaltyTry'), home('conversionMissed')],
    ),
    {
      score: [7, 13],
      periods: [
        [7, 3],
        [0, 10],
      ],
      statistics: {
        home: { tries: 1, conversions: 1, conversionsMissed: 1 },
        away: { penaltyGoals: 1, dropGoals: 1, penaltyTries: 1 },
      },
    },
  ],
  rugbySevens: [inPeriods([home('try'), home('conversion')], [away('try')]), { score: [7, 5] }],
  rugbyLeague: [
    inPeriods(
      [home('try'), home('conversion'), away('penaltyGoal')],
      [away('fieldGoal'), away('fieldGoal', { points: 2 })],
    ),
    { score: [6, 5] },
  ],
  touchFootball: [inPeriods([home('touchdown')], [away('touchdown'), away('touchdown')]), { score: [1, 2] }],
  ausRules: [
    inPeriods([...times(3, home('goal')), home('behind')], [away('goal'), away('rushedBehind')], [], [away('behind')]),
    {
      score: [19, 8],
      periods: [
        [19, 0],
        [0, 7],
        [0, 0],
        [0, 1],
      ],
      situation: { home: { goals: 3, behinds: 1, text: '3.1 (19)' }, away: { goals: 1, behinds: 2, text: '1.2 (8)' } },
    },
  ],
  gridiron: [
    inPeriods(
      [home('touchdown'), home('extraPoint'), home('possession')],
      [away('fieldGoal'), away('safety')],
      [home('touchdown'), home('twoPointConversion')],
      [away('defensiveConversion'), away('down', { details: { down: 3, distance: 7, yardLine: 35 } })],
    ),
    {
      score: [15, 7],
      situation: { possession: 'away', down: 3, distance: 7, yardLine: 35 },
      statistics: {
        home: { touchdowns: 2, extraPoints: 1, twoPointConversions: 1 },
        away: { fieldGoals: 1, safeties: 1, defensiveConversions: 1 },
      },
    },
  ],
  basketball: [
    inPeriods(
      [home('threePointer'), away('twoPointer')],
      [home('freeThrow'), home('freeThrow')],
      [away('threePointer')],
      [home('foul'), home('foul')],
    ),
    {
      score: [5, 5],
      periods: [
        [3, 2],
        [2, 0],
        [0, 3],
        [0, 0],
      ],
      situation: { teamFouls: { home: 2, away: 0 } },
    },
  ],
  netball: [inPeriods([home('goal')], [away('superGoal')], [home('goal')], [home('goal')]), { score: [3, 2] }],
  fieldHockey: [
    inPeriods([home('fieldGoal')], [home('penaltyCornerGoal')], [away('penaltyStrokeGoal')], [away('greenCard')]),
    { score: [2, 1] },
  ],
  iceHockey: [
    inPeriods(
      [home('goal', { details: { kind: 'powerPlay' } })],
      [away('goal')],
      [home('goal', { value: 'emptyNet' })],
    ),
    { score: [2, 1], statistics: { home: { goals: 2, powerPlayGoals: 1, emptyNetGoals: 1 }, away: { goals: 1 } } },
  ],
  handBall: [
    inPeriods([home('goal'), away('sevenMetreGoal')], [home('goal'), away('twoMinuteSuspension')]),
    { score: [2, 1] },
  ],
  waterPolo: [inPeriods([home('goal')], [away('penaltyGoal')], [away('exclusion')], [away('goal')]), { score: [1, 2] }],
  lacrosse: [inPeriods([home('goal')], [home('goal', { points: 2 })], [away('goal')], []), { score: [3, 1] }],
  volleyball: [
    [
      say('periodStart'),
      ...times(24, home('point'), away('point')),
      ...times(2, home('point', { value: 'ace' })),
      ...times(25, away('point')),
      ...times(25, home('point')),
      ...times(25, away('point')),
      ...times(14, home('point'), away('point')),
      home('point'),
      home('point'),
    ],
    {
      score: [3, 2],
      periods: [
        [26, 24],
        [0, 25],
        [25, 0],
        [0, 25],
        [16, 14],
      ],
      situation: { set: 5, points: { home: 16, away: 14 }, sets: { home: 3, away: 2 }, server: 'home' },
    },
  ],
  tennis: [
    [say('matchStart'), ...times(24 * 2, home('point'))],
    {
      score: [2, 0],
      periods: [
        [6, 0],
        [6, 0],
      ],
    },
  ],
  cricket: [
    [
      say('periodStart', { side: 'home' }),
      home('four'),
      home('runs', { points: 1 }),
      home('wide'),
      home('noBall', { points: 3 }),
      home('bye'),
      ...times(10, home('wicket', { details: { kind: 'bowled' } })),
      away('six'),
      away('runs', { points: 0 }),
      away('four'),
      away('legBye'),
    ],
    {
      score: [10, 11],
      periods: [
        [10, 0],
        [0, 11],
      ],
      situation: {
        innings: [
          { number: 1, side: 'home', runs: 10, wickets: 10, overs: '2.1', oversLimit: null },
          { number: 2, side: 'away', runs: 11, wickets: 0, overs: '0.4', oversLimit: null },
        ],
        batting: 'away',
        runs: 11,
        wickets: 0,
        overs: '0.4',
        balls: 4,
        oversLimit: null,
        target: 11,
      },
    },
  ],
  baseball: [
    [
      say('periodStart'),
      away('homeRun', { points: 2 }),
      ...times(3, say('out')),
      home('run'),
      ...times(3, say('out')),
      ...times(7, ...times(6, say('out'))),
      ...times(3, say('out')),
      home('homeRun', { points: 4 }),
    ],
    {
      score: [5, 2],
      periods: [
        [1, 2],
        [0, 0],
        [0, 0],
        [0, 0],
        [0, 0],
        [0, 0],
        [0, 0],
        [0, 0],
        [4, 0],
      ],
      situation: {
        inning: 9,
        half: 'bottom',
        batting: 'home',
        outs: 0,
        balls: 0,
        strikes: 0,
        bases: [false, false, false],
      },
    },
  ],
}

describe('a match of each sport (issue 3.4: points and fact types from one table)', () => {
  it.each(names)('%s is played to its score', (name) => {
    const [facts, { score, periods, statistics, situation }] = sequences[name]
    const { play } = played(matchOf(name), ...facts)
    expect(play.state).toBe('finished')
    expect([play.score.home, play.score.away]).toEqual(score)
    expect(play.competitorScores).toEqual(score)
    if (periods) expect(play.score.periods.map(({ home, away }) => [home, away])).toEqual(periods)
    if (statistics) expect(play.statistics).toEqual(statistics)
    if (situation) expect(play.situation).toEqual(situation)
    for (const side of [play.statistics.home, play.statistics.away])
      for (const statistic of Object.keys(side)) expect(statisticsOf(name)).toContain(statistic)
  })

  it.each(names)('%s: points must be what the type is worth, and every score needs a side', (name) => {
    const begun = played(matchOf(name), { type: 'periodStart' })
    for (const [type, { points, team, scoring }] of Object.entries(sportOf(name).factTypes)) {
      const beyond = typeof points === 'number' ? points + 1 : points.max + 1
      const at = { type: 'record', id: 50, at: minutes(5) } as const
      expect(refusalOf(begun, { ...at, fact: { type, points: beyond, teamId: 10 } })).toMatchObject({
        path: 'points',
        value: beyond,
      })
      if (scoring && team === 'required')
        expect(
          refusalOf(begun, { ...at, fact: { type, points: typeof points === 'number' ? points : points.max } }),
        ).toMatchObject({ path: 'teamId' })
    }
  })
})
