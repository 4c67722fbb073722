import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Studio, startStudio } from './streams-support.ts'

let studio: Studio

beforeAll(async () => {
  studio = await startStudio()
})
afterAll(() => studio.production.close())

const of = (id: unknown, rest = '') => `/v1/streams/inputs/${id}${rest}`
const create = (body: object) => studio.post('/v1/streams/inputs', { name: 'Camera', ...body })
const SOURCE = 'rtmps://video.example.com/app/secret-key?password=hunter2'
const pulled = async (sourceUrl = SOURCE) => Number((await create({ type: 'pull', sourceUrl })).body.id)
const patch = (id: unknown, body: object) => studio.production.call('PATCH', of(id), body)

describe('stream inputs', () => {
  it('[op.15] a default input is pushed to, with a key of its own', async () => {
    const [one, two] = [await create({}), await create({})]
    const { id, streamKey } = one.body
    expect([one.status, one.body]).toEqual([
      201,
      {
        id: expect.any(Number),
        name: 'Camera',
        type: 'default',
        host: 'ingest.test',
        applicationName: 'live',
        streamKey: expect.stringMatching(/^[A-Za-z0-9_-]{22,}$/),
        rtmpUrl: 'rtmp://ingest.test:1935/live',
        srtUrl: `srt://ingest.test:8890?streamid=publish:${id}:${streamKey}`,
        sourceUrl: '',
        latencyMs: 2000,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ])
    expect(await studio.read(of(id))).toEqual(one.body)
    expect(two.body.streamKey).not.toBe(streamKey)
  })

  it('[domain 5.2] a pull input reads its source and has nothing to push to', async () => {
    const answer = await create({ type: 'pull', sourceUrl: SOURCE, latencyMs: 500 })
    expect([answer.status, answer.body]).toMatchObject([
      201,
      { host: '', applicationName: '', streamKey: '', rtmpUrl: '', srtUrl: '', sourceUrl: SOURCE, latencyMs: 500 },
    ])
  })

  it('[op.15] an input that is missing answers 404, a foreign one 403', async () => {
    const { production, stranger } = studio
    expect((await production.call('GET', of(2_147_483_647))).status).toBe(404)
    const foreign = await production.call('GET', of(stranger.inputId))
    expect([foreign.status, foreign.body.code]).toEqual([403, 'FORBIDDEN'])
  })

  it.each([
    [{ type: 'pull' }, 'sourceUrl'],
    [{ sourceUrl: SOURCE }, 'sourceUrl'],
    [{ type: 'pull', sourceUrl: 'file:///etc/passwd' }, 'sourceUrl'],
    [{ type: 'pull', sourceUrl: 'concat:rtmp://a.example.com/x|file:///etc/passwd' }, 'sourceUrl'],
    [{ type: 'pull', sourceUrl: 'rtsp://video.example.com/a' }, 'sourceUrl'],
    [{ type: 'pull', sourceUrl: 'rtmp://video.example.com/a b' }, 'sourceUrl'],
    [{ type: 'pull', sourceUrl: 'http://video.example.com\\@127.0.0.1/a' }, 'sourceUrl'],
    [{ type: 'pull', sourceUrl: 'rtmp://user:hunter2@video.example.com/app/key' }, 'sourceUrl'],
    [{ type: 'pull', sourceUrl: 'rtmp://a@b:c@video.example.com/' }, 'sourceUrl'],
    [{ type: 'pull', sourceUrl: 'https://user@video.example.com/a.m3u8' }, 'sourceUrl'],
    [{ type: 'pull', sourceUrl: 'rtmp://video.example.com?x@127.0.0.1/a' }, 'sourceUrl'],
    [{ type: 'pull', sourceUrl: 'srt://video.example.com' }, 'sourceUrl'],
    [{ type: 'pull', sourceUrl: 'srt://video.example.com:9000?mode=listener' }, 'sourceUrl'],
    [{ type: 'pull', sourceUrl: 'srt://video.example.com:9000?localport=22' }, 'sourceUrl'],
    [{ type: 'pull', sourceUrl: 'http://127.0.0.1:8080/metrics' }, 'sourceUrl'],
    [{ type: 'pull', sourceUrl: 'rtmp://2130706433/live/a' }, 'sourceUrl'],
    [{ type: 'pull', sourceUrl: 'http://169.254.169.254/latest' }, 'sourceUrl'],
    [{ type: 'pull', sourceUrl: 'rtmp://localhost/live/a' }, 'sourceUrl'],
    [{ type: 'mystery' }, 'type'],
    [{ latencyMs: 119 }, 'latencyMs'],
    [{ name: '' }, 'name'],
  ])('[issue 5.3] %j is refused by name, and nothing is made', async (body, field) => {
    const before = (await studio.read('/v1/streams/inputs')).total
    const refused = await create(body)
    expect([refused.status, Object.keys(refused.body.details ?? {})]).toEqual([400, [`body.${field}`]])
    expect((await studio.read('/v1/streams/inputs')).total).toBe(before)
  })

  it('[domain 1.3] source and latency stay as they are while a stream runs with the input; its name and key do not', async () => {
    const inputId = await pulled('https://video.example.com/hls/index.m3u8')
    const stream = await studio.stream({ inputId })
    await studio.run(stream)
    const refused = await patch(inputId, { sourceUrl: 'https://video.example.com/other.m3u8', latencyMs: 900 })
    expect([refused.status, Object.keys(refused.body.details ?? {})]).toEqual([
      400,
      ['body.sourceUrl', 'body.latencyMs'],
    ])
    expect((await patch(inputId, { name: 'Renamed', latencyMs: 2000 })).body.name).toBe('Renamed')
    await studio.end(stream)
    expect((await patch(inputId, { latencyMs: 900 })).body.latencyMs).toBe(900)
  })

  it('[issue 5.3] a rotated key is another one, also while a stream runs; a pull input has none', async () => {
    const { body: input } = await create({})
    const stream = await studio.stream({ inputId: input.id })
    await studio.run(stream)
    const rotated = await studio.post(of(input.id, '/key'))
    expect(rotated.status).toBe(200)
    expect(rotated.body).toEqual(await studio.read(of(input.id)))
    expect(rotated.body.streamKey).not.toBe(input.streamKey)
    await studio.end(stream)
    expect((await studio.post(of(await pulled(), '/key'))).status).toBe(400)
  })

  it('[issue 5.2] an input in use is not deleted; streams that stand still lose it', async () => {
    const { production } = studio
    const { body: input } = await create({})
    await studio.see({ type: 'input.opened', inputId: Number(input.id) })
    const stream = await studio.stream({ inputId: input.id })
    await studio.run(stream)
    const refused = await production.call('DELETE', of(input.id))
    expect([refused.status, refused.body.details]).toEqual([400, { 'path.inputId': expect.anything() }])
    await studio.end(stream)
    expect((await production.call('DELETE', of(input.id))).status).toBe(204)
    expect((await production.call('GET', of(input.id))).status).toBe(404)
    expect(await studio.read(`/v1/streams/${stream}`)).toMatchObject({ inputId: null })
    const { sql } = production.server.database
    expect([...(await sql`select ref from actor where ref = ${`input/${input.id}`}`)]).toEqual([])
  })

  it('[issue 5.2] inputs are listed by id, of one type too', async () => {
    const id = await pulled()
    const { inputs, total } = await studio.read('/v1/streams/inputs?type=pull')
    expect((inputs as { id: number; type: string }[]).at(-1)).toMatchObject({ id, type: 'pull' })
    expect((inputs as { type: string }[]).every(({ type }) => type === 'pull')).toBe(true)
    expect(total).toBe((inputs as unknown[]).length)
  })

  it('[issue 5.7] neither keys nor sources are in the journal, which tells each change', async () => {
    const { body: input } = await create({ type: 'pull', sourceUrl: SOURCE })
    await patch(input.id, { sourceUrl: `${SOURCE}-2`, name: 'Renamed' })
    const { body: push } = await create({})
    const { body: rotated } = await studio.post(of(push.id, '/key'))
    const { sql } = studio.production.server.database
    const [journal] = await sql<{ text: string }[]>`
      select string_agg(command::text || events::text, ' ') as text from journal where ref like 'stream-input/%'`
    for (const secret of ['hunter2', 'secret-key', String(push.streamKey), String(rotated.streamKey)])
      expect(journal?.text).not.toContain(secret)
    expect(await studio.events(`stream-input/${input.id}`)).toEqual(['streamInput.created', 'streamInput.updated'])
    expect(await studio.events(`stream-input/${push.id}`)).toEqual(['streamInput.created', 'streamInput.keyRotated'])
  })
})
