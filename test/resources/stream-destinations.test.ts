import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertDestination } from '../../src/resources/streams/destinations.commands.ts'
import { targetOf } from '../../src/resources/streams/urls.ts'
import { newKey } from '../support/app.ts'
import { type Studio, startStudio } from './streams-support.ts'

let studio: Studio
let streamId: number

beforeAll(async () => {
  studio = await startStudio()
  streamId = await studio.stream()
})
afterAll(() => studio.production.close())

const of = (id: unknown, rest = '') => `/v1/streams/destinations/${id}${rest}`
const create = (body: object) => studio.post(`/v1/streams/${streamId}/destinations`, { name: 'Channel', ...body })
const patch = (id: unknown, body: object) => studio.production.call('PATCH', of(id), body)
const KEY = 'abcd-very-secret'

describe('stream destinations', () => {
  it('[issue 5.4] a push destination is created stopped, and read as it was created', async () => {
    const answer = await create({ type: 'rtmp', url: 'rtmp://live.example.com/app', streamKey: KEY })
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        id: expect.any(Number),
        streamSettingsId: streamId,
        name: 'Channel',
        type: 'rtmp',
        url: 'rtmp://live.example.com/app',
        streamKey: KEY,
        pullProtocol: null,
        latencyMs: 200,
        status: 'connecting',
        bitrateKb: null,
        nextRetryDate: null,
        activeClients: null,
        publishing: false,
        lastError: null,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ])
    expect(await studio.read(of(answer.body.id))).toEqual(answer.body)
    const { destinations } = await studio.read(`/v1/streams/${streamId}/destinations`)
    expect(destinations).toEqual(expect.arrayContaining([answer.body]))
  })

  it('[issue 5.4] a stream has at most 50 destinations, also when they are created at once', async () => {
    const crowded = await studio.stream()
    const answers = await Promise.all(
      Array.from({ length: 52 }, () =>
        studio.post(`/v1/streams/${crowded}/destinations`, { name: 'Pull', type: 'pull' }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(50)
    expect(answers.find(({ status }) => status === 400)?.body.details).toMatchObject({
      'path.streamSettingsId': { message: 'a stream has at most 50 destinations' },
    })
    expect((await studio.read(`/v1/streams/${crowded}/destinations`)).destinations).toHaveLength(50)
  })

  it.each([
    ['youtube', 'rtmps://a.rtmps.youtube.com:443/live2'],
    ['facebook', 'rtmps://live-api-s.facebook.com:443/rtmp'],
  ])('[domain 1.3] %s needs only its key', async (type, url) => {
    expect((await create({ type, streamKey: KEY })).body).toMatchObject({ type, url, streamKey: KEY })
  })

  it.each(['hls', 'srt'])(
    '[issue 5.4] a pull destination over %s is fetched at an unguessable address',
    async (pullProtocol) => {
      const [one, two] = [await create({ type: 'pull', pullProtocol }), await create({ type: 'pull', pullProtocol })]
      expect(one.body).toMatchObject({ type: 'pull', pullProtocol, streamKey: '' })
      expect(one.body.url).toMatch(/[A-Za-z0-9_-]{32}/)
      expect(one.body.url).not.toBe(two.body.url)
    },
  )

  it.each([
    [{ type: 'rtmp' }, ['url']],
    [{ type: 'srt' }, ['url']],
    [{ type: 'youtube' }, ['streamKey']],
    [{ type: 'facebook', url: 'rtmps://live.example.com/rtmp' }, ['streamKey']],
    [{ type: 'rtmp', url: 'srt://live.example.com:9000' }, ['url']],
    [{ type: 'srt', url: 'rtmp://live.example.com/app' }, ['url']],
    [{ type: 'srt', url: 'srt://live.example.com:9000', streamKey: KEY }, ['streamKey']],
    [{ type: 'srt', url: 'srt://live.example.com:9000?mode=listener' }, ['url']],
    [{ type: 'pull', url: 'rtmp://live.example.com/app', streamKey: KEY }, ['url', 'streamKey']],
    [{ type: 'rtmp', url: 'rtmp://live.example.com/app', pullProtocol: 'hls' }, ['pullProtocol']],
    [{ type: 'rtmp', url: 'https://live.example.com/app' }, ['url']],
    [{ type: 'rtmp', url: 'file:///tmp/a.flv' }, ['url']],
    [{ type: 'rtmp', url: 'rtmp://live.example.com/app -y /tmp/a' }, ['url']],
    [{ type: 'rtmp', url: 'rtmp://live.example.com/app', streamKey: 'a b' }, ['streamKey']],
    [{ type: 'rtmp', url: 'rtmp://user:hunter2@live.example.com/app' }, ['url']],
    [{ type: 'rtmp', url: 'rtmps://a@b:c@live.example.com/' }, ['url']],
    [{ type: 'srt', url: 'srt://user@live.example.com:9000' }, ['url']],
    [{ type: 'youtube', url: 'rtmps://@live.example.com/app', streamKey: KEY }, ['url']],
    [{ type: 'rtmp', url: 'rtmp://127.0.0.1/app' }, ['url']],
    [{ type: 'rtmp', url: 'rtmp://[::1]/app' }, ['url']],
    [{ type: 'srt', url: 'srt://10.0.0.1:9000' }, ['url']],
    [{ type: 'udp', url: 'udp://live.example.com:1' }, ['type', 'url']],
  ])('[issue 5.4] %j is refused by name, and nothing is made', async (body, fields) => {
    const before = (await studio.read(`/v1/streams/${streamId}/destinations`)).total
    const refused = await create(body)
    expect([refused.status, Object.keys(refused.body.details ?? {})]).toEqual([
      400,
      fields.map((field) => `body.${field}`),
    ])
    expect((await studio.read(`/v1/streams/${streamId}/destinations`)).total).toBe(before)
  })

  it('[domain 1.3] destinations come and change while their stream runs; where one goes stays while it publishes', async () => {
    const id = await studio.stream()
    await studio.run(id)
    const destinationId = await studio.destination(id)
    await studio.post(`/v1/streams/${id}/go-live`)
    const moved = { url: 'rtmp://other.example.com/app', streamKey: 'another', latencyMs: 400 }
    const refused = await patch(destinationId, { ...moved, name: 'Kept' })
    expect([refused.status, Object.keys(refused.body.details ?? {})]).toEqual([
      400,
      ['body.url', 'body.streamKey', 'body.latencyMs'],
    ])
    expect((await patch(destinationId, { name: 'Renamed' })).body).toMatchObject({ name: 'Renamed', publishing: true })
    const kept = await studio.production.call('DELETE', of(destinationId))
    expect([kept.status, kept.body.details]).toEqual([400, { 'path.destinationId': expect.anything() }])
    await studio.post(`/v1/streams/${id}/destinations/stop`, { destinationIds: [destinationId] })
    expect((await patch(destinationId, moved)).body).toMatchObject(moved)
    expect((await studio.production.call('DELETE', of(destinationId))).status).toBe(204)
    expect((await studio.production.call('GET', of(destinationId))).status).toBe(404)
    const { sql } = studio.production.server.database
    expect([...(await sql`select ref from actor where ref = ${`destination/${destinationId}`}`)]).toEqual([])
  })

  it('[issue 15.7] one that was saved with a user before that was refused is seen, renamed, stopped and removed', async () => {
    const { production } = studio
    const id = await studio.stream()
    const stored = { name: 'Old', type: 'rtmp', url: 'rtmp://me:word@live.example.com/app', streamKey: KEY } as const
    const ctx = production.server.app.systemContext(production.organizationId, 'test')
    const destinationId = await production.server.database.sql.begin((tx) =>
      insertDestination(ctx, tx, { ...stored, streamId: id }),
    )
    expect((await production.call('GET', of(destinationId))).body).toMatchObject({ url: stored.url })
    await studio.run(id)
    expect((await studio.post(`/v1/streams/${id}/go-live`)).status).toBe(200)
    expect((await patch(destinationId, { name: 'Renamed' })).body).toMatchObject({ name: 'Renamed', publishing: true })
    const stop = { destinationIds: [destinationId] }
    expect((await studio.post(`/v1/streams/${id}/destinations/stop`, stop)).status).toBe(200)
    expect((await patch(destinationId, { latencyMs: 300 })).body).toMatchObject({ url: stored.url, latencyMs: 300 })
    expect((await patch(destinationId, { url: 'rtmp://live.example.com/app' })).status).toBe(200)
    expect((await production.call('DELETE', of(destinationId))).status).toBe(204)
  })

  it('[issue 5.4] a change must fit the type', async () => {
    const pull = await create({ type: 'pull' })
    expect((await patch(pull.body.id, { url: 'rtmp://live.example.com/app' })).status).toBe(400)
    expect((await patch(pull.body.id, { pullProtocol: 'srt' })).body).toMatchObject({ pullProtocol: 'srt' })
    const push = await create({ type: 'rtmp', url: 'rtmp://live.example.com/app' })
    for (const body of [{ url: 'srt://live.example.com:1' }, { pullProtocol: 'srt' }, { url: 'rtmp://localhost/app' }])
      expect((await patch(push.body.id, body)).status).toBe(400)
  })

  it('[issue 5.7] where a destination goes is shown to keys that may change it, to others only its host', async () => {
    const { production } = studio
    const id = await studio.destination(streamId, { url: 'rtmp://live.example.com:1936/app/old-secret?token=t0ken' })
    const { key } = await newKey(production.server.database, production.organizationId, ['streams:read'])
    for (const path of [of(id), `/v1/streams/${streamId}/destinations`, of(id, '/monitoring')]) {
      const { status, body } = await production.server.call('GET', path, { key })
      expect(status).toBe(200)
      expect(JSON.stringify(body)).not.toMatch(/secret|t0ken/)
    }
    const { body } = await production.server.call('GET', of(id), { key })
    expect(body).toMatchObject({ url: 'rtmp://live.example.com:1936/…', streamKey: '' })
  })

  it('[issue 5.7] neither URLs nor keys are in the journal, which tells each change', async () => {
    const { body } = await create({ type: 'rtmp', url: 'rtmp://live.example.com/secret-app', streamKey: KEY })
    await patch(body.id, { streamKey: `${KEY}-2`, name: 'Renamed' })
    await studio.production.call('DELETE', of(body.id))
    const { sql } = studio.production.server.database
    const [journal] = await sql<{ text: string }[]>`
      select string_agg(command::text || events::text, ' ') as text from journal`
    for (const secret of ['secret-app', KEY]) expect(journal?.text).not.toContain(secret)
    expect(await studio.events(`stream-destination/${body.id}`)).toEqual([
      'streamDestination.created',
      'streamDestination.updated',
      'streamDestination.deleted',
    ])
  })

  it('[issue 5.4] the key is the last part of the path that is pushed to', () => {
    const row = { type: 'rtmp', pullProtocol: null, latencyMs: 200 } as const
    const urls = [
      ['rtmp://live.example.com/app', 'key', 'rtmp', 'rtmp://live.example.com/app/key'],
      ['rtmp://live.example.com/app/', 'key', 'rtmp', 'rtmp://live.example.com/app/key'],
      [
        'rtmps://live.example.com:443/rtmp',
        'FB-1-0-Ab?s_bl=1&s_ps=1',
        'rtmps',
        'rtmps://live.example.com:443/rtmp/FB-1-0-Ab?s_bl=1&s_ps=1',
      ],
      ['rtmp://live.example.com/app?token=a/b', 'key', 'rtmp', 'rtmp://live.example.com/app/key?token=a/b'],
      ['srt://live.example.com:9000?streamid=a', '', 'srt', 'srt://live.example.com:9000?streamid=a'],
      ['RTMPS://live.example.com/app/key', '', 'rtmps', 'RTMPS://live.example.com/app/key'],
    ] as const
    for (const [url, streamKey, protocol, pushed] of urls)
      expect(targetOf(row, { url, streamKey, pullToken: null })).toEqual({ protocol, url: pushed, latencyMs: 200 })
  })
})

describe('monitoring', () => {
  it('[issue 5.7] a stream shows its state, bitrates with their history, faults, and what happened with who caused it', async () => {
    const { media, production, read } = studio
    const inputId = Number((await studio.post('/v1/streams/inputs', { name: 'Watched' })).body.id)
    const id = await studio.stream({ inputId })
    const destinationId = await studio.destination(id)
    const at = '2027-03-01T18:00:00.000Z'
    await studio.see({ type: 'input.opened', inputId })
    await studio.see({ type: 'input.connected', inputId, session: 's1', protocol: 'srt', at })
    await studio.run(id)
    await studio.post(`/v1/streams/${id}/go-live`)
    await studio.see({
      type: 'destination.failed',
      destinationId,
      attempt: 1,
      error: 'The far end refused',
      retryInMs: 60_000,
      nextRetryDate: at,
    })
    const history = [{ at: Date.parse(at), bitrateKb: 2500 }]
    media.measures.set(`input/${inputId}`, { bitrateKb: 2600, history })
    media.measures.set(`program/${id}`, { bitrateKb: 3000, history: [] })
    media.measures.set(`destination/${destinationId}`, { bitrateKb: null, history })
    const shown = [{ at, bitrateKb: 2500 }]
    const monitoring = await read(`/v1/streams/${id}/monitoring`)
    expect(monitoring).toMatchObject({
      streamSettingsId: id,
      matchId: production.matchId,
      state: 'live',
      automation: null,
      input: { inputId, name: 'Watched', state: 'live', protocol: 'srt', liveAt: at, bitrateKb: 2600, history: shown },
      program: { bitrateKb: 3000, history: [], cpuPercent: 55, rssBytes: 1_000_000 },
      destinations: [
        {
          id: destinationId,
          status: 'retrying',
          nextRetryDate: at,
          failures: 1,
          lastError: 'The far end refused',
          history: shown,
        },
      ],
    })
    const events = monitoring.events as { type: string; subject: string; id: number; by: object; details: object }[]
    const told = (type: string) => events.find((event) => event.type === type)
    expect(told('destination.failed')).toMatchObject({
      subject: 'destination',
      id: destinationId,
      details: { error: 'The far end refused' },
      by: { type: 'system', id: null, name: 'media' },
    })
    expect(told('stream.wentLive')).toMatchObject({ subject: 'stream', id, by: { type: 'key', name: 'Demo key' } })
    for (const type of ['stream.created', 'stream.starting', 'input.connected', 'streamDestination.created'])
      expect(told(type)).toBeDefined()
    expect(events[0]?.type).toBe('destination.failed')
    const input = await read(`/v1/streams/inputs/${inputId}/monitoring`)
    expect(input).toMatchObject({ ...(monitoring.input as object), events: [{ type: 'input.connected' }, {}, {}] })
    const destination = await read(`/v1/streams/destinations/${destinationId}/monitoring`)
    expect(destination).toMatchObject({ id: destinationId, streamSettingsId: id, status: 'retrying', failures: 1 })
  })

  it('[issue 5.7] a stream that nobody has touched has nothing to show, and says what the server lacks', async () => {
    const id = await studio.stream({ inputId: null })
    studio.media.missing.set('burnIn', 'no browser here')
    const monitoring = await studio.read(`/v1/streams/${id}/monitoring`)
    studio.media.missing.clear()
    expect(monitoring).toMatchObject({
      state: 'idle',
      input: null,
      program: null,
      destinations: [],
      problems: ['no browser here'],
    })
    expect((monitoring.events as { type: string }[]).map(({ type }) => type)).toEqual(['stream.created'])
  })

  it('[issue 5.7] at most fifty events are told, the newest', async () => {
    const id = await studio.stream()
    for (let each = 0; each < 30; each++) {
      await studio.post(`/v1/streams/${id}/overlay/hide`)
      await studio.post(`/v1/streams/${id}/overlay/show`)
    }
    const { events } = await studio.read(`/v1/streams/${id}/monitoring`)
    expect(events).toHaveLength(50)
    expect((events as object[])[0]).toMatchObject({ type: 'stream.overlayHidden', details: { hidden: false } })
  })
})
