import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDemo, type Demo } from '../../src/demo/seed.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { emptyDemoTheme } from '../support/demo-theme.ts'
import { sender, streamOf } from '../support/live.ts'
import { noBurnIn } from '../support/program.ts'
import { near, rtmpSink } from '../support/video-sink.ts'

/** Fills the left half of the picture while it is on air. */
const HALF = `<!doctype html><div hidden style="position:fixed;inset:0 50% 0 0;background:rgb(0,128,0)"></div><script>
  const half = document.querySelector('div')
  addEventListener('message', ({ data: { type, payload } }) => {
    if (type !== 'HELLO') half.hidden = payload.onAir === false
    parent.postMessage({ type: 'READY', payload: type === 'HELLO' ? {} : { seq: payload.seq } }, '*')
  })
</script>`
const GREEN = near(0, 128, 0)

let app: TestApp
let demo: Demo

const call = (method: string, path: string, body?: unknown) =>
  app.call(method, path, { key: demo.apiKey, ...(body !== undefined && { body }) })
const fire = (action: string, more = {}) =>
  call('POST', `/v2/overlays/${demo.overlay.id}/graphics/commands`, { action, ...more })

describe.skipIf(noBurnIn)('graphics in the picture', () => {
  beforeAll(async () => {
    app = await startApp({ MEDIA_ENGINE: 'embedded', RTMP_PORT: '0', SRT_PORT: '0', OUTBOUND_PRIVATE: 'on' })
    const themeFolder = emptyDemoTheme()
    writeFileSync(join(themeFolder, 'graphics/score-bug/index.html'), HALF)
    demo = await createDemo(
      { db: app.database.db, request: app.app.request, publicUrl: app.origin, themeFolder },
      'Burnt in',
    )
    rmSync(themeFolder, { recursive: true })
    await app.app.media.start()
  })
  afterAll(() => app?.close())

  test('[issue 5.6] what is shown on the overlay is in the video that the destination receives; hide and show take no restart', async () => {
    const stream = streamOf(call, demo.streamSettingsId)
    const { body: input } = await call('GET', `/v1/streams/inputs/${demo.inputId}`)
    const sink = await rtmpSink({ width: 1280, height: 720 })
    const id = await stream.addDestination('Player', { type: 'rtmp', url: sink.url })
    sender(`${input.rtmpUrl}/${input.streamKey}`)
    await stream.tell('start')
    await stream.becomes('live')
    await stream.tell('go-live', { destinationIds: [id] })
    await stream.destinationBecomes(id, { status: 'connected' })
    await expect.poll(sink.frames).toBeGreaterThan(0)
    const isClear = (colour: readonly [number, number, number]) => !GREEN(colour)
    await sink.seen(20, 700, isClear)

    const preset = demo.presets.find(({ graphicName }) => graphicName === 'Score bug')
    await fire('show', { presetId: preset?.id })
    await sink.seen(20, 700, GREEN)
    expect(await stream.tell('overlay/hide')).toEqual({
      streamSettingsId: demo.streamSettingsId,
      overlayId: demo.overlay.id,
      hidden: true,
    })
    await sink.seen(20, 700, isClear)
    await stream.tell('overlay/show')
    await sink.seen(20, 700, GREEN)
    await fire('hideAll')
    await sink.seen(20, 700, isClear)

    // [issue 19.7] nothing of a rehearsal comes into the picture, and the first thing after it does
    const rehearse = (rehearsal: boolean) => call('PATCH', `/v2/overlays/${demo.overlay.id}`, { rehearsal })
    let greens = 0
    const counting = sink.each(20, 700, (colour) => {
      if (GREEN(colour)) greens++
    })
    expect((await rehearse(true)).body).toMatchObject({ rehearsal: true })
    expect((await fire('show', { presetId: preset?.id })).body).toMatchObject({
      manualGraphicState: { 'Score bug': {} },
    })
    // as soon as it would have been there
    await sink.pass(50)
    expect((await rehearse(false)).body).toMatchObject({ rehearsal: false, manualGraphicState: {} })
    await sink.pass(25)
    expect(greens).toBe(0)
    counting.stop()
    await fire('show', { presetId: preset?.id })
    await sink.seen(20, 700, GREEN)
    await fire('hideAll')

    const { counts } = await app.app.media.figures()
    expect([counts.get('program')?.started, counts.get('relay')?.started]).toEqual([1, 1])
    await stream.tell('stop')
    await stream.becomes('idle')
    expect((await app.app.media.figures()).processes.map(({ kind }) => kind)).toEqual(['ingest'])
  })
})
