import { expect, onTestFinished, test } from 'vitest'
import { startApp } from '../support/app.ts'
import { liveServer } from '../support/live.ts'
import { tcpServer } from '../support/media.ts'

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
