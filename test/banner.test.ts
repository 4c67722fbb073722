import { expect, test } from 'vitest'
import { banner } from '../src/banner.ts'

const production = { overlay: { id: 1, key: 'overlay-key', controlToken: 'token' } }
const shown = (input: { rtmpUrl: string; streamKey: string; lacks?: string }) =>
  banner('http://localhost:8080', { ...production, input }).match(/video in +(.*)/)?.[1]

test('[issue 5.3] the start prints where video comes in, or in one line why it does not', () => {
  expect(shown({ rtmpUrl: 'rtmp://localhost:1935/live', streamKey: 'k' })).toBe('rtmp://localhost:1935/live/k')
  expect(shown({ rtmpUrl: '', streamKey: 'k', lacks: 'the port is taken\nat listen' })).toBe('none: the port is taken')
  expect(shown({ rtmpUrl: '', streamKey: 'k' })).toBeUndefined()
})
