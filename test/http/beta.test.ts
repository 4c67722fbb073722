import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { changelog } from '../../src/changelog.ts'
import {
  bodyTooLarge,
  codeGraphicInvalid,
  forbidden,
  idempotencyConflict,
  importConflict,
  importsUnavailable,
  invalid,
  locked,
  notFound,
  sourceGone,
  targetChanged,
  tooManyRequests,
} from '../../src/errors.ts'
import { openapi } from '../../src/http/openapi.ts'
import { operationName } from '../../src/http/operation.ts'
import type { Route } from '../../src/http/route.ts'
import type { RouterParts } from '../../src/http/router.ts'
import { routes } from '../../src/resources/index.ts'
import { Description } from '../support/description.ts'
import { apiKey, httpRequest, memoryIdempotency, TEST_KEY, testRouter } from '../support/http.ts'

const HELP = '<http://localhost:8080/docs#beta>; rel="help"'
const SINCE = '2026-03-01'

/** The operation with its own schemas, whose handler does as asked. */
const stub = (route: Route, handle: () => unknown): Route => ({ ...route, handle })

/** The same without schemas, so that every request reaches the handler. */
const bare = ({ method, path, summary, status, beta, scopes }: Route, handle: () => unknown): Route => ({
  ...{ method, path, summary, handle, response: z.unknown() },
  ...(status && { status }),
  ...(beta && { beta }),
  ...(scopes && { scopes }),
})

const pathOf = ({ path }: Route, value = '5') => `/rest${path.replace(/\{\w+\}/g, value)}`

const allScopes = {
  keyStore: keyStore(['teams', 'themes', 'overlays', 'data-sources', 'matches', 'competitions', 'webhooks']),
}

function keyStore(resources: readonly string[]): RouterParts['keyStore'] {
  const names = [...resources, 'players', 'venues', 'streams']
  const key = apiKey({ scopes: resources.length === 0 ? [] : names.map((name) => `${name}:write`) })
  return { find: () => key, used: () => {} }
}

type Asked = { route: Route; parts?: Partial<RouterParts>; method?: string; path?: string; headers?: object }

/** One answer of a router that has only this operation; every operation is deprecated when `deprecated` says so. */
async function answer({ route, parts, method, path, headers }: Asked, deprecated: boolean) {
  const changes = deprecated
    ? [{ version: '1.0.0', date: SINCE, changes: [], deprecates: [operationName(route)] }]
    : changelog
  const { call } = testRouter({ routes: [route], ...allScopes, changes, ...parts })
  return call(method ?? route.method.toUpperCase(), path ?? pathOf(route), {
    headers: { ...headers },
    ...(route.body && { body: '{' }),
  })
}

const thrown = (error: unknown) => (route: Route) => ({
  route: bare(route, () => {
    throw error
  }),
})

/** A request for each class of answers; undefined where an operation has none. */
const CLASSES: readonly [status: number, name: string, ask: (route: Route) => Asked | undefined][] = [
  [200, 'success', (route) => ({ route: bare({ ...route, status: 200 }, () => ({})) })],
  [
    400,
    'a path parameter',
    (route) => (route.params ? { route: stub(route, () => ({})), path: pathOf(route, '%zz') } : undefined),
  ],
  [
    400,
    'a body that is no JSON',
    (route) => (route.body && !route.params ? { route: stub(route, () => ({})) } : undefined),
  ],
  [400, 'a bad value', thrown(invalid({}))],
  [400, 'a broken rule', thrown(codeGraphicInvalid([]))],
  [401, 'no key', (route) => ({ route, headers: { authorization: '' } })],
  [401, 'an expired key', (route) => ({ route, parts: { keyStore: expired } })],
  [403, 'no scope', (route) => ({ route, parts: { keyStore: keyStore([]) } })],
  [403, 'another organization', thrown(forbidden())],
  [404, 'missing', thrown(notFound())],
  [409, 'changed', thrown(targetChanged())],
  [409, 'locked', thrown(locked(null))],
  [409, 'another request with its Idempotency-Key', thrown(idempotencyConflict())],
  [409, 'an import that is not ready', thrown(importConflict('not ready'))],
  [410, 'a source that is gone', thrown(sourceGone())],
  [413, 'too large', thrown(bodyTooLarge(1))],
  [429, 'too many requests', (route) => ({ route, parts: { limiter: refusing } })],
  [500, 'a fault', thrown(new Error('inside'))],
  [503, 'too many imports', thrown(importsUnavailable())],
  [
    503,
    'no database',
    (route) => ({ ...thrown(new Error('ECONNREFUSED'))(route), parts: { isOutOfReach: () => true } }),
  ],
  [
    503,
    'no answer in time',
    (route) => ({ route: bare(route, () => new Promise(() => {})), parts: { deadlineMs: 1 } }),
  ],
]

const expired: RouterParts['keyStore'] = {
  find: () => apiKey({ expiresAt: new Date(0) }),
  used: () => {},
}
const refusing: RouterParts['limiter'] = {
  enforced: true,
  charge: () => {
    throw tooManyRequests({ 'Retry-After': '1' })
  },
}

const named = routes.map((route): [string, Route] => [operationName(route), route])

describe.each(named)('%s', (_, route) => {
  test('[versioning.4] says whether it is Beta on every class of answers', async () => {
    for (const [status, name, ask] of CLASSES) {
      const asked = ask(route)
      if (!asked) continue
      const { status: got, headers } = await answer(asked, false)
      expect([name, got]).toEqual([name, status])
      expect([name, headers['X-Service-Beta'], headers.Link]).toEqual(
        route.beta ? [name, 'true', HELP] : [name, undefined, undefined],
      )
      expect(headers).not.toHaveProperty('Deprecation')
    }
  })

  test('[versioning.5] once deprecated says since and until when on every class of answers', async () => {
    for (const [status, name, ask] of CLASSES) {
      const asked = ask(route)
      if (!asked) continue
      const { status: got, headers } = await answer(asked, true)
      expect([name, got]).toEqual([name, status])
      expect(headers).toMatchObject({ Deprecation: '@1772323200', Sunset: 'Mon, 01 Mar 2027 00:00:00 GMT' })
      expect(headers.Link).toContain('rel="deprecation"')
      if (route.beta) expect([headers['X-Service-Beta'], headers.Link]).toEqual(['true', expect.stringContaining(HELP)])
    }
  })

  test('[versioning.4] its path says so to other methods and to a preflight', async () => {
    for (const [method, status] of [
      ['BREW', 405],
      ['OPTIONS', 204],
    ] as const) {
      const got = await answer({ route, method }, false)
      expect(got.status).toBe(status)
      expect([got.headers['X-Service-Beta'], got.headers.Link]).toEqual(
        route.beta ? ['true', HELP] : [undefined, undefined],
      )
    }
    if (route.method !== 'get') return
    const head = await answer({ route: bare(route, () => ({})), method: 'HEAD' }, false)
    expect([head.status, head.headers['X-Service-Beta']]).toEqual([route.status ?? 200, route.beta && 'true'])
  })
})

test('[versioning.4] a replayed answer of a Beta operation is marked, too', async () => {
  const made: Route = {
    method: 'post',
    path: '/v2/themes',
    summary: '',
    beta: true,
    response: z.unknown(),
    handle: () => ({}),
  }
  const { router } = testRouter({ routes: [made], ...allScopes, idempotency: memoryIdempotency() })
  const ask = () =>
    router(
      httpRequest('POST', '/rest/v2/themes', {
        headers: { authorization: `Bearer ${TEST_KEY}`, 'idempotency-key': 'k' },
      }),
    )
  await ask()
  expect((await ask()).headers).toMatchObject({ 'Idempotency-Replayed': 'true', 'X-Service-Beta': 'true', Link: HELP })
})

test('[versioning.4] a path with operations that are not Beta does not claim it for the others', async () => {
  const beta: Route = {
    method: 'get',
    path: '/v1/teams',
    summary: '',
    beta: true,
    response: z.unknown(),
    handle: () => ({}),
  }
  const settled: Route = { ...beta, method: 'post', beta: false }
  const { call } = testRouter({ routes: [beta, settled], ...allScopes })
  for (const method of ['BREW', 'OPTIONS'])
    expect((await call(method, '/rest/v1/teams')).headers).not.toHaveProperty('X-Service-Beta')
})

test('[versioning.4] the operations of themes, control rooms, brands, game plans, rundowns, schedules, standings, statistics, webhooks, lamps, OBS, match desks, batches of records and the feed of providers are Beta, and no others', () => {
  const isBeta =
    /\/game-plan(\/|$)|\/rundown(\/|$)|\/scheduled\/|\/sponsor-slots$|^\/v2\/brands(\/|$)|^(\/v2)?\/themes(\/|$)|^\/v2\/control-rooms(\/|$)|^\/v2\/schemas\/(providers\/|webhooks$)|^\/v2\/webhooks(\/|$)|\/standings(\/|$)|\/statistics$|\/\{overlayId\}\/(state|obs\/refresh)$|^\/v2\/matches\/\{matchId\}\/(links|teams)\/|^\/v[12]\/(competitions|teams|teams\/clubs|matches|officials|venues)\/batch$/
  expect(routes.filter(({ path, beta = false }) => isBeta.test(path) !== beta).map(operationName)).toEqual([])
})

test('[versioning.4] the description marks exactly these and tells readers', () => {
  const document = new Description(openapi(routes, { publicUrl: 'http://localhost:8080', changes: changelog }))
  for (const route of routes) {
    const operation = document.at(`#/paths/${route.path.replaceAll('/', '~1')}/${route.method}`)
    expect([operationName(route), operation?.['x-beta']]).toEqual([
      operationName(route),
      route.beta ? 'true' : undefined,
    ])
    expect(String(operation?.description).includes('**Beta.**')).toBe(route.beta === true)
  }
})
