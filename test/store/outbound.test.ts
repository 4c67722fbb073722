import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { LookupFunction } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isPublicAddress } from '../../src/store/addresses.ts'
import { anyAddress, createOutbound, type OutboundError, type OutboundRequest } from '../../src/store/outbound.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

async function listen(answer: Answer, host = '127.0.0.1') {
  const seen: IncomingMessage['headers'][] = []
  const server = createServer((request, response) => {
    seen.push(request.headers)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  onTestFinished(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const address = server.address()
  return { port: typeof address === 'object' && address ? address.port : 0, seen }
}

const json = { 'content-type': 'application/json' }
const request = (url: string, rest: Partial<OutboundRequest> = {}): OutboundRequest => ({
  url,
  maxBytes: 1_000,
  timeoutMs: 2_000,
  accept: ['application/json'],
  ...rest,
})
const refusal = (work: Promise<unknown>): Promise<OutboundError> =>
  work.then(
    () => {
      throw new Error('it was not refused')
    },
    (error) => error,
  )

/** A name server that answers what it is told, one list per question, the last for ever. */
const nameServer = (...answers: string[][]): LookupFunction => {
  let asked = 0
  return (_name, _options, callback) => {
    const addresses = answers[Math.min(asked++, answers.length - 1)] ?? []
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
}

describe('[pitfalls SSRF] public addresses', () => {
  it.each(['1.1.1.1', '8.8.8.8', '172.15.0.1', '172.32.0.1', '100.63.0.1', '2606:4700::1111', '2a00:1450:4001::1'])(
    '%s is one',
    (address) => expect(isPublicAddress(address)).toBe(true),
  )
  it.each([
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.168.1.1',
    '198.18.0.1',
    '203.0.113.9',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    'fe80::1',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
    '2001:0:1::1',
    '2001:db8::1',
    '2002:7f00:1::',
    'localhost',
    '',
  ])('%s is none', (address) => expect(isPublicAddress(address)).toBe(false))
})

describe('the guard', () => {
  const guarded = createOutbound()

  it.each([
    'http://127.0.0.1:%/x',
    'http://2130706433:%/',
    'http://0x7f.1:%/',
    'http://[::1]:%/',
    'http://[::ffff:127.0.0.1]:%/',
    'http://localhost:%/',
  ])('refuses %s without connecting', async (pattern) => {
    const { port, seen } = await listen((_request, response) => response.writeHead(200, json).end('{}'))
    const error = await refusal(guarded(request(pattern.replace('%', String(port)))))
    expect(error.reason).toBe('refused')
    expect(seen).toEqual([])
  })

  it('refuses a name that resolves to a private address, even when another address of it is public', async () => {
    for (const addresses of [['10.0.0.7'], ['93.184.216.34', '127.0.0.1'], ['::1']]) {
      const outbound = createOutbound({ resolve: nameServer(addresses) })
      expect((await refusal(outbound(request('http://feeds.example/')))).reason).toBe('refused')
    }
  })

  it('connects only to what it has checked: a name that turns private between two questions is refused', async () => {
    const { port, seen } = await listen((_request, response) => response.writeHead(200, json).end('{}'))
    // 192.0.2.1 stands for what was looked up earlier; the answer at the time of the connection counts
    const outbound = createOutbound({ resolve: nameServer(['127.0.0.1'], ['93.184.216.34']) })
    expect((await refusal(outbound(request(`http://rebind.example:${port}/`)))).reason).toBe('refused')
    expect(seen).toEqual([])
  })

  it('refuses a redirect into our own network', async () => {
    const inside = await listen((_request, response) => response.writeHead(200, json).end('{"secret":1}'), '127.0.0.2')
    for (const location of [`http://127.0.0.2:${inside.port}/`, `http://metadata.example:${inside.port}/`]) {
      const { port, seen } = await listen((_request, response) => response.writeHead(302, { location }).end())
      // this machine's first address stands for the public internet, its second for our own network
      const outbound = createOutbound({
        permits: (address) => address === '127.0.0.1',
        resolve: nameServer(['127.0.0.2']),
      })
      expect((await refusal(outbound(request(`http://127.0.0.1:${port}/`)))).reason).toBe('refused')
      expect(seen).toHaveLength(1)
    }
    expect(inside.seen).toEqual([])
  })

  it.each(['ftp://example.com/', 'file:///etc/passwd', 'http://user:pass@example.com/', 'not a url', 'gopher://x'])(
    'refuses %s',
    async (url) => expect((await refusal(guarded(request(url)))).reason).toBe('invalid'),
  )
})

describe('an answer', () => {
  const outbound = createOutbound({ permits: anyAddress })
  const ask = async (answer: Answer, rest: Partial<OutboundRequest> = {}) => {
    const { port } = await listen(answer)
    return outbound(request(`http://127.0.0.1:${port}/`, rest))
  }

  it('comes with status, headers and body, unpacked when it was gzip', async () => {
    const body = gzipSync('{"a":1}')
    const answer = await ask((_request, response) =>
      response.writeHead(200, { ...json, etag: '"1"', 'content-encoding': 'gzip' }).end(body),
    )
    expect([answer.status, answer.headers.get('etag'), answer.body.toString()]).toEqual([200, '"1"', '{"a":1}'])
  })

  it.each([
    [
      'says so',
      (response: ServerResponse) =>
        response.writeHead(200, { ...json, 'content-length': 1_001 }).end('x'.repeat(1_001)),
    ],
    ['does not say so', (response: ServerResponse) => response.writeHead(200, json).end('x'.repeat(1_001))],
    [
      'never ends',
      (response: ServerResponse) => {
        response.writeHead(200, json)
        const more = () => response.write('x'.repeat(500)) && !response.destroyed && setImmediate(more)
        more()
      },
    ],
    [
      'unpacks to more',
      (response: ServerResponse) =>
        response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(100_000))),
    ],
  ])('that is too large and %s is cut off', async (_how, answer) => {
    expect((await refusal(ask((_request, response) => void answer(response)))).reason).toBe('tooLarge')
  })

  it('of exactly the largest size is taken', async () => {
    expect((await ask((_request, response) => response.writeHead(200, json).end('x'.repeat(1_000)))).body.length).toBe(
      1_000,
    )
  })

  it.each([
    ['sends nothing', () => {}],
    ['sends a head and no body', (response: ServerResponse) => void response.writeHead(200, json).flushHeaders()],
    [
      'drips',
      (response: ServerResponse) => {
        response.writeHead(200, json)
        const drip = setInterval(() => response.write('x'), 20)
        response.on('close', () => clearInterval(drip))
      },
    ],
  ])('of a server that %s is not waited for longer than allowed', async (_how, answer) => {
    const error = await refusal(ask((_request, response) => answer(response), { timeoutMs: 200 }))
    expect([error.reason, error.message]).toEqual(['timeout', 'no complete answer within 200 ms'])
  })

  it.each([
    ['another type', { 'content-type': 'text/html' }],
    ['no type', {}],
    ['a coding nobody asked for', { ...json, 'content-encoding': 'br' }],
    ['a broken gzip', { ...json, 'content-encoding': 'gzip' }],
  ])('with %s is refused', async (_what, headers) => {
    expect((await refusal(ask((_request, response) => response.writeHead(200, headers).end('{}')))).reason).toBe(
      'invalid',
    )
  })

  it('that breaks off is no answer', async () => {
    const error = await refusal(
      ask((_request, response) => {
        response.writeHead(200, { ...json, 'content-length': 100 })
        response.write('half', () => response.destroy())
      }),
    )
    expect(error.reason).toBe('unreachable')
  })

  it('of a redirect to another origin is asked for without the authorization, and only three redirects are followed', async () => {
    const elsewhere = await listen((_request, response) => response.writeHead(200, json).end('{}'))
    const headers = { authorization: 'Bearer x', 'x-more': 'y' }
    const here = await listen((request, response) =>
      request.url === '/'
        ? response.writeHead(307, { location: '/again' }).end()
        : response.writeHead(302, { location: `http://127.0.0.1:${elsewhere.port}/` }).end(),
    )
    await outbound(request(`http://127.0.0.1:${here.port}/`, { headers }))
    expect(here.seen.map((one) => one.authorization)).toEqual(['Bearer x', 'Bearer x'])
    expect([elsewhere.seen[0]?.authorization, elsewhere.seen[0]?.['x-more']]).toEqual([undefined, 'y'])
    const error = await refusal(ask((_request, response) => response.writeHead(302, { location: '/' }).end()))
    expect([error.reason, error.message]).toEqual(['invalid', 'more than 3 redirects'])
  })

  it('of a port where nobody listens names the code, not the address', async () => {
    const error = await refusal(outbound(request('http://localhost:1/')))
    expect([error.reason, error.message]).toEqual([
      'unreachable',
      expect.stringMatching(/^cannot reach localhost:1: \w+$/),
    ])
  })
})
