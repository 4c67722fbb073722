import type { Socket as TcpSocket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { createServer } from '../../src/http/uws.ts'
import { recordingLog } from '../support/http.ts'
import { answered, large, statusOf, uwsServer } from '../support/uws-server.ts'

const { server, options, seen, port, dial, get, raw } = uwsServer()

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
      const client = dial().pause()
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
    seen.pages = 0
    const before = process.memoryUsage().rss
    let closed = false
    const client = dial().pause()
    onTestFinished(() => void client.destroy())
    client
      .on('error', () => {})
      .on('close', () => {
        closed = true
      })
    while (!closed && seen.pages < most) {
      const known = seen.pages
      client.write('GET /page HTTP/1.1\r\nHost: a\r\n\r\n')
      for (let turns = 0; seen.pages === known && !closed && turns < 1_000; turns++) await new Promise(setImmediate)
      if (seen.pages === known) break
    }
    expect(seen.pages).toBeLessThan(most)
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
    const client = dial()
    client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc')
    await expect.poll(() => server.pending()).toBe(before + 1)
    await pendingBack(client, before)
  })

  test('while they wait for the answer', async () => {
    const before = server.pending()
    const client = dial()
    client.write('GET /waits HTTP/1.1\r\nHost: a\r\n\r\n')
    await expect.poll(() => server.pending()).toBe(before + 1)
    await pendingBack(client, before)
    seen.release()
    expect((await get('/')).status).toBe(200)
  })

  test('by closing their half', async () => {
    const before = server.pending()
    const client = dial({ allowHalfOpen: true })
    client.on('error', () => {})
    client.write('GET /waits HTTP/1.1\r\nHost: a\r\n\r\n')
    await expect.poll(() => server.pending()).toBe(before + 1)
    client.end()
    await expect.poll(() => server.pending()).toBe(before)
    seen.release()
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
    const client = dial()
    onTestFinished(() => void client.destroy())
    client.write(`${head}Content-Length: 1000\r\n\r\na`)
    await expect.poll(() => server.pending()).toBe(1)
    expect((await get('/')).status).toBe(200)
    client.destroy()
    await expect.poll(() => server.pending()).toBe(0)
  })
})

describe('the life of a server', () => {
  test('a taken port is refused', async () => {
    const second = createServer({ ...options, sockets: [] })
    await expect(second.listen('127.0.0.1', port())).rejects.toThrow(`cannot listen on 127.0.0.1:${port()}`)
    await second.close()
  })

  test('closing frees the port, finishes what was accepted and ends sockets with 1012', async () => {
    const { log, lines } = recordingLog()
    const closing = createServer({ ...options, log })
    const own = await closing.listen('127.0.0.1', 0)
    const ws = new WebSocket(`ws://127.0.0.1:${own}/overlay/closing/socket`)
    const closed = new Promise<number>((resolve) => void ws.on('close', resolve))
    await new Promise((resolve) => void ws.on('open', resolve))
    const late = fetch(`http://127.0.0.1:${own}/waits`)
    await expect.poll(() => closing.pending()).toBe(1)
    const gone = closing.close()
    await expect(fetch(`http://127.0.0.1:${own}/`)).rejects.toThrow()
    seen.release()
    const answer = await late
    expect(await answer.text()).toBe('late')
    expect(answer.headers.get('connection')).toBe('close')
    await gone
    expect(await closed).toBe(1012)
    expect(lines).toEqual([])
  })
})
