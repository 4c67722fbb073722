import { expect, test } from 'vitest'
import { elapsed } from '../../src/pages/ui/elapsed.ts'
import { sectionColour } from '../../src/pages/ui/section-colour.ts'

const SECOND = 1_000
const HOUR = 3_600 * SECOND

test.each([
  [-5 * SECOND, '0 s'],
  [59.9 * SECOND, '59 s'],
  [60 * SECOND, '1:00'],
  [HOUR - 1, '59:59'],
  [HOUR + 2 * 60 * SECOND + 9 * SECOND, '1:02:09'],
  [24 * HOUR, '1 d 0 h'],
  [51 * HOUR, '2 d 3 h'],
])('%d ms are read as %s', (milliseconds, text) => {
  expect(elapsed(milliseconds)).toBe(text)
})

test('[issue 6.1] a section has the colour that its key names, and an unknown key always the same one', () => {
  expect(sectionColour('Green')).toBe(sectionColour('green'))
  expect(sectionColour('gray')).toBe(sectionColour('grey'))
  expect(sectionColour('#12AB9f')).toBe('#12ab9f')
  expect(sectionColour('sponsors')).toBe(sectionColour(' Sponsors '))
  const colours = ['green', 'blue', 'red', 'yellow', undefined].map(sectionColour)
  expect(new Set(colours).size).toBe(5)
  for (const key of ['constructor', '__proto__', '', 'url(https://evil.example)'])
    expect(sectionColour(key)).toMatch(/^#[\da-f]{6}$/)
})
