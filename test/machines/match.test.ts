import { describe, expect, it } from 'vitest'
import { kinds } from '../../machines/kinds.ts'
import { matchMachine, newMatch, replayMatch } from '../../machines/match.ts'
import type { Match, MatchConfig, MatchEvent, MatchState } from '../../machines/match-model.ts'
import { decodeSnapshot, encodeSnapshot, transitionOf } from '../../src/actors/effects.ts'
import {
  type Ask,
  AWAY,
  commanded,
  HOME,
  matchOf,
  minutes,
  played,
  refusalOf,
  settings,
  stamped,
} from './match-support.ts'

const transition = transitionOf(matchMachine)
const snapshotOf = (context: Match) => matchMachine.resolveState({ value: context.play.state, context })
const recording = (type: string, more: object = {}, at = minutes(200)): Ask => ({
  type: 'record',
  id: 999,
  at,
  fact: { type, ...more },
})
const goal = recording('goal', { teamId: HOME })
const say = (state: MatchState, more: object = {}): Ask => ({ type: 'update', at: minutes(201), state, ...more })

const scheduled = matchOf('football')
const live = played(scheduled, { type: 'periodStart' }, { type: 'goal', side: 'home' })
const halfTime = played(live, { type: 'periodEnd' })
const finished = played(halfTime, { type: 'periodStart' }, { type: 'periodEnd' }, { type: 'matchEnd' })
const at: Record<MatchState, Match> = {
  scheduled,
  live,
  break: halfTime,
  finished,
  delayed: commanded(scheduled, say('delayed')),
  postponed: commanded(scheduled, say('postponed')),
  suspended: commanded(live, say('suspended')),
  abandoned: commanded(live, say('abandoned')),
  cancelled: commanded(scheduled, say('cancelled')),
}
const states = Object.keys(at) as MatchState[]

/** What each command leads to from each state; states that are not named refuse it. */
const table: [string, Ask, Partial<Record<MatchState, MatchState>>][] = [
  ['matchStart', recording('matchStart'), { scheduled: 'live', delayed: 'live' }],
  ['periodStart', recording('periodStart'), { scheduled: 'live', delayed: 'live', break: 'live' }],
  ['goal', goal, { live: 'live', break: 'break', suspended: 'suspended' }],
  ['yellowCard', recording('yellowCard', { teamId: AWAY }), Object.fromEntries(states.map((state) => [state, state]))],
  ['periodEnd', recording('periodEnd'), { live: 'break', suspended: 'suspended' }],
  ['breakStart', recording('breakStart'), { live: 'break', break: 'break', suspended: 'suspended' }],
  ['clockStart', recording('clockStart'), { live: 'live', suspended: 'live' }],
  ['clockStop', recording('clockStop'), { live: 'live', break: 'break', suspended: 'suspended' }],
  [
    'clockSet',
    recording('clockSet', { clockMs: 60_000 }),
    { scheduled: 'scheduled', delayed: 'delayed', live: 'live', break: 'break', suspended: 'suspended' },
  ],
  ['timeout', recording('timeout', { teamId: HOME }), { live: 'live', break: 'break', suspended: 'suspended' }],
  ['matchEnd', recording('matchEnd'), { live: 'finished', break: 'finished', suspended: 'finished' }],
  ['shootoutStart', recording('shootoutStart'), {}],
  [
    'to scheduled',
    say('scheduled'),
    { scheduled: 'scheduled', delayed: 'scheduled', postponed: 'scheduled', cancelled: 'scheduled' },
  ],
  [
    'to delayed',
    say('delayed'),
    { scheduled: 'delayed', delayed: 'delayed', postponed: 'delayed', cancelled: 'delayed' },
  ],
  [
    'to postponed',
    say('postponed'),
    { scheduled: 'postponed', delayed: 'postponed', postponed: 'postponed', cancelled: 'postponed' },
  ],
  [
    'to suspended',
    say('suspended'),
    { live: 'suspended', break: 'suspended', suspended: 'suspended', abandoned: 'suspended' },
  ],
  ['to live', say('live'), { live: 'live', suspended: 'live', abandoned: 'live' }],
  ['to break', say('break'), { break: 'break' }],
  [
    'to abandoned',
    say('abandoned'),
    Object.fromEntries(states.filter((state) => state !== 'finished').map((state) => [state, 'abandoned'])),
  ],
  [
    'to cancelled',
    say('cancelled'),
    Object.fromEntries(states.filter((state) => state !== 'finished').map((state) => [state, 'cancelled'])),
  ],
  [
    'to finished',
    say('finished'),
    { live: 'finished', break: 'finished', finished: 'finished', suspended: 'finished', abandoned: 'finished' },
  ],
  [
    'to finished with a score',
    say('finished', { score: { home: 3, away: 0 } }),
    Object.fromEntries(states.map((state) => [state, 'finished'])),
  ],
  [
    'another name',
    { type: 'update', settings: { name: 'Final' } },
    Object.fromEntries(states.map((state) => [state, state])),
  ],
  [
    'configuration',
    { type: 'update', config: { periodLength: 30 } },
    { scheduled: 'scheduled', delayed: 'delayed', postponed: 'postponed', cancelled: 'cancelled' },
  ],
  ['erasing all', { type: 'erase', factId: 1 }, {}],
]

describe('the states of a match (issue 3.4)', () => {
  it.each(table.flatMap(([name, ask, leads]) => states.map((from) => [name, from, ask, leads[from]] as const)))(
    '%s from %s',
    (_name, from, ask, to) => {
      const before = snapshotOf(at[from])
      const command = stamped(ask)
      expect(before.can(command)).toBe(to !== undefined)
      const { snapshot, events } = transition(before, command)
      expect(snapshot.value).toBe(to ?? from)
      expect(snapshot.context.play.state).toBe(to ?? from)
      expect(events).toHaveLength(to === undefined ? 0 : 1)
      if (to === undefined) {
        expect(snapshot.context).toBe(before.context)
        expect(refusalOf(at[from], ask)?.message).toBeTruthy()
      }
    },
  )

  it('domain 5.4: without its facts a match is as it was before them', () => {
    const erased = commanded(live, { type: 'erase', factId: 2 }, { type: 'erase', factId: 1 })
    expect(erased.play).toEqual(scheduled.play)
  })

  it('domain 5.4: a score is corrected after full time, a wrong end taken back', () => {
    const corrected = commanded(finished, { type: 'correct', factId: 2, fact: { type: 'ownGoal' } })
    expect(corrected.play).toMatchObject({
      state: 'finished',
      score: { home: 0, away: 1 },
      statistics: { home: { ownGoals: 1 } },
    })
    const late = commanded(finished, recording('goal', { teamId: AWAY, timestamp: minutes(1.5 / 60), clockMs: 1_000 }))
    expect(late.play).toMatchObject({ state: 'finished', score: { home: 1, away: 1 } })
    expect(commanded(finished, { type: 'erase', factId: 6 }).play.state).toBe('live')
  })

  it('domain 1.2: configuration and competitors are locked once the match has started, its settings are not', () => {
    expect(refusalOf(live, { type: 'update', config: { periodCount: 3 } })).toMatchObject({ path: 'config' })
    expect(refusalOf(live, { type: 'update', competitors: scheduled.competitors })).toMatchObject({
      path: 'competitors',
    })
    expect(commanded(live, { type: 'update', settings: { round: '7' } }).settings).toEqual({ ...settings, round: '7' })
    const reset = commanded(live, { type: 'erase', factId: 2 }, { type: 'erase', factId: 1 })
    expect(refusalOf(reset, { type: 'update', config: { periodCount: 3 } })).toBeUndefined()
  })

  it('an update keeps what it does not name, and a sport refuses what it cannot play', () => {
    const longer = commanded(
      scheduled,
      { type: 'update', config: { periodLength: 30 } },
      { type: 'update', config: { extraTime: true } },
    )
    expect(longer.config).toEqual({ periodLength: 30, extraTime: true })
    expect(refusalOf(matchOf('tennis'), { type: 'update', config: { periodCount: 2 } })).toMatchObject({
      path: 'config.periodCount',
    })
  })

  it('facts that are there keep their teams in the match', () => {
    const carded = played(scheduled, { type: 'yellowCard', side: 'home' })
    const others = scheduled.competitors.map((one) => ({ ...one, teamId: (one.teamId ?? 0) + 1 }))
    expect(refusalOf(carded, { type: 'update', competitors: others })?.message).toContain('does not play in the match')
  })

  it('domain 5.3: a score by hand stands over what the facts add up to until it is taken back', () => {
    const overridden = commanded(live, { type: 'update', score: { home: 3, away: 0 } }, goal)
    expect(overridden.play).toMatchObject({ score: { home: 3, away: 0 }, competitorScores: [3, 0] })
    expect(commanded(overridden, { type: 'update', score: null }).play).toMatchObject({
      score: { home: 2, away: 0 },
      competitorScores: [2, 0],
    })
  })

  it('a match that was stopped by hand stands, and its clock goes on from there', () => {
    const kickedOff = played(scheduled, { type: 'periodStart', timestamp: minutes(0) })
    const suspended = commanded(kickedOff, { type: 'update', state: 'suspended', at: minutes(20) })
    expect(suspended.play).toMatchObject({
      state: 'suspended',
      clock: { running: false, valueMs: 1_200_000, asOf: minutes(20) },
    })
    const resumed = commanded(suspended, recording('clockStart', {}, minutes(50)))
    expect(resumed.play).toMatchObject({
      state: 'live',
      clock: { running: true, valueMs: 1_200_000, asOf: minutes(50) },
    })
    expect(resumed).toMatchObject({ declared: null, declaredAt: null })
    const refolded = commanded(resumed, {
      type: 'record',
      id: 1_000,
      at: minutes(60),
      fact: { type: 'goal', teamId: HOME },
    })
    expect(refolded.facts.at(-1)).toMatchObject({ clockMs: 1_800_000, minute: 31 })
  })

  it('a fact from before does not end a suspension, the next point of a sport without a clock does', () => {
    const suspended = commanded(halfTime, say('suspended'))
    const early = commanded(
      suspended,
      { type: 'erase', factId: 1 + 2 },
      recording('clockStart', { timestamp: minutes(1.5 / 60) }),
    )
    expect(early.play.state).toBe('live')
    const stopped = commanded(
      played(live, { type: 'clockStop' }),
      say('suspended'),
      recording('clockStart', { timestamp: minutes(2.5 / 60) }),
    )
    expect(stopped.play.state).toBe('suspended')
    const rain = commanded(played(matchOf('tennis'), { type: 'matchStart' }), say('suspended'))
    expect(commanded(rain, recording('point', { teamId: HOME })).play.state).toBe('live')
  })
})

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

describe('extra time, golden goal and shoot-out (domain 1.2)', () => {
  const level = (config: Partial<MatchConfig>) =>
    played(
      matchOf('football', config),
      { type: 'periodStart' },
      { type: 'periodEnd' },
      { type: 'periodStart' },
      { type: 'periodEnd' },
    )

  it('the last period ends in a break when more may follow, else the match waits for its end', () => {
    expect(level({}).play.state).toBe('live')
    expect(level({ extraTime: true }).play.state).toBe('break')
    expect(level({ shootout: true }).play.state).toBe('break')
  })

  it('extra time has its periods, length and clock, and no more of them', () => {
    const extra = played(level({ extraTime: true }), { type: 'periodStart' })
    expect(extra.play).toMatchObject({
      state: 'live',
      period: { number: 3, type: 'overtime', name: 'Extra time 1' },
      clock: { valueMs: 5_400_000 },
    })
    const second = played(extra, { type: 'goal', side: 'home' }, { type: 'periodEnd' }, { type: 'periodStart' })
    expect(second.play).toMatchObject({ period: { number: 4 }, clock: { valueMs: 6_300_000 }, score: { home: 1 } })
    expect(refusalOf(played(second, { type: 'periodEnd' }), recording('periodStart'))).toMatchObject({
      path: 'period',
      value: 5,
    })
  })

  it('a golden goal ends extra time, but not a half', () => {
    const config = { extraTime: true, goldenGoal: true }
    const extra = played(level(config), { type: 'periodStart' })
    const won = played(extra, { type: 'goal', side: 'away' })
    expect(won.play).toMatchObject({ state: 'finished', clock: { running: false }, score: { away: 1 } })
    expect(refusalOf(won, goal)).toMatchObject({ path: 'type' })
    expect(played(won, { type: 'periodEnd' }, { type: 'matchEnd' }).play.state).toBe('finished')
    expect(
      played(matchOf('football', config), { type: 'periodStart' }, { type: 'goal', side: 'home' }).play.state,
    ).toBe('live')
  })

  it('a shoot-out is kept apart from the score and the statistics', () => {
    const shootout = played(level({ shootout: true }), { type: 'shootoutStart' })
    expect(shootout.play).toMatchObject({
      state: 'live',
      period: { number: 3, type: 'shootout', name: 'Shoot-out' },
      clock: { running: false },
    })
    const shot = played(
      shootout,
      { type: 'penaltyGoal', side: 'home' },
      { type: 'penaltyMissed', side: 'away' },
      { type: 'matchEnd' },
    )
    expect(shot.play).toMatchObject({
      state: 'finished',
      score: { home: 0, away: 0 },
      situation: { shootout: { home: 1, away: 0, kicks: { home: [true], away: [false] } } },
      statistics: { home: {}, away: {} },
    })
    expect(shot.play.score.periods.map(({ number }) => number)).toEqual([1, 2])
    expect(refusalOf(shootout, recording('periodStart'))).toBeDefined()
    expect(refusalOf(shootout, recording('shootoutStart'))).toMatchObject({ path: 'type' })
  })

  it('a shoot-out needs a match that has one, and all periods played', () => {
    expect(refusalOf(level({}), recording('shootoutStart'))).toMatchObject({
      path: 'type',
      message: 'this match has no shoot-out',
    })
    const early = played(matchOf('football', { shootout: true }), { type: 'periodStart' })
    expect(refusalOf(early, recording('shootoutStart'))).toMatchObject({ message: 'period 1 has not ended' })
    expect(refusalOf(played(early, { type: 'periodEnd' }), recording('shootoutStart'))).toMatchObject({
      message: 'period 2 comes first',
    })
  })
})

describe('competitors of a group', () => {
  const competitors = [11, 12, 13].map((teamId, index) => ({
    entityType: 'team' as const,
    teamId,
    playerId: null,
    isHome: index === 0,
  }))
  const group = { settings: { ...settings, competitorsType: 'group' as const }, competitors }

  it('each have their own score; the sides are the first of them', () => {
    const facts = [12, 13, 13, 11].map((teamId) => ({ type: 'goal', teamId }) as object as { type: string })
    const match = played(matchOf('football', {}, group), { type: 'periodStart' }, ...facts)
    expect(match.play).toMatchObject({ competitorScores: [1, 1, 2], score: { home: 1, away: 1 } })
  })
})

describe('a match as a stored actor', () => {
  it('comes back from its snapshot as it was, also from one of version 0', () => {
    for (const match of Object.values(at)) {
      const stored: unknown = JSON.parse(encodeSnapshot(snapshotOf(match)))
      const restored = decodeSnapshot('match', kinds.match.version, stored)
      expect([restored.value, restored.context]).toEqual([match.play.state, match])
    }
    const made = { sport: 'football', config: {}, settings, competitors: scheduled.competitors, at: minutes(-60) }
    expect(decodeSnapshot('match', 0, { value: 'scheduled', context: made }).context).toEqual(scheduled)
  })

  it('is the fold of its journal', () => {
    const made = { sport: 'football', config: {}, settings, competitors: scheduled.competitors, at: minutes(-60) }
    const asks = [
      recording('periodStart'),
      say('suspended'),
      { ...recording('clockStart'), id: 1_000 } as Ask,
      { type: 'update', score: { home: 1, away: 1 } } as const,
    ]
    let snapshot = snapshotOf(newMatch(made))
    const journal: MatchEvent[] = []
    for (const ask of asks) {
      const step = transition(snapshot, stamped(ask))
      snapshot = matchMachine.resolveState({ value: step.snapshot.value, context: step.snapshot.context })
      journal.push(...(step.events as MatchEvent[]))
    }
    expect(journal).toHaveLength(4)
    expect(replayMatch([{ type: 'match.created', match: made }, ...journal])).toEqual(snapshot.context)
  })
})
