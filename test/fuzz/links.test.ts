import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { encode, FrameType, MAX_FRAME_BYTES } from '../../src/nodes/links/frames.ts'
import { identityText, tlsOptions } from '../../src/nodes/links/identity.ts'
import { fate, knock, type LinkedNode, linkedNode, recorderOf, SECRET, SERVICE } from '../support/links.ts'
import { type Random, seeded } from '../support/random.ts'

// biome-ignore lint/style/noProcessEnv: how long to look is said by whoever runs the tests
const seeds = Array.from({ length: process.env.CHAOS === 'full' ? 30 : 3 }, (_, n) => n + 1)
const WITHIN_MS = 20_000
/** Fewer than may begin in a second. */
const CONNECTIONS = 25

/** A node, and another one that it talks to meanwhile. */
async function attacked(): Promise<{ node: LinkedNode; stillAnswers(): Promise<void> }> {
  const [node, friend] = [await linkedNode('node'), await linkedNode('friend')]
  const ask = () => fate(friend.links.ask(node.address, 'who', 'friend', undefined, WITHIN_MS))
  expect(await ask()).toBe('answered')
  const stillAnswers = async () => {
    expect(await ask()).toBe('answered')
    // nobody else was heard
    expect(node.ran.filter(([, head]) => head !== 'friend')).toEqual([])
  }
  return { node, stillAnswers }
}

function stranger(port: number): Socket {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  return socket.on('error', () => {})
}

const closed = (socket: Socket) =>
  new Promise<void>((resolve) => {
    if (socket.closed) resolve()
    else socket.resume().once('close', () => resolve())
  })

const bytes = (random: Random, length: number) => Buffer.from(Array.from({ length }, () => random.below(256)))

/** What a genuine node says from the first byte to the last, while it asks for `heads`. */
async function recorded(node: LinkedNode, heads: readonly unknown[]): Promise<Buffer[]> {
  const { port, said } = await recorderOf(node.port)
  const genuine = await linkedNode('genuine')
  for (const head of heads)
    expect(
      await fate(genuine.links.ask({ id: 'node', url: `127.0.0.1:${port}` }, 'echo', head, undefined, WITHIN_MS)),
    ).toBe('answered')
  await genuine.links.close()
  const [first] = said
  if (!first || said.length !== 1) throw new Error('one connection')
  return first
}

describe('whatever strangers send to the listener of a node', () => {
  test.each(seeds)('random bytes in random pieces end their own connection at most (seed %i)', async (seed) => {
    const random = seeded(seed)
    const { node, stillAnswers } = await attacked()
    const sockets = Array.from({ length: CONNECTIONS }, () => stranger(node.port))
    for (const socket of sockets)
      for (let n = random.below(8); n >= 0; n--) {
        // as a record of TLS begins, or as nothing does
        if (random.chance(0.5)) socket.write(Buffer.from([0x16, 3, 1, random.below(256), random.below(256)]))
        socket.write(bytes(random, random.pick([1, 5, 300, 20_000])))
      }
    await Promise.all(sockets.map(closed))
    await stillAnswers()
  })

  test.each(seeds)('half, spoiled and repeated handshakes are over in two seconds (seed %i)', async (seed) => {
    const random = seeded(seed)
    const { node, stillAnswers } = await attacked()
    const genuine = Buffer.concat(await recorded(node, ['said once']))
    node.ran.length = 0
    const sockets = Array.from({ length: CONNECTIONS - 2 }, () => stranger(node.port))
    const since = performance.now()
    for (const socket of sockets) {
      const part = Buffer.from(genuine.subarray(0, random.below(genuine.length)))
      for (let n = random.below(3); n > 0; n--) part[random.below(part.length)] = random.below(256)
      socket.write(part)
      if (random.chance(0.3)) socket.end()
    }
    await Promise.all(sockets.map(closed))
    expect(performance.now() - since).toBeLessThan(4_000)
    await stillAnswers()
  })

  test('a whole genuine session, said again, does nothing again: at once, later, or to another node', async () => {
    const { node, stillAnswers } = await attacked()
    const other = await linkedNode('other')
    const session = await recorded(node, ['said once', 'and once'])
    expect(node.ran.filter(([kind]) => kind === 'echo').length).toBe(2)
    node.ran.length = 0
    for (const port of [node.port, node.port, other.port]) {
      const whole = stranger(port)
      whole.write(Buffer.concat(session))
      const piecewise = stranger(port)
      for (const chunk of session) {
        piecewise.write(chunk)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      await Promise.all([closed(whole), closed(piecewise)])
    }
    await stillAnswers()
    expect(other.ran).toEqual([])
  })

  test('a secret or a database that is not ours opens nothing, nor does no secret at all', async () => {
    const { node, stillAnswers } = await attacked()
    const ask = encode(FrameType.ask, 1, 'echo', 'forged')
    const wrong = [
      { psk: Buffer.alloc(32) },
      { psk: Buffer.alloc(0) },
      { psk: SECRET.subarray(0, 31) },
      { psk: Buffer.concat([SECRET, Buffer.alloc(1)]) },
      { service: `${SERVICE}0` },
      { id: 'node', psk: Buffer.alloc(32) },
    ].map((options) => knock(node.port, options))
    const identities = [
      '',
      ' ',
      'tally-link/1',
      `tally-link/2 ${SERVICE} friend`,
      `${identityText({ service: SERVICE, id: 'a' })} b`,
    ]
    const strange = identities.map((identity) =>
      connectTls({ ...tlsOptions, port: node.port, pskCallback: () => ({ identity, psk: SECRET }) }).on(
        'error',
        () => {},
      ),
    )
    for (const socket of [...wrong, ...strange]) {
      let opened = false
      socket.on('secureConnect', () => {
        opened = true
      })
      socket.write(ask)
      await closed(socket)
      expect(opened).toBe(false)
    }
    await stillAnswers()
  })

  test('TLS with certificates, of any version and suite, and TLS that offers both, opens nothing', async () => {
    const { node, stillAnswers } = await attacked()
    for (const options of [
      {},
      { minVersion: 'TLSv1.3' },
      { maxVersion: 'TLSv1.2' },
      { ciphers: 'ALL:aNULL:eNULL@SECLEVEL=0' },
      { ciphers: 'aNULL@SECLEVEL=0', maxVersion: 'TLSv1.2' },
      { ciphers: 'PSK-AES128-GCM-SHA256:DHE-PSK-AES128-GCM-SHA256', maxVersion: 'TLSv1.2' },
    ] as const) {
      const socket = connectTls({ port: node.port, rejectUnauthorized: false, ...options }).on('error', () => {})
      let opened = false
      socket.on('secureConnect', () => {
        opened = true
      })
      socket.write(encode(FrameType.ask, 1, 'echo', 'forged'))
      await closed(socket)
      expect(opened, JSON.stringify(options)).toBe(false)
    }
    await stillAnswers()
  })

  test('HTTP with forged headers, and frames without TLS, are not answered', async () => {
    const { node, stillAnswers } = await attacked()
    const request = [
      'POST /v2/overlays/1/graphics/commands HTTP/1.1',
      `Host: 127.0.0.1:${node.port}`,
      'Authorization: Bearer forged',
      'X-Tally-Node: friend',
      'X-Tally-Principal: {"role":"owner"}',
      'Content-Length: 2',
      '',
      '{}',
    ].join('\r\n')
    for (const text of [
      request,
      encode(FrameType.ask, 1, 'echo', 'forged'),
      encode(FrameType.note, 0, 'echo', 'forged'),
    ]) {
      const socket = stranger(node.port)
      let heard = ''
      socket.on('data', (chunk) => {
        heard += chunk.toString('latin1')
      })
      socket.write(text)
      await closed(socket)
      expect(heard).not.toContain('HTTP')
      // an alert of TLS at most
      expect(heard.length).toBeLessThan(10)
    }
    await stillAnswers()
  })
})

describe('whatever one that knows the secret sends', () => {
  const hostile: Record<string, (frame: Buffer) => unknown> = {
    'a frame of no length': (frame) => frame.fill(0),
    'a frame shorter than its header': (frame) => frame.writeUInt32BE(11, 0),
    'a frame of four gigabytes': (frame) => frame.writeUInt32BE(0xffff_ffff, 0),
    'a frame one byte too large': (frame) => frame.writeUInt32BE(MAX_FRAME_BYTES - 3, 0),
    'a head of four gigabytes': (frame) => frame.writeUInt32BE(0xffff_ffff, 12),
    'a kind longer than the frame': (frame) => frame.writeUInt8(255, 5),
    'a head that is no JSON': (frame) => frame.write('}', 20),
    'an unknown type': (frame) => frame.writeUInt8(99, 4),
    'an answer that nobody asked for': (frame) => frame.writeUInt8(FrameType.answer, 4),
  }
  test.each(Object.entries(hostile))('%s ends its link, with a line, and nothing else', async (_, spoil) => {
    const { node, stillAnswers } = await attacked()
    const socket = knock(node.port)
    const frame = encode(FrameType.ask, 1, 'echo', { a: 'forged' })
    spoil(frame)
    socket.write(frame)
    await closed(socket)
    expect(node.logged).toMatchObject([{ msg: 'a link is ended, for what came over it cannot be', node: 'knocker' }])
    await stillAnswers()
  })

  test('an ask with the number of one that is under way ends its link', async () => {
    const { node } = await attacked()
    const socket = knock(node.port)
    const ask = encode(FrameType.ask, 1, 'never', 'friend')
    socket.write(Buffer.concat([ask, ask]))
    await closed(socket)
    expect(node.ran.filter(([kind]) => kind === 'never').length).toBe(1)
  })

  test('a frame that is begun and never ended, and silence from the start, end after three seconds', async () => {
    const { node, stillAnswers } = await attacked()
    const [begun, silent] = [knock(node.port, { id: 'begun' }), knock(node.port, { id: 'silent' })]
    const largest = Buffer.alloc(1_000)
    largest.writeUInt32BE(MAX_FRAME_BYTES - 4, 0)
    begun.write(largest)
    const since = performance.now()
    await Promise.all([closed(begun), closed(silent)])
    expect(performance.now() - since).toBeLessThan(6_000)
    await stillAnswers()
  })

  test('who asks and never reads is ended before it fills the memory', async () => {
    const options = { limits: { maxInFlight: 1_000, maxWaitingBytes: 1_000_000 } }
    const node = await linkedNode('node', {}, options)
    const socket = knock(node.port)
    await once(socket, 'secureConnect')
    socket.pause()
    const body = Buffer.alloc(100_000)
    for (let id = 1; id <= 200; id++) socket.write(encode(FrameType.ask, id, 'echo', null, body))
    await vi.waitFor(
      () => expect(node.logged.map(({ msg }) => msg)).toContain('a link is ended, for its answers are not read'),
      WITHIN_MS,
    )
    socket.destroy()
  })

  test.each(seeds)('whole sessions with spoiled bytes run what is whole, and harm nobody (seed %i)', async (seed) => {
    const random = seeded(seed)
    const { node } = await attacked()
    for (let n = 0; n < CONNECTIONS - 5; n++) {
      const socket = knock(node.port, { id: `knocker-${n}` })
      const frames = Array.from({ length: 20 }, (_, id) =>
        encode(random.pick([1, 2, 5]), id, 'echo', { id }, bytes(random, 30)),
      )
      const all = Buffer.concat(frames)
      for (let spoiled = random.below(4); spoiled > 0; spoiled--) all[random.below(all.length)] = random.below(256)
      socket.resume().end(all)
      await closed(socket)
    }
    const friend = await linkedNode('another-friend')
    expect(await fate(friend.links.ask(node.address, 'who', null, undefined, WITHIN_MS))).toBe('answered')
  })
})
