import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { settleDestinations } from '../../src/resources/streams/settle.ts'
import { type Studio, startStudio } from './streams-support.ts'

let studio: Studio

beforeAll(async () => {
  studio = await startStudio()
})
afterAll(() => studio.production.close())
afterEach(() => {
  studio.media.missing.clear()
  studio.media.measures.clear()
})

const of = (id: number, rest = '') => `/v1/streams/${id}${rest}`
const stopped = (id: number) => ({
  id,
  status: 'connecting',
  bitrateKb: null,
  nextRetryDate: null,
  activeClients: null,
  publishing: false,
})
const connecting = (id: number) => ({ ...stopped(id), publishing: true })

/** A running stream with two destinations. */
async function running() {
  const id = await studio.stream()
  const [first, second] = [await studio.destination(id), await studio.destination(id)]
  await studio.run(id)
  return { id, first, second }
}

const retryAt = new Date(Date.now() + 60_000).toISOString()
const failed = (destinationId: number, attempt: number) =>
  studio.see({
    type: 'destination.failed',
    destinationId,
    attempt,
    error: 'refused',
    retryInMs: 60_000,
    nextRetryDate: retryAt,
  })
const connected = (destinationId: number, attempt: number) =>
  studio.see({ type: 'destination.connected', destinationId, attempt, at: new Date().toISOString() })

describe('start and stop', () => {
  it('[issue 5.2] a stream goes from idle over starting, live and stopping back to idle', async () => {
    const { post, read } = studio
    const id = await studio.stream()
    const starting = await post(of(id, '/start'))
    expect([starting.status, starting.body]).toEqual([200, await read(of(id))])
    expect(starting.body).toMatchObject({ state: 'starting', startedAt: null })
    await studio.see({ type: 'stream.started', streamId: id, run: 1, at: '2027-03-01T18:00:00.000Z' })
    expect(await read(of(id))).toMatchObject({ state: 'live', startedAt: '2027-03-01T18:00:00.000Z', liveAt: null })
    const stopping = await post(of(id, '/stop'))
    expect([stopping.status, stopping.body.state]).toEqual([200, 'stopping'])
    expect((await post(of(id, '/stop'))).body.state).toBe('stopping')
    await studio.see({ type: 'stream.stopped', streamId: id, run: 1 })
    expect(await read(of(id))).toMatchObject({ state: 'idle', startedAt: null })
    expect(await studio.events(`stream/${id}`)).toEqual([
      'stream.starting',
      'stream.running',
      'stream.stopping',
      'stream.stopped',
    ])
  })

  it('[issue 5.2] a start that fails leaves the stream in error, which says why, and it can be started again', async () => {
    const id = await studio.stream()
    await studio.post(of(id, '/start'))
    await studio.see({ type: 'stream.failed', streamId: id, run: 1, error: 'the encoder ended' })
    expect(await studio.read(of(id))).toMatchObject({ state: 'error', lastError: 'the encoder ended' })
    expect((await studio.post(of(id, '/start'))).body).toMatchObject({ state: 'starting', lastError: null })
  })

  it('[domain 5.10] a start without an input, and of a stream that is not idle, answers 400', async () => {
    const bare = await studio.stream({ inputId: null })
    const { id } = await running()
    const starting = await studio.stream()
    await studio.post(of(starting, '/start'))
    const stopping = await studio.stream()
    await studio.run(stopping)
    await studio.post(of(stopping, '/stop'))
    for (const [stream, message] of [
      [bare, 'The stream has no input'],
      [id, 'The stream is running already'],
      [starting, 'The stream is starting already'],
      [stopping, 'The stream is still stopping'],
    ] as const) {
      const before = await studio.read(of(stream))
      const refused = await studio.post(of(stream, '/start'))
      expect([refused.status, refused.body]).toEqual([
        400,
        { message, details: { 'path.streamSettingsId': { message, value: stream } } },
      ])
      expect(await studio.read(of(stream))).toEqual(before)
    }
  })

  it('[domain 1.3] a stream cannot be stopped while it is starting, or when it does not run', async () => {
    const id = await studio.stream()
    const refused = await studio.post(of(id, '/stop'))
    expect([refused.status, refused.body.message]).toEqual([400, 'The stream is not running'])
    await studio.post(of(id, '/start'))
    expect((await studio.post(of(id, '/stop'))).status).toBe(400)
    expect((await studio.read(of(id))).state).toBe('starting')
  })

  it.each([
    ['ingest', {}, false],
    ['burnIn', {}, false],
    ['ffmpeg', {}, true],
    ['srt', { sourceUrl: 'srt://video.example.com:9000?streamid=x' }, true],
    ['rtmps', { sourceUrl: 'rtmps://video.example.com/app/key' }, true],
  ] as const)(
    '[issue 5.3] without %s a start answers 503 with what is missing, and changes nothing',
    async (need, input, pulls) => {
      const source = { type: 'pull', sourceUrl: 'rtmp://video.example.com/app/key', ...input }
      const made = pulls ? await studio.post('/v1/streams/inputs', { name: 'Pulled', ...source }) : undefined
      const id = await studio.stream(made && { inputId: made.body.id })
      studio.media.missing.set(need, `no ${need} here`)
      const refused = await studio.post(of(id, '/start'))
      expect([refused.status, refused.body]).toEqual([503, { message: `no ${need} here` }])
      expect((await studio.read(of(id))).state).toBe('idle')
      expect(await studio.events(`stream/${id}`)).toEqual([])
    },
  )

  it('[issue 5.3] a stream whose input is passed on needs no encoder', async () => {
    const id = await studio.stream({ overlayId: null })
    studio.media.missing.set('burnIn', 'no browser here')
    expect((await studio.post(of(id, '/start'))).status).toBe(200)
  })

  it('[contract: Idempotency-Key] a start that is sent again is answered as before, and runs once', async () => {
    const { production } = studio
    const id = await studio.stream()
    const headers = { 'Idempotency-Key': randomUUID() }
    const sent = () => production.server.call('POST', of(id, '/start'), { key: production.apiKey, headers })
    const [one, two] = [await sent(), await sent()]
    expect([two.status, two.body]).toEqual([200, one.body])
    expect(await studio.events(`stream/${id}`)).toEqual(['stream.starting'])
  })

  it('[issue 5.2] of many starts at once one starts the stream', async () => {
    const id = await studio.stream()
    const answers = await Promise.all(Array.from({ length: 8 }, () => studio.post(of(id, '/start'))))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400, 400, 400])
  })
})

describe('going live', () => {
  it('[issue 5.2] go-live publishes to every destination, or to those that are named', async () => {
    const { id, first, second } = await running()
    const named = await studio.post(of(id, '/go-live'), { destinationIds: [second, second] })
    expect([named.status, named.body]).toEqual([
      200,
      {
        streamSettingsId: id,
        matchId: studio.production.matchId,
        destinations: [stopped(first), connecting(second)],
      },
    ])
    const { liveAt } = await studio.read(of(id))
    expect(liveAt).toEqual(expect.any(String))
    const all = await studio.post(of(id, '/go-live'))
    expect(all.body.destinations).toEqual([connecting(first), connecting(second)])
    expect(await studio.read(of(id))).toMatchObject({ liveAt })
    expect(await studio.events(`destination/${second}`)).toEqual(['destination.started'])
  })

  it('[issue 5.2] go-live, start and stop of destinations answer 400 unless the stream runs', async () => {
    const id = await studio.stream()
    const destinationId = await studio.destination(id)
    const refuse = async () => {
      for (const path of ['/go-live', '/destinations/start', '/destinations/stop']) {
        const refused = await studio.post(of(id, path), { destinationIds: [destinationId] })
        expect([refused.status, refused.body.message]).toEqual([400, 'The stream is not running'])
      }
    }
    await refuse()
    await studio.post(of(id, '/start'))
    await refuse()
    expect(await studio.events(`destination/${destinationId}`)).toEqual([])
  })

  it('[op.13] ids that are not linked to the stream answer 400 by their place, foreign ones 403', async () => {
    const { id, first } = await running()
    const elsewhere = await studio.destination(await studio.stream())
    for (const path of ['/go-live', '/destinations/start', '/destinations/stop']) {
      const refused = await studio.post(of(id, path), { destinationIds: [first, elsewhere, 2_147_483_647] })
      expect([refused.status, Object.keys(refused.body.details ?? {})]).toEqual([
        400,
        ['body.destinationIds[1]', 'body.destinationIds[2]'],
      ])
      const foreign = await studio.post(of(id, path), { destinationIds: [first, studio.stranger.destinationIds[0]] })
      expect([foreign.status, foreign.body.code]).toEqual([403, 'FORBIDDEN'])
    }
    for (const path of ['/destinations/start', '/destinations/stop'])
      for (const body of [{}, { destinationIds: [] }, { destinationIds: 'all' }])
        expect((await studio.post(of(id, path), body)).status).toBe(400)
    expect(await studio.events(`destination/${first}`)).toEqual([])
  })

  it('[issue 5.2] go-live without a destination answers 400', async () => {
    const id = await studio.stream()
    await studio.run(id)
    const refused = await studio.post(of(id, '/go-live'))
    expect([refused.status, refused.body.message]).toEqual([400, 'The stream has no destination'])
    expect(await studio.read(of(id))).toMatchObject({ liveAt: null })
  })

  it.each([
    ['rtmp', {}],
    ['rtmps', { url: 'rtmps://live.example.com/app' }],
    ['srt', { type: 'srt', url: 'srt://live.example.com:9000', streamKey: undefined }],
    ['hls', { type: 'pull', url: undefined, streamKey: undefined }],
  ] as const)('[issue 5.3] without %s a destination that needs it is not started', async (need, body) => {
    const id = await studio.stream()
    const destinationId = await studio.destination(id, body)
    await studio.run(id)
    studio.media.missing.set(need, `no ${need} here`)
    for (const path of ['/go-live', '/destinations/start']) {
      const refused = await studio.post(of(id, path), { destinationIds: [destinationId] })
      expect([refused.status, refused.body]).toEqual([503, { message: `no ${need} here` }])
    }
    expect(await studio.read(of(id))).toMatchObject({ liveAt: null, destinations: [{ publishing: false }] })
  })
})

describe('destinations of a running stream', () => {
  it('[op.13] destinations stop one by one and start again while the stream goes on; each is reported', async () => {
    const { id, first, second } = await running()
    await studio.post(of(id, '/go-live'))
    await connected(first, 1)
    await connected(second, 1)
    studio.media.measures.set(`destination/${first}`, { bitrateKb: 2600, history: [] })
    const answer = await studio.post(of(id, '/destinations/stop'), { destinationIds: [second] })
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        streamSettingsId: id,
        matchId: studio.production.matchId,
        destinations: [{ ...connecting(first), status: 'connected', bitrateKb: 2600 }, stopped(second)],
      },
    ])
    expect(studio.media.waitedFor.at(-1)).toEqual([second])
    expect(await studio.read(of(id))).toMatchObject({ state: 'live' })
    const again = await studio.post(of(id, '/destinations/start'), { destinationIds: [second] })
    expect(again.body.destinations).toMatchObject([{ status: 'connected' }, connecting(second)])
    expect(await studio.events(`destination/${second}`)).toEqual([
      'destination.started',
      'destination.connected',
      'destination.stopped',
      'destination.started',
    ])
  })

  it('[op.13] stopping what is stopped changes nothing', async () => {
    const { id, first } = await running()
    const answer = await studio.post(of(id, '/destinations/stop'), { destinationIds: [first] })
    expect([answer.status, answer.body.destinations]).toMatchObject([200, [stopped(first), {}]])
    expect(await studio.events(`destination/${first}`)).toEqual([])
  })

  it('[media 5] a report has only what its status knows', async () => {
    const { id, first } = await running()
    await studio.post(of(id, '/go-live'))
    studio.media.measures.set(`destination/${first}`, { bitrateKb: 2600, history: [], activeClients: 4 })
    const report = async () => ((await studio.read(of(id, '/destinations'))).destinations as object[])[0]
    expect(await report()).toMatchObject(connecting(first))
    await connected(first, 1)
    expect(await report()).toMatchObject({ ...connecting(first), status: 'connected', bitrateKb: 2600 })
    await failed(first, 1)
    expect(await report()).toMatchObject({
      ...connecting(first),
      status: 'retrying',
      nextRetryDate: retryAt,
      lastError: 'refused',
    })
  })

  it('[spec: Stream destination report] clients are counted of pull destinations that publish, and of no others', async () => {
    const id = await studio.stream()
    const pulled = await studio.destination(id, { type: 'pull', url: undefined, streamKey: undefined })
    await studio.run(id)
    const clients = async () => (await studio.read(`/v1/streams/destinations/${pulled}`)).activeClients
    studio.media.measures.set(`destination/${pulled}`, { bitrateKb: null, history: [], activeClients: 3 })
    expect(await clients()).toBeNull()
    await studio.post(of(id, '/go-live'))
    expect(await clients()).toBe(3)
  })

  it('[issue 5.5] one that waits for its next try is tried at once when somebody goes live', async () => {
    const { id, first } = await running()
    await studio.post(of(id, '/go-live'))
    await failed(first, 1)
    const answer = await studio.post(of(id, '/go-live'), { destinationIds: [first] })
    expect(answer.body.destinations).toMatchObject([connecting(first), {}])
    expect((await studio.events(`destination/${first}`)).slice(-2)).toEqual([
      'destination.failed',
      'destination.connecting',
    ])
  })

  it('[issue 5.2] a stop of the stream stops every destination, and each can be started by the next run', async () => {
    const { id, first, second } = await running()
    await studio.post(of(id, '/go-live'))
    await studio.end(id)
    expect((await studio.read(of(id))).destinations).toMatchObject([{ publishing: false }, { publishing: false }])
    for (const destination of [first, second])
      expect(await studio.events(`destination/${destination}`)).toEqual(['destination.started', 'destination.stopped'])
    await studio.run(id)
    expect((await studio.post(of(id, '/go-live'))).body.destinations).toEqual([connecting(first), connecting(second)])
  })

  it('[issue 5.1] what a crash kept from the destinations is told to them by the reaction to the commit', async () => {
    const { id, first } = await running()
    const { organizationId, server } = studio.production
    const ctx = server.app.systemContext(organizationId, 'test')
    // the commit of a go-live whose process ended before it could tell anybody
    await ctx.actors.send(ctx, 'stream', id, {
      asked: { type: 'goLive' },
      decide: () => ({ type: 'goLive', at: new Date().toISOString(), destinationIds: [first] }),
      reply: () => undefined,
      refused: () => new Error('refused') as never,
    })
    await Promise.all([1, 2, 3].map(() => settleDestinations(ctx, id, { now: false })))
    await settleDestinations(ctx, id, { now: false })
    expect(await studio.events(`destination/${first}`)).toEqual(['destination.started'])
  })

  it('[issue 5.1] starts and stops of a destination that race leave it as its stream wants it', async () => {
    const { id, first, second } = await running()
    const { sql } = studio.production.server.database
    const phases = async () => {
      const rows = await sql<{ phase: string; wanted: boolean }[]>`
        select d.snapshot->'context'->>'phase' as phase,
          (s.snapshot->'context'->'publishing')::jsonb @> to_jsonb(split_part(d.ref, '/', 2)::int) as wanted
        from actor d join actor s on s.ref = ${`stream/${id}`}
        where d.ref in ${sql([`destination/${first}`, `destination/${second}`])}`
      return rows.map(({ phase, wanted }) => [wanted, phase !== 'stopped'])
    }
    for (let round = 0; round < 5; round++) {
      const asked = Array.from({ length: 12 }, (_, nth) =>
        studio.post(of(id, `/destinations/${nth % 3 === round % 3 ? 'stop' : 'start'}`), {
          destinationIds: nth % 2 === 0 ? [first] : [first, second],
        }),
      )
      expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(asked.map(() => 200))
      for (const [wanted, runs] of await phases()) expect(runs).toBe(wanted)
    }
  })

  it('[contract: Idempotency-Key] a stop of destinations that is sent again is answered as before', async () => {
    const { production } = studio
    const { id, first } = await running()
    await studio.post(of(id, '/go-live'))
    const headers = { 'Idempotency-Key': randomUUID() }
    const body = { destinationIds: [first] }
    const sent = () =>
      production.server.call('POST', of(id, '/destinations/stop'), { key: production.apiKey, headers, body })
    const one = await sent()
    await studio.post(of(id, '/destinations/start'), body)
    const two = await sent()
    expect([two.status, two.body]).toEqual([200, one.body])
    expect(await studio.read(`/v1/streams/destinations/${first}`)).toMatchObject({ publishing: true })
  })
})

describe('the overlay in the picture', () => {
  it('[issue 5.2] show and hide change this stream only, idle or running, and may be repeated', async () => {
    const { production, post, read } = studio
    const [id, other] = [await studio.stream(), await studio.stream()]
    const shown = await read(`/v1/overlays/${production.overlay.id}`)
    const hide = async () => (await post(of(id, '/overlay/hide'))).body
    const expected = { streamSettingsId: id, overlayId: production.overlay.id }
    expect([await hide(), await hide()]).toEqual([
      { ...expected, hidden: true },
      { ...expected, hidden: true },
    ])
    await studio.run(id)
    expect(await read(of(id))).toMatchObject({ overlayHidden: true })
    expect((await post(of(id, '/overlay/show'))).body).toEqual({ ...expected, hidden: false })
    expect(await read(of(id))).toMatchObject({ overlayHidden: false })
    expect(await read(of(other))).toMatchObject({ overlayHidden: false })
    expect(await read(`/v1/overlays/${production.overlay.id}`)).toEqual(shown)
    expect((await studio.events(`stream/${id}`)).filter((type) => type === 'stream.overlayHidden')).toHaveLength(2)
  })

  it('[domain 5.10] a stream without an overlay answers 400', async () => {
    const id = await studio.stream({ overlayId: null })
    for (const action of ['show', 'hide']) {
      const refused = await studio.post(of(id, `/overlay/${action}`))
      expect([refused.status, refused.body.message]).toEqual([400, 'The stream has no overlay'])
    }
  })

  it('[domain 1.3] a stream that starts with its overlay hidden hides it at each start', async () => {
    const id = await studio.stream({ startOverlayHidden: true })
    expect(await studio.read(of(id))).toMatchObject({ overlayHidden: true })
    await studio.run(id)
    await studio.post(of(id, '/overlay/show'))
    await studio.end(id)
    expect((await studio.post(of(id, '/start'))).body).toMatchObject({ overlayHidden: true })
  })

  it('[domain 1.3] while it stands still the setting is what it begins with, also when it starts by itself', async () => {
    const { production } = studio
    const id = await studio.stream()
    const change = (startOverlayHidden: boolean) => production.call('PATCH', of(id), { startOverlayHidden })
    expect((await change(true)).body).toMatchObject({ startOverlayHidden: true, overlayHidden: true })
    expect((await change(false)).body).toMatchObject({ startOverlayHidden: false, overlayHidden: false })
  })
})
