import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { Admission } from '../../src/media/ingest/admission.ts'
import { createRtmpServer } from '../../src/media/ingest/rtmp.ts'
import { createSrtGate, type SrtGate } from '../../src/media/ingest/srt-gate.ts'
import { within } from '../support/ingest.ts'
import { type Random, seeded } from '../support/random.ts'
import { induction } from '../support/srt.ts'

// biome-ignore lint/style/noProcessEnv: how long to look is said by whoever runs the tests
const runs = process.env.CHAOS === 'full' ? 40 : 4
const DATAGRAMS = 3_000
const CONNECTIONS = 25

const bytes = (random: Random, length: number) => Buffer.from(Array.from({ length }, () => random.below(256)))

describe('[issue 15.1] whatever strangers send to the ingest', () => {
  test.each(Array.from({ length: runs }, (_, n) => n + 1))(
    'as datagrams of any size from any address and port harms nobody (seed %i)',
    async (seed) => {
      const failures: unknown[] = []
      const admit = vi.fn(() => ({ rejected: 'forbidden' as const }))
      const { gate, port, ask } = await gateAndCaller(failures, admit)
      const random = seeded(seed)
      for (let n = 0; n < DATAGRAMS; n++) gate.hear(datagram(random), source(random, port))
      expect(failures).toEqual([])
      // a cookie is given to whoever has an address only, and the seed guesses none
      expect(admit).not.toHaveBeenCalled()
      await ask()
    },
  )

  test('over RTMP, in whatever pieces, ends their own connection at most', async () => {
    // the parser says aloud what it cannot read
    vi.spyOn(console, 'log').mockImplementation(() => {})
    onTestFinished(() => void vi.restoreAllMocks())
    const failures: unknown[] = []
    const events: object[] = []
    const server = createRtmpServer({
      admission: new Admission('secret'),
      bind: '127.0.0.1',
      graceMs: 100,
      caller: () => undefined,
      tell: (event) => events.push(event),
      failed: (error) => failures.push(error),
    })
    onTestFinished(() => server.close())
    const port = await server.listen(0)
    for (let seed = 1; seed <= runs; seed++) {
      const random = seeded(seed)
      await Promise.all(Array.from({ length: CONNECTIONS }, () => stranger(port, conversation(random), random)))
    }
    expect(failures).toEqual([])
    expect(events.filter((event) => !('type' in event && event.type === 'refused'))).toEqual([])
  })
})

async function gateAndCaller(failures: unknown[], admit: () => { rejected: 'forbidden' }) {
  const gate: SrtGate = createSrtGate({
    bind: '127.0.0.1',
    admit,
    refused: () => {},
    counted: () => {},
    failed: (error) => failures.push(error),
  })
  onTestFinished(() => gate.close())
  const port = await gate.listen(0)
  const caller = createSocket('udp4')
  caller.bind(0, '127.0.0.1')
  await once(caller, 'listening')
  onTestFinished(() => void caller.close())
  return {
    gate,
    port,
    /** Resolves when a caller that greets is greeted. */
    async ask() {
      const answered = once(caller, 'message')
      caller.send(induction(), port, '127.0.0.1')
      const [answer]: Buffer[] = await answered
      expect(answer).toHaveLength(64)
    },
  }
}

const KINDS = [1, 0xffffffff, 0, 0xfffffffe, 2000, 7] as const
const CONTROL = [0x8000, 0x8005, 0x8002, 0x0000, 0xffff] as const

/** Most of them look like a handshake up to a point. */
function datagram(random: Random): Buffer {
  const size = random.pick([0, 1, 2, 15, 16, 20, 63, 64, 65, 80, 200, 1316, 1472, 1500, 1501, 9000, 65_507])
  const packet = bytes(random, Math.min(size, 600))
  const padded = Buffer.concat([packet, Buffer.alloc(size - packet.length, random.below(256))])
  if (size < 64 || random.chance(0.2)) return padded
  padded.writeUInt16BE(random.pick(CONTROL), 0)
  if (random.chance(0.7)) padded.writeUInt32BE(0, 12)
  padded.writeUInt32BE(random.pick([4, 5, 0]), 16)
  padded.writeUInt32BE(random.pick(KINDS), 36)
  if (size >= 80 && random.chance(0.7)) padded.writeUInt32BE((5 << 16) | random.pick([0, 1, 4, 128, 0xffff]), 64)
  return padded
}

const ADDRESSES = [
  ...['127.0.0.1', '127.0.0.2', '127.255.255.254', '0.0.0.0', '255.255.255.255', '224.0.0.1', '240.0.0.1'],
  ...['::1', '::', 'ff02::1', '::ffff:127.0.0.1', 'fe80::1%lo', '', 'nobody', '1.2.3', '127.0.0.1\0'],
] as const

function source(random: Random, gatePort: number) {
  const port = random.pick([0, 0, gatePort, 1, 65_535, 65_536, -1, 1.5, Number.NaN, 1 + random.below(65_535)])
  return { address: random.pick(['127.0.0.1', ...ADDRESSES]), port }
}

/** A handshake and messages that senders send, each with a chance to be something else. */
function conversation(random: Random): Buffer {
  const handshake = Buffer.concat([Buffer.from([3]), bytes(random, 200), Buffer.alloc(1336), Buffer.alloc(1536)])
  const messages = Array.from({ length: 1 + random.below(12) }, () => message(random))
  const whole = Buffer.concat([handshake, ...messages])
  for (let n = random.below(6); n > 0; n--) whole[random.below(whole.length)] = random.below(256)
  return random.chance(0.2) ? whole.subarray(0, random.below(whole.length)) : whole
}

function message(random: Random): Buffer {
  const head = Buffer.alloc(12)
  head[0] = (random.pick([0, 0, 0, 1, 2, 3]) << 6) | random.pick([3, 3, 2, 4, 0, 1, 63])
  head[7] = random.pick([20, 20, 20, 17, 1, 5, 4, 3, 8, 9, 18, random.below(256)])
  const content = random.chance(0.7) ? command(random) : bytes(random, random.below(120))
  head.writeUIntBE(random.chance(0.8) ? content.length : random.below(0xffffff), 4, 3)
  return Buffer.concat([head, content])
}

const text = (value: string) => {
  const content = Buffer.from(value)
  return Buffer.concat([Buffer.from([2, content.length >> 8, content.length & 255]), content])
}
const named = (name: string, value: Buffer) => Buffer.concat([text(name).subarray(1), value])
const end = Buffer.from([0, 0, 9])

/** A value of AMF, deep now and then, or one that says less than it is. */
function value(random: Random, depth = 0): Buffer {
  const kind = depth > 5 ? random.below(3) : random.below(9)
  if (kind === 0) return Buffer.from([5])
  if (kind === 1) return text(random.pick(['live', 'own', 'rtmp://a/live', 'a?t=b&via=c', '__proto__', '%%%', '']))
  if (kind === 2) return Buffer.concat([Buffer.from([0]), bytes(random, 8)])
  if (kind === 3) return Buffer.concat([Buffer.from([10]), bytes(random, 4), value(random, depth + 1)])
  if (kind === 4) return Buffer.concat(Array.from({ length: 3_000 }, () => Buffer.from([3, 0, 1, 97])))
  if (kind === 5) return bytes(random, random.below(40))
  const name = random.pick(['app', 'tcUrl', 'toString', '__proto__', 'constructor', 'objectEncoding', ''])
  return Buffer.concat([Buffer.from([3]), named(name, value(random, depth + 1)), named('app', text('live')), end])
}

function command(random: Random): Buffer {
  const name = random.pick(['connect', 'createStream', 'publish', 'play', 'deleteStream', 'toString', '__proto__'])
  const url = Buffer.concat([Buffer.from([3]), named('app', text('live')), named('tcUrl', text('rtmp://a/live')), end])
  const first = random.chance(0.5) ? url : value(random)
  return Buffer.concat([text(name), Buffer.from([0]), Buffer.alloc(8), first, value(random), value(random)])
}

/** Resolves when the server has ended the connection, or has read all of it. */
async function stranger(port: number, said: Buffer, random: Random): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  socket.resume()
  const closed = once(socket, 'close')
  for (let at = 0; at < said.length && !socket.destroyed; ) {
    const length = 1 + random.below(random.pick([3, 500, 4_000]))
    const sent = new Promise((resolve) => socket.write(said.subarray(at, at + length), resolve))
    at += length
    if (random.chance(0.3)) await sent
  }
  socket.end()
  await closed
}

test('[issue 15.1] callers are greeted again after each of them, where the gate listens on both families', async () => {
  const gate = createSrtGate({
    bind: '::',
    admit: () => ({ rejected: 'forbidden' }),
    refused: () => {},
    counted: () => {},
    failed: (error) => expect.unreachable(String(error)),
  })
  onTestFinished(() => gate.close())
  const port = await gate.listen(0)
  for (const address of ['::', '::1', '::ffff:127.0.0.1', '::ffff:0.0.0.0', 'ff02::1'])
    for (const from of [0, port]) gate.hear(induction(), { address, port: from })
  const caller = createSocket('udp6')
  onTestFinished(() => void caller.close())
  const answers: Buffer[] = []
  caller.on('message', (answer) => answers.push(answer))
  caller.send(induction(), port, '::1')
  await vi.waitFor(() => expect(answers).toHaveLength(1), within)
})
