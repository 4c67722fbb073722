import { describe, expect, it } from 'vitest'
import { matchMachine } from '../../machines/match.ts'
import type { Match } from '../../machines/match-model.ts'
import { transitionOf } from '../../machines/transition.ts'
import {
  type Ask,
  AWAY,
  commanded,
  HOME,
  matchOf,
  minutes,
  played,
  recording,
  refusalOf,
  snapshotOf,
  stamped,
} from './match-support.ts'

const transition = transitionOf(matchMachine)
const scheduled = matchOf('football')
const live = played(scheduled, { type: 'periodStart' }, { type: 'goal', side: 'home' })
const halfTime = played(live, { type: 'periodEnd' })

describe('facts of a match (domain 5.4)', () => {
  it.each<[string, Match, Ask, string]>([
    ['a type of another sport', live, recording('try', { teamId: HOME }), 'type'],
    ['a type that every object knows', live, recording('constructor'), 'type'],
    ['a team that does not play', live, recording('goal', { teamId: 99 }), 'teamId'],
    ['a goal of nobody', live, recording('goal'), 'teamId'],
    ['a goal worth two', live, recording('goal', { teamId: HOME, points: 2 }), 'points'],
    ['a card worth one', live, recording('yellowCard', { teamId: HOME, points: 1 }), 'points'],
    ['a period that has not begun', live, recording('goal', { teamId: HOME, period: 2 }), 'period'],
    ['a period that there is not', live, recording('yellowCard', { teamId: HOME, period: 3 }), 'period'],
    ['a score of no period', live, recording('goal', { teamId: HOME, period: 0 }), 'period'],
    ['a period that runs', live, recording('periodStart', { period: 1 }), 'period'],
    ['a period too early', live, recording('periodStart', { period: 2 }), 'period'],
    ['a period that was played', halfTime, recording('periodStart', { period: 1 }), 'period'],
    [
      'extra time that is not played',
      played(halfTime, { type: 'periodStart' }, { type: 'periodEnd' }),
      recording('periodStart'),
      'period',
    ],
    ['the wrong type of period', live, recording('goal', { teamId: HOME, periodType: 'quarter' }), 'periodType'],
    ['the end of another period', live, recording('periodEnd', { period: 2 }), 'period'],
    ['a clock set to nothing', live, recording('clockSet'), 'clockMs'],
    ['a clock set below nothing', live, recording('clockSet', { value: -1 }), 'value'],
    ['a clock set between milliseconds', live, recording('clockSet', { value: 0.5 }), 'value'],
    ['a clock set by a word', live, recording('clockSet', { value: 'noon' }), 'clockMs'],
    ['a time that is none', live, recording('goal', { teamId: HOME, timestamp: 'soon' }), 'timestamp'],
    ['an id that is taken', live, { type: 'record', id: 1, fact: { type: 'yellowCard' } }, ''],
    ['a correction of nothing', live, { type: 'correct', factId: 77, fact: {} }, 'factId'],
    ['an erasure of nothing', live, { type: 'erase', factId: 77 }, 'factId'],
    ['a start after a goal', live, { type: 'correct', factId: 1, fact: { timestamp: minutes(5) } }, ''],
    ['no start before a goal', live, { type: 'erase', factId: 1 }, ''],
    ['a goal before the start', live, { type: 'correct', factId: 2, fact: { timestamp: minutes(-5) } }, 'type'],
    ['a start that is a shot', live, { type: 'correct', factId: 1, fact: { type: 'shot' } }, ''],
  ])('%s is refused and changes nothing', (_name, match, ask, path) => {
    const before = snapshotOf(match)
    expect(refusalOf(match, ask)).toMatchObject({ path })
    expect(before.can(stamped(ask))).toBe(false)
    expect(transition(before, stamped(ask)).snapshot.context).toBe(match)
  })

  it('a match holds at most 5,000 facts', () => {
    const [fact] = played(scheduled, { type: 'yellowCard' }).facts
    const full = { ...scheduled, facts: Array.from({ length: 5_000 }, (_, id) => ({ ...fact, id })) } as Match
    expect(refusalOf(full, { type: 'record', id: 6_000, fact: { type: 'yellowCard' } })?.message).toContain('5000')
  })

  it('what was left out comes from the state of play', () => {
    const match = commanded(
      played(scheduled, { type: 'periodStart', timestamp: minutes(0) }),
      recording('goal', { teamId: AWAY, playerId: 7, secondaryPlayerId: 8, details: { foot: 'left' } }, minutes(12.5)),
    )
    expect(match.facts[1]).toEqual({
      id: 999,
      type: 'goal',
      teamId: AWAY,
      playerId: 7,
      secondaryPlayerId: 8,
      period: 1,
      periodType: 'half',
      clockMs: 750_000,
      minute: 13,
      addedMinute: null,
      points: 1,
      value: null,
      details: { foot: 'left' },
      timestamp: minutes(12.5),
      source: 'api',
      dataProvider: null,
      clientFactId: null,
      createdAt: minutes(12.5),
      updatedAt: minutes(12.5),
    })
  })

  it('a fact without a time comes after the latest, whose clock may be ahead of the server', () => {
    const begun = commanded(scheduled, recording('periodStart', { timestamp: minutes(0.05) }))
    const scored = commanded(begun, {
      type: 'record',
      id: 1_000,
      at: minutes(0),
      fact: { type: 'goal', teamId: HOME },
    })
    expect(scored.facts.map(({ type, timestamp }) => [type, timestamp])).toEqual([
      ['periodStart', minutes(0.05)],
      ['goal', minutes(0.05)],
    ])
    expect(scored.play.score.home).toBe(1)
  })

  it('a clock that is set to -0 shows 0, as it does after a restart', () => {
    const set = commanded(live, recording('clockSet', { value: -0 }))
    expect(set.play.clock.valueMs).toBe(0)
  })

  it('a correction keeps what it does not name, and takes anew what hangs on it', () => {
    const match = commanded(
      played(scheduled, { type: 'periodStart', timestamp: minutes(0) }),
      recording('goal', { teamId: AWAY, playerId: 7, minute: 50, addedMinute: 2 }, minutes(12.5)),
    )
    const corrected = (fact: object) =>
      commanded(match, { type: 'correct', factId: 999, at: minutes(90), fact }).facts[1]
    expect(match.facts[1]).toMatchObject({ minute: 50, addedMinute: 2 })
    expect(corrected({ playerId: 9 })).toEqual({ ...match.facts[1], playerId: 9, updatedAt: minutes(90) })
    expect(corrected({ playerId: null })).toMatchObject({ playerId: null, teamId: AWAY })
    expect(corrected({ type: 'ownGoal' })).toMatchObject({ type: 'ownGoal', minute: 50, points: 1 })
    expect(corrected({ clockMs: 60_000 })).toMatchObject({ clockMs: 60_000, minute: 2, addedMinute: null })
    expect(corrected({ timestamp: '2026-05-02T17:20:00+02:00' })).toMatchObject({
      timestamp: minutes(20),
      clockMs: 1_200_000,
      minute: 21,
    })
    expect(corrected({ addedMinute: null })).toMatchObject({ minute: 50, addedMinute: null })
  })

  it('details are data: names that every object knows, and objects in the place of words, count for nothing', () => {
    for (const kind of ['constructor', '__proto__', { toString: 1 }, ['powerPlay']]) {
      const ice = played(
        matchOf('iceHockey'),
        { type: 'periodStart' },
        { type: 'goal', side: 'home', details: { kind } },
      )
      expect(ice.play.statistics.home).toEqual({ goals: 1 })
      const wicket = { type: 'wicket', side: 'home', details: { kind, runs: { valueOf: 1 } } } as const
      const cricket = played(matchOf('cricket'), { type: 'periodStart' }, wicket, { ...wicket, type: 'target' })
      expect(cricket.play.situation).toMatchObject({ wickets: 1, target: null })
      const down = { type: 'down', details: { down: kind } }
      expect(played(matchOf('gridiron'), { type: 'periodStart' }, down).play.situation).toMatchObject({ down: null })
    }
  })

  it('facts are kept in match order whatever order they come in', () => {
    const shuffled = commanded(
      scheduled,
      { type: 'record', id: 5, fact: { type: 'periodStart', timestamp: minutes(0) } },
      { type: 'record', id: 7, fact: { type: 'goal', teamId: HOME, timestamp: minutes(30) } },
      { type: 'record', id: 8, fact: { type: 'goal', teamId: AWAY, timestamp: minutes(10) } },
      { type: 'record', id: 6, fact: { type: 'corner', teamId: AWAY, timestamp: minutes(10) } },
    )
    expect(shuffled.facts.map(({ id }) => id)).toEqual([5, 6, 8, 7])
  })
})
