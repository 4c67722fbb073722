import { expect, test } from 'vitest'
import { unfit } from '../../src/ograf/requirements.ts'

const obs = { name: 'obs', engine: 'OBS 31.0, Chromium 127', width: 1920, height: 1080 }
const cef = (min: string) => ({ engine: [{ type: 'CEF', version: { min } }] })

test.each([
  [[], undefined],
  [[{}], undefined],
  [[{ frameRate: { min: 100 }, accessToPublicInternet: { exact: true } }], undefined],
  [[{ resolution: { width: { min: 600, max: 4000, ideal: 1280 } } }], undefined],
  [[{ resolution: { width: { exact: 1280 } } }], 'a width of 1280 is needed, it has 1920'],
  [[{ resolution: { height: { min: 2160 } } }], 'a height of at least 2160 is needed, it has 1080'],
  [[cef('127')], undefined],
  [[cef('139.0.2')], 'CEF 139.0.2 is needed, it is Chromium 127'],
  [[cef('139'), cef('100')], undefined],
  [
    [cef('139'), { resolution: { width: { max: 1280 } } }],
    'CEF 139 is needed, it is Chromium 127, or a width of at most 1280 is needed, it has 1920',
  ],
  [[{ engine: [{ type: 'Gecko', version: { min: '120' } }] }], 'Gecko 120 is needed, it is Chromium 127'],
  [
    [
      {
        engine: [
          { type: 'Gecko', version: { min: '120' } },
          { type: 'chromium', version: { min: '95' } },
        ],
      },
    ],
    undefined,
  ],
  [[{ engine: [{ type: 'Unreal', version: { min: '5' } }] }], undefined],
])('[issue 20.1] %j fits a renderer, or says why not: %s', (requirements, reason) => {
  expect(unfit(requirements, obs)).toBe(reason)
})

test('[issue 20.1] a renderer that says nothing of itself may be any', () => {
  expect(unfit([cef('139')], { ...obs, engine: 'unknown' })).toBeUndefined()
})
