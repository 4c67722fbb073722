import { describe, expect, it } from 'vitest'
import type { Match } from '../../machines/match-model.ts'
import { type Brief, commanded, matchOf, minutes, played, refusalOf } from './match-support.ts'

const times = (count: number, ...facts: readonly Brief[]): Brief[] => Array.from({ length: count }, () => facts).flat()
const home: Brief = { type: 'point', side: 'home' }
const away: Brief = { type: 'point', side: 'away' }
const begin: Brief = { type: 'matchStart' }
/** A game to love. */
const game = (point: Brief) => times(4, point)
const sixAll = times(6, ...game(home), ...game(away))
const situation = (match: Match) => match.play.situation
const said = (match: Match) => match.play.situation?.points

describe('tennis (domain 2: 15-30-40-Ad, tie-break at 6-6)', () => {
  it.each([
    [[], '0', '0'],
    [[home], '15', '0'],
    [[home, home, away], '30', '15'],
    [[...times(3, home)], '40', '0'],
    [[...times(3, home, away)], '40', '40'],
    [[...times(3, home, away), home], 'Ad', '40'],
    [[...times(3, home, away), away], '40', 'Ad'],
    [[...times(5, home, away)], '40', '40'],
    [[...times(3, home, away), away, away], '0', '0'],
  ])('points are called, case %#', (points, homeCall, awayCall) => {
    expect(said(played(matchOf('tennis'), begin, ...points))).toEqual({ home: homeCall, away: awayCall })
  })

  it('advantage must be won by two points, and then makes the game', () => {
    const deuce = played(matchOf('tennis'), begin, ...times(3, home, away))
    expect(situation(played(deuce, home, away, home, home))).toMatchObject({ games: { home: 1, away: 0 } })
    expect(situation(played(deuce, home, away))).toMatchObject({ games: { home: 0, away: 0 } })
  })

  it('a golden goal in the configuration is the deciding point at deuce', () => {
    const deuce = played(matchOf('tennis', { goldenGoal: true }), begin, ...times(3, home, away))
    expect(situation(played(deuce, away))).toMatchObject({ games: { home: 0, away: 1 } })
  })

  it('a set needs six games and two more than the other: 6-5 goes on, 7-5 is won', () => {
    const sixFive = played(matchOf('tennis'), begin, ...times(5, ...game(home), ...game(away)), ...game(home))
    expect(sixFive.play).toMatchObject({ score: { home: 0 }, situation: { games: { home: 6, away: 5 } } })
    expect(played(sixFive, ...game(home)).play).toMatchObject({
      score: { home: 1, periods: [{ number: 1, type: 'set', name: 'Set 1', home: 7, away: 5 }] },
    })
  })

  it('a tie-break at 6-6 goes to seven, by two, and is called in numbers', () => {
    const tieBreak = played(matchOf('tennis'), begin, ...sixAll)
    expect(situation(tieBreak)).toMatchObject({ tieBreak: true, points: { home: '0', away: '0' } })
    const level = played(tieBreak, ...times(6, home, away))
    expect(said(level)).toEqual({ home: '6', away: '6' })
    expect(played(level, home).play.score.home).toBe(0)
    const won = played(level, home, home)
    expect(won.play.score).toMatchObject({ home: 1, periods: [{ home: 7, away: 6 }] })
    expect(situation(won)).toMatchObject({ tieBreak: false, tieBreaks: [{ set: 1, home: 8, away: 6 }] })
  })

  it('a whole match: 6-7, 7-5, 7-6 with the tie-break of the last set to ten; it finishes by itself', () => {
    const set1 = played(matchOf('tennis'), begin, ...sixAll, ...times(7, away))
    expect(set1.play).toMatchObject({ state: 'live', score: { home: 0, away: 1 } })
    const set2 = played(set1, ...times(5, ...game(home), ...game(away)), ...game(home), ...game(home))
    expect(set2.play.score).toMatchObject({ home: 1, away: 1 })
    const nearly = played(set2, ...sixAll, ...times(8, home, away), home)
    expect(nearly.play).toMatchObject({
      state: 'live',
      situation: { points: { home: '9', away: '8' }, tieBreak: true },
    })
    const won = played(nearly, home)
    expect(won.play).toMatchObject({
      state: 'finished',
      period: { number: 3, type: 'set' },
      score: {
        home: 2,
        away: 1,
        periods: [
          { home: 6, away: 7 },
          { home: 7, away: 5 },
          { home: 7, away: 6 },
        ],
      },
      situation: {
        tieBreaks: [
          { set: 1, home: 0, away: 7 },
          { set: 3, home: 10, away: 8 },
        ],
      },
    })
    expect(
      refusalOf(won, { type: 'record', id: 9999, at: minutes(999), fact: { type: 'point', teamId: 10 } }),
    ).toMatchObject({
      path: 'type',
      message: 'the match is over',
    })
  })

  it('the set and the match may also be ended by facts, once each', () => {
    const decided = played(matchOf('tennis'), begin, ...times(6, ...game(home)))
    const rested = played(decided, { type: 'periodEnd' })
    expect(rested.play.state).toBe('break')
    const next = played(rested, { type: 'periodStart' }, ...times(6, ...game(home)))
    expect(next.play).toMatchObject({ state: 'finished', period: { number: 2 } })
    const ended = played(next, { type: 'periodEnd' }, { type: 'matchEnd' })
    expect(ended.play.state).toBe('finished')
    expect(refusalOf(ended, { type: 'record', id: 900, at: minutes(999), fact: { type: 'matchEnd' } })).toBeDefined()
  })

  it('a set that nobody has won cannot be ended, but a match can: somebody retires', () => {
    const going = played(matchOf('tennis'), begin, ...game(home))
    expect(refusalOf(going, { type: 'record', id: 90, at: minutes(9), fact: { type: 'periodEnd' } })).toMatchObject({
      path: 'type',
    })
    expect(
      refusalOf(going, { type: 'record', id: 90, at: minutes(9), fact: { type: 'periodStart', period: 2 } }),
    ).toMatchObject({ path: 'period' })
    expect(played(going, { type: 'matchEnd' }).play).toMatchObject({ state: 'finished', score: { home: 0, away: 0 } })
  })

  it('best of five needs three sets, and the match tie-break replaces the last', () => {
    const config = { periodCount: 5, extraTime: true }
    const four = played(
      matchOf('tennis', config),
      begin,
      ...times(2, ...times(6, ...game(home)), ...times(6, ...game(away))),
    )
    expect(four.play).toMatchObject({ state: 'live', score: { home: 2, away: 2 } })
    const won = played(four, ...times(10, away))
    expect(won.play).toMatchObject({
      state: 'finished',
      score: { home: 2, away: 3 },
      situation: { tieBreaks: [{ set: 5, home: 0, away: 10 }] },
    })
    expect(won.play.score.periods.at(-1)).toMatchObject({ number: 5, home: 0, away: 1 })
  })

  it('who serves changes with the game, and in a tie-break after the first point and then every two', () => {
    const serving = (match: Match) => situation(match)?.server
    const start = played(matchOf('tennis'), { type: 'periodStart', side: 'away' })
    expect(serving(start)).toBe('away')
    expect(serving(played(start, ...game(home)))).toBe('home')
    const tieBreak = played(start, ...sixAll)
    const order = [0, 1, 2, 3, 4, 5].map((count) => serving(played(tieBreak, ...times(count, home))))
    expect(order).toEqual(['away', 'home', 'home', 'away', 'away', 'home'])
    expect(serving(played(tieBreak, ...times(7, home), home))).toBe('home')
    expect(serving(played(start, { type: 'serveChange', side: 'home' }))).toBe('home')
  })

  it('a point that is taken back moves all that follow it, into the set before too', () => {
    const match = played(matchOf('tennis'), begin, ...times(6, ...game(home)), ...times(3, home))
    expect(match.play.period?.number).toBe(2)
    const erased = commanded(match, { type: 'erase', factId: 5 })
    expect(erased.play).toMatchObject({
      period: { number: 2 },
      score: {
        home: 1,
        periods: [
          { home: 6, away: 0 },
          { home: 0, away: 0 },
        ],
      },
      situation: { points: { home: '30', away: '0' } },
    })
    const corrected = commanded(match, { type: 'correct', factId: 25, fact: { teamId: 20 } })
    expect(corrected.play).toMatchObject({ score: { home: 1 }, situation: { points: { home: '30', away: '0' } } })
  })

  it('a point cannot be said to be of another set than the one in play', () => {
    const match = played(matchOf('tennis'), begin, home)
    const fact = { type: 'point', teamId: 10, period: 2 }
    expect(refusalOf(match, { type: 'record', id: 9, at: minutes(9), fact })).toMatchObject({
      path: 'period',
      value: 2,
    })
  })

  it('singles and doubles are played by players', () => {
    const sides = [
      { entityType: 'player', teamId: null, playerId: 1, isHome: true },
      { entityType: 'player', teamId: null, playerId: 2, isHome: true },
      { entityType: 'player', teamId: null, playerId: 3, isHome: false },
      { entityType: 'player', teamId: null, playerId: 4, isHome: false },
    ] as const
    const match = played(
      matchOf('tennis', {}, { competitors: sides }),
      begin,
      ...times(24, { type: 'point', playerId: 2 }),
      { type: 'ace', playerId: 4 },
    )
    expect(match.play).toMatchObject({
      competitorScores: [1, 1, 0, 0],
      statistics: { home: { points: 24 }, away: { aces: 1 } },
    })
    const stranger = { type: 'point', playerId: 9 }
    expect(refusalOf(match, { type: 'record', id: 99, at: minutes(9), fact: stranger })).toMatchObject({
      path: 'teamId',
    })
  })
})

describe('volleyball (domain 2: to 25, the last to 15, win by 2)', () => {
  it('24-24 goes on until somebody leads by two', () => {
    const level = played(matchOf('volleyball'), begin, ...times(24, home, away), home)
    expect(level.play.score.home).toBe(0)
    expect(played(level, away, away, away).play.score).toMatchObject({ away: 1, periods: [{ home: 25, away: 27 }] })
  })

  it('best of three is won by two sets, the third to 15', () => {
    const config = { periodCount: 3 }
    const third = played(
      matchOf('volleyball', config),
      begin,
      ...times(25, home),
      ...times(25, away),
      ...times(14, home),
    )
    expect(third.play).toMatchObject({ state: 'live', score: { home: 1, away: 1 } })
    expect(played(third, home).play).toMatchObject({ state: 'finished', score: { home: 2, away: 1 } })
  })

  it('a set that nobody has won cannot be ended', () => {
    const match = played(matchOf('volleyball'), begin, ...times(24, home))
    expect(refusalOf(match, { type: 'record', id: 99, at: minutes(9), fact: { type: 'periodEnd' } })).toMatchObject({
      path: 'type',
    })
  })
})
