import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { answered, MAX_BODY, MAX_STREAMED, statusOf, uwsServer } from '../support/uws-server.ts'

const { server, seen, dial, get, raw } = uwsServer()

const inChunks = (body: Buffer): Buffer[] => {
  const chunks: Buffer[] = []
  for (let at = 0; at < body.length; at += 65_536) {
    const part = body.subarray(at, at + 65_536)
    chunks.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'))
  }
  return [...chunks, Buffer.from('0\r\n\r\n')]
}

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
      const before = seen.release
      let text = ''
      const client = dial().on('error', () => {})
      onTestFinished(() => void client.destroy())
      client.on('data', (data) => {
        text += data
      })
      client.write(`PUT /parts?wait HTTP/1.1\r\nHost: a\r\nContent-Length: ${total}\r\n\r\n`)
      const flushed = new Promise<boolean>((resolve) => client.write(Buffer.alloc(total), () => resolve(true)))
      await vi.waitFor(() => expect(seen.release).not.toBe(before), 30_000)
      return { client, flushed, answer: () => text }
    }
    const slow = await send()
    // the kernel's buffers are full long before 30 MB; another request shows that the server is not
    const others = Promise.all(Array.from({ length: 50 }, () => get('/'))).then(() => false)
    expect(await Promise.race([slow.flushed, others])).toBe(false)
    seen.release()
    await vi.waitFor(() => expect(slow.answer()).toContain(`{"bytes":${total}}`), { timeout: 30_000 })

    seen.told = []
    const gone = await send()
    gone.client.destroy()
    await vi.waitFor(() => {
      seen.release()
      expect(seen.told).toEqual(['ClientGone'])
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
        seen.held = []
        const body = Buffer.alloc(bytes, 'a')
        const whole =
          large.how === 'in chunks'
            ? ['Transfer-Encoding: chunked\r\n\r\n', ...inChunks(body)]
            : [`Content-Length: ${bytes}\r\n\r\n`, body]
        const rest = Buffer.concat(whole.map((part) => Buffer.from(part)))
        const clients = METHODS.map((method) => {
          const socket = dial().on('error', () => {})
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
          await vi.waitFor(() => expect(seen.held).toHaveLength(METHODS.length))
          await get('/')
          for (const release of seen.held) release()
        }
        await vi.waitFor(() => expect(clients.every(({ closed, text }) => closed || answered(text))).toBe(true))
        for (const { socket } of clients) socket.write('GET /next HTTP/1.1\r\nHost: a\r\n\r\n')
        await vi.waitFor(() =>
          expect(clients.filter(({ closed, text }) => !closed && !text.includes('"path":"/next"'))).toEqual([]),
        )
      }
    },
  )

  test.each(['/large', '/source?later', '/table'])(
    'a body larger than what is read on is refused where the answer is sent in slices: %s',
    async (path) => {
      const head = `POST ${path} HTTP/1.1\r\nHost: a\r\n`
      const body = Buffer.alloc(20_000_000)
      const before = seen.tables
      for (const rest of [
        [`Content-Length: ${body.length}\r\n\r\n`, body],
        ['Transfer-Encoding: chunked\r\n\r\n', ...inChunks(body)],
      ]) {
        // to its end: it is closed, and what had not been read by then can reset it before the answer is heard
        const text = await vi.waitFor(async () => {
          const heard = await raw([head, ...rest])
          expect(heard).not.toBe('')
          return heard
        })
        expect([statusOf(text), text.match(/HTTP\/1\.1 /g)?.length]).toEqual([413, 1])
      }
      expect(seen.tables).toBe(before)
      expect(server.pending()).toBe(0)
    },
  )

  test('a connection that was made to wait with a body larger than what is read on, and got no body, goes on', async () => {
    seen.held = []
    const body = Buffer.alloc(20_000_000)
    const enough = (text: string) => text.includes('"path":"/next"')
    const head = `HEAD /held HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n`
    const answers = raw([head, body, 'GET /next HTTP/1.1\r\nHost: a\r\n\r\n'], enough)
    await vi.waitFor(() => expect(seen.held).toHaveLength(1))
    // more than is kept for whoever does not ask has come by now
    for (let other = 0; other < 20; other++) await get('/')
    seen.held[0]?.()
    expect(await answers).toContain('"path":"/next"')
  })

  test('an answer given before the body was read reaches the client, and the connection lives', async () => {
    const first = await get('/early', { method: 'POST', body: Buffer.alloc(5_000_000) })
    expect(first.status).toBe(401)
    expect((await get('/')).status).toBe(200)
  })
})
