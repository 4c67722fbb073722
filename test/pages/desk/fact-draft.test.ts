import { describe, expect, test } from 'vitest'
import { draftOf, type FactDraft, recordedAs, saidIn } from '../../../src/pages/desk/fact-draft.ts'

const AT = new Date(2026, 10, 28, 15, 4, 5, 250).getTime()
const goal = { type: 'goal', teamId: 1, playerId: 9 }

/** What is said once these fields are edited. */
const said = (sport: string, given: typeof goal & Record<string, unknown>, edited: Partial<FactDraft>) =>
  saidIn(sport, { ...draftOf(given, AT), ...edited }, given, AT)

describe('a fact as it is edited', () => {
  test('[show-control] nothing is said of what was not touched, whatever the fact has', () => {
    for (const given of [
      goal,
      {
        ...goal,
        period: 2,
        minute: 56,
        clockMs: 3_300_400,
        details: { kind: 'x', by: 'head' },
        timestamp: '2026-11-28T14:00:00.123Z',
      },
    ])
      expect(said('football', given, {})).toEqual({})
  })

  test('[show-control] each field is said as the server takes it', () => {
    expect(said('football', goal, { type: 'penaltyGoal', playerId: null, period: '2', minute: '60' })).toEqual({
      type: 'penaltyGoal',
      playerId: null,
      period: 2,
      minute: 60,
    })
    expect(said('football', { ...goal, minute: 4 }, { minute: '' })).toEqual({})
    expect(said('football', goal, { time: '15:02:30' })).toEqual({
      timestamp: new Date(2026, 10, 28, 15, 2, 30).toISOString(),
    })
    expect(said('football', goal, { time: '' })).toEqual({})
    const clock = { ...goal, type: 'clockSet', clockMs: 60_000 }
    expect(said('football', clock, { clock: '12:34' })).toEqual({ clockMs: 754_000 })
    expect(said('football', clock, { clock: 'soon' })).toEqual({})
  })

  test('[show-control] worth and manner go with the type that knows them', () => {
    const point = { ...goal, type: 'point', details: { kind: 'ace', by: 'hand' } }
    expect(said('volleyball', point, { kind: 'kill' })).toEqual({ details: { kind: 'kill', by: 'hand' } })
    expect(said('volleyball', point, { type: 'timeout' })).toEqual({ type: 'timeout', details: { by: 'hand' } })
    const runs = { ...goal, type: 'runs', points: 3 }
    expect(said('cricket', runs, { points: 2 })).toEqual({ points: 2 })
    expect(recordedAs('cricket', runs, said('cricket', runs, { type: 'four' }))).toEqual({ ...goal, type: 'four' })
    expect(recordedAs('cricket', runs, { playerId: 4 })).toEqual({ ...runs, playerId: 4 })
  })
})
