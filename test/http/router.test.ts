import { describe, expect, test } from 'vitest'
import { echoRoutes } from '../support/echo-routes.ts'
import { recordingLog, TEST_KEY, testRouter } from '../support/http.ts'

const { call, told } = testRouter({ routes: echoRoutes })

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
    const old = testRouter({ routes: echoRoutes, changes })
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

describe('pages', () => {
  const { call } = testRouter({
    routes: echoRoutes,
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
  const { router } = testRouter({ routes: echoRoutes, log })
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
  const { call } = testRouter({ routes: echoRoutes, pages: [page], log })
  await call('GET', '/live/token-to-watch/7.ts')
  await call('GET', '/live/token-to-watch/no/such')
  await call('GET', '/rest/v1/teams/7')
  const paths = lines.filter(({ msg }) => msg === 'answered').map(({ path }) => path)
  expect(paths).toEqual(['/live/{token}/{file}', 'unmatched', '/rest/v1/teams/7'])
  expect(JSON.stringify(lines)).not.toContain('token-to-watch')
})
