import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { codeGraphicInvalid, forbidden, locked, notFound, notOnAir, targetChanged } from '../../src/errors.ts'
import type { HttpReply } from '../../src/http/message.ts'
import { Raw, route } from '../../src/http/route.ts'
import { Id, Name, text } from '../../src/schema/fields.ts'
import { paging } from '../../src/schema/paging.ts'
import { recordingLog, TEST_KEY, testRouter } from '../support/http.ts'

const TeamBody = z.strictObject({
  name: Name,
  files: z.array(z.strictObject({ size: z.int32() })).optional(),
  values: z.record(z.string(), z.union([z.string().max(5), z.number(), z.null()])).optional(),
  deep: z.union([z.boolean(), z.union([z.array(z.int()), z.int()])]).optional(),
})

const routes = [
  route({
    method: 'get',
    path: '/v1/teams',
    summary: 'List',
    query: z.object({ ...paging, isHome: z.boolean().optional(), name: z.string().optional() }),
    response: z.unknown(),
    handle: (_ctx, { query }) => ({ query }),
  }),
  route({
    method: 'post',
    path: '/v1/teams',
    summary: 'Create',
    status: 201,
    body: TeamBody,
    response: z.unknown(),
    handle: (_ctx, { body }) => ({ body }),
  }),
  route({
    method: 'get',
    path: '/v1/teams/{teamId}',
    summary: 'Read',
    params: z.object({ teamId: Id }),
    response: z.unknown(),
    handle: (ctx, { params }) => ({ ...params, requestId: ctx.requestId }),
  }),
  route({
    method: 'delete',
    path: '/v1/teams/{teamId}',
    summary: 'Delete',
    status: 204,
    params: z.object({ teamId: Id }),
    handle: () => undefined,
  }),
  route({ method: 'get', path: '/v1/teams/csv', summary: 'Text', handle: () => new Raw('text/csv', 'a,b') }),
  route({
    method: 'get',
    path: '/v1/teams/{teamId}/notes/{note}',
    summary: 'Text parameter',
    params: z.object({ teamId: Id, note: text(1, 100) }),
    response: z.unknown(),
    handle: (_ctx, { params }) => params,
  }),
  route({
    method: 'get',
    path: '/v2/themes/{themeId}',
    summary: 'Beta',
    beta: true,
    params: z.object({ themeId: Id }),
    handle: () => {
      throw notFound()
    },
  }),
  route({
    method: 'post',
    path: '/v2/themes',
    summary: 'Scope',
    beta: true,
    response: z.unknown(),
    handle: () => ({}),
  }),
]

const { call, told } = testRouter({ routes })

describe('matching', () => {
  test('a path with another number of segments, a trailing slash or an empty segment is unknown', async () => {
    for (const path of ['/v1', '/v1/teams/', '/v1//teams', '/v1/teams/1/', '/v1/teams/1/notes', '', '/', '/v1/Teams'])
      expect(await call('GET', `/rest${path}`)).toMatchObject({ status: 404, json: { message: 'Not Found' } })
  })

  test('a known path with another method answers 405 and names the methods', async () => {
    expect(await call('PATCH', '/rest/v1/teams')).toMatchObject({
      status: 405,
      json: { message: 'Method Not Allowed' },
      headers: { Allow: 'GET, POST, HEAD, OPTIONS' },
    })
    expect(await call('BREW', '/rest/v1/teams/1')).toMatchObject({ status: 405 })
  })

  test('a fixed segment wins over a parameter', async () => {
    expect(await call('GET', '/rest/v1/teams/csv')).toMatchObject({
      headers: { 'Content-Type': 'text/csv' },
      body: 'a,b',
    })
  })

  test('HEAD is answered by what GET is', async () => {
    expect(await call('HEAD', '/rest/v1/teams/4')).toMatchObject({ status: 200 })
    expect(await call('HEAD', '/rest/v2/themes')).toMatchObject({ status: 405 })
  })

  test('a parameter is decoded once', async () => {
    expect((await call('GET', '/rest/v1/teams/1/notes/a%2Fb%2520c')).json).toEqual({ teamId: 1, note: 'a/b%20c' })
  })

  test.each(['%zz', '%ff', '%00', '%', '%ed%a0%80'])('the parameter %s is refused as badly encoded', async (note) => {
    expect(await call('GET', `/rest/v1/teams/1/notes/${note}`)).toMatchObject({
      status: 400,
      json: { details: { 'path.note': { message: 'bad encoding', value: note } } },
    })
  })

  test.each(['0', '-1', '2147483648', '1.5', 'abc', '1e3', '0x10', '+5', '05', '5.0', '%201', 'NaN', '1'.repeat(400)])(
    'the id %s is refused, naming it',
    async (id) => {
      const { status, json } = await call('GET', `/rest/v1/teams/${id}`)
      expect(status).toBe(400)
      expect(Object.keys(json.details ?? {})).toEqual(['path.teamId'])
    },
  )

  test('the largest id is taken', async () => {
    expect((await call('GET', '/rest/v1/teams/2147483647')).json).toMatchObject({ teamId: 2147483647 })
  })
})

describe('the query', () => {
  test('numbers and booleans are read, defaults applied, unknown names ignored', async () => {
    expect((await call('GET', '/rest/v1/teams?limit=5&isHome=true&name=a+b%2B&nobody=1')).json).toEqual({
      query: { limit: 5, offset: 0, isHome: true, name: 'a b+' },
    })
    expect((await call('GET', '/rest/v1/teams')).json).toEqual({ query: { limit: 100, offset: 0 } })
  })

  test.each([
    'limit=0',
    'limit=1001',
    'limit=x',
    'limit=',
    'limit=5.5',
    'limit=1&limit=2',
    'offset=-1',
    'offset=99999999999',
  ])('%s is refused, naming it', async (query) => {
    const { status, json } = await call('GET', `/rest/v1/teams?${query}`)
    expect(status).toBe(400)
    expect(Object.keys(json.details ?? {})).toEqual([`query.${query.split('=')[0]}`])
  })

  test.each(['name=%00', 'name=%ff', 'name=%'])('%s is refused as badly encoded', async (query) => {
    expect((await call('GET', `/rest/v1/teams?${query}`)).json).toMatchObject({
      details: { 'query.name': { message: 'bad encoding' } },
    })
  })
})

describe('the body', () => {
  const send = (body: string | Buffer) => call('POST', '/rest/v1/teams', { body })

  test('every bad field is named by its path, with its value where that helps', async () => {
    const { status, json } = await send(
      '{"name":"short","files":[{"size":1},{"size":"x"},{"size":1.5,"more":1}],"extra":{},"other":1,"values":{"a":{}}}',
    )
    expect(status).toBe(400)
    expect(json).toMatchObject({ message: 'Validation Failed' })
    expect(json.details).toEqual({
      'body.name': { message: '6 to 39 characters', value: 'short' },
      'body.files[1].size': { message: expect.any(String), value: 'x' },
      'body.files[2].size': { message: expect.any(String), value: 1.5 },
      'body.files[2].more': { message: 'unknown key', value: 1 },
      'body.values.a': { message: expect.any(String) },
      'body.extra': { message: 'unknown key' },
      'body.other': { message: 'unknown key', value: 1 },
    })
  })

  test('of what may be of several types it is said which, or what the one that it is has against it', async () => {
    const { json } = await send(
      '{"name":"abcdefg","values":{"list":[],"is":true,"long":"abcdef","ok":"abc"},"deep":"x"}',
    )
    expect(json.details).toEqual({
      'body.values.list': { message: 'Invalid input: expected string or number or null' },
      'body.values.is': { message: 'Invalid input: expected string or number or null', value: true },
      'body.values.long': { message: expect.stringMatching(/5 characters/), value: 'abcdef' },
      'body.deep': { message: 'Invalid input: expected boolean or array or number', value: 'x' },
    })
    const inner = await send('{"name":"abcdefg","deep":[1,"x"]}')
    expect(Object.keys(inner.json.details as object)).toEqual(['body.deep[1]'])
  })

  test.each(['{', '', '{"name":}', "{'name':'abcdefg'}", 'undefined', 'NaN', '{"name":"abcdefg"}}', '\u0000'])(
    'the body %j is not JSON',
    async (body) => {
      const { status, json } = await send(body)
      expect(status).toBe(400)
      expect(json.details).toEqual(body === '' ? { body: { message: 'a JSON body is required' } } : {})
    },
  )

  test.each(['null', '[]', '"text"', '1', 'true'])('the body %s is not an object', async (body) => {
    const { status, json } = await send(body)
    expect(status).toBe(400)
    expect(Object.keys(json.details ?? {})).toEqual(['body'])
  })

  test('a body that is not UTF-8 is refused', async () => {
    expect(await send(Buffer.from([0x22, 0xff, 0x22]))).toMatchObject({ status: 400, json: { details: {} } })
  })

  test('nesting is measured before anything is parsed', async () => {
    expect(await send('['.repeat(1_000_000))).toMatchObject({ status: 400, json: { details: {} } })
    const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`
    expect(await send(deep)).toMatchObject({ status: 400, json: { message: expect.stringContaining('64') } })
    const brackets = await send(`{"name":"${'['.repeat(70)}"}`)
    expect(Object.keys(brackets.json.details ?? {})).toEqual(['body.name'])
  })

  test.each([
    ['{"name":"abc\\u0000def"}', 'body.name'],
    ['{"name":"abc\\ud800def"}', 'body.name'],
    ['{"name":"abcdefg","values":{"a":["\\udc00"]}}', 'body.values.a[0]'],
    ['{"name":"abcdefg","values":{"\\u0000":"x"}}', 'body.values.\u0000'],
  ])('NUL characters and lone surrogates in %s are refused, naming the path', async (body, path) => {
    const { status, json } = await send(body)
    expect(status).toBe(400)
    expect(Object.keys(json.details ?? {})).toContain(path)
  })

  test.each([
    ['{"name":"abcdefg","values":{"a":1e999}}', 'body.values.a'],
    ['{"name":"abcdefg","values":{"a":[1,-1.5E+400\n]}}', 'body.values.a[1]'],
    [`{"name":"abcdefg","values":{"a":${'9'.repeat(400)}}}`, 'body.values.a'],
  ])('numbers that no double holds in %s are refused, naming the path', async (body, path) => {
    const { status, json } = await send(body)
    expect(status).toBe(400)
    expect(json.details).toHaveProperty([path], { message: 'this number is too large' })
  })

  test('at most 1,000 texts that cannot be stored are named', async () => {
    const values = Array.from({ length: 5_000 }, (_, index) => `"v${index}":"\\u0000"`)
    const { status, json } = await send(`{"name":"abcdefg","values":{${values}}}`)
    expect(status).toBe(400)
    expect(Object.keys(json.details ?? {})).toHaveLength(1_000)
  })

  test('escaped pairs are fine', async () => {
    expect(await send('{"name":"abcdef\\ud83d\\ude00"}')).toMatchObject({ status: 201 })
  })

  test.each(['{"name":"abcdefg","__proto__":{"admin":true}}', '{"name":"abcdefg","values":{"__proto__":"x"}}'])(
    'the key __proto__ in %s reaches no object',
    async (body) => {
      const { status, json } = await send(body)
      expect(status).toBe(400)
      expect(Object.keys(json.details ?? {}).some((path) => path.endsWith('.__proto__'))).toBe(true)
      expect(Object.hasOwn(Object.prototype, 'admin')).toBe(false)
    },
  )

  test('constructor is a key like any other in a map', async () => {
    const { status, json } = await send('{"name":"abcdefg","values":{"constructor":"x","toString":"y"}}')
    expect(status).toBe(201)
    expect(json.body).toEqual({ name: 'abcdefg', values: { constructor: 'x', toString: 'y' } })
  })

  test('lengths count code points', async () => {
    expect(await send('{"name":"😀😀😀😀😀😀"}')).toMatchObject({ status: 201 })
    expect(await send('{"name":"😀😀😀"}')).toMatchObject({ status: 400 })
    expect(await send(`{"name":"${'😀'.repeat(39)}"}`)).toMatchObject({ status: 201 })
    expect(await send(`{"name":"${'😀'.repeat(40)}"}`)).toMatchObject({ status: 400 })
  })

  test('a body with a hundred thousand bad items is answered with a bounded answer', async () => {
    const { status, body } = await send(`{"name":"abcdefg","files":[${Array(100_000).fill('{}').join(',')}]}`)
    expect(status).toBe(400)
    expect(body.length).toBeLessThan(200_000)
  })
})

describe('the order of checks', () => {
  const none = { authorization: '' }

  test('without a key every path below /rest answers 401 first', async () => {
    for (const path of ['/rest', '/rest/', '/rest/nowhere', '/rest/v1/teams/x', '/rest/v1/teams?limit=x'])
      expect(await call('GET', path, { headers: none })).toMatchObject({
        status: 401,
        json: { code: 'UNAUTHENTICATED' },
        headers: { 'WWW-Authenticate': 'Bearer' },
      })
    expect(await call('BREW', '/rest/v1/teams', { headers: none })).toMatchObject({ status: 401 })
    expect(await call('POST', '/rest/v1/teams', { headers: none, body: '{' })).toMatchObject({ status: 401 })
  })

  test('a missing scope answers 403 before a bad shape answers 400', async () => {
    expect(await call('POST', '/rest/v2/themes', { body: '{' })).toMatchObject({
      status: 403,
      json: { message: 'Missing scope: themes:write', code: 'INSUFFICIENT_SCOPE' },
    })
  })

  test('a bad shape answers 400 before the handler answers 404', async () => {
    expect(await call('GET', '/rest/v2/themes/x')).toMatchObject({ status: 400 })
    expect(await call('GET', '/rest/v2/themes/1')).toMatchObject({ status: 404, json: { message: 'Not Found' } })
  })
})

describe('headers', () => {
  test('every REST answer is JSON that nobody may store, readable from anywhere', async () => {
    for (const path of ['/rest/v1/teams', '/rest/nowhere', '/rest/v1/teams/x'])
      expect((await call('GET', path)).headers).toMatchObject({
        'Content-Type': 'application/json',
        'Cache-Control': 'no-store',
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Expose-Headers': expect.stringContaining('X-Request-Id'),
      })
  })

  test('a preflight needs no key', async () => {
    expect(await call('OPTIONS', '/rest/v1/teams', { headers: { authorization: '' } })).toMatchObject({
      status: 204,
      body: '',
      headers: {
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Allow-Methods': 'GET, POST, HEAD, OPTIONS',
        'Access-Control-Allow-Headers': expect.stringContaining('x-service-api-key'),
      },
    })
    expect(await call('OPTIONS', '/rest/nowhere', { headers: { authorization: '' } })).toMatchObject({ status: 204 })
  })

  test('a sane request id is kept, any other replaced, and the handler sees it', async () => {
    const kept = await call('GET', '/rest/v1/teams/1', { headers: { 'x-request-id': 'a.B_c-1' } })
    expect(kept.headers['X-Request-Id']).toBe('a.B_c-1')
    expect(kept.json.requestId).toBe('a.B_c-1')
    for (const insane of ['', 'a b', 'ä', 'x'.repeat(129), 'a\r\nb', '<script>']) {
      const { headers } = await call('GET', '/rest/nowhere', { headers: { 'x-request-id': insane } })
      expect(headers['X-Request-Id']).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  test('[versioning.4] beta operations say so, on errors too', async () => {
    const beta = { 'X-Service-Beta': 'true', Link: '<http://localhost:8080/docs#beta>; rel="help"' }
    expect((await call('GET', '/rest/v2/themes/1')).headers).toMatchObject(beta)
    expect((await call('GET', '/rest/v2/themes/x')).headers).toMatchObject(beta)
    expect((await call('GET', '/rest/v2/themes/1', { headers: { authorization: '' } })).headers).toMatchObject(beta)
    expect((await call('POST', '/rest/v2/themes')).headers).toMatchObject(beta)
    expect((await call('GET', '/rest/v1/teams')).headers).not.toHaveProperty('X-Service-Beta')
  })

  test('[versioning.5] a deprecated operation tells since when and until when', async () => {
    const changes = [{ version: '1.0.0', date: '2026-03-01', changes: [], deprecates: ['GET /v1/teams'] }]
    const old = testRouter({ routes, changes })
    expect((await old.call('GET', '/rest/v1/teams')).headers).toMatchObject({
      Deprecation: `@${Date.UTC(2026, 2, 1) / 1000}`,
      Sunset: 'Mon, 01 Mar 2027 00:00:00 GMT',
    })
    expect((await old.call('POST', '/rest/v1/teams', { body: '{}' })).headers).not.toHaveProperty('Deprecation')
  })

  test('204 has no body', async () => {
    expect(await call('DELETE', '/rest/v1/teams/1')).toMatchObject({ status: 204, body: '' })
  })
})

describe('errors', () => {
  const throwing = (thrown: () => unknown, parts: Parameters<typeof testRouter>[0] = {}) =>
    testRouter({
      routes: [
        route({
          method: 'get',
          path: '/v1/teams',
          summary: 'Throws',
          throws: [notOnAir, locked, targetChanged, codeGraphicInvalid],
          handle: () => {
            throw thrown()
          },
        }),
      ],
      ...parts,
    }).call('GET', '/rest/v1/teams')

  test.each([
    ['[errors] forbidden', forbidden, 403, { message: expect.any(String), code: 'FORBIDDEN' }],
    ['[errors] not found', notFound, 404, { message: 'Not Found' }],
    ['[errors] not on air', notOnAir, 400, { message: expect.any(String), details: {} }],
    ['[errors] target changed', targetChanged, 409, { message: expect.any(String), code: 'TARGET_CHANGED' }],
    [
      '[errors] locked',
      () => locked({ userName: 'Kim' }),
      409,
      { message: expect.any(String), code: 'LOCKED', holder: { userName: 'Kim' } },
    ],
    [
      '[errors] locked by nobody any more',
      () => locked(null),
      409,
      { message: expect.any(String), code: 'LOCKED', holder: null },
    ],
    [
      '[errors] code graphic invalid',
      () => codeGraphicInvalid(['no entry']),
      400,
      { message: expect.any(String), code: 'CODE_GRAPHIC_INVALID', details: ['no entry'] },
    ],
  ])('%s', async (_, thrown, status, body) => {
    const answer = await throwing(thrown)
    expect(answer.status).toBe(status)
    expect(answer.json).toEqual(body)
  })

  test('[errors] a 500 says nothing about the inside', async () => {
    const { log, lines } = recordingLog()
    const answer = await throwing(() => new Error('password is hunter2'), { log })
    expect(answer.status).toBe(500)
    expect(answer.json).toEqual({ message: 'Unexpected error' })
    expect(JSON.stringify(lines)).toContain('hunter2')
  })

  test('[errors] a thrown nothing is a 500 too', async () => {
    expect(await throwing(() => undefined)).toMatchObject({ status: 500 })
  })

  test('a database out of reach answers 503 with Retry-After', async () => {
    const answer = await throwing(() => new Error('ECONNREFUSED'), { isOutOfReach: () => true })
    expect(answer).toMatchObject({ status: 503, headers: { 'Retry-After': '1' } })
  })

  test('a key that cannot be looked up answers 503', async () => {
    const answer = await testRouter({
      routes,
      isOutOfReach: () => true,
      keyStore: { find: () => Promise.reject(new Error('ECONNREFUSED')), used: () => {} },
    }).call('GET', '/rest/v1/teams')
    expect(answer).toMatchObject({ status: 503, headers: { 'Retry-After': '1' } })
  })

  test('an error that the route does not declare is logged', async () => {
    const { log, lines } = recordingLog()
    const undeclared = route({
      method: 'get',
      path: '/v1/teams',
      summary: 'Throws',
      handle: () => {
        throw locked(null)
      },
    })
    await testRouter({ routes: [undeclared], log }).call('GET', '/rest/v1/teams')
    expect(lines).toContainEqual(expect.objectContaining({ kind: 'locked', operation: 'GET /v1/teams' }))
  })
})

describe('the deadline', () => {
  test('a handler that does not answer is given up, and its work goes on', async () => {
    const finished = vi.fn()
    let release: () => void = () => {}
    const slow = route({
      method: 'get',
      path: '/v1/teams',
      summary: 'Slow',
      handle: async () => {
        await new Promise<void>((resolve) => {
          release = resolve
        })
        finished()
        return undefined
      },
    })
    const answer = await testRouter({ routes: [slow], deadlineMs: 20 }).call('GET', '/rest/v1/teams')
    expect(answer).toMatchObject({ status: 503, headers: { 'Retry-After': '1' } })
    expect(finished).not.toHaveBeenCalled()
    release()
    await expect.poll(() => finished.mock.calls.length).toBe(1)
  })

  test('an operation that reads much is waited for, others are given up', async () => {
    let release = () => {}
    const waiting = new Promise<undefined>((resolve) => {
      release = () => resolve(undefined)
    })
    const about = { method: 'get', status: 204, summary: 'Waits' } as const
    const both = [
      route({ ...about, path: '/v1/teams', handle: () => waiting }),
      route({ ...about, path: '/v1/teams/all', unhurried: true, handle: () => waiting }),
    ]
    const { call } = testRouter({ routes: both, deadlineMs: 20 })
    const long = call('GET', '/rest/v1/teams/all')
    expect((await call('GET', '/rest/v1/teams')).status).toBe(503)
    release()
    expect((await long).status).toBe(204)
  })

  test('a page that goes at the speed of its client has no deadline, others have', async () => {
    let release = () => {}
    const handle = () =>
      new Promise<HttpReply>((resolve) => {
        release = () => resolve({ status: 200, headers: {}, body: 'at last' })
      })
    const pages = [
      { path: '/slow', unhurried: true, handle },
      { path: '/stuck', handle: () => new Promise<HttpReply>(() => {}) },
    ]
    const { call } = testRouter({ pages, deadlineMs: 20 })
    const slow = call('GET', '/slow')
    expect((await call('GET', '/stuck')).status).toBe(503)
    release()
    expect(await slow).toMatchObject({ status: 200, body: 'at last' })
  })

  test('a key lookup that hangs is given up too', async () => {
    const answer = await testRouter({
      routes,
      deadlineMs: 20,
      keyStore: { find: () => new Promise(() => {}), used: () => {} },
    }).call('GET', '/rest/v1/teams')
    expect(answer.status).toBe(503)
  })
})

describe('pages', () => {
  const { call } = testRouter({
    routes,
    pages: [
      { path: '/', handle: () => ({ status: 200, headers: {}, body: 'front' }) },
      { path: '/overlay/{key}', handle: (_, { key }) => ({ status: 200, headers: {}, body: `overlay ${key}` }) },
      { path: '/assets/{file*}', handle: (_, { file }) => ({ status: 200, headers: {}, body: `asset ${file}` }) },
      {
        path: '/rest/uploads/{secret}',
        methods: ['PUT'],
        handle: async (request) => ({ status: 200, headers: {}, body: String(await request.body(10)) }),
      },
      {
        path: '/broken',
        handle: () => {
          throw new Error('inside')
        },
      },
    ],
  })
  const open = { authorization: '' }

  test('they need no key and carry a request id', async () => {
    const answer = await call('GET', '/', { headers: open })
    expect(answer).toMatchObject({ status: 200, body: 'front', headers: { 'X-Request-Id': expect.any(String) } })
    expect(await call('GET', '/overlay/a%20b', { headers: open })).toMatchObject({ body: 'overlay a b' })
    expect(await call('GET', '/assets/a/b.js', { headers: open })).toMatchObject({ body: 'asset a/b.js' })
  })

  test('one below /rest needs no key either, and takes the methods it names', async () => {
    expect(await call('PUT', '/rest/uploads/s', { headers: open, body: 'bytes' })).toMatchObject({ body: 'bytes' })
    expect(await call('GET', '/rest/uploads/s', { headers: open })).toMatchObject({ status: 405 })
  })

  test('an unknown path is 404, another method 405, a broken page 500', async () => {
    expect(await call('GET', '/nowhere', { headers: open })).toMatchObject({
      status: 404,
      json: { message: 'Not Found' },
    })
    expect(await call('POST', '/', { headers: open })).toMatchObject({
      status: 405,
      headers: { Allow: 'GET, HEAD, OPTIONS' },
    })
    expect(await call('GET', '/broken', { headers: open })).toMatchObject({
      status: 500,
      json: { message: 'Unexpected error' },
    })
  })
})

test('metrics are told patterns, never paths or methods as sent', async () => {
  told.length = 0
  await call('GET', '/rest/v1/teams/1')
  await call('BREW', '/rest/nowhere/1')
  expect(told).toEqual([
    { method: 'GET', route: '/rest/v1/teams/{teamId}', status: 200 },
    { method: 'OTHER', route: 'unmatched', status: 404 },
  ])
})

test('a client that went away while sending its body is no error', async () => {
  const { log, lines } = recordingLog()
  const { router } = testRouter({ routes, log })
  await router({
    method: 'POST',
    path: '/rest/v1/teams',
    query: '',
    header: (name) => (name === 'authorization' ? `Bearer ${TEST_KEY}` : ''),
    has: (name) => name === 'authorization',
    remoteAddress: '',
    body: async () => undefined,
    chunks: async function* () {},
  })
  expect(lines.filter(({ level }) => Number(level) >= 40)).toEqual([])
})

test('[issue 5.7] the path of a page, which is as good as a key, is never logged', async () => {
  const { log, lines } = recordingLog()
  const page = { path: '/live/{token}/{file}', handle: () => ({ status: 200, headers: {}, body: '' }) }
  const { call } = testRouter({ routes, pages: [page], log })
  await call('GET', '/live/token-to-watch/7.ts')
  await call('GET', '/live/token-to-watch/no/such')
  await call('GET', '/rest/v1/teams/7')
  const paths = lines.filter(({ msg }) => msg === 'answered').map(({ path }) => path)
  expect(paths).toEqual(['/live/{token}/{file}', 'unmatched', '/rest/v1/teams/7'])
  expect(JSON.stringify(lines)).not.toContain('token-to-watch')
})
