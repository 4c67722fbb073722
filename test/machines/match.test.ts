import { describe, expect, it } from 'vitest'
import { matchMachine } from '../../machines/match.ts'
import { transitionOf } from '../../src/actors/effects.ts'
import { matchOf, minutes, played, stamped } from './match-support.ts'

describe('a football match', () => {
  it('domain 5.4: is played to the end', () => {
    const match = played(
      matchOf('football'),
      { type: 'periodStart', timestamp: minutes(0) },
      { type: 'goal', side: 'home', timestamp: minutes(22.5) },
      { type: 'ownGoal', side: 'home', timestamp: minutes(46.5) },
      { type: 'periodEnd', timestamp: minutes(47) },
      { type: 'periodStart', timestamp: minutes(62) },
      { type: 'yellowCard', side: 'away', timestamp: minutes(70) },
      { type: 'periodEnd', timestamp: minutes(110) },
      { type: 'matchEnd', timestamp: minutes(110) },
    )
    expect(match.play).toMatchObject({ state: 'finished', score: { home: 1, away: 1 } })
  })
  it('domain 5.4: starts with its first period and takes no score before', () => {
    const s = matchMachine.resolveState({ value: 'scheduled', context: matchOf('football') })
    const cmd = stamped({ type: 'record', id: 1, fact: { type: 'periodStart' } })
    expect(s.can(cmd)).toBe(true)
    const step = transitionOf(matchMachine)(s, cmd)
    expect(step.snapshot.value).toBe('live')
    expect(step.events).toHaveLength(1)
    expect(s.can(stamped({ type: 'record', id: 1, fact: { type: 'goal', teamId: 10 } }))).toBe(false)
  })
})
