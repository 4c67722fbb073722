import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../bench/free-port.ts'
import { seedInput } from '../../src/resources/streams/inputs.commands.ts'
import { connectDatabase } from '../../src/store/postgres.ts'
import { CONNECT_WITHIN_SECONDS } from '../support/database.ts'
import { type LiveServer, liveServer, sender, sendOnce, streamOf } from '../support/live.ts'
import { ffmpeg, noFfmpeg, speaks, testPicture } from '../support/media.ts'

let server: LiveServer

const within = { timeout: 60_000, interval: 50 }

describe.skipIf(noFfmpeg || !speaks('srt'))('inputs over REST with real media', () => {
  beforeAll(async () => {
    server = await liveServer()
  })
  afterAll(() => server?.app.close())

  const health = async (id: unknown) => (await server.call('GET', `/v1/streams/inputs/${id}/monitoring`)).body
  const becomes = (id: unknown, wanted: object) => expect.poll(() => health(id), within).toMatchObject(wanted)
  const sendSrt = (url: string) => ffmpeg([...testPicture({ kb: 600 }), '-f', 'mpegts', url])

  test('[issue 5.3] video is pushed over SRT to the URL that the input shows; a wrong stream id is refused', async () => {
    const { input } = await server.newStream()
    const url = String(input.srtUrl)
    const [code] = await once(sendSrt(url.replace(String(input.streamKey), 'not-the-key')), 'exit')
    expect(code).not.toBe(0)
    await becomes(input.id, { state: 'waiting', protocol: null, bitrateKb: null })
    const sending = sendSrt(url)
    await becomes(input.id, { state: 'live', protocol: 'srt', lastError: null })
    await expect.poll(async () => (await health(input.id)).bitrateKb, within).toBeGreaterThan(300)
    sending.kill('SIGTERM')
    await becomes(input.id, { state: 'waiting', protocol: null })
  })

  test('[issue 5.3] another key drops who sends with the old one, which is refused from then on', async () => {
    const { input, pushUrl } = await server.newStream()
    const sending = sendOnce(pushUrl)
    await becomes(input.id, { state: 'live', protocol: 'rtmp' })
    const ended = once(sending, 'exit')
    const { status, body } = await server.call('POST', `/v1/streams/inputs/${input.id}/key`)
    expect(status).toBe(200)
    await ended
    await becomes(input.id, { state: 'waiting' })
    const [code] = await once(sendOnce(pushUrl), 'exit')
    expect(code).not.toBe(0)
    sender(`${body.rtmpUrl}/${body.streamKey}`)
    await becomes(input.id, { state: 'live', protocol: 'rtmp' })
  })

  test('[issue 15.15] an input that another process made is known to the ingest when its sender comes, at the first try', async () => {
    const { organization, call, app } = server
    // the server hears of nothing that is written on these connections
    const { secrets } = app.database.db
    const db = connectDatabase(app.database.url, {
      connections: 1,
      connectWithinSeconds: CONNECT_WITHIN_SECONDS,
      secrets,
    })
    onTestFinished(() => db.close(1))
    const ctx = {
      organizationId: organization.id,
      actor: { type: 'system', name: 'admin' },
      requestId: 'admin',
      commandId: randomUUID(),
      db,
      publicUrl: app.origin,
      catalog: { forget: () => {} },
    } as const
    const { refused } = await app.app.media.figures()
    const { id } = await seedInput(ctx, 'Main camera')
    const { body } = await call('GET', `/v1/streams/inputs/${id}`)
    const sending = sendOnce(`${body.rtmpUrl}/${body.streamKey}`)
    await becomes(id, { state: 'live', protocol: 'rtmp' })
    expect(sending.exitCode).toBeNull()
    expect((await app.app.media.figures()).refused).toBe(refused)
  })

  test('[issue 5.3] a source is pulled while a stream uses it, told why it is not there, and tried again', async () => {
    const sourceUrl = `srt://127.0.0.1:${await freePort()}`
    const { body: input } = await server.call('POST', '/v1/streams/inputs', { name: 'Truck', type: 'pull', sourceUrl })
    expect(input).toMatchObject({ sourceUrl, streamKey: '', rtmpUrl: '', srtUrl: '' })
    const settings = { matchId: server.matchId, name: 'Pulled', inputId: input.id }
    const stream = streamOf(server.call, Number((await server.call('POST', '/v1/streams', settings)).body.id))
    expect(await pulls()).toBe(0)
    await stream.tell('start')
    await becomes(input.id, { state: 'waiting', lastError: expect.stringMatching(/^The source /) })
    ffmpeg([...testPicture({ kb: 600 }), '-f', 'mpegts', `${sourceUrl}?mode=listener`])
    await becomes(input.id, { state: 'live', protocol: 'pull', lastError: null })
    await stream.becomes('live')
    expect(await pulls()).toBe(1)
    await stream.tell('stop')
    await stream.becomes('idle')
    await expect.poll(pulls, within).toBe(0)
    await becomes(input.id, { state: 'idle' })
  })

  const pulls = async () => {
    const { processes } = await server.app.app.media.figures()
    return processes.find(({ kind }) => kind === 'pull')?.running ?? 0
  }
})
