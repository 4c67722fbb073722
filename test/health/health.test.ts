import { request as httpRequestTo } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../bench/free-port.ts'
import { readConfig } from '../../src/config.ts'
import { metricsReply } from '../../src/health/health.ts'
import { fromThisMachine } from '../../src/health/metrics-access.ts'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { lately } from '../../src/waiting/lately.ts'
import { startApp } from '../support/app.ts'

const TOKEN = 'token-of-the-metrics'

const asking = (remoteAddress: string, headers: Record<string, string> = {}) => ({
  remoteAddress,
  header: (name: string) => headers[name] ?? '',
  has: (name: string) => name in headers,
})

test.each([
  ['127.0.0.1', {}, true],
  ['127.8.9.10', { host: 'localhost:8080' }, true],
  ['::1', { host: '[::1]:8080' }, true],
  ['0000:0000:0000:0000:0000:0000:0000:0001', { host: '127.0.0.1' }, true],
  ['0000:0000:0000:0000:0000:ffff:7f00:0001', { host: 'LOCALHOST' }, true],
  ['0000:0000:0000:0000:0000:ffff:c0a8:0001', {}, false],
  ['192.168.0.1', { host: 'localhost' }, false],
  ['2001:db8::1', {}, false],
  ['', {}, false],
  // a balancer on this machine
  ['127.0.0.1', { host: 'localhost', 'x-forwarded-for': '203.0.113.9' }, false],
  ['127.0.0.1', { host: 'localhost', 'x-forwarded-for': '127.0.0.1' }, false],
  ['127.0.0.1', { host: 'localhost', forwarded: 'for=203.0.113.9' }, false],
  ['127.0.0.1', { host: 'localhost', via: '1.1 Caddy' }, false],
  ['127.0.0.1', { host: 'localhost', 'x-real-ip': '' }, false],
  ['127.0.0.1', { host: 'tally.example' }, false],
  ['127.0.0.1', { host: '127.0.0.1.evil.example' }, false],
] as const)('a request from %s with %o is from this machine: %s', (address, headers, expected) => {
  expect(fromThisMachine(asking(address, headers))).toBe(expected)
})

test('however many ask, the metrics are rendered twice a second at most; a failure is tried again', async () => {
  let now = 0
  let renders = 0
  let fails = false
  const render = async () => {
    renders++
    if (fails) throw new Error('broken')
    return { contentType: 'text/plain', body: `render ${renders}` }
  }
  const reply = metricsReply({ render }, () => now)
  for (const at of [0, 100, 499, 500, 999, 1_000]) {
    now = at
    await Promise.all(Array.from({ length: 50 }, reply))
  }
  expect(renders).toBe(3)
  expect(String((await reply()).body)).toBe('render 3')
  now = 2_000
  fails = true
  await expect(reply()).rejects.toThrow('broken')
  fails = false
  expect(String((await reply()).body)).toBe('render 5')
})

test('what takes longer than its turn is not begun twice', async () => {
  let now = 0
  let begun = 0
  let end: (value: number) => void = () => {}
  const ask = lately(
    250,
    () =>
      new Promise<number>((resolve) => {
        begun++
        end = resolve
      }),
    () => now,
  )
  const first = ask()
  now = 10_000
  const second = ask()
  expect(begun).toBe(1)
  end(7)
  expect(await Promise.all([first, second])).toEqual([7, 7])
})

const get = (port: number, path: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number; text: string; challenge: string | undefined }>((resolve, reject) => {
    const asked = httpRequestTo({ host: '127.0.0.1', port, path, headers, agent: false }, (answer) => {
      let text = ''
      answer.on('data', (data) => {
        text += data
      })
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, text, challenge: answer.headers['www-authenticate'] }),
      )
    })
    asked.on('error', reject).end()
  })

test('without METRICS_PORT and METRICS_TOKEN only who asks on this machine reads the metrics', async () => {
  const { port, close } = await startApp()
  onTestFinished(close)
  expect((await get(port, '/metrics')).text).toContain('tally_http_request_ms')
  for (const headers of [{ 'X-Forwarded-For': '203.0.113.9' }, { Host: 'tally.example' }]) {
    const { status, text } = await get(port, '/metrics', headers)
    expect(status).toBe(403)
    expect(JSON.parse(text)).toEqual({ message: expect.stringContaining('METRICS_TOKEN') })
  }
})

test('with METRICS_TOKEN whoever sends it reads the metrics, and nobody else', async () => {
  const { port, close } = await startApp({ METRICS_TOKEN: TOKEN })
  onTestFinished(close)
  expect(await get(port, '/metrics')).toMatchObject({ status: 401, challenge: 'Bearer' })
  expect((await get(port, '/metrics', { Authorization: `Bearer ${TOKEN}x` })).status).toBe(401)
  const forwarded = { Authorization: `Bearer ${TOKEN}`, 'X-Forwarded-For': '203.0.113.9', Host: 'tally.example' }
  expect((await get(port, '/metrics', forwarded)).text).toContain('tally_http_request_ms')
})

test('with METRICS_PORT the metrics are there alone, with METRICS_TOKEN only for who sends it', async () => {
  const own = await freePort()
  const { port, close } = await startApp({ METRICS_PORT: String(own), METRICS_TOKEN: TOKEN })
  onTestFinished(close)
  expect((await get(port, '/metrics', { Authorization: `Bearer ${TOKEN}` })).status).toBe(404)
  expect(await get(own, '/metrics')).toMatchObject({ status: 401, challenge: 'Bearer' })
  expect((await get(own, '/metrics?a', { Authorization: `Bearer ${TOKEN}` })).text).toContain('tally_http_request_ms')
  expect((await get(own, '/readyz', { Authorization: `Bearer ${TOKEN}` })).status).toBe(404)
})

test.each([
  [{ METRICS_PORT: '8080' }, 'METRICS_PORT: 8080 is the PORT'],
  [{ METRICS_PORT: '70000' }, 'METRICS_PORT: expected a whole number from 1 to 65535 (got "70000")'],
  [{ METRICS_TOKEN: 'short secret' }, 'METRICS_TOKEN: expected at least 16 letters, digits, - or _'],
])('%o stops the start with one line, and no secret in it', (environment, line) => {
  expect(() => readConfig(environment)).toThrow(new Error(line))
})

test('the lag of the event loop is a number at the first scrape, before which nobody measures it', async () => {
  const { body } = await createMetrics().render()
  for (const which of ['min', 'mean', 'p99']) {
    const seconds = Number(new RegExp(`^nodejs_eventloop_lag_${which}_seconds (\\S+)$`, 'm').exec(body)?.[1])
    expect(seconds, which).toBeGreaterThan(0)
    expect(seconds, which).toBeLessThan(60)
  }
})
