import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import type { HttpReply, HttpRequest } from '../../src/http/message.ts'
import { Raw, type Route } from '../../src/http/route.ts'
import { createServer, type Server } from '../../src/http/uws.ts'
import { httpRequest, recordingLog, TEST_KEY, testRouter } from '../support/http.ts'

const PART = 'a line of a table, like any other\r\n'.repeat(2_000)
const PARTS = 200
const HEAVY = Buffer.alloc(4_000_000, PART)

/** What became of the answers: how many parts were asked for, and whether each gave back what it held. */
const told = { asked: 0, ended: 0 }

async function* heavy(): AsyncGenerator<Buffer> {
  for (let part = 0; part < 50; part++) {
    told.asked++
    yield HEAVY
  }
}

async function* parts(breaksAt = Number.POSITIVE_INFINITY): AsyncGenerator<string> {
  try {
    for (let part = 0; part < PARTS; part++) {
      told.asked++
      if (part === breaksAt) throw new Error('the database is gone')
      // as one that is read from a database: never in the same turn
      await new Promise((resolve) => setImmediate(resolve))
      yield PART
    }
  } finally {
    told.ended++
  }
}

const { log, lines } = recordingLog()
let server: Server
let origin = ''
const handle = async ({ path }: HttpRequest): Promise<HttpReply> => ({
  status: 200,
  headers: { 'Content-Type': 'text/csv' },
  body: path === '/small' ? 'all' : 'head\r\n',
  ...(path !== '/small' && { stream: path === '/heavy' ? heavy() : parts(path === '/breaks' ? 3 : undefined) }),
})
beforeAll(async () => {
  server = createServer({ handle, sockets: [], log })
  origin = `http://127.0.0.1:${await server.listen('127.0.0.1', 0)}`
})
afterAll(() => server.close(0))

const ended = (count: number) => vi.waitFor(() => expect(told.ended).toBe(count))

test('[issue 15.15] an answer in parts arrives whole, and the connection takes the next request', async () => {
  const before = told.ended
  const answer = await fetch(`${origin}/whole`)
  expect(answer.headers.get('content-length')).toBeNull()
  expect(await answer.text()).toBe(`head\r\n${PART.repeat(PARTS)}`)
  await ended(before + 1)
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let heard = ''
  socket.on('data', (bytes) => {
    heard += bytes
  })
  const ask = (path: string) => socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
  ask('/whole')
  await vi.waitFor(() => expect(heard.slice(-7)).toBe('\r\n0\r\n\r\n'))
  ask('/small')
  await vi.waitFor(() => expect(heard.slice(-7)).toBe('\r\n\r\nall'))
  await ended(before + 2)
})

test('[issue 15.15] an error in the middle ends the connection without the end of the body', async () => {
  const before = told.ended
  const answer = await fetch(`${origin}/breaks`)
  expect(answer.status).toBe(200)
  await expect(answer.text()).rejects.toThrow()
  await ended(before + 1)
  expect(lines).toContainEqual(expect.objectContaining({ msg: 'an answer broke off in the middle' }))
  expect(server.pending()).toBe(0)
})

test('[issue 15.15] a client that goes away, or takes nothing, gives back what was held for it', async () => {
  const before = told.ended
  const asked = told.asked
  const leaving = new AbortController()
  const answer = await fetch(`${origin}/whole`, { signal: leaving.signal })
  await answer.body?.getReader().read()
  leaving.abort()
  await ended(before + 1)
  // its own: one that soon cuts whoever takes nothing would cut a client that waits for a processor
  const impatient = createServer({ handle, sockets: [], log, stalledMs: 300 })
  const port = await impatient.listen('127.0.0.1', 0)
  onTestFinished(() => impatient.close(0))
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.pause()
  socket.write('GET /whole HTTP/1.1\r\nHost: a\r\n\r\n')
  await ended(before + 2)
  // what the network takes by itself, and no more: the rest was never read
  expect(told.asked - asked).toBeLessThan(PARTS * 2)
  expect([server.pending(), impatient.pending()]).toEqual([0, 0])
})

test('[issue 15.15] large parts do not pile up for a client that reads slowly', async () => {
  const before = process.memoryUsage.rss()
  const asked = told.asked
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write('GET /heavy HTTP/1.1\r\nHost: a\r\n\r\n')
  let read = 0
  // a piece of what has come, then a turn of the loop in which the server could send more
  while (read <= 12_000_000) {
    const piece = socket.read()
    read += piece?.length ?? 0
    await (piece ? new Promise((resolve) => setImmediate(resolve)) : once(socket, 'readable'))
  }
  // what was read, what the network holds, and the one part that is being sent
  expect((told.asked - asked) * HEAVY.length - read).toBeLessThan(HEAVY.length + 12_000_000)
  expect(process.memoryUsage.rss() - before).toBeLessThan(60_000_000)
})

test('an answer in parts that began before the server stops has its end, and says that the connection closes', async () => {
  const { log } = recordingLog()
  const other = createServer({
    handle: async () => ({ status: 200, headers: {}, body: 'head', stream: parts() }),
    sockets: [],
    log,
  })
  const port = await other.listen('127.0.0.1', 0)
  onTestFinished(() => other.close(0))
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  other.stopAccepting()
  let heard = ''
  socket.on('data', (bytes) => {
    heard += bytes
  })
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await vi.waitFor(() => expect(heard.slice(-7)).toBe('\r\n0\r\n\r\n'))
  expect(heard.match(/Connection: close/g)).toHaveLength(1)
})

test('HEAD of an answer in parts has its headers, and nothing is read for it', async () => {
  const asked = told.asked
  const answer = await fetch(`${origin}/whole`, { method: 'HEAD' })
  expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([200, 'text/csv', ''])
  expect((await fetch(`${origin}/small`)).status).toBe(200)
  expect(told.asked).toBe(asked)
})

test('[issue 15.15] what goes wrong before the first part is answered with its status', async () => {
  const route = (path: string, body: () => AsyncIterable<string>): Route => ({
    ...{ method: 'get', path, summary: path, scopes: ['teams:read'], response: z.unknown(), produces: ['text/csv'] },
    handle: () => new Raw('text/csv', body()),
  })
  const routes = [
    route('/v1/breaks', () => parts(0)),
    route('/v1/whole', () => parts()),
    route('/v1/empty', async function* () {}),
  ]
  const { call, router } = testRouter({ routes, isOutOfReach: () => true })
  const before = told.ended
  expect((await call('GET', '/rest/v1/breaks')).status).toBe(503)
  expect(told.ended).toBe(before + 1)
  const reply = await call('GET', '/rest/v1/whole')
  expect([reply.status, reply.body]).toEqual([200, PART])
  const rest = []
  for await (const part of reply.stream ?? []) rest.push(part)
  expect(rest).toHaveLength(PARTS - 1)
  expect(await call('GET', '/rest/v1/empty')).not.toHaveProperty('stream')
  const asked = told.asked
  const head = httpRequest('HEAD', '/rest/v1/whole', { headers: { authorization: `Bearer ${TEST_KEY}` } })
  expect((await router(head)).status).toBe(200)
  expect(told.asked).toBe(asked)
})
