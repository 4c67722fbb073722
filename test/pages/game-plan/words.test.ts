import { describe, expect, test } from 'vitest'
import { compileRule } from '../../../src/expressions/compile.ts'
import { type Draft, newDraft, type Trigger } from '../../../src/pages/dashboard/game-plan/draft.ts'
import {
  conditionsFor,
  conditionWords,
  EVERY_SOURCE,
  valuesFor,
} from '../../../src/pages/dashboard/game-plan/phrases.ts'
import {
  changed,
  clockSeconds,
  nameOf,
  secondsWords,
  sentenceOf,
} from '../../../src/pages/dashboard/game-plan/words.ts'

const names = {
  sport: 'football',
  presetName: (id: number) => ({ 1: 'Goal scorer', 2: 'Score bug' })[id],
}
const goals: Trigger = { type: 'fact', factTypes: ['goal'], side: 'home' }
const rule = (trigger: Trigger, more: Partial<Draft> = {}): Draft => ({ ...newDraft(trigger), presetId: 1, ...more })
const said = (one: Draft, sport = 'football') =>
  sentenceOf(one, { ...names, sport })
    .map(({ text }) => text)
    .join('')

describe('[issue 18.6] a rule as a sentence', () => {
  test.each<[string, Draft, string?]>([
    ['When a goal is scored by home, show Goal scorer for 8 s, after 2 s.', rule(goals, { delaySeconds: 2 })],
    [
      'When an own goal or penalty goal is scored, show Goal scorer for 8 s.',
      rule({ type: 'fact', factTypes: ['ownGoal', 'penaltyGoal'] }),
    ],
    [
      'When a yellow card is recorded for away, show Goal scorer for 8 s.',
      rule({ type: 'fact', factTypes: ['yellowCard'], side: 'away' }),
    ],
    [
      'At every 3rd corner for home, show Goal scorer for 8 s.',
      rule({ type: 'fact', factTypes: ['corner'], side: 'home' }, { every: 3 }),
    ],
    [
      'When a goal, own goal, penalty goal or 2 others is recorded, show Goal scorer for 8 s.',
      rule({ type: 'fact', factTypes: ['goal', 'ownGoal', 'penaltyGoal', 'corner', 'foul'] }),
    ],
    ['When runs are scored, show Goal scorer for 8 s.', rule({ type: 'fact', factTypes: ['runs'] }), 'cricket'],
    [
      'When the match goes live, show Score bug until the match changes its state.',
      rule({ type: 'state', state: 'live' }, { presetId: 2, end: { until: 'state' } }),
    ],
    [
      'When the 1st half ends, show Goal scorer until another graphic takes its place.',
      rule({ type: 'period', at: 'end', number: 1 }, { end: { until: 'replaced' } }),
    ],
    [
      'When any set begins, show Goal scorer until somebody takes it off.',
      rule({ type: 'period', at: 'start' }, { end: { until: 'hidden' } }),
      'tennis',
    ],
    [
      'When the match clock shows 80:00 in the 2nd half, show Goal scorer for 8 s, once per match.',
      rule({ type: 'clock', seconds: 4_800, period: 2 }, { once: true }),
    ],
    [
      '20 min before the planned start, show Goal scorer for 8 s.',
      rule({ type: 'time', of: 'date', offsetSeconds: -1_200 }),
    ],
    ['At the end of the match, show Goal scorer for 8 s.', rule({ type: 'time', of: 'matchEnd', offsetSeconds: 0 })],
    [
      'Every 1 min 30 s in breaks, show Goal scorer for 8 s, not again within 1 h.',
      rule({ type: 'interval', everySeconds: 90, during: 'break' }, { cooldownSeconds: 3_600 }),
    ],
    [
      'When a goal is scored by home, show Goal scorer for 8 s, only if home leads and the lead is at most 2.',
      rule(goals, { condition: 'score.home > score.away && abs(score.home - score.away) <= 2' }),
    ],
    ['When a goal is scored by home, show choose a preset for 8 s.', rule(goals, { presetId: null })],
    [
      'When a goal is scored by home, show choose a preset for “Goal scorer” for 8 s.',
      rule(goals, { presetId: null, wanted: 'Goal scorer' }),
    ],
    ['When a goal is scored by home, show a preset that is gone for 8 s.', rule(goals, { presetId: 9 })],
  ])('%s', (sentence, one, sport) => expect(said(one, sport)).toBe(sentence))

  test('a name is made, follows what is changed, and stays once somebody has written one', () => {
    const first = changed(newDraft(goals), {}, names)
    expect(first.name).toBe('Graphic at goal (home)')
    const shown = changed(first, { presetId: 1 }, names)
    expect(shown.name).toBe('Goal scorer at goal (home)')
    const own = changed(shown, { name: 'Our scorer' }, names)
    expect(changed(own, { trigger: { type: 'state', state: 'break' } }, names).name).toBe('Our scorer')
    const long = { ...names, presetName: () => 'x'.repeat(200) }
    expect(nameOf(shown, long)).toHaveLength(80)
  })

  test('times are read and told as people write them', () => {
    expect([0, 8, 90, 7_200, 3_661].map(secondsWords)).toEqual(['0 s', '8 s', '1 min 30 s', '2 h', '1 h 1 min 1 s'])
    expect(['67:05', '67', '5:5', '', '1:75', 'x'].map(clockSeconds)).toEqual([
      4_025,
      4_020,
      305,
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('[issue 18.6] expressions that are offered', () => {
  test.each(EVERY_SOURCE)('%s', (source) => {
    const { brokenPatterns, uses } = compileRule(source)
    expect([brokenPatterns, uses.size]).toEqual([[], 0])
  })

  test('those about the fact only where there is one', () => {
    expect(conditionsFor(goals).length).toBeGreaterThan(conditionsFor({ type: 'state', state: 'live' }).length)
    expect(valuesFor({ type: 'player' }, goals).map(({ source }) => source)).toContain('fact.playerId')
    expect(valuesFor({ type: 'player' }, { type: 'state', state: 'live' })).toEqual([])
    expect(valuesFor({ type: 'enum', options: ['home', 'away'] }, goals)).toHaveLength(1)
  })

  test('one that nobody offers is not put into words', () => {
    expect(conditionWords('score.home > 3')).toBe('its condition holds')
    expect(conditionWords('period.number >= 4')).toBe('it is period 4 or later')
  })
})
