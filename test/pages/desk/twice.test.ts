import { describe, expect, test } from 'vitest'
import type { DeskFact } from '../../../src/pages/desk/model.ts'
import { toldTwice } from '../../../src/pages/desk/twice.ts'

const AT = Date.parse('2031-05-01T12:10:00Z')

const fact = (id: number, clientFactId: string, said: Partial<DeskFact> & { secondsLater?: number } = {}): DeskFact => {
  const { secondsLater = 0, ...rest } = said
  const timestamp = new Date(AT + secondsLater * 1_000).toISOString()
  const nobody = { playerId: null, secondaryPlayerId: null }
  return { id, clientFactId, type: 'goal', teamId: 1, timestamp, ...nobody, ...rest } as DeskFact
}

const asked = (facts: readonly DeskFact[], mine: string, sport = 'football', settled: readonly string[] = []) =>
  toldTwice(sport, facts, new Set([mine]), new Set(settled))

describe('what two telephones tell of one thing', () => {
  test('[issue 21.1] both are asked and mean the same fact: both may take it back, and one is left', () => {
    const facts = [fact(7, 'one'), fact(8, 'two', { secondsLater: -3 })]
    const [first, second] = ['one', 'two'].map((mine) => asked(facts, mine))
    expect([first?.dropped.id, second?.dropped.id]).toEqual([8, 8])
    expect([first?.kept.id, second?.kept.id]).toEqual([7, 7])
    expect(first?.apartMs).toBe(3_000)
  })

  test('[issue 21.1] without a line: what one telephone has yet to send goes before what the server has', () => {
    const here = asked([fact(-1, 'one'), fact(7, 'two')], 'one')
    expect(here?.dropped.clientFactId).toBe('one')
    // the other telephone sees it once it was sent, under a later id
    const there = asked([fact(8, 'one'), fact(7, 'two')], 'two')
    expect(there?.dropped.clientFactId).toBe('one')
  })

  test('[issue 21.1] who scored stays known, whichever of the two said it', () => {
    const told = asked([fact(7, 'one'), fact(8, 'two', { playerId: 9, secondaryPlayerId: 4 })], 'one')
    expect([told?.kept.id, told?.more]).toEqual([7, { playerId: 9, secondaryPlayerId: 4 }])
    expect(asked([fact(7, 'one', { playerId: 3 }), fact(8, 'two', { playerId: 9 })], 'one')?.more).toEqual({})
  })

  test('[issue 21.1] nobody is asked about what is not the same, is of one telephone, or was answered', () => {
    const one = fact(7, 'one')
    for (const other of [
      fact(8, 'two', { type: 'penaltyGoal' }),
      fact(8, 'two', { teamId: 2 }),
      fact(8, 'two', { secondsLater: 13 }),
    ])
      expect(asked([one, other], 'one')).toBeUndefined()
    expect(toldTwice('football', [one, fact(8, 'two')], new Set(['one', 'two']), new Set())).toBeUndefined()
    expect(asked([one, fact(8, 'two')], 'one', 'football', ['one'])).toBeUndefined()
    const points = [fact(7, 'one', { type: 'point' }), fact(8, 'two', { type: 'point' })]
    expect(asked(points, 'one', 'volleyball')).toBeUndefined()
    const starts = [fact(7, 'one', { type: 'clockStop' }), fact(8, 'two', { type: 'clockStop' })]
    expect(asked(starts, 'one')).toBeUndefined()
  })

  test('[issue 21.1] what is only noted is asked about where it is of one player', () => {
    const card = (id: number, name: string, playerId: number | null) => fact(id, name, { type: 'yellowCard', playerId })
    expect(asked([card(7, 'one', 9), card(8, 'two', 9)], 'one')?.dropped.id).toBe(8)
    expect(asked([card(7, 'one', 9), card(8, 'two', 4)], 'one')).toBeUndefined()
    expect(asked([card(7, 'one', null), card(8, 'two', null)], 'one')).toBeUndefined()
  })
})
