import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ingestAccessPage } from '../../src/http/ingest-access-page.ts'
import { createMediamtxEngine, type MediamtxOptions } from '../../src/media/engine-mediamtx.ts'
import type { EngineEvent, PullSpec } from '../../src/media/ports.ts'
import { httpRequest } from '../support/http.ts'
import { quiet, within } from '../support/ingest.ts'
import { mediamtx } from '../support/mediamtx.ts'

const input = { inputId: 5, streamKey: 'key-of-five', latencyMs: 200 }
const SECRET = 'secret-of-both'

type MediaServer = Awaited<ReturnType<typeof mediamtx>>

/** Our engine beside a server that asks it over HTTP. */
async function engineBeside(options: Partial<MediamtxOptions> = {}, beside?: MediaServer) {
  const server = beside ?? (await mediamtx())
  const copies: (PullSpec & { stopped: boolean })[] = []
  const engine = createMediamtxEngine({
    host: 'media.example.com',
    apiUrl: server.url,
    rtmpPort: 1935,
    srtPort: 8890,
    startPull(spec) {
      const copy = { ...spec, stopped: false }
      copies.push(copy)
      return {
        async stop() {
          copy.stopped = true
        },
      }
    },
    log: quiet,
    ...options,
  })
  const page = ingestAccessPage(SECRET, engine.permits)
  const web = createServer(async (request, reply) => {
    const body = await buffer(request)
    const [, base, secret = ''] = /^(\/internal\/ingest)\/(.*)$/.exec(request.url ?? '') ?? []
    const asked = httpRequest('POST', request.url ?? '', { body })
    const answer = base ? await page.handle(asked, { secret }, 'request') : { status: 404 }
    reply.writeHead(answer.status).end()
  })
  web.listen(0, '127.0.0.1')
  await once(web, 'listening')
  onTestFinished(() => {
    web.closeAllConnections()
    web.close()
  })
  const asks = `http://127.0.0.1:${(web.address() as AddressInfo).port}/internal/ingest/`
  server.asks(asks + SECRET)
  const events: EngineEvent[] = []
  engine.listen((event) => events.push(event))
  await engine.start()
  onTestFinished(() => engine.close())
  const told = (expected: Partial<EngineEvent>, nth = 0) =>
    vi.waitFor(() => {
      expect(events.filter(({ type }) => type === expected.type)[nth]).toMatchObject(expected)
    }, within)
  return { server, engine, events, told, copies, asks }
}

const passOf = (url: string) => new URL(url).searchParams.get('pass') ?? ''
const nameOf = (url: string) => new URL(url).pathname.slice(1)

describe('a MediaMTX server as the ingest', () => {
  test('[issue 5.3] gives addresses whose paths outlive a rotation of the key', async () => {
    const { engine } = await engineBeside()
    expect(engine.address(input)).toEqual({
      host: 'media.example.com',
      applicationName: 'live',
      streamKey: 'input-5?pass=key-of-five',
      rtmpUrl: 'rtmp://media.example.com:1935/live',
      srtUrl: 'srt://media.example.com:8890?streamid=publish:live/input-5:input:key-of-five',
    })
    expect(engine.readUrl('input-5')).toMatch(/^rtmp:\/\/127\.0\.0\.1:1935\/live\/input-5\?pass=[\w-]{43}$/)
  })

  test('[issue 5.3] lets in who has the key or a token of ours, and nobody else', async () => {
    const { server, engine, told } = await engineBeside()
    await engine.allow(input)
    expect(await server.publish('live/input-5', 'wrong-key')).toBeUndefined()
    await told({ type: 'refused', protocol: 'rtmp', keyStart: 'wron', ip: '203.0.113.9' })
    for (const name of ['live/input-6', 'input-5', 'live/program-2', 'live/out-x', 'live/input-5/', 'other'])
      expect(await server.publish(name, 'key-of-five')).toBeUndefined()
    expect(await server.publish('live/input-5', passOf(engine.readUrl('input-5')))).toBeUndefined()
    expect(await server.publish('live/input-5', 'key-of-five', 'srt')).toBeDefined()
    await told({ type: 'up', path: 'input-5', inputId: 5, protocol: 'srt', ip: '203.0.113.9' })
    expect(await server.read('live/input-5', 'key-of-five')).toBeUndefined()
    expect(await server.read('live/input-5', '')).toBeUndefined()
    expect(await server.read('live/input-5', passOf(engine.publishUrl('input-5')))).toBeUndefined()
    expect(await server.read('live/input-5', passOf(engine.readUrl('input-5')))).toBeDefined()
    server.receive('live/input-5', 1234)
    expect(await engine.stats('input-5')).toEqual({ bytesIn: 1234, clients: 1 })
    expect(await engine.stats('input-6')).toBeNull()
  })

  test('[issue 5.3] the question is answered only to who knows the secret', async () => {
    const { server, engine, events, asks } = await engineBeside()
    await engine.allow(input)
    for (const secret of ['', 'wrong', `${SECRET}x`]) {
      server.asks(asks + secret)
      expect(await server.publish('live/input-5', 'key-of-five')).toBeUndefined()
    }
    for (const body of ['', '{', '[]', '{"action":1}'])
      expect((await fetch(asks + SECRET, { method: 'POST', body })).status).toBe(403)
    expect(events).toEqual([])
  })

  test('[issue 5.1] tells when a sender comes, goes and is another one', async () => {
    const { server, engine, told } = await engineBeside()
    await engine.allow(input)
    const first = await server.publish('live/input-5', 'key-of-five')
    await told({ type: 'up', inputId: 5, protocol: 'rtmp', session: first ?? '' })
    server.leave(first ?? '')
    const second = await server.publish('live/input-5', 'key-of-five')
    await told({ type: 'down', inputId: 5, session: first ?? '' })
    await told({ type: 'up', inputId: 5, session: second ?? '' }, 1)
    server.leave(second ?? '')
    await told({ type: 'down', session: second ?? '' }, 1)
  })

  test('what we publish ourselves is a pulled input or a program', async () => {
    const { server, engine, told } = await engineBeside()
    await server.publish(nameOf(engine.publishUrl('input-7')), passOf(engine.publishUrl('input-7')))
    await told({ type: 'up', path: 'input-7', inputId: 7, protocol: 'pull' })
    await server.publish(nameOf(engine.publishUrl('program-2')), passOf(engine.publishUrl('program-2')))
    await told({ type: 'up', path: 'program-2', inputId: null, protocol: 'rtmp' }, 1)
  })

  test('[issue 5.3] a rotated key drops the session of the old one, a revoked one its own', async () => {
    const { server, engine, told } = await engineBeside()
    await engine.allow(input)
    const first = (await server.publish('live/input-5', 'key-of-five', 'srt')) ?? ''
    await told({ type: 'up', session: first })
    await engine.allow(input)
    expect(server.isThere(first)).toBe(true)
    await engine.allow({ ...input, streamKey: 'another-key' })
    expect(server.isThere(first)).toBe(false)
    expect(await server.publish('live/input-5', 'key-of-five')).toBeUndefined()
    const second = (await server.publish('live/input-5', 'another-key')) ?? ''
    await told({ type: 'down', session: first })
    await engine.revoke(5)
    expect(server.isThere(second)).toBe(false)
    expect(await server.publish('live/input-5', 'another-key')).toBeUndefined()
  })

  test('[issue 5.4] SRT readers with a token read a copy, and are counted until it is taken away', async () => {
    const { server, engine, copies } = await engineBeside()
    expect(engine.readerUrl('tok')).toBe('srt://media.example.com:8890?streamid=read:live/out-tok')
    expect(await server.read('live/out-tok', '', 'srt')).toBeUndefined()
    await engine.serve({ token: 'tok', readUrl: engine.readUrl('input-5'), latencyMs: 300 })
    const [copy] = copies
    expect(copy).toMatchObject({ sourceUrl: engine.readUrl('input-5'), latencyMs: 300, stopped: false })
    const publishUrl = copy?.publishUrl ?? ''
    expect(await server.publish(nameOf(publishUrl), passOf(publishUrl))).toBeDefined()
    expect(await server.read('live/out-tok', '', 'rtmp')).toBeUndefined()
    const reader = await server.read('live/out-tok', '', 'srt')
    await server.read('live/out-tok', '', 'srt')
    await vi.waitFor(() => expect(engine.readers('tok')).toBe(2), within)
    server.leave(reader ?? '')
    await vi.waitFor(() => expect(engine.readers('tok')).toBe(1), within)
    await engine.unserve('tok')
    expect(copies.map(({ stopped }) => stopped)).toEqual([true])
    expect(await server.read('live/out-tok', '', 'srt')).toBeUndefined()
  })

  test('[issue 17.3] of several nodes any one that is asked answers right about the streams of all', async () => {
    const tokenSecret = 'made of what all share'
    const owner = await engineBeside({ tokenSecret, minds: () => true })
    const { server } = owner
    const other = await engineBeside({ tokenSecret, minds: () => false }, server)
    const third = await engineBeside({ tokenSecret, minds: () => false }, server)
    const all = [owner, other, third]
    /** Asks each node in turn the same, of which each answer counts. */
    const ofAll = async (ask: () => Promise<string | undefined>) => {
      const answers: boolean[] = []
      for (const { asks } of all) {
        server.asks(asks + SECRET)
        const session = await ask()
        answers.push(session !== undefined)
        if (session) server.leave(session)
      }
      return answers
    }
    const [yes, no] = [
      [true, true, true],
      [false, false, false],
    ]
    for (const { engine } of all) await engine.allow(input)
    expect(await ofAll(() => server.publish('live/input-5', 'key-of-five'))).toEqual(yes)
    expect(await ofAll(() => server.publish('live/input-5', 'another-key'))).toEqual(no)
    // what the owner runs is asked about at another node
    const program = passOf(owner.engine.publishUrl('program-2'))
    expect(await ofAll(() => server.publish('live/program-2', program))).toEqual(yes)
    server.asks(other.asks + SECRET)
    const camera = (await server.publish('live/input-5', 'key-of-five')) ?? ''
    const reads = passOf(owner.engine.readUrl('input-5'))
    expect(await ofAll(() => server.read('live/input-5', reads))).toEqual(yes)
    expect(await ofAll(() => server.read('live/input-5', 'key-of-five'))).toEqual(no)

    // a player of a pull destination that the owner serves
    expect(await ofAll(() => server.read('live/out-tok', '', 'srt'))).toEqual(no)
    await owner.engine.serve({ token: 'tok', readUrl: owner.engine.readUrl('input-5'), latencyMs: 300 })
    const copy = owner.copies[0]?.publishUrl ?? ''
    const published = (await server.publish(nameOf(copy), passOf(copy))) ?? ''
    const allSaw = (type: 'up' | 'down') =>
      vi.waitFor(() => {
        for (const { events } of all)
          expect(events).toContainEqual(expect.objectContaining({ type, path: 'out-tok', session: published }))
      }, within)
    await allSaw('up')
    expect(await ofAll(() => server.read('live/out-tok', '', 'srt'))).toEqual(yes)
    await owner.engine.unserve('tok')
    server.leave(published)
    await allSaw('down')
    expect(await ofAll(() => server.read('live/out-tok', '', 'srt'))).toEqual(no)

    // a key that is turned: the node that minds the input ends its session, and no node lets the old one in
    for (const { engine } of [other, third]) await engine.allow({ ...input, streamKey: 'turned' })
    await owner.engine.allow({ ...input, streamKey: 'turned' })
    expect(server.isThere(camera)).toBe(false)
    expect(await ofAll(() => server.publish('live/input-5', 'key-of-five'))).toEqual(no)
    expect(await ofAll(() => server.publish('live/input-5', 'turned'))).toEqual(yes)
  })

  test('[issue 5.3] a server that does not answer is told, and found again', async () => {
    const { server, engine, told } = await engineBeside()
    await engine.allow(input)
    const session = (await server.publish('live/input-5', 'key-of-five')) ?? ''
    await told({ type: 'up', session })
    server.answer(false)
    await told({ type: 'lost', error: 'MediaMTX does not answer' })
    expect(engine.problems()).toEqual(['The media server (MediaMTX) does not answer'])
    await engine.allow({ ...input, streamKey: 'another-key' })
    server.answer(true)
    await told({ type: 'back' })
    // its key is another one by now
    await vi.waitFor(() => expect(server.isThere(session)).toBe(false), within)
    const next = (await server.publish('live/input-5', 'another-key')) ?? ''
    await told({ type: 'up', session: next }, 1)
    expect(engine.problems()).toEqual([])
  })

  test('[issue 5.3] a start without the server says which setting is meant', async () => {
    const server = await mediamtx()
    server.answer(false)
    const engine = createMediamtxEngine({
      host: 'h',
      apiUrl: server.url,
      rtmpPort: 1,
      srtPort: 2,
      startPull: () => ({ stop: async () => {} }),
      log: quiet,
    })
    await expect(engine.start()).rejects.toThrow(/^MEDIAMTX_URL: /)
  })
})
