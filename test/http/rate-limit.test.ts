import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createLimiter } from '../../src/http/rate-limit.ts'
import { route } from '../../src/http/route.ts'
import { apiKey, testRouter } from '../support/http.ts'

const response = z.unknown()
const isHideAll = (body: unknown) =>
  typeof body === 'object' && body !== null && 'action' in body && body.action === 'hideAll'

const routes = [
  route({ method: 'get', path: '/v1/teams', summary: '', response, handle: () => ({}) }),
  route({
    method: 'post',
    path: '/v2/overlays/{overlayId}/graphics/commands',
    summary: '',
    bucket: 'graphics',
    cost: (body) => (isHideAll(body) ? 0 : 1),
    body: z.object({ action: z.string() }),
    response,
    handle: () => ({}),
  }),
]

const limited = (perSecond = 2, burst = 5, enforced = true) => {
  const keys = new Map([1, 2].map((id) => [id, apiKey({ id })]))
  const who = { id: 1 }
  const { call } = testRouter({
    routes,
    limiter: createLimiter({ enforced, perSecond, burst }),
    keyStore: {
      find: () => keys.get(who.id),
      used: () => {},
    },
  })
  const poll = () => call('GET', '/rest/v1/teams')
  const command = (body: string) => call('POST', '/rest/v2/overlays/1/graphics/commands', { body })
  const as = (id: number) => {
    who.id = id
  }
  return { call, poll, command, as }
}

const times = async <T>(count: number, run: () => Promise<T>) => {
  const answers: T[] = []
  for (let index = 0; index < count; index++) answers.push(await run())
  return answers
}

describe('while enforcement is on', () => {
  // what is left comes back with time, which a busy machine may take over a few requests
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  test('[limits] a burst passes, the next one answers 429 and says when to come back', async () => {
    const { poll } = limited()
    expect((await times(5, poll)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const refused = await poll()
    expect(refused).toMatchObject({ status: 429, json: { message: expect.stringContaining('too many requests') } })
    expect(Object.keys(refused.json)).toEqual(['message'])
    expect(Number(refused.headers['Retry-After'])).toBe(1)
    expect(refused.headers.RateLimit).toBe('"default";r=0;t=1')
  })

  test('what is left is told on every answer', async () => {
    const { poll } = limited()
    const told = (await times(5, poll)).map(({ headers }) => headers.RateLimit)
    expect(told.map((text) => Number(/r=(\d+)/.exec(text ?? '')?.[1]))).toEqual([4, 3, 2, 1, 0])
    expect((await poll()).headers['RateLimit-Policy']).toBe('"default";q=2;w=1, "default-burst";q=5;w=3')
  })

  test('after Retry-After the key may go on', async () => {
    const { poll } = limited()
    await times(5, poll)
    const refused = await poll()
    expect(refused.status).toBe(429)
    vi.advanceTimersByTime(1_000 * Number(refused.headers['Retry-After']))
    expect((await poll()).status).toBe(200)
  })

  test('each key has its own', async () => {
    const { poll, as } = limited()
    await times(6, poll)
    as(2)
    expect(await poll()).toMatchObject({ status: 200 })
  })

  test('polling cannot starve the show button', async () => {
    const { poll, command } = limited()
    await times(6, poll)
    expect(await poll()).toMatchObject({ status: 429 })
    expect(await command('{"action":"show"}')).toMatchObject({ status: 200 })
  })

  test('hideAll costs nothing, not even when the bucket is empty', async () => {
    const { command } = limited()
    await times(5, () => command('{"action":"show"}'))
    expect(await command('{"action":"show"}')).toMatchObject({ status: 429 })
    expect((await command('{"action":"hideAll"}')).headers.RateLimit).toMatch(/;r=0;/)
    for (const answer of await times(20, () => command('{"action":"hideAll"}'))) expect(answer.status).toBe(200)
  })

  test('a body that cannot be read costs as much as any', async () => {
    const { command } = limited()
    await times(5, () => command('{'))
    expect(await command('{')).toMatchObject({ status: 429 })
  })

  test('the order is 401, 429, 403, 404', async () => {
    const { call, poll } = limited()
    await times(5, poll)
    expect(await call('GET', '/rest/v1/teams', { headers: { authorization: '' } })).toMatchObject({ status: 401 })
    expect(await call('GET', '/rest/v1/nowhere')).toMatchObject({ status: 429 })
  })

  test('requests without a key charge nobody', async () => {
    const { call, poll } = limited()
    await times(20, () => call('GET', '/rest/v1/teams', { headers: { authorization: '' } }))
    expect(await poll()).toMatchObject({ status: 200 })
  })

  test('the defaults never meet a live operator', async () => {
    const { poll } = limited(100, 300)
    expect((await times(250, poll)).every(({ status }) => status === 200)).toBe(true)
  })

  test('a reserve of nothing is the plain rate', async () => {
    const { poll } = limited(3, 3)
    expect((await times(4, poll)).map(({ status }) => status)).toEqual([200, 200, 200, 429])
  })
})

test('while enforcement is off nothing is refused or told', async () => {
  const { poll } = limited(1, 1, false)
  for (const { status, headers } of await times(50, poll)) {
    expect(status).toBe(200)
    expect(headers).not.toHaveProperty('RateLimit')
  }
})
