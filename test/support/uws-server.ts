import { connect, type Socket as TcpSocket } from 'node:net'
import { pino } from 'pino'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { ApiError } from '../../src/errors.ts'
import type { ByteSource, HttpReply, HttpRequest } from '../../src/http/message.ts'
import { createServer, type ServerOptions } from '../../src/http/uws.ts'
import type { Socket, SocketEvents } from '../../src/realtime/socket.ts'

export const MAX_BODY = 1_048_576
export const MAX_STREAMED = 40_000_000
export const silent = pino({ level: 'silent' })
export const large = Buffer.alloc(20_000_000, 'tally ')

const ok = (body: string | Buffer, headers: Record<string, string> = {}): HttpReply => ({ status: 200, headers, body })

const page = 'a page '.repeat(2_000)

/** 3,000,000 bytes in parts that come at once, later, or not to the end. */
const sourceOf = (how: string): ByteSource => ({
  size: 3_000_000,
  at(offset) {
    const part = large.subarray(offset, Math.min(3_000_000, (Math.floor(offset / 524_288) + 1) * 524_288))
    if (how === 'broken' && offset > 1_000_000) return Promise.reject(new Error('damaged'))
    return how === 'at-once' ? part : new Promise((resolve) => setImmediate(() => resolve(part)))
  },
})

type OpenSocket = { socket: Socket; said: string[]; closed: number[]; topic: string }

/** What the server did for its tests, and what it waits for. */
const nothingSeen = () => ({
  pages: 0,
  tables: 0,
  told: [] as string[],
  held: [] as (() => void)[],
  sockets: [] as OpenSocket[],
  release: () => {},
})
type Seen = ReturnType<typeof nothingSeen>

async function* table(seen: Seen) {
  seen.tables++
  yield page
}

const released = (seen: Seen) =>
  new Promise<void>((resolve) => {
    seen.release = resolve
  })

/** Takes the body in parts; with `?wait` only the first, until it is released. */
async function parts(request: HttpRequest, seen: Seen): Promise<HttpReply> {
  let bytes = 0
  try {
    for await (const part of request.chunks(MAX_STREAMED)) {
      if (bytes === 0 && request.query === 'wait') await released(seen)
      if (bytes === 0 && request.query === 'held') await new Promise<void>((resolve) => seen.held.push(resolve))
      bytes += part.length
    }
  } catch (error) {
    seen.told.push(error instanceof Error ? error.constructor.name : 'unknown')
    if (!(error instanceof ApiError)) throw error
    return { status: error.status, headers: {}, body: JSON.stringify(error.body) }
  }
  return ok(JSON.stringify({ bytes }))
}

/** A path for each way of answering; every other one tells what was asked. */
async function answer(request: HttpRequest, seen: Seen): Promise<HttpReply> {
  switch (request.path) {
    case '/large':
      return ok(large)
    case '/page':
      seen.pages++
      return ok(page)
    case '/source':
      return { ...ok(''), source: sourceOf(request.query) }
    case '/table':
      return { ...ok('head'), stream: table(seen) }
    case '/early':
      return { status: 401, headers: {}, body: '{}' }
    case '/nothing':
      return { status: 204, headers: {}, body: '' }
    case '/split':
      return ok('', { 'X-Bad': 'a\r\nSet-Cookie: b', 'X-Good': 'c' })
    case '/throws':
      throw new Error('outside the router')
    case '/waits':
      await released(seen)
      return ok('late')
    case '/parts':
      return parts(request, seen)
    case '/held':
      // as an operation that reads no body and asks the database something
      await new Promise<void>((resolve) => seen.held.push(resolve))
      return ok('{}')
    default: {
      const { method, path, query } = request
      try {
        const body = await request.body(MAX_BODY)
        return ok(JSON.stringify({ method, path, query, bytes: body?.length, agent: request.header('user-agent') }))
      } catch (error) {
        if (error instanceof ApiError) return { status: error.status, headers: {}, body: JSON.stringify(error.body) }
        throw error
      }
    }
  }
}

async function accept(key: string, seen: Seen): Promise<SocketEvents | undefined> {
  await Promise.resolve()
  if (key === 'unknown') return undefined
  if (key === 'broken') throw new Error('the lookup failed')
  if (key === 'frozen') throw new Error('out of reach')
  const said: string[] = []
  const closed: number[] = []
  return {
    open(socket) {
      socket.subscribe(key)
      socket.send('HELLO')
      seen.sockets.push({ socket, said, closed, topic: key })
    },
    message(text) {
      if (text === 'throw') throw new Error('in a callback')
      said.push(text)
    },
    closed: (code) => void closed.push(code),
  }
}

export const statusOf = (text: string) => Number(text.split(' ')[1] ?? 0)
export const answered = (text: string) => text.includes('\r\n\r\n')

/** A server for the file that calls this, from its first test to its last. */
export function uwsServer() {
  const seen = nothingSeen()
  const options: ServerOptions = {
    handle: (request) => answer(request, seen),
    log: silent,
    isOutOfReach: (error) => error instanceof Error && error.message === 'out of reach',
    sockets: [{ path: '/overlay/{key}/socket', accept: ({ params }) => accept(params.key ?? '', seen) }],
  }
  const server = createServer(options)
  let port: number
  beforeAll(async () => {
    port = await server.listen('127.0.0.1', 0)
  })
  afterAll(() => server.close())

  const dial = ({ allowHalfOpen = false } = {}): TcpSocket => connect({ port, host: '127.0.0.1', allowHalfOpen })

  return {
    server,
    /** For a server like it. */
    options,
    seen,
    port: () => port,
    dial,
    get: (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${port}${path}`, init),
    /** Sends bytes as they are; resolves with everything that came back once the server closes, or after `enough` accepts it. */
    raw: (chunks: readonly (string | Buffer)[], enough: (text: string) => boolean = () => false) =>
      new Promise<string>((resolve) => {
        let text = ''
        const client = dial()
        onTestFinished(() => void client.destroy())
        const done = () => {
          client.destroy()
          resolve(text)
        }
        client.on('data', (data) => {
          text += data
          if (enough(text)) done()
        })
        client.on('error', () => {})
        client.on('close', done)
        for (const chunk of chunks) client.write(chunk)
      }),
  }
}
