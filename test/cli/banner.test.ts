import { expect, test } from 'vitest'
import { banner } from '../../src/cli/banner.ts'

const production = { overlay: { id: 1, key: 'overlay-key', controlToken: 'token' } }
const shown = (input: { rtmpUrl: string; streamKey: string; lacks?: string }) =>
  banner('http://localhost:8080', { ...production, input }).match(/video in +(.*)/)?.[1]

test('[issue 5.3] the start prints where video comes in, or in one line why it does not', () => {
  expect(shown({ rtmpUrl: 'rtmp://localhost:1935/live', streamKey: 'k' })).toBe('rtmp://localhost:1935/live/k')
  expect(shown({ rtmpUrl: '', streamKey: 'k', lacks: 'the port is taken\nat listen' })).toBe('none: the port is taken')
  expect(shown({ rtmpUrl: '', streamKey: 'k' })).toBeUndefined()
})

test('[issue 6.4] the start prints the dashboard, and who may sign in there only when that was just made', () => {
  const owner = { email: 'owner@tally.example', password: 'k7fmw-xxxxx' }
  const first = banner('http://localhost:8080', { ...production, owner })
  expect(first).toContain('http://localhost:8080/dashboard\n')
  expect(first).toMatch(/sign in as +owner@tally\.example\n +password +k7fmw-xxxxx {3}\(shown only now\)/)
  const later = banner('http://localhost:8080', production)
  expect(later).toContain('http://localhost:8080/dashboard\n')
  expect(later).not.toContain('password')
})
