import { expect, it } from 'vitest'
import { colourOf } from '../../src/expressions/colour.ts'

it.each([
  ['#abc', '#abc'],
  ['#B3132B', '#B3132B'],
  ['#b3132b80', '#b3132b80'],
  [0xffff0000, '#ff0000ff'],
  [0x80b3132b, '#b3132b80'],
  [0x0000ff, '#0000ff00'],
  [0, '#00000000'],
  [-1, '#ffffffff'],
  [-65_536, '#ff0000ff'],
  [0xffff0000 + 0.5, '#ff0000ff'],
])('[versioning.7] a colour binding applies %j as %s', (value, colour) => expect(colourOf(value)).toBe(colour))

it.each([
  '4294901760',
  '16711680',
  '',
  '#',
  '#ab',
  '#abcd',
  '#abcde',
  '#abcdefa',
  '#abcdefabc',
  '#ggg',
  ' #abc',
  '#abc\n',
  'red',
  'rgb(1,2,3)',
  Number.NaN,
  Number.POSITIVE_INFINITY,
  true,
  null,
  undefined,
  {},
  ['#abc'],
])('[versioning.7] any other value is ignored, a numeric string too: %j', (value) =>
  expect(colourOf(value)).toBeUndefined(),
)
