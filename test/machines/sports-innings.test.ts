import { describe, expect, it } from 'vitest'
import { type Brief, matchOf, minutes, played, refusalOf } from './match-support.ts'

const times = (count: number, ...facts: readonly Brief[]): Brief[] => Array.from({ length: count }, () => facts).flat()
const home = (type: string, more: Partial<Brief> = {}): Brief => ({ type, side: 'home', ...more })
const away = (type: string, more: Partial<Brief> = {}): Brief => ({ type, side: 'away', ...more })
const say = (type: string, more: Partial<Brief> = {}): Brief => ({ type, ...more })
const record = (fact: Brief, id = 999) => ({
  type: 'record' as const,
  id,
  at: minutes(99),
  fact: { ...fact, teamId: fact.side === 'home' ? 10 : fact.side === 'away' ? 20 : null },
})

describe('cricket (domain 2)', () => {
  const begun = played(matchOf('cricket'), say('periodStart', { side: 'home', details: { overs: 2 } }))

  it('wides and no-balls are runs and no ball; overs are shown as 12.3', () => {
    const match = played(
      begun,
      home('wide'),
      home('noBall'),
      home('runs', { value: 3 }),
      home('runs', { points: 0 }),
      home('legBye'),
    )
    expect(match.play.situation).toMatchObject({ runs: 6, balls: 3, overs: '0.3', wickets: 0, oversLimit: 2 })
    const long = played(
      matchOf('cricket'),
      say('periodStart', { side: 'home' }),
      ...times(75, home('runs', { points: 1 })),
    )
    expect(long.play.situation).toMatchObject({ overs: '12.3', balls: 75, runs: 75 })
  })

  it('runs must say how many', () => {
    expect(refusalOf(begun, record(home('runs')))).toMatchObject({ path: 'points' })
    expect(refusalOf(begun, record(home('runs', { points: 7 })))).toMatchObject({ path: 'points', value: 7 })
  })

  it('only the side that bats makes runs; penalty runs go to either', () => {
    expect(refusalOf(begun, record(away('four')))).toMatchObject({
      path: 'teamId',
      message: 'the other side is batting',
    })
    expect(played(begun, away('penaltyRuns')).play).toMatchObject({
      score: { home: 0, away: 5 },
      situation: { runs: 0, balls: 0 },
    })
  })

  it('a batter who retires hurt is not out; one who is timed out faced no ball', () => {
    const match = played(
      begun,
      say('wicket', { details: { kind: 'retiredHurt' } }),
      say('wicket', { value: 'timedOut' }),
      say('wicket', { value: 'bowled' }),
    )
    expect(match.play.situation).toMatchObject({ wickets: 2, balls: 1 })
  })

  it('an innings ends when the overs are bowled; the chase is won when the target is passed', () => {
    const chase = played(begun, ...times(12, home('runs', { points: 1 })), away('six'))
    expect(chase.play).toMatchObject({
      state: 'live',
      period: { number: 2 },
      situation: { batting: 'away', target: 13, runs: 6 },
    })
    expect(played(chase, away('six')).play.state).toBe('live')
    expect(played(chase, away('six'), away('runs', { points: 1 })).play).toMatchObject({
      state: 'finished',
      score: { home: 12, away: 13 },
    })
  })

  it('a chase that falls short ends the match, a tie too', () => {
    const twelve = played(begun, ...times(12, home('runs', { points: 1 })))
    expect(played(twelve, ...times(12, away('runs', { points: 0 }))).play).toMatchObject({
      state: 'finished',
      score: { away: 0 },
    })
    expect(played(twelve, ...times(12, away('runs', { points: 1 }))).play).toMatchObject({
      state: 'finished',
      score: { home: 12, away: 12 },
    })
  })

  it('with extra time a tie goes to a super over, which is kept out of the score', () => {
    const tied = played(
      matchOf('cricket', { extraTime: true }),
      say('periodStart', { side: 'home', details: { overs: 1 } }),
      ...times(6, home('runs', { points: 1 })),
      ...times(6, away('runs', { points: 1 })),
    )
    expect(tied.play.state).toBe('live')
    const decided = played(
      tied,
      say('periodStart', { side: 'away' }),
      ...times(6, away('runs', { points: 2 })),
      ...times(2, home('six')),
      home('runs', { points: 1 }),
    )
    expect(decided.play).toMatchObject({
      state: 'finished',
      score: { home: 6, away: 6, periods: [{}, {}, { type: 'overtime', away: 12 }, { type: 'overtime', home: 13 }] },
      situation: { superOver: { home: 13, away: 12 } },
    })
  })

  it('a revised target is what the chase needs', () => {
    const chase = played(
      begun,
      ...times(12, home('runs', { points: 1 })),
      away('runs', { points: 4 }),
      say('target', { value: 9 }),
    )
    expect(chase.play).toMatchObject({ state: 'live', situation: { target: 9 } })
    expect(played(chase, away('runs', { points: 5 })).play.state).toBe('finished')
  })

  it('two innings per side: declared, followed on, and the target is what is left', () => {
    const match = played(
      matchOf('cricket', { periodCount: 4 }),
      say('periodStart', { side: 'home' }),
      ...times(10, home('six')),
      say('declaration'),
      away('four'),
      say('declaration'),
      say('periodStart', { side: 'away' }),
      ...times(10, away('six')),
      say('periodEnd'),
      home('runs', { points: 3 }),
    )
    expect(match.play).toMatchObject({
      score: { home: 63, away: 64 },
      situation: { target: 5, runs: 3, batting: 'home' },
    })
    expect(played(match, home('four')).play).toMatchObject({ state: 'finished', score: { home: 67, away: 64 } })
  })
})

describe('baseball (domain 2)', () => {
  const begun = played(matchOf('baseball'), say('periodStart'))
  const outs = (count: number) => times(count, say('out'))

  it('counts balls, strikes and outs; the third strike is out, the fourth ball walks', () => {
    expect(played(begun, say('ball'), say('strike'), say('foulBall'), say('foulBall')).play.situation).toMatchObject({
      balls: 1,
      strikes: 2,
      outs: 0,
    })
    expect(played(begun, ...times(3, say('strike'))).play.situation).toMatchObject({ strikes: 0, outs: 1 })
    expect(played(begun, ...times(4, say('ball'))).play.situation).toMatchObject({
      balls: 0,
      bases: [true, false, false],
    })
    expect(
      played(begun, say('hit', { details: { bases: [false, true, false] } }), say('walk'), say('hitByPitch')).play
        .situation,
    ).toMatchObject({ bases: [true, true, true] })
    expect(
      played(begun, say('walk'), say('bases', { details: { bases: [false, false, true] } })).play.situation,
    ).toMatchObject({ bases: [false, false, true] })
  })

  it('the third out ends the half, and the bottom the inning', () => {
    expect(played(begun, ...outs(3)).play.situation).toMatchObject({
      inning: 1,
      half: 'bottom',
      batting: 'home',
      outs: 0,
    })
    expect(played(begun, ...outs(7)).play).toMatchObject({
      period: { number: 2, name: '2nd innings' },
      situation: { half: 'top', outs: 1 },
    })
  })

  it('the away side cannot score in the bottom', () => {
    expect(refusalOf(played(begun, ...outs(3)), record(away('run')))).toMatchObject({ path: 'teamId' })
  })

  it('a home side that leads after the top of the ninth does not bat again', () => {
    expect(played(begun, ...outs(3), home('run'), ...outs(3), ...outs(42), ...outs(3)).play).toMatchObject({
      state: 'finished',
      score: { home: 1, away: 0 },
    })
  })

  it('a tie goes to extra innings, and a draw when there are none', () => {
    const tied = played(begun, ...outs(54))
    expect(tied.play.state).toBe('live')
    expect(played(tied, away('run'), ...outs(6)).play).toMatchObject({
      state: 'finished',
      period: { number: 10, type: 'innings' },
      score: { home: 0, away: 1 },
    })
    const none = played(matchOf('baseball', { extraTime: false }), say('periodStart'), ...outs(54))
    expect(refusalOf(none, record(away('run')))).toMatchObject({
      path: 'type',
      message: 'the match has no more periods',
    })
    expect(played(none, say('matchEnd')).play.state).toBe('finished')
  })
})
