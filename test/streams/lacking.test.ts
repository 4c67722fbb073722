import { expect, onTestFinished, test } from 'vitest'
import { startApp } from '../support/app.ts'
import { liveServer } from '../support/live.ts'
import { tcpServer } from '../support/media.ts'
import { noForbidding, startWithoutNamespaces } from '../support/namespaces.ts'
import { built } from '../support/process.ts'
import { noBurnIn } from '../support/program.ts'

test('[issue 5.3] without ffmpeg the server is ready and says what is missing, what needs it answers 503, and nothing pretends', async () => {
  const { app, call, newStream } = await liveServer({
    FFMPEG_PATH: '/nowhere/ffmpeg',
    CHROMIUM_PATH: '/nowhere/browser',
  })
  try {
    const ready = await fetch(`${app.origin}/readyz`)
    expect(ready.status).toBe(200)
    const missing = expect.stringContaining('ffmpeg is missing on this server')
    expect(await ready.json()).toMatchObject({ ready: true, media: { problems: expect.arrayContaining([missing]) } })

    const { stream, input } = await newStream()
    expect(input.rtmpUrl).toMatch(/^rtmp:/)
    const id = await stream.addDestination('Far', { type: 'rtmp', url: 'rtmp://127.0.0.1:9/live/far' })
    await stream.tell('start')
    await stream.becomes('live')
    const { id: streamId } = await stream.read()
    const refused = await call('POST', `/v1/streams/${streamId}/go-live`, {})
    expect([refused.status, refused.body]).toEqual([503, { message: missing }])
    expect(await stream.report(id)).toMatchObject({ status: 'connecting', publishing: false })
    await stream.tell('stop')
    await stream.becomes('idle')

    const pulled = await call('POST', '/v1/streams/inputs', {
      name: 'Pulled',
      type: 'pull',
      sourceUrl: 'rtmp://127.0.0.1:9/live/camera',
    })
    await call('PATCH', `/v1/streams/${streamId}`, { inputId: pulled.body.id })
    const start = await call('POST', `/v1/streams/${streamId}/start`)
    expect([start.status, start.body]).toEqual([503, { message: missing }])
    expect((await stream.read()).state).toBe('idle')
  } finally {
    await app.close()
  }
})

test('[issue 5.3] with its RTMP port taken the server is ready and says so, whoever asks when and how often', async () => {
  const taken = await tcpServer(() => {})
  const app = await startApp({ MEDIA_ENGINE: 'embedded', RTMP_PORT: String(taken), SRT_PORT: '0' })
  onTestFinished(() => app.close())
  const { media } = app.app
  await Promise.all([media.start(), media.start()])
  await media.start()
  expect(media.lacks('ingest')).toMatch(/RTMP_PORT/)
  const ready = await fetch(`${app.origin}/readyz`)
  expect(ready.status).toBe(200)
  expect(JSON.stringify(await ready.json())).toContain('RTMP_PORT')
})

test.skipIf(noBurnIn ?? noForbidding)(
  '[issue 15.5] where the browser has no sandbox burned-in graphics are refused, and readiness and the stream say so',
  async () => {
    const { app, call, matchId, newStream, organization } = await liveServer()
    onTestFinished(() => app.close())
    const { stream, input } = await newStream()
    const overlay = await call('POST', '/v1/overlays', { name: 'Burned in', matchId })
    const { id } = await stream.read()
    await call('PATCH', `/v1/streams/${id}`, { overlayId: overlay.body.id })
    await stream.tell('start')
    await stream.becomes('live')
    expect(app.app.media.problems()).toEqual([])

    await app.restart(async () => {
      const server = startWithoutNamespaces([built('run/server.js')], {
        ...{ HOST: '127.0.0.1', PORT: '0', DATA_DIR: app.dataDir, DATABASE_URL: app.database.url },
        ...{ MEDIA_ENGINE: 'embedded', RTMP_PORT: '0', SRT_PORT: '0', DEMO: 'off', LOG_LEVEL: 'info' },
      })
      const port = await server.line((line) => {
        const { msg, port } = JSON.parse(line)
        return msg === 'serving' ? Number(port) : undefined
      })
      const ask = async (method: string, path: string) => {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
          method,
          headers: { Authorization: `Bearer ${organization.key}` },
        })
        return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
      }
      const path = `/rest/v1/streams/${id}`
      const refused = expect.stringMatching(
        /^The browser has no sandbox on this server, so burned-in graphics are refused/,
      )
      const patience = { timeout: 60_000, interval: 50 }
      // the stream ran on a machine that had one
      await expect.poll(async () => (await ask('GET', path)).body, patience).toMatchObject({ lastError: refused })
      expect(await ask('GET', '/readyz')).toMatchObject({ status: 200, body: { media: { problems: [refused] } } })
      const monitoring = await ask('GET', `${path}/monitoring`)
      expect(monitoring.body).toMatchObject({ problems: [refused], program: null })

      await ask('POST', `${path}/stop`)
      await expect.poll(async () => (await ask('GET', path)).body, patience).toMatchObject({ state: 'idle' })
      const start = await ask('POST', `${path}/start`)
      expect([start.status, start.body]).toEqual([503, { message: refused }])
      expect((await ask('GET', path)).body).toMatchObject({ state: 'idle', inputId: input.id })
      server.kill('SIGTERM')
      expect(await server.ended).toBe(0)
    })
  },
)
