import { describe, expect, it } from 'vitest'
import { matchMachine } from '../../machines/match.ts'
import type { Match, MatchState } from '../../machines/match-model.ts'
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
  saying as say,
  settings,
  snapshotOf,
  stamped,
} from './match-support.ts'

const transition = transitionOf(matchMachine)
const goal = recording('goal', { teamId: HOME })

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

  it('domain 3.3: a goal typed after full time needs its period only; what the clock showed stays open', () => {
    const asks = [
      { period: 1, minute: 12 },
      { period: 2, clockMs: 55 * 60_000 },
    ].map((when, index) => ({ ...recording('goal', { teamId: AWAY, ...when }), id: 100 + index, at: minutes(500) }))
    const late = commanded(finished, ...asks)
    expect(late.play).toMatchObject({
      state: 'finished',
      clock: finished.play.clock,
      score: {
        home: 1,
        away: 2,
        periods: [
          { home: 1, away: 1 },
          { home: 0, away: 1 },
        ],
      },
    })
    expect(late.facts.slice(-3)).toMatchObject([
      { id: 100, period: 1, minute: 12, clockMs: null },
      { id: 101, period: 2, minute: 56, clockMs: 55 * 60_000 },
      { type: 'matchEnd' },
    ])
    expect(refusalOf(finished, recording('goal', { teamId: AWAY }))).toMatchObject({ message: 'the match is over' })
    expect(refusalOf(finished, recording('goal', { teamId: AWAY, period: 3 }))).toMatchObject({ path: 'period' })
  })

  it('a suspension that the end has gone past does not keep late goals out', () => {
    const ended = commanded(live, say('suspended'), recording('matchEnd', { timestamp: minutes(210) }))
    expect(ended).toMatchObject({ declared: 'suspended', play: { state: 'finished' } })
    const late: Ask = { type: 'record', id: 1_000, fact: { type: 'goal', teamId: HOME, timestamp: minutes(100) } }
    expect(commanded(ended, late).play.score.home).toBe(2)
  })

  it('domain 1.2: configuration and competitors are locked once the match has started, its settings are not', () => {
    expect(refusalOf(live, { type: 'update', config: { periodCount: 3 } })).toMatchObject({ path: 'config' })
    expect(refusalOf(live, { type: 'update', competitors: scheduled.competitors })).toMatchObject({
      path: 'competitors',
    })
    expect(refusalOf(live, { type: 'update', settings: { competitorsType: 'group' } })).toMatchObject({
      path: 'competitorsType',
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

  it('an update of nothing changes nothing', () => {
    const { snapshot, events } = transition(snapshotOf(live), stamped({ type: 'update' }))
    expect([snapshot.context, events]).toEqual([live, []])
  })

  it('facts that are there keep their teams in the match', () => {
    const carded = played(scheduled, { type: 'yellowCard', side: 'home' })
    const others = scheduled.competitors.map((one) => ({ ...one, teamId: (one.teamId ?? 0) + 1 }))
    expect(refusalOf(carded, { type: 'update', competitors: others })?.message).toContain('does not play in the match')
  })

  it('domain 5.3: the score that the facts add up to, said again, is none by hand', () => {
    const said = commanded(live, { type: 'update', score: { home: 5, away: 5 } })
    for (const match of [live, said])
      expect(commanded(match, { type: 'update', score: { home: 1, away: 0 } }, goal).play.score.home).toBe(2)
    const walkover = commanded(scheduled, { type: 'update', state: 'finished', score: { home: 0, away: 0 } })
    expect(walkover.play).toMatchObject({ state: 'finished', score: { home: 0, away: 0 } })
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
