import { expect, test } from 'vitest'
import { Latencies } from '../../../src/realtime/followers/latencies.ts'
import { engineOf } from '../../../src/realtime/renderers/engine.ts'

const chrome = (version: string, more = '') =>
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version} Safari/537.36${more}`

test.each([
  [chrome('103.0.5060.134', ' OBS/30.0.2'), 'OBS 30.0, Chromium 103'],
  [chrome('127.0.6533.120', ' OBS/31.1.0'), 'OBS 31.1, Chromium 127'],
  [chrome('128.0.0.0', ' Streamlabs/1.17.0'), 'Streamlabs 1.17, Chromium 128'],
  [chrome('115.0.0.0', ' vMix/27.0'), 'vMix 27.0, Chromium 115'],
  [chrome('142.0.0.0', ' CasparCG Server/2.5'), 'CasparCG 2.5, Chromium 142'],
  [chrome('142.0.0.0', ' CasparCG'), 'CasparCG, Chromium 142'],
  [chrome('139.0.0.0').replace('Chrome', 'HeadlessChrome'), 'Chromium 139'],
  [chrome('139.0.0.0', ' Edg/139.0.0.0'), 'Edge 139'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', 'Firefox 128'],
  ['<script>alert(1)</script>', 'unknown'],
  ['', 'unknown'],
])('[issue 6.3] %s is %s', (userAgent, engine) => {
  expect(engineOf(userAgent)).toBe(engine)
  expect(engineOf(userAgent)).toBe(engine)
})

test('[issue 6.3] percentiles are of the latest 256 paints of each renderer', () => {
  const latencies = new Latencies<string>()
  expect(latencies.of('a')).toBeNull()
  latencies.note('a', 5)
  expect(latencies.of('a')).toEqual({ p50: 5, p95: 5, p99: 5, count: 1 })
  for (let i = 0; i < 100; i++) latencies.note('a', 9_999)
  for (let ms = 1; ms <= 256; ms++) latencies.note('a', ms)
  latencies.note('b', 1.26)
  expect(latencies.of('a')).toEqual({ p50: 128, p95: 244, p99: 254, count: 256 })
  expect(latencies.of('b')).toEqual({ p50: 1.3, p95: 1.3, p99: 1.3, count: 1 })
  latencies.forget('a')
  expect(latencies.of('a')).toBeNull()
})
