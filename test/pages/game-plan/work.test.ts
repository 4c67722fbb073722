import { describe, expect, test } from 'vitest'
import { type Draft, isSame, newDraft, sentOf } from '../../../src/pages/dashboard/game-plan/draft.ts'
import { concerned, isFolded } from '../../../src/pages/dashboard/game-plan/faults.ts'
import { onOneLayer } from '../../../src/pages/dashboard/game-plan/layers.ts'
import { type Edit, type Edited, edit } from '../../../src/pages/dashboard/worked-list/edits.ts'
import { faultsOf, saidAt, withoutChanged } from '../../../src/pages/dashboard/worked-list/faults.ts'
import { foreignChanges, mergeItems } from '../../../src/pages/dashboard/worked-list/merge.ts'
import { Refusal } from '../../../src/pages/ui/refusal.ts'

const rule = (id: string, more: Partial<Draft> = {}): Draft => ({
  ...newDraft({ type: 'state', state: 'live' }),
  id,
  name: id,
  presetId: 1,
  ...more,
})
const [a, b, c] = [rule('a'), rule('b'), rule('c')]
const ids = ({ items }: Pick<Edited<Draft>, 'items'>) => items.map(({ id }) => id).join('')
const worked = (...steps: Edit<Draft>[]) => steps.reduce<Edited<Draft>>(edit, { items: [a, b, c], removed: [] })

describe('[issue 18.6] work at a plan', () => {
  test('rules are moved, and never out of the list', () => {
    expect(ids(worked({ type: 'move', id: 'c', to: 0 }))).toBe('cab')
    expect(ids(worked({ type: 'move', id: 'a', to: 99 }))).toBe('bca')
    expect(ids(worked({ type: 'move', id: 'nobody', to: 0 }))).toBe('abc')
    expect(ids(worked({ type: 'move', id: 'a', to: 2 }, { type: 'order', ids: ['a', 'b', 'c'] }))).toBe('abc')
  })

  test('what is removed comes back where it stood, the last one first', () => {
    const gone = worked({ type: 'remove', ids: ['b'] }, { type: 'remove', ids: ['a', 'c'] })
    expect([ids(gone), gone.removed.length]).toEqual(['', 2])
    const back = edit(gone, { type: 'restore' })
    expect(ids(back)).toBe('ac')
    expect(ids(edit(back, { type: 'restore' }))).toBe('abc')
    expect(edit(worked(), { type: 'restore' })).toEqual(worked())
  })

  test('a double is a rule of its own, right behind', () => {
    const { items } = worked({ type: 'duplicate', id: 'a' })
    expect(items.map(({ name }) => name)).toEqual(['a', 'a', 'b', 'c'])
    expect(new Set(items.map(({ id }) => id)).size).toBe(4)
  })

  test('two rules are the same by what they mean, not by how they were written down', () => {
    const reversed = Object.fromEntries(Object.entries(a).reverse()) as Draft
    expect(isSame(a, { ...reversed, condition: undefined, variableValues: {}, wanted: 'x' })).toBe(true)
    expect(isSame(a, { ...a, variableValues: { title: null } })).toBe(false)
    expect(sentOf({ ...a, name: ' a ', condition: '  ', wanted: 'x' })).toEqual(a)
  })
})

describe('[issue 18.6] rules with one graphic', () => {
  const graphicOf = (presetId: number) => (presetId < 10 ? 'third' : 'card')

  test('are of one layer, that which one of them names', () => {
    const named = rule('n', { presetId: 2, layer: 'Lower third' })
    const other = rule('o', { presetId: 10 })
    expect(onOneLayer([a, other, named], graphicOf)).toEqual([{ ...a, layer: 'Lower third' }])
    expect(onOneLayer([a, named], graphicOf, new Set(['o']))).toEqual([])
    expect(onOneLayer([rule('gap', { presetId: null }), a, other], graphicOf)).toEqual([])
  })
})

describe('[issue 18.6] what the server says is told at the rule', () => {
  const refusal = new Refusal(400, 'Invalid', {
    'body.rules[1].trigger.factTypes[1]': { message: 'not a fact of football' },
    'body.rules[1].condition': { message: 'unknown name' },
    'body.rules[0].presetId': { message: 'no such preset' },
    'body.rules': { message: 'too many' },
  })
  const { faults, others } = faultsOf(refusal, 'rules', [a, b])

  test('by the place at which it was sent, and what is of no rule apart', () => {
    expect(faults).toEqual({
      a: { presetId: 'no such preset' },
      b: { 'trigger.factTypes[1]': 'not a fact of football', condition: 'unknown name' },
    })
    expect(others).toEqual(['too many'])
    expect(faultsOf(new Refusal(400, 'No'), 'rules', [a]).others).toEqual(['No'])
  })

  test('at its field, with the part that is meant', () => {
    expect(saidAt(faults.b, 'trigger', (place) => ['goal', 'wicket'][place])).toBe('Wicket: not a fact of football')
    expect(saidAt(faults.b, 'condition')).toBe('Unknown name')
    expect(saidAt(faults.b, 'cond')).toBeUndefined()
    expect([isFolded(faults.a), isFolded(faults.b), isFolded(undefined)]).toEqual([false, true, false])
  })

  test('[issue 18] that an expression reads the fact of no fact trigger is told at its value, until the trigger is another', () => {
    const fact = { 'body.rules[0].variableValues.player.expression': { message: 'reads fact' } }
    const told = faultsOf(new Refusal(400, 'Invalid', fact), 'rules', [a]).faults
    expect(saidAt(told.a, 'variableValues.player')).toBe('Reads fact')
    expect(withoutChanged(told, 'a', concerned(['name']))).toEqual(told)
    expect(withoutChanged(told, 'a', concerned(['trigger']))).toEqual({})
  })

  test('until that field is changed', () => {
    expect(withoutChanged(faults, 'b', ['condition']).b).toEqual({ 'trigger.factTypes[1]': 'not a fact of football' })
    expect(withoutChanged(faults, 'a', ['presetId'])).not.toHaveProperty('a')
    expect(withoutChanged(faults, 'a', ['name'])).toEqual(faults)
  })
})

describe('[issue 18.6] two people at one plan', () => {
  const named = (one: Draft, name: string) => ({ ...one, name })
  const read = [a, b, c]

  test('what only one of them changed is kept, and mine where both did', () => {
    const mine = [named(a, 'mine'), b, named(c, 'mine')]
    const theirs = [a, named(b, 'theirs'), named(c, 'theirs')]
    expect(mergeItems({ read, mine, theirs }, isSame).map(({ name }) => name)).toEqual(['mine', 'theirs', 'mine'])
  })

  test('what is added by either is there, theirs behind the rule that it followed', () => {
    const merged = mergeItems({ read, mine: [c, a, b, rule('m')], theirs: [a, rule('t'), b, c] }, isSame)
    expect(merged.map(({ id }) => id)).toEqual(['c', 'a', 't', 'b', 'm'])
  })

  test('what one removed is gone, unless the other has changed it', () => {
    expect(mergeItems({ read, mine: [b, c], theirs: [a, b] }, isSame)).toEqual([b])
    expect(
      ids({ items: mergeItems({ read, mine: [named(a, 'mine'), b], theirs: [named(c, 'theirs')] }, isSame) }),
    ).toBe('ca')
  })

  test('what they did is told by names', () => {
    expect(foreignChanges(read, [c, named(a, 'A'), rule('d')], isSame)).toEqual({
      added: ['d'],
      changed: ['A'],
      removed: ['b'],
      reordered: true,
    })
    expect(foreignChanges(read, read, isSame)).toEqual({ added: [], changed: [], removed: [], reordered: false })
  })
})
