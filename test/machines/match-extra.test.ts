import { describe, expect, it } from 'vitest'
import type { MatchConfig } from '../../machines/match-model.ts'
import { HOME, matchOf, played, recording, refusalOf, settings } from './match-support.ts'

const goal = recording('goal', { teamId: HOME })

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
