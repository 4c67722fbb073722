import { expect, test } from 'vitest'
import type { OnAir } from '../../../machines/overlay/model.ts'
import { asciiJson, liveText } from '../../../src/realtime/renderers/live-text.ts'

const graphic: OnAir = {
  ...{ loadSeq: 1, seq: 1, graphicId: 'a', graphicName: 'A', kind: 'code', version: 1, url: '/', themeId: 1 },
  ...{ themeVersion: 1, roomId: 1, sectionId: 's', presetId: 1, values: {} },
}
const isAscii = (text: string) => /^[\x20-\x7e]*$/.test(text)
const padding = 'a long enough rest of the document '.repeat(20)

test.each([
  ['letters beyond Latin-1', 'Łukasz Şahin – Őry'],
  ['letters of Latin-1', 'Müller'],
  ['a pair of surrogates', 'goal 🥅'],
  ['what JSON escapes itself', 'a "quoted" \\u0142 \n'],
])('%s become ASCII and are read as before', (_, name) => {
  const json = JSON.stringify({ name, padding })
  const ascii = asciiJson(json)
  expect(isAscii(ascii)).toBe(true)
  expect(JSON.parse(ascii)).toEqual({ name, padding })
})

test('a short text may grow by more than a tenth, for the frame around it', () => {
  const json = JSON.stringify({ name: 'Łukasz Śmigły' })
  expect(isAscii(asciiJson(json))).toBe(true)
})

test('text in a script of its own stays as it is', () => {
  const json = JSON.stringify({ home: 'Динамо Київ', away: 'Шахтар Донецьк', venue: 'Олімпійський' })
  expect(asciiJson(json)).toBe(json)
})

test('data with a few such letters makes frames of one byte per character', () => {
  const live = liveText({ themeVariables: {}, data: { home: { name: 'Wisła Kraków' }, padding }, revisions: {} })
  const text = live.data(graphic)
  expect(isAscii(text)).toBe(true)
  expect(JSON.parse(text)).toEqual({ home: { name: 'Wisła Kraków' }, padding })
})
