import { expect, test } from 'vitest'
import { playsForMs, readManifest, stepCountOf } from '../../src/ograf/manifest.ts'
import { manifest } from '../support/ograf.ts'

test.each([
  [undefined, 10_000],
  [[], 10_000],
  [[{ type: 'stopAction', duration: 400 }], 10_000],
  [
    [
      { type: 'playAction', duration: 700 },
      { type: 'playAction', duration: 2_000 },
      { type: 'stopAction', duration: 9_000 },
    ],
    2_000,
  ],
  [[{ type: 'playAction', duration: 0 }], 0],
])('[issue 20.1] one without steps and with the durations %j is over after %i ms at the latest', (durations, ms) => {
  const { manifest: read, faults } = readManifest(manifest({ stepCount: 0, actionDurations: durations }))
  expect(faults).toEqual([])
  expect(read && [stepCountOf(read), playsForMs(read)]).toEqual([0, ms])
})

test('[issue 20.1] a manifest that says nothing of steps has one', () => {
  const { manifest: read } = readManifest(manifest())
  expect(read && stepCountOf(read)).toBe(1)
})
