import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { notFound } from '../../src/errors.ts'
import { Idempotency } from '../../src/http/idempotency.ts'
import { route } from '../../src/http/route.ts'
import { createIdempotencyStore, pruneIdempotency } from '../../src/store/idempotency.ts'
import { testContext } from '../support/context.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { apiKey, memoryIdempotency, testRouter } from '../support/http.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

/** Counts how often its routes run; every run answers something else. */
function counting(parts: Parameters<typeof testRouter>[0] = {}) {
  const ran: string[] = []
  const gates: (() => void)[] = []
  const fail = { next: false }
  const counted = async (name: string, gated = false) => {
    ran.push(name)
    if (gated) await new Promise<void>((resolve) => gates.push(resolve))
    if (fail.next) {
      fail.next = false
      throw notFound()
    }
    return { run: ran.length, random: randomUUID() }
  }
  const body = z.strictObject({ name: z.string() })
  const response = z.unknown()
  const routes = [
    route({
      method: 'post',
      path: '/v1/teams',
      summary: '',
      status: 201,
      body,
      response,
      handle: () => counted('post'),
    }),
    route({ method: 'put', path: '/v1/teams', summary: '', body, response, handle: () => counted('put') }),
    route({ method: 'patch', path: '/v1/teams', summary: '', body, response, handle: () => counted('patch') }),
    route({ method: 'delete', path: '/v1/teams', summary: '', response, handle: () => counted('delete') }),
    route({ method: 'get', path: '/v1/teams', summary: '', response, handle: () => counted('get') }),
    route({ method: 'post', path: '/v1/teams/slow', summary: '', response, handle: () => counted('slow', true) }),
    route({
      method: 'post',
      path: '/v1/teams/empty',
      summary: '',
      status: 204,
      handle: async () => void (await counted('empty')),
    }),
  ]
  const made = testRouter({ routes, idempotency: createIdempotencyStore(database.db), ...parts })
  const send = (method: string, path: string, key: string, body = '{"name":"a"}') =>
    made.call(method, `/rest/v1/teams${path}`, { headers: { 'idempotency-key': key }, body })
  return { ...made, send, ran, gates, fail }
}

describe('the same request under the same key', () => {
  test.each(['POST', 'PUT', 'PATCH'])('%s is answered with the same bytes and done once', async (method) => {
    const { send, ran } = counting()
    const key = randomUUID()
    const first = await send(method, '', key)
    const second = await send(method, '', key)
    expect(second).toMatchObject({ status: first.status, body: first.body })
    expect(first.headers).not.toHaveProperty('Idempotency-Replayed')
    expect(second.headers['Idempotency-Replayed']).toBe('true')
    expect(ran.length).toBe(1)
  })

  test('a request without a body in its answer is replayed too', async () => {
    const { send, ran } = counting()
    const key = randomUUID()
    expect(await send('POST', '/empty', key)).toMatchObject({ status: 204, body: '' })
    expect(await send('POST', '/empty', key)).toMatchObject({ status: 204, body: '' })
    expect(ran.length).toBe(1)
  })

  test('[live.7] it survives the process', async () => {
    const key = randomUUID()
    const first = await counting().send('POST', '', key)
    const restarted = counting()
    expect((await restarted.send('POST', '', key)).body).toBe(first.body)
    expect(restarted.ran).toEqual([])
  })

  test('GET and DELETE do not look at the key', async () => {
    const { send, ran } = counting()
    const key = randomUUID()
    for (const method of ['GET', 'GET', 'DELETE', 'DELETE']) await send(method, '', key)
    expect(ran.length).toBe(4)
  })

  test('a refusal is not kept', async () => {
    const { send, ran, fail } = counting()
    const key = randomUUID()
    fail.next = true
    expect(await send('POST', '', key)).toMatchObject({ status: 404 })
    expect(await send('POST', '', key)).toMatchObject({ status: 201 })
    expect(await send('POST', '', randomUUID(), '{}')).toMatchObject({ status: 400 })
    expect(ran.length).toBe(2)
  })

  test('after 24 h the key is new', async () => {
    const { send, ran } = counting()
    const key = randomUUID()
    await send('POST', '', key)
    await database.sql`update idempotency set created_at = now() - interval '24 hours 1 second' where key = ${key}`
    expect((await send('POST', '', key, '{"name":"other"}')).headers).not.toHaveProperty('Idempotency-Replayed')
    expect(ran.length).toBe(2)
  })
})

describe('another request under the same key', () => {
  test('another body, path, query or method answers 409 and does nothing', async () => {
    const { send, ran } = counting()
    const key = randomUUID()
    await send('POST', '', key)
    expect(await send('POST', '', key, '{"name":"b"}')).toMatchObject({ status: 409 })
    expect(await send('POST', '', key, '{"name": "a"}')).toMatchObject({ status: 409 })
    expect(await send('POST', '?x=1', key)).toMatchObject({ status: 409 })
    expect(await send('POST', '/empty', key)).toMatchObject({ status: 409 })
    expect(await send('PUT', '', key)).toMatchObject({ status: 409 })
    expect(ran).toEqual(['post'])
  })

  test('409 also while the first is still running', async () => {
    const { send, gates } = counting()
    const key = randomUUID()
    const first = send('POST', '/slow', key)
    await expect.poll(() => gates.length).toBe(1)
    expect(await send('POST', '/slow', key, '{"name":"b"}')).toMatchObject({ status: 409 })
    gates[0]?.()
    expect(await first).toMatchObject({ status: 200 })
  })

  test('keys are scoped to the organization', async () => {
    const key = randomUUID()
    const first = await counting().send('POST', '', key)
    const foreign = counting({ keyStore: { find: () => apiKey({ organizationId: 2 }), used: () => {} } })
    const second = await foreign.send('POST', '', key)
    expect(second.status).toBe(201)
    expect(second.body).not.toBe(first.body)
  })
})

describe('at the same time', () => {
  test('three at once run once and answer the same bytes', async () => {
    const { send, ran, gates } = counting()
    const key = randomUUID()
    const all = [send('POST', '/slow', key), send('POST', '/slow', key), send('POST', '/slow', key)]
    await expect.poll(() => gates.length).toBe(1)
    gates[0]?.()
    const answers = await Promise.all(all)
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    expect(ran.length).toBe(1)
  })

  test('when the first fails, the next one runs', async () => {
    const { send, ran, gates, fail } = counting()
    const key = randomUUID()
    const first = send('POST', '/slow', key)
    await expect.poll(() => gates.length).toBe(1)
    const second = send('POST', '/slow', key)
    fail.next = true
    gates[0]?.()
    expect(await first).toMatchObject({ status: 404 })
    await expect.poll(() => gates.length).toBe(2)
    gates[1]?.()
    expect(await second).toMatchObject({ status: 200 })
    expect(ran.length).toBe(2)
  })

  test('who waits too long is told to try again', async () => {
    const idempotency = new Idempotency(memoryIdempotency(), (run) => run, 20)
    const print = { method: 'POST', path: '/', bodyHash: '00'.repeat(32) }
    const answer = { status: 200, body: '' }
    const keyed = { organizationId: 1, key: 'key', print, live: false, encode: () => answer }
    let end = () => {}
    const first = idempotency.once(keyed, async () => {
      await new Promise<void>((resolve) => {
        end = resolve
      })
      return { answer }
    })
    await expect(idempotency.once(keyed, async () => ({ answer }))).rejects.toMatchObject({ status: 503 })
    end()
    expect(await first).toEqual({ answer, replayed: false })
  })

  test('who got 503 at the deadline finds the answer later, without a second run', async () => {
    const { send, ran, gates } = counting({ deadlineMs: 2_000 })
    const key = randomUUID()
    expect(await send('POST', '/slow', key)).toMatchObject({ status: 503 })
    await expect.poll(() => gates.length).toBe(1)
    const retry = send('POST', '/slow', key)
    gates[0]?.()
    expect(await retry).toMatchObject({ status: 200, headers: { 'Idempotency-Replayed': 'true' } })
    expect(ran.length).toBe(1)
  })
})

describe('the header', () => {
  test.each([
    ['empty', ''],
    ['longer than 255', 'k'.repeat(256)],
  ])('%s is refused', async (_, key) => {
    expect(await counting().send('POST', '', key)).toMatchObject({
      status: 400,
      json: { details: { 'header.Idempotency-Key': expect.anything() } },
    })
  })

  test('of 255 characters is taken', async () => {
    expect(await counting().send('POST', '', randomUUID().padEnd(255, 'k'))).toMatchObject({ status: 201 })
  })

  test('is looked at only after the scope', async () => {
    const { send } = counting({ keyStore: { find: () => apiKey({ scopes: ['teams:read'] }), used: () => {} } })
    expect(await send('POST', '', '')).toMatchObject({ status: 403 })
  })
})

describe('with the commit', () => {
  const written = (organizationId: number, twice = false) => {
    const write = (ctx: Parameters<typeof database.db.write>[0], name: string) =>
      database.db.write(ctx, { ref: `organization/${organizationId}`, type: 'rename' }, async (tx) => {
        await tx`update organization set name = ${name} where id = ${organizationId}`
        return { result: { name }, events: [{ type: 'organization.renamed' }] }
      })
    return route({
      method: 'post',
      path: '/v1/teams',
      summary: '',
      response: z.unknown(),
      handle: async (ctx) => {
        const first = await write(ctx, randomUUID())
        if (!twice) return first
        await write(ctx, randomUUID())
        return { whole: true }
      },
    })
  }
  const newOrganization = async () => {
    const [row] = await database.sql<{ id: number }[]>`insert into organization (name) values ('mine') returning id`
    return row?.id ?? 0
  }
  const routerOf = (organizationId: number, twice = false) => {
    const stored: string[] = []
    const store = createIdempotencyStore(database.db)
    const { call } = testRouter({
      routes: [written(organizationId, twice)],
      keyStore: { find: () => apiKey({ organizationId }), used: () => {} },
      idempotency: {
        find: store.find,
        store: (id, key, row) => {
          stored.push(row.body)
          return store.store(id, key, row)
        },
      },
      makeContext: (principal, requestId, idempotency) =>
        testContext(principal.organizationId, { requestId, db: database.db, ...(idempotency && { idempotency }) }),
    })
    const send = (key: string) => call('POST', '/rest/v1/teams', { headers: { 'idempotency-key': key } })
    return { send, stored }
  }

  test('[live.7] the answer is stored by the commit that did the work', async () => {
    const organizationId = await newOrganization()
    const { send, stored } = routerOf(organizationId)
    const key = randomUUID()
    const first = await send(key)
    const kept = await createIdempotencyStore(database.db).find(organizationId, key)
    expect(kept).toMatchObject({ status: 200, body: first.body })
    expect(stored).toEqual([])
    expect((await send(key)).body).toBe(first.body)
  })

  test('an operation of two commits keeps the answer that was sent', async () => {
    const { send } = routerOf(await newOrganization(), true)
    const key = randomUUID()
    expect(await send(key)).toMatchObject({ status: 200, body: '{"whole":true}' })
    expect(await send(key)).toMatchObject({ body: '{"whole":true}', headers: { 'Idempotency-Replayed': 'true' } })
  })
})

test('[live.27] rows older than 24 h are pruned', async () => {
  const store = createIdempotencyStore(database.db)
  const row = { method: 'POST', path: '/', bodyHash: '00'.repeat(32), status: 200, body: '' }
  const [old, young] = [randomUUID(), randomUUID()]
  await store.store(1, old, row)
  await store.store(1, young, row)
  await database.sql`update idempotency set created_at = now() - interval '25 hours' where key = ${old}`
  expect(await pruneIdempotency(database.sql)).toBeGreaterThanOrEqual(1)
  expect(
    (await database.sql`select key from idempotency where key in (${old}, ${young})`).map(({ key }) => key),
  ).toEqual([young])
})
