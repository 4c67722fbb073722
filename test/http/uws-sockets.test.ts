import { describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { statusOf, uwsServer } from '../support/uws-server.ts'

const { server, seen, port, dial, raw } = uwsServer()

describe('WebSockets', () => {
  const open = (path: string) =>
    new Promise<{ ws: WebSocket; heard: string[]; closed: Promise<{ code: number; reason: string }> }>(
      (resolve, reject) => {
        const ws = new WebSocket(`ws://127.0.0.1:${port()}${path}`)
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
    await expect.poll(() => seen.sockets.some((socket) => socket.topic === topic)).toBe(true)
    const held = seen.sockets.find((socket) => socket.topic === topic)
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
      const opened = seen.sockets.length
      const key = Buffer.from('0123456789abcdef').toString('base64')
      const lines = ['GET /overlay/old/socket HTTP/1.1', 'Host: a', 'Upgrade: websocket', 'Connection: Upgrade']
      const named = version === '' ? [] : [`Sec-WebSocket-Version: ${version}`]
      const answer = await raw([[...lines, `Sec-WebSocket-Key: ${key}`, ...named, '', ''].join('\r\n')])
      expect(statusOf(answer)).toBe(426)
      expect(answer).toContain('Sec-WebSocket-Version: 13\r\n')
      expect(seen.sockets).toHaveLength(opened)
    },
  )

  test('a client that gives up during the upgrade harms nobody', async () => {
    const key = Buffer.from('0123456789abcdef').toString('base64')
    const client = dial()
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
