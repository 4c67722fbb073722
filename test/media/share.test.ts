import { expect, onTestFinished, test, vi } from 'vitest'
import { createDirector, type Wishes } from '../../src/media/director.ts'
import type { EngineEvent, InputWish, MediaEngine, Observation, RelayEvent, RelaySpec } from '../../src/media/ports.ts'
import { ENDED_AFTER_MS } from '../../src/media/share.ts'
import { embeddedEngine, quiet } from '../support/ingest.ts'
import { sendOnce } from '../support/live.ts'
import { noFfmpeg } from '../support/media.ts'
import { stillEngine } from '../support/media-wishes.ts'

type Lease = { since: number; until: number } | undefined

/** One of two nodes: a stream 1 that runs and is fed by input 5, with destination 11; `lease` is this node's of the input. */
function oneNode(first: Lease, engineIs: Partial<MediaEngine> = {}) {
  let lease = first
  let isLost = false
  let tell: (event: EngineEvent) => void = () => {}
  const seen: Observation[] = []
  const relays: { spec: RelaySpec; listener: (event: RelayEvent) => void; stopped: boolean }[] = []
  const input: InputWish = {
    ...{ inputId: 5, organizationId: 1, phase: 'live', session: 'camera', error: null, kind: 'push' },
    ...{ streamKey: 'key', sourceUrl: '', latencyMs: 200, wanted: true },
  }
  const target = { protocol: 'rtmp', url: 'rtmp://far.example/app/key', latencyMs: 200 } as const
  const ifFound = async <T>(value: T): Promise<T> => {
    // a database that was lost answers nothing at all
    if (isLost) await new Promise(() => {})
    return value
  }
  const wishes: Wishes = {
    input: () => ifFound(input),
    stream: () =>
      ifFound({
        ...{ streamId: 1, organizationId: 1, phase: 'running', run: 3, inputId: 5, burn: null, overlayHidden: false },
        ...{ liveDue: false, error: null },
        destinations: [{ destinationId: 11, phase: 'connecting', attempt: 7, failures: 0, target }],
      }),
    streamOf: () => ifFound(1),
    streamsWith: () => ifFound([]),
    all: () => ifFound({ inputs: [{ id: 5, changedAt: '1' }], streamIds: [1] }),
  }
  const engine: MediaEngine = {
    ...stillEngine,
    stats: async () => ({ bytesIn: 1, clients: 0 }),
    listen: (listener) => {
      tell = listener
    },
    ...engineIs,
  }
  const director = createDirector({
    engine,
    wishes,
    log: quiet,
    lacks: () => undefined,
    gone: () => {},
    startPull: () => ({ stop: async () => {} }),
    startProgram: () => {
      throw new Error('no program here')
    },
    startRelay(spec, listener) {
      const relay = { spec, listener, stopped: false }
      relays.push(relay)
      return {
        measured: () => ({ bitrateKb: null, history: [] }),
        activeClients: () => null,
        pauseWatch: () => {},
        async stop() {
          relay.stopped = true
        },
      }
    },
    observe: async (observation) => void seen.push(observation),
    leases: { lease: (ref) => (ref === 'input/5' && lease && performance.now() < lease.until ? lease : undefined) },
    address: () => ({
      host: 'b',
      applicationName: 'live',
      streamKey: 'key',
      rtmpUrl: 'rtmp://b:1935/live',
      srtUrl: '',
    }),
  })
  onTestFinished(() => director.close())
  director.start()
  return {
    director,
    relays,
    seen,
    async begin() {
      await director.engineStarted()
      tell({ type: 'up', path: 'input-5', inputId: 5, session: 'camera', protocol: 'rtmp', ip: '' })
    },
    tell: (event: EngineEvent) => tell(event),
    own(now: Lease) {
      lease = now
      director.changed('everything/0')
    },
    loseDatabase() {
      isLost = true
    },
  }
}

const held = (sinceMs: number, forMs = 60_000): Lease => {
  const now = performance.now()
  return { since: now - sinceMs, until: now + forMs }
}
const settle = () => new Promise((resolve) => setTimeout(resolve, 150))

test('[issue 17.3] a stream runs under the lease of its input, and where another node has it nothing runs or is told', async () => {
  const [owner, other] = [oneNode(held(5_000)), oneNode(undefined)]
  await Promise.all([owner.begin(), other.begin()])
  await vi.waitFor(() => expect(owner.relays.map(({ spec }) => spec)).toMatchObject([{ attempt: 7, lease: 'input/5' }]))
  other.director.changed('stream/1')
  await settle()
  expect(other.relays).toEqual([])
  expect(other.seen).toEqual([])
})

test('[issue 17.3] a lease that is over ends what ran under it, though the database does not answer, and nobody is told', async () => {
  const node = oneNode(held(5_000, 400))
  await node.begin()
  await vi.waitFor(() => expect(node.relays).toHaveLength(1))
  node.loseDatabase()
  await new Promise((resolve) => setTimeout(resolve, 450))
  node.own(undefined)
  await vi.waitFor(() => expect(node.relays[0]?.stopped).toBe(true))
  node.relays[0]?.listener({ type: 'failed', error: 'ended by SIGTERM' })
  await settle()
  expect(node.seen.filter(({ type }) => type.startsWith('destination'))).toEqual([])
})

test('[issue 17.3] a lease that was just taken is used once the last owner’s processes are gone', async () => {
  const node = oneNode(undefined)
  await node.begin()
  await settle()
  const taken = performance.now()
  node.own({ since: taken, until: taken + 60_000 })
  await vi.waitFor(() => expect(node.relays).toHaveLength(1), { interval: 5 })
  expect(performance.now() - taken).toBeGreaterThanOrEqual(ENDED_AFTER_MS)
  expect(performance.now() - taken).toBeLessThan(ENDED_AFTER_MS + 2_000)
})

test('[issue 17.3] the ingest of a node refuses the encoder of another node’s input, whose state tells the right address', async () => {
  const allowed: object[] = []
  const address = () => ({
    host: 'a',
    applicationName: 'live',
    streamKey: '',
    rtmpUrl: 'rtmp://a:1935/live',
    srtUrl: '',
  })
  const node = oneNode(undefined, { allow: async (input) => void allowed.push(input), address })
  await node.director.engineStarted()
  expect(allowed).toEqual([{ inputId: 5, streamKey: 'key', latencyMs: 200, elsewhere: true }])
  const refused = { type: 'refused', protocol: 'rtmp', ip: '203.0.113.9', keyStart: 'key', reason: '' } as const
  node.tell(refused)
  node.tell({ ...refused, inputId: 5 })
  const error = 'The encoder sends to a, it is taken at rtmp://b:1935/live now'
  await vi.waitFor(() => expect(node.seen).toEqual([{ type: 'input.failed', organizationId: 1, inputId: 5, error }]))
  node.own(held(5_000))
  await vi.waitFor(() => expect(allowed.at(-1)).toEqual({ inputId: 5, streamKey: 'key', latencyMs: 200 }))
})

test.skipIf(noFfmpeg)('[issue 17.3] an encoder at the wrong node is told apart from one with a wrong key', async () => {
  const { engine, event } = await embeddedEngine()
  const input = { inputId: 5, streamKey: 'key-of-five', latencyMs: 200 }
  const { rtmpUrl } = engine.address(input)
  await engine.allow({ ...input, elsewhere: true })
  sendOnce(`${rtmpUrl}/key-of-five`)
  const reason = 'Another node takes the video of this stream key.'
  expect(await event('refused')).toMatchObject({ protocol: 'rtmp', inputId: 5, keyStart: 'key-', reason })
  await engine.allow(input)
  const sender = sendOnce(`${rtmpUrl}/key-of-five`)
  const { session } = await event('up')
  // its lease went to another node
  await engine.allow({ ...input, elsewhere: true })
  expect(await event('down')).toMatchObject({ session })
  sender.kill('SIGKILL')
})
