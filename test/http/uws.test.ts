import { connect, type Socket as TcpSocket } from 'node:net'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { ApiError } from '../../src/errors.ts'
import type { ByteSource, HttpReply, HttpRequest } from '../../src/http/message.ts'
import { createServer, type Server } from '../../src/http/uws.ts'
import type { Socket, SocketEvents } from '../../src/realtime/socket.ts'
import { recordingLog } from '../support/http.ts'

const MAX_BODY = 1_048_576
const MAX_STREAMED = 40_000_000
const silent = pino({ level: 'silent' })
const large = Buffer.alloc(20_000_000, 'tally ')

const ok = (body: string | Buffer, headers: Record<string, string> = {}): HttpReply => ({ status: 200, headers, body })

const page = 'a page '.repeat(2_000)
let pages = 0

/** 3,000,000 bytes in parts that come at once, later, or not to the end. */
const fetched: number[] = []
const sourceOf = (how: string): ByteSource => ({
  size: 3_000_000,
  at(offset) {
    fetched.push(offset)
    const part = large.subarray(offset, Math.min(3_000_000, (Math.floor(offset / 524_288) + 1) * 524_288))
    if (how === 'broken' && offset > 1_000_000) return Promise.reject(new Error('damaged'))
    return how === 'at-once' ? part : new Promise((resolve) => setImmediate(() => resolve(part)))
  },
})

let tables = 0
async function* table() {
  tables++
  yield page
}

let release: () => void = () => {}
const handle = async (request: HttpRequest): Promise<HttpReply> => {
  switch (request.path) {
    case '/large':
      return ok(large)
    case '/page':
      pages++
      return ok(page)
    case '/source':
      return { ...ok(''), source: sourceOf(request.query) }
    case '/table':
      return { ...ok('head'), stream: table() }
    case '/early':
      return { status: 401, headers: {}, body: '{}' }
    case '/nothing':
      return { status: 204, headers: {}, body: '' }
    case '/split':
      return ok('', { 'X-Bad': 'a\r\nSet-Cookie: b', 'X-Good': 'c' })
    case '/throws':
      throw new Error('outside the router')
    case '/waits':
      await new Promise<void>((resolve) => {
        release = resolve
      })
      return ok('late')
    case '/parts':
      return parts(request)
    case '/held':
      // as an operation that reads no body and asks the database something
      await new Promise<void>((resolve) => held.push(resolve))
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

/** Takes the body in parts; with `?wait` only the first, until it is released. */
let told: string[] = []
let held: (() => void)[] = []
async function parts(request: HttpRequest): Promise<HttpReply> {
  let bytes = 0
  try {
    for await (const part of request.chunks(MAX_STREAMED)) {
      if (bytes === 0 && request.query === 'wait')
        await new Promise<void>((resolve) => {
          release = resolve
        })
      if (bytes === 0 && request.query === 'held') await new Promise<void>((resolve) => held.push(resolve))
      bytes += part.length
    }
  } catch (error) {
    told.push(error instanceof Error ? error.constructor.name : 'unknown')
    if (!(error instanceof ApiError)) throw error
    return { status: error.status, headers: {}, body: JSON.stringify(error.body) }
  }
  return ok(JSON.stringify({ bytes }))
}

let server: Server
let port: number
const sockets: { socket: Socket; said: string[]; closed: number[]; topic: string }[] = []

const accept = async (key: string): Promise<SocketEvents | undefined> => {
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
      sockets.push({ socket, said, closed, topic: key })
    },
    message(text) {
      if (text === 'throw') throw new Error('in a callback')
      said.push(text)
    },
    closed: (code) => void closed.push(code),
  }
}

beforeAll(async () => {
  server = createServer({
    handle,
    log: silent,
    isOutOfReach: (error) => error instanceof Error && error.message === 'out of reach',
    sockets: [{ path: '/overlay/{key}/socket', accept: ({ params }) => accept(params.key ?? '') }],
  })
  port = await server.listen('127.0.0.1', 0)
})
afterAll(() => server.close())

const get = (path: string, options: RequestInit = {}) => fetch(`http://127.0.0.1:${port}${path}`, options)

/** Sends bytes as they are; resolves with everything that came back once the server closes, or after `enough` accepts it. */
const raw = (chunks: readonly (string | Buffer)[], enough: (text: string) => boolean = () => false) =>
  new Promise<string>((resolve) => {
    let text = ''
    const client = connect(port, '127.0.0.1')
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
  })

const inChunks = (body: Buffer): Buffer[] => {
  const chunks: Buffer[] = []
  for (let at = 0; at < body.length; at += 65_536) {
    const part = body.subarray(at, at + 65_536)
    chunks.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'))
  }
  return [...chunks, Buffer.from('0\r\n\r\n')]
}
const statusOf = (text: string) => Number(text.split(' ')[1] ?? 0)
const answered = (text: string) => text.includes('\r\n\r\n')

describe('requests', () => {
  test('method, path, query and headers are copied before anything waits', async () => {
    const answer = await get('/a%20b/c?x=1&y=%20', { method: 'POST', body: 'four', headers: { 'user-agent': 'test' } })
    expect(await answer.json()).toEqual({
      method: 'POST',
      path: '/a%20b/c',
      query: 'x=1&y=%20',
      bytes: 4,
      agent: 'test',
    })
  })

  test('a request without a question mark has an empty query', async () => {
    expect(await (await get('/')).json()).toMatchObject({ query: '', bytes: 0 })
  })

  test('a chunked body is read', async () => {
    const text = await raw(
      ['PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n', '3\r\nabc\r\n', '4\r\ndefg\r\n', '0\r\n\r\n'],
      answered,
    )
    expect(text).toContain('"bytes":7')
  })

  test('a body of exactly the limit is read, whatever its pieces', async () => {
    expect(await (await get('/', { method: 'POST', body: Buffer.alloc(MAX_BODY) })).json()).toMatchObject({
      bytes: MAX_BODY,
    })
  })

  test('a body one byte over the limit answers 413', async () => {
    const answer = await get('/', { method: 'POST', body: Buffer.alloc(MAX_BODY + 1) })
    expect(answer.status).toBe(413)
    expect(await answer.json()).toEqual({ message: `The body is larger than ${MAX_BODY} bytes` })
    expect(answer.headers.get('connection')).toBe('close')
  })

  test('10 MB and one byte are answered 413, with a length and in chunks', async () => {
    const bytes = Buffer.alloc(10_485_761)
    expect((await get('/', { method: 'POST', body: bytes })).status).toBe(413)
    const chunk = `${(65_536).toString(16)}\r\n${'a'.repeat(65_536)}\r\n`
    const chunked = [
      'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n',
      ...Array(161).fill(chunk),
      '0\r\n\r\n',
    ]
    expect(statusOf(await raw(chunked))).toBe(413)
  })

  test('a body can be taken in parts: none, one, many, up to the limit', async () => {
    for (const bytes of [0, 1, 70_000, 3_000_000, MAX_STREAMED])
      expect(await (await get('/parts', { method: 'PUT', body: Buffer.alloc(bytes) })).json()).toEqual({ bytes })
    const head = `PUT /parts HTTP/1.1\r\nHost: a\r\nContent-Length: ${MAX_STREAMED + 1}\r\n\r\n`
    expect(statusOf(await raw([head], answered))).toBe(413)
  })

  test('who takes parts slowly makes the client wait; a client that goes away meanwhile is told of', async () => {
    const total = 30_000_000
    const send = async () => {
      const before = release
      let text = ''
      const client = connect(port, '127.0.0.1').on('error', () => {})
      onTestFinished(() => void client.destroy())
      client.on('data', (data) => {
        text += data
      })
      client.write(`PUT /parts?wait HTTP/1.1\r\nHost: a\r\nContent-Length: ${total}\r\n\r\n`)
      const flushed = new Promise<boolean>((resolve) => client.write(Buffer.alloc(total), () => resolve(true)))
      await vi.waitFor(() => expect(release).not.toBe(before), 30_000)
      return { client, flushed, answer: () => text }
    }
    const slow = await send()
    // the kernel's buffers are full long before 30 MB; another request shows that the server is not
    const others = Promise.all(Array.from({ length: 50 }, () => get('/'))).then(() => false)
    expect(await Promise.race([slow.flushed, others])).toBe(false)
    release()
    await vi.waitFor(() => expect(slow.answer()).toContain(`{"bytes":${total}}`), { timeout: 30_000 })

    told = []
    const gone = await send()
    gone.client.destroy()
    await vi.waitFor(() => {
      release()
      expect(told).toEqual(['ClientGone'])
    }, 30_000)
  })

  const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND']
  const sent = ['/early', '/held', '/parts', '/parts?held', '/'].flatMap((path) => [
    { path, how: 'with a length' },
    { path, how: 'in chunks' },
  ])
  test.each(sent)(
    'a connection is closed or takes the next request after a large body $how to $path',
    async (large) => {
      for (const bytes of [2_000_000, 5_000_000]) {
        held = []
        const body = Buffer.alloc(bytes, 'a')
        const whole =
          large.how === 'in chunks'
            ? ['Transfer-Encoding: chunked\r\n\r\n', ...inChunks(body)]
            : [`Content-Length: ${bytes}\r\n\r\n`, body]
        const rest = Buffer.concat(whole.map((part) => Buffer.from(part)))
        const clients = METHODS.map((method) => {
          const socket = connect(port, '127.0.0.1').on('error', () => {})
          onTestFinished(() => void socket.destroy())
          const client = { socket, text: '', closed: false }
          socket.on('data', (data) => {
            client.text += data.toString('latin1')
          })
          socket.on('close', () => {
            client.closed = true
          })
          socket.write(`${method} ${large.path} HTTP/1.1\r\nHost: a\r\n`)
          socket.write(rest)
          return client
        })
        if (large.path.endsWith('held')) {
          // what they still send is read while nobody asks for it
          await vi.waitFor(() => expect(held).toHaveLength(METHODS.length), 10_000)
          await get('/')
          for (const release of held) release()
        }
        await vi.waitFor(() => expect(clients.every(({ closed, text }) => closed || answered(text))).toBe(true), 10_000)
        for (const { socket } of clients) socket.write('GET /next HTTP/1.1\r\nHost: a\r\n\r\n')
        await vi.waitFor(
          () => expect(clients.filter(({ closed, text }) => !closed && !text.includes('"path":"/next"'))).toEqual([]),
          3_000,
        )
      }
    },
  )

  test.each(['/large', '/source?later', '/table'])(
    'a body larger than what is read on is refused where the answer is sent in turns: %s',
    async (path) => {
      const head = `POST ${path} HTTP/1.1\r\nHost: a\r\n`
      const body = Buffer.alloc(20_000_000)
      const before = tables
      for (const rest of [
        [`Content-Length: ${body.length}\r\n\r\n`, body],
        ['Transfer-Encoding: chunked\r\n\r\n', ...inChunks(body)],
      ]) {
        // to its end: it is closed
        const text = await raw([head, ...rest])
        expect([statusOf(text), text.match(/HTTP\/1\.1 /g)?.length]).toEqual([413, 1])
      }
      expect(tables).toBe(before)
      expect(server.pending()).toBe(0)
    },
  )

  test('a connection that was made to wait with a body larger than what is read on, and got no body, goes on', async () => {
    held = []
    const body = Buffer.alloc(20_000_000)
    const enough = (text: string) => text.includes('"path":"/next"')
    const head = `HEAD /held HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n`
    const answers = raw([head, body, 'GET /next HTTP/1.1\r\nHost: a\r\n\r\n'], enough)
    await vi.waitFor(() => expect(held).toHaveLength(1), 5_000)
    // more than is kept for whoever does not ask has come by now
    for (let other = 0; other < 20; other++) await get('/')
    held[0]?.()
    expect(await answers).toContain('"path":"/next"')
  })

  test('an answer given before the body was read reaches the client, and the connection lives', async () => {
    const first = await get('/early', { method: 'POST', body: Buffer.alloc(5_000_000) })
    expect(first.status).toBe(401)
    expect((await get('/')).status).toBe(200)
  })
})

test('a query of a hundred long ids is read', async () => {
  const query = `providerIds=${Array.from({ length: 100 }, (_, id) => `${id}`.padStart(100, 'x')).join(',')}`
  expect(await (await get(`/?${query}`)).json()).toMatchObject({ query })
})

describe('answers', () => {
  test('HEAD has the length and no body', async () => {
    const answer = await get('/large', { method: 'HEAD' })
    expect(answer.headers.get('content-length')).toBe(String(large.length))
    expect(await answer.text()).toBe('')
  })

  test.each(['/', '/nothing', '/early'])('after HEAD %s the connection takes the next request', async (path) => {
    const text = await raw(
      [`HEAD ${path} HTTP/1.1\r\nHost: a\r\n\r\n`, 'GET /next HTTP/1.1\r\nHost: a\r\n\r\n'],
      (all) => all.includes('"path":"/next"'),
    )
    expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(2)
    expect(text).toContain('"path":"/next"')
  })

  test('204 has neither', async () => {
    const text = await raw(['GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n'], answered)
    expect(statusOf(text)).toBe(204)
    expect(text).not.toContain('Content-Length')
    expect(text.endsWith('\r\n\r\n')).toBe(true)
  })

  test('a header with a line break is left out', async () => {
    const answer = await get('/split')
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(answer.headers.get('x-bad')).toBeNull()
    expect(answer.headers.get('x-good')).toBe('c')
  })

  test('a large body arrives whole', async () => {
    const answer = Buffer.from(await (await get('/large')).arrayBuffer())
    expect(answer.equals(large)).toBe(true)
  })

  test('readers that stop reading a large body cost no copy of it', async () => {
    const before = process.memoryUsage().rss
    const readers = Array.from({ length: 6 }, () => {
      const client = connect(port, '127.0.0.1').pause()
      client.on('error', () => {})
      client.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n')
      onTestFinished(() => void client.destroy())
      return client
    })
    await expect.poll(() => server.pending()).toBe(6)
    await get('/')
    expect(process.memoryUsage().rss - before).toBeLessThan(80_000_000)
    for (const reader of readers) reader.destroy()
    await expect.poll(() => server.pending()).toBe(0)
  })

  test('who asks on and reads nothing loses the connection, and the server keeps next to nothing for it', async () => {
    const most = 8_000
    pages = 0
    const before = process.memoryUsage().rss
    let closed = false
    const client = connect(port, '127.0.0.1').pause()
    onTestFinished(() => void client.destroy())
    client
      .on('error', () => {})
      .on('close', () => {
        closed = true
      })
    while (!closed && pages < most) {
      const known = pages
      client.write('GET /page HTTP/1.1\r\nHost: a\r\n\r\n')
      for (let turns = 0; pages === known && !closed && turns < 1_000; turns++) await new Promise(setImmediate)
      if (pages === known) break
    }
    expect(pages).toBeLessThan(most)
    expect(process.memoryUsage().rss - before).toBeLessThan(40_000_000)
    await expect.poll(() => server.pending()).toBe(0)
  })

  test.each(['at-once', 'later'])(
    'a source is sent to its end, its parts %s, and the connection lives',
    async (how) => {
      const answer = await get(`/source?${how}`)
      expect(answer.headers.get('content-length')).toBe('3000000')
      expect(Buffer.from(await answer.arrayBuffer()).equals(large.subarray(0, 3_000_000))).toBe(true)
      const head = await get(`/source?${how}`, { method: 'HEAD' })
      expect(head.headers.get('content-length')).toBe('3000000')
      expect((await get('/')).status).toBe(200)
    },
  )

  test('a source that breaks cuts the connection', async () => {
    const answer = await get('/source?broken')
    await expect(answer.arrayBuffer()).rejects.toThrow()
    expect(server.pending()).toBe(0)
  })

  test('a throw outside the router is a 500', async () => {
    const answer = await get('/throws')
    expect(answer.status).toBe(500)
    expect(await answer.json()).toEqual({ message: 'Unexpected error' })
  })
})

describe('clients that go away', () => {
  const pendingBack = (client: TcpSocket, before: number) => {
    client.destroy()
    return expect.poll(() => server.pending()).toBe(before)
  }

  test('while their body is being read', async () => {
    const before = server.pending()
    const client = connect(port, '127.0.0.1')
    client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc')
    await expect.poll(() => server.pending()).toBe(before + 1)
    await pendingBack(client, before)
  })

  test('while they wait for the answer', async () => {
    const before = server.pending()
    const client = connect(port, '127.0.0.1')
    client.write('GET /waits HTTP/1.1\r\nHost: a\r\n\r\n')
    await expect.poll(() => server.pending()).toBe(before + 1)
    await pendingBack(client, before)
    release()
    expect((await get('/')).status).toBe(200)
  })

  test('by closing their half', async () => {
    const before = server.pending()
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    client.on('error', () => {})
    client.write('GET /waits HTTP/1.1\r\nHost: a\r\n\r\n')
    await expect.poll(() => server.pending()).toBe(before + 1)
    client.end()
    await expect.poll(() => server.pending()).toBe(before)
    release()
    client.destroy()
  })
})

describe('malformed HTTP', () => {
  const head = 'POST / HTTP/1.1\r\nHost: a\r\n'

  test.each([
    [
      'both Content-Length and Transfer-Encoding',
      `${head}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['a bad chunk size', `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n`],
    ['a negative length', `${head}Content-Length: -1\r\n\r\n`],
    ['a length of letters', `${head}Content-Length: abc\r\n\r\n`],
    ['a NUL in the path', 'GET /a\0b HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n'],
    ['lines that end in LF only', 'GET / HTTP/1.1\nHost: a\n\n'],
    ['headers of 100 KB', `GET / HTTP/1.1\r\nHost: a\r\nX-Big: ${'a'.repeat(100_000)}\r\n\r\n`],
    [
      '500 headers',
      `GET / HTTP/1.1\r\nHost: a\r\n${Array.from({ length: 500 }, (_, i) => `X-${i}: 1\r\n`).join('')}\r\n`,
    ],
    ['a method of noise', '\u0001\u0002 / HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['TLS', Buffer.from('16030100f1010000ed0303', 'hex')],
  ])('%s is refused or dropped, and the server serves on', async (_, bytes) => {
    const client = raw([bytes], answered)
    const outcome = await Promise.race([
      client,
      get('/')
        .then(() => get('/'))
        .then(() => 'still open'),
    ])
    if (outcome !== 'still open' && outcome !== '') expect(statusOf(outcome)).toBeGreaterThanOrEqual(400)
    expect((await get('/')).status).toBe(200)
  })

  test('no Host header gets no 2xx', async () => {
    const client = raw(['GET / HTTP/1.1\r\n\r\n'], answered)
    const outcome = await Promise.race([client, get('/').then(() => 'none')])
    if (outcome !== 'none') expect(statusOf(outcome)).toBeGreaterThanOrEqual(400)
    expect((await get('/')).status).toBe(200)
  })

  test('a body that dribbles in holds up nobody', async () => {
    const client = connect(port, '127.0.0.1')
    onTestFinished(() => void client.destroy())
    client.write(`${head}Content-Length: 1000\r\n\r\na`)
    await expect.poll(() => server.pending()).toBe(1)
    expect((await get('/')).status).toBe(200)
    client.destroy()
    await expect.poll(() => server.pending()).toBe(0)
  })
})

describe('WebSockets', () => {
  const open = (path: string) =>
    new Promise<{ ws: WebSocket; heard: string[]; closed: Promise<{ code: number; reason: string }> }>(
      (resolve, reject) => {
        const ws = new WebSocket(`ws://127.0.0.1:${port}${path}`)
        onTestFinished(() => ws.terminate())
        const heard: string[] = []
        ws.on('message', (data) => void heard.push(String(data)))
        const closed = new Promise<{ code: number; reason: string }>((done) => {
          ws.on('close', (code, reason) => done({ code, reason: String(reason) }))
        })
        ws.on('unexpected-response', (_, { statusCode }) => reject(new Error(String(statusCode))))
        ws.on('open', () => resolve({ ws, heard, closed }))
        ws.on('error', () => {})
      },
    )
  const opened = async (topic: string) => {
    const client = await open(`/overlay/${topic}/socket`)
    await expect.poll(() => sockets.some((socket) => socket.topic === topic)).toBe(true)
    const held = sockets.find((socket) => socket.topic === topic)
    if (!held) throw new Error('not open')
    return { ...client, held }
  }

  test('an unknown key answers 404, a badly encoded one too, a failing lookup 500', async () => {
    await expect(open('/overlay/unknown/socket')).rejects.toThrow('404')
    await expect(open('/overlay/%zz/socket')).rejects.toThrow('404')
    await expect(open('/overlay/broken/socket')).rejects.toThrow('500')
  })

  test('a refused upgrade carries X-Request-Id, and Retry-After with its 503 while the database is out of reach', async () => {
    const key = Buffer.from('0123456789abcdef').toString('base64')
    const answer = await raw(
      [
        `GET /overlay/frozen/socket HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nX-Request-Id: mine-1\r\nSec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
      ],
      (text) => text.includes('}'),
    )
    expect(statusOf(answer)).toBe(503)
    expect(answer).toContain('X-Request-Id: mine-1\r\n')
    expect(answer).toContain('Retry-After: 1\r\n')
  })

  test.each(['8', '12', '14', '', '13, 8'])(
    'version %o of the protocol is refused with 426 and the one we speak',
    async (version) => {
      const opened = sockets.length
      const key = Buffer.from('0123456789abcdef').toString('base64')
      const lines = ['GET /overlay/old/socket HTTP/1.1', 'Host: a', 'Upgrade: websocket', 'Connection: Upgrade']
      const named = version === '' ? [] : [`Sec-WebSocket-Version: ${version}`]
      const answer = await raw([[...lines, `Sec-WebSocket-Key: ${key}`, ...named, '', ''].join('\r\n')])
      expect(statusOf(answer)).toBe(426)
      expect(answer).toContain('Sec-WebSocket-Version: 13\r\n')
      expect(sockets).toHaveLength(opened)
    },
  )

  test('a client that gives up during the upgrade harms nobody', async () => {
    const key = Buffer.from('0123456789abcdef').toString('base64')
    const client = connect(port, '127.0.0.1')
    client.write(
      `GET /overlay/gone/socket HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
      () => client.destroy(),
    )
    const { heard } = await opened('stays')
    await expect.poll(() => heard).toEqual(['HELLO'])
  })

  test('frames are heard, sent and published in order', async () => {
    const { ws, heard, held } = await opened('order')
    ws.send('one')
    ws.send('two')
    await expect.poll(() => held.said).toEqual(['one', 'two'])
    held.socket.send('a')
    held.socket.send('b')
    server.publish('order', 'c')
    held.socket.send('d')
    server.publish('order', 'e')
    await expect.poll(() => heard).toEqual(['HELLO', 'a', 'b', 'c', 'd', 'e'])
    expect(server.subscribers('order')).toBe(1)
    held.socket.unsubscribe('order')
    expect(server.subscribers('order')).toBe(0)
  })

  test('end sends what was sent before it, and its code', async () => {
    const { heard, held, closed } = await opened('end')
    held.socket.send('last')
    held.socket.end(1008, 'no READY')
    expect(await closed).toEqual({ code: 1008, reason: 'no READY' })
    expect(heard).toEqual(['HELLO', 'last'])
    expect(held.closed).toEqual([1008])
  })

  test('calls after close do nothing', async () => {
    const { ws, held } = await opened('after')
    ws.terminate()
    await expect.poll(() => held.closed.length).toBe(1)
    expect(held.socket.send('x')).toBe(false)
    held.socket.subscribe('x')
    held.socket.unsubscribe('x')
    held.socket.end(1000, '')
    expect(held.socket.bufferedBytes()).toBe(0)
    expect(held.closed.length).toBe(1)
  })

  test('a binary frame closes with 1008', async () => {
    const { ws, closed, held } = await opened('binary')
    ws.send(Buffer.from('bytes'))
    expect(await closed).toMatchObject({ code: 1008 })
    expect(held.said).toEqual([])
  })

  test('64 KiB pass, one byte more closes the socket', async () => {
    const { ws, closed, held } = await opened('size')
    ws.send('a'.repeat(65_536))
    await expect.poll(() => held.said.length).toBe(1)
    ws.send('a'.repeat(65_537))
    expect((await closed).code).toBe(1006)
    expect(held.said.length).toBe(1)
  })

  test('invalid UTF-8 closes the socket', async () => {
    const { ws, closed } = await opened('utf8')
    ws.send(Buffer.from([0xff, 0xfe]), { binary: false })
    expect((await closed).code).toBe(1006)
  })

  test('a throw in a callback closes that socket only', async () => {
    const bystander = await opened('bystander')
    const { ws, closed } = await opened('throws')
    ws.send('throw')
    expect(await closed).toMatchObject({ code: 1011 })
    bystander.ws.send('still here')
    await expect.poll(() => bystander.held.said).toEqual(['still here'])
  })

  test('who does not read is closed at the limit, and the others hear everything', async () => {
    const slow = await opened('flood')
    const reader = await open('/overlay/flood/socket')
    slow.ws.pause()
    const frame = 'x'.repeat(16_384)
    const sendAll = async () => {
      for (let sent = 0; slow.held.closed.length === 0; sent++) {
        if (sent > 5_000) throw new Error('never closed')
        server.publish('flood', frame)
        if (sent % 20 === 19) await expect.poll(() => reader.heard.length).toBe(sent + 2)
      }
    }
    await sendAll()
    expect(slow.held.closed).toEqual([1006])
    expect(reader.ws.readyState).toBe(WebSocket.OPEN)
  })

  test('a peer that vanished is closed within 12 s', async () => {
    const { ws, held } = await opened('vanished')
    // answers no ping any more
    ws.pause()
    const startedAt = performance.now()
    await expect.poll(() => held.closed.length, { interval: 100 }).toBe(1)
    expect(performance.now() - startedAt).toBeLessThan(12_000)
  })
})

describe('the life of a server', () => {
  test('a taken port is refused', async () => {
    const second = createServer({ handle, log: silent, sockets: [] })
    await expect(second.listen('127.0.0.1', port)).rejects.toThrow(`cannot listen on 127.0.0.1:${port}`)
    await second.close()
  })

  test('closing frees the port, finishes what was accepted and ends sockets with 1012', async () => {
    const { log, lines } = recordingLog()
    const closing = createServer({
      handle,
      log,
      sockets: [{ path: '/overlay/{key}/socket', accept: ({ params }) => accept(params.key ?? '') }],
    })
    const own = await closing.listen('127.0.0.1', 0)
    const ws = new WebSocket(`ws://127.0.0.1:${own}/overlay/closing/socket`)
    const closed = new Promise<number>((resolve) => void ws.on('close', resolve))
    await new Promise((resolve) => void ws.on('open', resolve))
    const late = fetch(`http://127.0.0.1:${own}/waits`)
    await expect.poll(() => closing.pending()).toBe(1)
    const gone = closing.close()
    await expect(fetch(`http://127.0.0.1:${own}/`)).rejects.toThrow()
    release()
    const answer = await late
    expect(await answer.text()).toBe('late')
    expect(answer.headers.get('connection')).toBe('close')
    await gone
    expect(await closed).toBe(1012)
    expect(lines).toEqual([])
  })
})
