import { describe, expect, test, vi } from 'vitest'
import { codeGraphicInvalid, forbidden, locked, notFound, notOnAir, targetChanged } from '../../src/errors.ts'
import type { HttpReply } from '../../src/http/message.ts'
import { route } from '../../src/http/route.ts'
import { echoRoutes } from '../support/echo-routes.ts'
import { recordingLog, testRouter } from '../support/http.ts'

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
      routes: echoRoutes,
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
      routes: echoRoutes,
      deadlineMs: 20,
      keyStore: { find: () => new Promise(() => {}), used: () => {} },
    }).call('GET', '/rest/v1/teams')
    expect(answer.status).toBe(503)
  })
})
