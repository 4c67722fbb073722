import { describe, expect, test } from 'vitest'
import type { Preset, Rule } from '../../../src/pages/control/model.ts'
import { layersOf } from '../../../src/pages/control/plan-layers.ts'
import { alertOf, behind, holderOf, outcomesOf, worded } from '../../../src/pages/control/plan-words.ts'
import type { LivePlan } from '../../../src/pages/live/state.ts'

const BUG = '5f3a1f0a-8d53-4c1b-9a36-7d0e0f2b9a11'
const GONE = '00000000-8d53-4c1b-9a36-7d0e0f2b9a11'
const presets = [{ id: 1, name: 'Score', graphicId: BUG, graphicName: 'Score bug' }] as unknown as Preset[]
const rule = (id: string, layer: string): Rule => ({
  id,
  name: `Rule ${id}`,
  enabled: true,
  presetId: 1,
  layer,
  problem: null,
  condition: null,
})
const free = { heldBy: null, condition: null }
const running = { ruleId: 'goal', name: 'Goal', graphicName: 'Lower third', since: '', until: null }
const told = (more: Partial<LivePlan['recent'][number]> = {}): LivePlan['recent'][number] => ({
  ...{ at: '2026-05-02T15:00:00.000Z', ruleId: 'goal', name: 'Goal', outcome: 'suppressed', reason: 'held', factId: 1 },
  ...more,
})

describe('[issue 18.4] the layers of a plan on the page of a control room', () => {
  const rules = [rule('bug', BUG), rule('goal', 'third'), rule('card', 'third')]

  test('are those of the rules in their order, whatever runs, and are called what operators call them', () => {
    const nothing = layersOf(rules, presets, undefined)
    expect(nothing.map(({ label, rules }) => [label, rules.length])).toEqual([
      ['Score bug', 1],
      ['third', 2],
    ])
    const third = { layer: 'third', heldBy: 'anna', running: null, queued: [] }
    const busy = layersOf(rules, presets, { layers: [third, { ...third, layer: BUG, heldBy: null, running }] })
    expect(busy.map(({ label, heldBy, running }) => [label, heldBy, running?.name])).toEqual([
      ['Score bug', null, 'Goal'],
      ['third', 'anna', undefined],
    ])
  })

  test('one that is called like a graphic is not taken for that graphic', () => {
    const layers = layersOf([rule('bug', BUG), rule('other', 'Score bug')], presets, undefined)
    expect(layers.map(({ label }) => label)).toEqual(['Score bug, the graphic', 'Score bug'])
  })

  test('one of a rule that is gone stands last; an id is no name, and a rule that shows nothing has none', () => {
    const state = { layer: GONE, heldBy: 'anna', running: null, queued: [] }
    const layers = layersOf([rule('bug', ''), ...rules], presets, {
      layers: [state, { ...state, layer: BUG, running }],
    })
    expect(layers.map(({ label }) => label)).toEqual(['Score bug', 'third', 'Another graphic'])
  })
})

describe('[issue 18.4] why a rule did not fire', () => {
  test.each([
    ['held', 'anna', 'not shown: held by anna'],
    ['held', 'Control room', 'not shown: held from a control room page'],
    ['held', null, 'not shown: its layer was held'],
    ['tooOld', 'anna', 'not shown: it was told too late'],
    ['priority', null, 'not shown: another graphic had priority'],
    ['a reason of tomorrow', null, 'not shown: a reason of tomorrow'],
  ])('%s, with the layer held by %s, is “%s”', (reason, heldBy, words) => {
    expect(worded(told({ reason }), { heldBy, condition: null })).toBe(words)
  })

  test('a firing, and what was taken back, say so', () => {
    expect(worded(told({ outcome: 'fired', reason: null }), { heldBy: 'anna', condition: null })).toBe('shown')
    expect(worded(told({ outcome: 'withdrawn', reason: null }), free)).toMatch(/^taken back: /)
    expect(worded(told({ outcome: 'withdrawn', reason: 'autoModeOff' }), free)).toBe(
      'taken back: automatic was switched off',
    )
  })

  test('what fired and was never seen is not told as shown; one that was seen before is', () => {
    const fired = told({ outcome: 'fired', reason: null })
    const late = told({ outcome: 'withdrawn', reason: 'tooOld' })
    const lines = outcomesOf([told({ ...fired, factId: 2 }), late, fired, { ...fired, factId: 0 }])
    expect(lines.map((one) => worded(one, free))).toEqual([
      'shown',
      'not shown after all: its time was over before it could be shown',
      'fired',
      'shown',
    ])
    expect(alertOf([late, fired], [])).toBe(late)
    expect(alertOf([told({ outcome: 'withdrawn', reason: null })], [])).toBeUndefined()
  })

  test('[issue 18.4] a line-up that nobody has told is said, and in the bar; another condition is as it was meant', () => {
    const unmet = told({ reason: 'condition' })
    const condition = 'lineups.away.players.size() > 0'
    const rules = [{ ...rule('goal', 'third'), condition }]
    expect(worded(unmet, behind('goal', { layers: [], rules }))).toBe('not shown: the away line-up has no players')
    expect(alertOf([unmet], rules)).toBe(unmet)
    expect(worded(unmet, { ...free, condition: 'score.home > score.away' })).toBe(
      'not shown: it comes only if home leads',
    )
    expect(worded(unmet, { ...free, condition: 'score.home > 7' })).toBe('not shown: its condition was not met')
    expect(alertOf([unmet], [{ ...rule('goal', 'third'), condition: 'score.home > score.away' }])).toBeUndefined()
  })

  test('the holder is that of the layer of the rule', () => {
    const layers = layersOf([rule('goal', 'third'), rule('bug', BUG)], presets, {
      layers: [{ layer: 'third', heldBy: 'anna', running: null, queued: [] }],
    })
    expect([holderOf('goal', layers), holderOf('bug', layers), holderOf('nobody', layers)]).toEqual([
      'anna',
      null,
      null,
    ])
  })

  test('the same again and again is told once, with how often', () => {
    const outcomes = outcomesOf([told({ factId: 3 }), told({ factId: 2 }), told({ reason: 'paused' }), told()])
    expect(outcomes.map(({ factId, reason, times }) => [factId, reason, times])).toEqual([
      [3, 'held', 2],
      [1, 'paused', 1],
      [1, 'held', 1],
    ])
  })

  test('an operator is alerted to what nobody meant, until something fires', () => {
    expect(alertOf([], [])).toBeUndefined()
    expect(alertOf([told({ reason: 'condition' }), told()], [])?.reason).toBe('held')
    expect(alertOf([told({ outcome: 'fired', reason: null }), told()], [])).toBeUndefined()
    expect(alertOf([told({ reason: 'every' }), told({ reason: 'once' })], [])).toBeUndefined()
  })
})
