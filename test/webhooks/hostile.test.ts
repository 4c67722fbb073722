import { once } from 'node:events'
import type { AddressInfo, LookupFunction } from 'node:net'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { anyAddress, guarded } from '../../src/store/outbound.ts'
import { createSender } from '../../src/webhooks/attempt.ts'
import { type Production, startProduction } from '../resources/support.ts'
import { webhookReceiver } from '../support/webhook-receiver.ts'

const endpoint = (url: string) => ({
  ...{ id: 1, organizationId: 1, url, isFailing: false },
  keys: [{ secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`, until: Number.POSITIVE_INFINITY }],
})
const message = { eventId: 'msg_1', body: '{"type":"webhook.test"}' }

function senderWith(guard: Parameters<typeof guarded>[0], withinMs?: number) {
  const sender = createSender(guarded(guard), withinMs)
  onTestFinished(() => sender.close())
  return (url: string, sent = message) => sender.send(endpoint(url), sent)
}

/** A server that answers bytes as it likes. */
async function raw(answer: (write: (text: string | Buffer) => boolean, end: () => void) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () =>
      answer(
        (text) => socket.write(text),
        () => socket.end(),
      ),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

describe('[issue 20.3] an attempt', () => {
  it.each([
    ['http://127.0.0.1/', '127.0.0.1'],
    ['http://[::1]/', '::1'],
    ['http://[::ffff:169.254.169.254]/', 'a9fe'],
    ['https://0x7f.1/', '127.0.0.1'],
  ])('refuses %s', async (url, named) => {
    const made = await senderWith({})(url)
    expect(made).toMatchObject({ status: null, error: expect.stringContaining('is not an address of the public') })
    expect(made.error).toContain(named)
  })

  it('refuses a name that leads into our network, also one that did not when it was looked at first', async () => {
    const answers = [['203.0.113.9'], ['10.0.0.7'], ['8.8.8.8', '127.0.0.1']]
    const resolve: LookupFunction = (_, __, callback) => {
      const found = (answers.shift() ?? []).map((address) => ({ address, family: 4 }))
      callback(null, found)
    }
    const send = senderWith({ resolve })
    for (let turn = 0; turn < 3; turn++)
      expect(await send('https://receiver.example/')).toMatchObject({
        error: expect.stringContaining('receiver.example is not an address of the public internet'),
      })
  })

  it('takes the status of an answer that never ends, and of one of 200 MB, and reads no more of it', async () => {
    let written = 0
    const chunk = Buffer.alloc(65_536)
    const url = await raw((write) => {
      write('HTTP/1.1 200 OK\r\nContent-Length: 209715200\r\n\r\n')
      const go = () => {
        while (written < 209_715_200 && write(chunk)) written += chunk.length
      }
      go()
    })
    expect(await senderWith({ permits: anyAddress })(url)).toMatchObject({ status: 200, error: null })
    // what fits into the buffers of two sockets
    expect(written).toBeLessThan(20_000_000)
    const endless = await raw((write) => write('HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n'))
    expect(await senderWith({ permits: anyAddress })(endless)).toMatchObject({ status: 204, error: null })
  })

  it('gives up an endpoint that says nothing, and one whose head never ends', async () => {
    const silent = await raw(() => {})
    const send = senderWith({ permits: anyAddress }, 200)
    expect(await send(silent)).toMatchObject({ status: null, error: 'no answer within 0.2 s' })
    const endless = await raw((write) => {
      write('HTTP/1.1 200 OK\r\n')
      write(`X-Fill: ${'a'.repeat(40_000)}\r\n`)
    })
    expect(await send(endless)).toMatchObject({ status: null, error: expect.stringMatching(/HPE_HEADER|no answer/) })
  })

  it('[integrations: Webhooks] is signed for its own time, under the id of its event', async () => {
    const receiver = await webhookReceiver()
    receiver.trust(endpoint('').keys[0]?.secret ?? '')
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => {
      vi.useRealTimers()
      return receiver.close()
    })
    const timestamp = '2026-11-27T10:00:00.000Z'
    const body = JSON.stringify({ type: 'webhook.test', timestamp, data: { webhookId: 1, sequence: 1 } })
    const send = senderWith({ permits: anyAddress })
    for (const at of [timestamp, '2026-11-28T16:00:05.000Z']) {
      vi.setSystemTime(at)
      expect(await send(receiver.url, { eventId: 'msg_7', body })).toMatchObject({ status: 204, at: Date.parse(at) })
    }
    expect(receiver.faults).toEqual([])
    expect(receiver.received.map(({ id, headers }) => [id, headers['webhook-timestamp']])).toEqual([
      ['msg_7', '1795773600'],
      ['msg_7', '1795881605'],
    ])
  })

  it('waits as long as Retry-After says, in seconds or up to a time, and never longer than a day', async () => {
    const receiver = await webhookReceiver()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-27T10:00:00Z') })
    onTestFinished(() => {
      vi.useRealTimers()
      return receiver.close()
    })
    const send = senderWith({ permits: anyAddress })
    const waits = async (header: string) => {
      receiver.answer = (_, response) => response.writeHead(429, { 'Retry-After': header }).end()
      return (await send(receiver.url)).retryAfterMs
    }
    expect(await waits('90')).toBe(90_000)
    expect(await waits('Fri, 27 Nov 2026 10:02:00 GMT')).toBe(120_000)
    expect(await waits('Fri, 27 Nov 2026 09:00:00 GMT')).toBe(0)
    expect(await waits('9999999')).toBe(86_400_000)
    expect(await waits('soon')).toBe(0)
  })

  it('tells what is wrong with the line, and no address of our network', async () => {
    const gone = await raw((_, end) => end())
    expect((await senderWith({ permits: anyAddress })(gone)).error).toMatch(
      /^cannot reach 127\.0\.0\.1:\d+: ECONNRESET$/,
    )
    expect((await senderWith({ permits: anyAddress })('http://127.0.0.1:1/')).error).toMatch(/ECONNREFUSED$/)
  })
})

describe('[issue 20.3] an endpoint that is dead', () => {
  let production: Production
  beforeAll(async () => {
    production = await startProduction('empty', undefined, { OUTBOUND_PRIVATE: 'on' })
  })
  afterAll(() => production?.close())

  it('delays no other of its organization', async () => {
    const well = await webhookReceiver()
    const dead = await webhookReceiver()
    onTestFinished(() => Promise.all([well.close(), dead.close()]).then(() => {}))
    // it never answers
    dead.answer = () => {}
    const make = async (url: string) => {
      const { status, body } = await production.call('POST', '/v2/webhooks', { url, events: ['overlay.graphic_shown'] })
      expect(status).toBe(201)
      return body as { id: number; secret: string }
    }
    const hooks = await Promise.all(Array.from({ length: 12 }, () => make(dead.url)))
    well.trust((await make(well.url)).secret)
    const preset = production.presets[0]?.name ?? ''
    for (let turn = 1; turn <= 10; turn++) {
      await production.fire('show', preset)
      await well.until((received) => received.length >= turn)
    }
    // each has one attempt under way: the next event of the same overlay waits for it
    await vi.waitFor(() => expect(dead.requests).toBe(hooks.length))
    expect(well.received.map(({ data }) => data.sequence)).toEqual(well.received.map((_, index) => index + 1))
  })
})
