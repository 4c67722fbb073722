import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LiveServer, liveServer, sender } from '../support/live.ts'
import { ffmpeg, noFfmpeg, speaks } from '../support/media.ts'

let server: LiveServer

const within = { timeout: 30_000, interval: 50 }

describe.skipIf(noFfmpeg || !speaks('srt'))('destinations that others fetch, over REST with real media', () => {
  beforeAll(async () => {
    server = await liveServer()
  })
  afterAll(() => server?.app.close())

  test('[issue 5.4] HLS and SRT play at their URLs while they publish, and count their clients', async () => {
    const { pushUrl, stream } = await server.newStream()
    const hls = await stream.addDestination('Web', { type: 'pull' })
    const srt = await stream.addDestination('Studio', { type: 'pull', pullProtocol: 'srt', latencyMs: 200 })
    const urlOf = async (id: number) => String((await server.call('GET', `/v1/streams/destinations/${id}`)).body.url)
    const [hlsUrl, srtUrl] = [await urlOf(hls), await urlOf(srt)]
    expect((await fetch(hlsUrl)).status).toBe(404)
    expect(await stream.report(hls)).toMatchObject({ status: 'connecting', activeClients: null, publishing: false })
    sender(pushUrl)
    await stream.tell('start')
    await stream.becomes('live')
    await stream.tell('go-live')
    for (const id of [hls, srt]) await stream.destinationBecomes(id, { status: 'connected', activeClients: 0 })

    const player = ffmpeg(['-i', hlsUrl, '-t', '1', '-f', 'null', '-'])
    const studio = ffmpeg(['-i', srtUrl, '-c', 'copy', '-f', 'null', '-'])
    const played = once(player, 'exit')
    // it counts for ten seconds
    await stream.destinationBecomes(hls, { activeClients: 1 })
    expect(await played).toEqual([0, null])
    await stream.destinationBecomes(srt, { activeClients: 1 })
    for (const id of [hls, srt])
      await expect.poll(async () => (await stream.report(id)).bitrateKb, within).toBeGreaterThan(300)

    const stopped = await stream.tell('destinations/stop', { destinationIds: [hls, srt] })
    expect(stopped.destinations).toEqual(
      [hls, srt].map((id) => expect.objectContaining({ id, activeClients: null, publishing: false })),
    )
    expect((await fetch(hlsUrl)).status).toBe(404)
    await expect.poll(() => studio.exitCode, within).not.toBeNull()
    await stream.tell('stop')
    await stream.becomes('idle')
  })
})
