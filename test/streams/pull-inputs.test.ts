import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../bench/free-port.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { farEnd, type LiveServer, liveServer, streamOf } from '../support/live.ts'
import { ffmpeg, noFfmpeg, testPicture } from '../support/media.ts'

let server: LiveServer

/** A camera that others fetch over HLS; `asked` counts who does. */
async function hlsCamera() {
  const folder = temporaryDirectory()
  ffmpeg([
    ...testPicture({ kb: 600 }),
    ...[
      '-f',
      'hls',
      '-hls_time',
      '1',
      '-hls_list_size',
      '5',
      '-hls_flags',
      'delete_segments',
      join(folder, 'live.m3u8'),
    ],
  ])
  let asked = 0
  const http = createServer(({ url = '' }, response) => {
    asked += 1
    readFile(join(folder, basename(url))).then(
      (body) => response.end(body),
      () => response.writeHead(404).end(),
    )
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  await expect.poll(() => readFile(join(folder, 'live.m3u8')).catch(() => '')).not.toBe('')
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/live.m3u8`, asked: () => asked }
}

describe.skipIf(noFfmpeg)('an input pulled over HLS', () => {
  beforeAll(async () => {
    server = await liveServer()
  })
  afterAll(() => server?.app.close())

  test('[issue 5.3] is fetched while a started stream uses it, reaches the destination, and is left alone afterwards', async () => {
    const { app, call, matchId } = server
    const camera = await hlsCamera()
    const input = (await call('POST', '/v1/streams/inputs', { name: 'Away', type: 'pull', sourceUrl: camera.url })).body
    const { body } = await call('POST', '/v1/streams', { matchId, name: 'Match', inputId: input.id })
    const stream = streamOf(call, Number(body.id))
    const far = await farEnd(await freePort())
    const id = await stream.addDestination('Far', { type: 'rtmp', url: far.url })
    expect(camera.asked()).toBe(0)

    await stream.tell('start')
    await stream.becomes('live')
    await stream.tell('go-live', { destinationIds: [id] })
    await stream.destinationBecomes(id, { status: 'connected' })
    const watched = async () => (await call('GET', `/v1/streams/inputs/${input.id}/monitoring`)).body
    expect(await watched()).toMatchObject({ state: 'live', protocol: 'pull', lastError: null })

    await stream.tell('stop')
    await stream.becomes('idle')
    await expect.poll(watched).toMatchObject({ state: 'idle', protocol: null })
    await expect.poll(async () => (await app.app.media.figures()).processes.map(({ kind }) => kind)).toEqual(['ingest'])
  })
})
