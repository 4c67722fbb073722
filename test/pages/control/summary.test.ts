import { expect, it } from 'vitest'
import { NO_DRAFT } from '../../../src/pages/control/drafts.ts'
import type { Preset } from '../../../src/pages/control/model.ts'
import { summary } from '../../../src/pages/control/summary.ts'

it('[OGraf 1.0: schema] what is hidden is in no label, and has its editor all the same', () => {
  const text = (name: string, more: object = {}) => ({
    ...{ name, label: name, type: 'string', schema: { type: 'string', ...more } },
  })
  const preset = {
    name: 'Guest',
    graphicName: 'Lower third',
    variableValues: { name: 'Ann', token: 'e5f1' },
    variables: [text('name'), text('token', { hidden: true })],
  } as unknown as Preset
  expect(summary(preset, NO_DRAFT, undefined, {})).toBe('Ann')
  expect(summary(preset, NO_DRAFT, { name: 'Bea', token: 'a0' }, {})).toBe('Bea')
})
