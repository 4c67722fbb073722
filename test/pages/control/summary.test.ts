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

it('[GDD: percentage, duration-ms] numbers are in words as their editor writes them', () => {
  const number = (name: string, gddType?: string) => ({ name, label: name, type: 'number', gddType, schema: {} })
  const preset = {
    name: 'Bars',
    graphicName: 'Bars',
    variableValues: { size: 0.25, hold: 83_500, count: 3 },
    variables: [number('size', 'percentage'), number('hold', 'duration-ms'), number('count')],
  } as unknown as Preset
  expect(summary(preset, NO_DRAFT, undefined, {})).toBe('size 25 % · hold 1:23.5 · count 3')
})

it('[GDD: color-rrggbb] a colour is told where it is not the default', () => {
  const colour = {
    name: 'edge',
    label: 'Edge',
    type: 'string',
    gddType: 'color-rrggbb',
    defaultValue: '#ff0000',
    schema: {},
  }
  const preset = (edge: string) =>
    ({ name: 'Bug', graphicName: 'Bug', variableValues: { edge }, variables: [colour] }) as unknown as Preset
  expect(summary(preset('#ff0000'), NO_DRAFT, undefined, {})).toBe('')
  expect(summary(preset('#00ff00'), NO_DRAFT, undefined, {})).toBe('Edge #00ff00')
})
