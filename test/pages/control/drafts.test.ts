import { describe, expect, it } from 'vitest'
import {
  differing,
  edited,
  NO_DRAFT,
  overrides,
  sent,
  unsent,
  valuesOf,
  withdrawn,
} from '../../../src/pages/control/drafts.ts'

const preset = {
  variableValues: { about: 'homeCoach', name: 'Astrid' },
  variables: [
    { name: 'name', label: 'Name', type: 'string', defaultValue: null },
    { name: 'title', label: 'Title', type: 'string', defaultValue: 'Coach' },
  ],
}

describe('what an operator has set on a preset', () => {
  it('[issue 6.1] off air, what is set stands over what is stored, also after it was sent', () => {
    const draft = edited(NO_DRAFT, 'name', 'Declan')
    expect(valuesOf(preset, draft, undefined)).toEqual({ about: 'homeCoach', name: 'Declan' })
    expect(valuesOf(preset, sent(draft, { name: 'Declan' }), undefined)).toEqual({ about: 'homeCoach', name: 'Declan' })
  })

  it('[issue 6.1] on air, what is on air stands, and over it only what was not sent: another operator is not undone', () => {
    const draft = sent(edited(NO_DRAFT, 'name', 'Declan'), { name: 'Declan' })
    const onAir = { about: 'homeCoach', name: 'Somebody else' }
    expect(differing(preset, draft, onAir, onAir)).toEqual([])
    const again = edited(draft, 'title', 'Manager')
    expect(valuesOf(preset, again, onAir)).toEqual({ about: 'homeCoach', name: 'Somebody else', title: 'Manager' })
    expect(differing(preset, again, onAir, onAir).map(({ name }) => name)).toEqual(['title'])
  })

  it('[issue 6.1] what was edited while a command was on its way is still to be sent', () => {
    const draft = edited(NO_DRAFT, 'name', 'Declan P.')
    expect(sent(draft, { name: 'Declan' }).unsent).toEqual(['name'])
    expect(sent(draft, { name: 'Declan P.' }).unsent).toEqual([])
  })

  it('[issue 6.1] null, the default and nothing are the same', () => {
    for (const values of [{}, { title: null }, { title: 'Coach' }]) {
      const [name, value] = Object.entries(values)[0] ?? ['title', null]
      expect(differing(preset, edited(NO_DRAFT, name, value), undefined, preset.variableValues)).toEqual([])
    }
  })

  it('[op.12] a command carries what differs from the preset, and null for what was taken away', () => {
    expect(overrides(preset, { about: 'homeCoach', title: 'Manager' })).toEqual({ name: null, title: 'Manager' })
    expect(overrides(preset, preset.variableValues)).toEqual({})
  })

  it('[issue 6.1] what the room does not expose any more does not count; what is withdrawn is as stored', () => {
    expect(valuesOf(preset, edited(NO_DRAFT, 'gone', 1), undefined)).toEqual(preset.variableValues)
    const shown = { graphic: { variableValues: { name: 'Astrid' } }, base: { name: 'Renewed' } }
    expect(unsent(preset, NO_DRAFT, shown).map(({ name }) => name)).toEqual(['name'])
    expect(unsent(preset, withdrawn(NO_DRAFT, 'name', shown), shown)).toEqual([])
    expect(withdrawn(edited(NO_DRAFT, 'name', 'Declan'), 'name')).toEqual(NO_DRAFT)
  })
})
