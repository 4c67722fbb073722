import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '../../bench/free-port.ts'
import { createPulls } from '../../src/media/pull.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { embeddedEngine, within } from '../support/ingest.ts'
import { ffmpeg, listening, noFfmpeg, speaks, testPicture } from '../support/media.ts'

const everything = new Set(['srt', 'rtmp', 'rtmps', 'http', 'https', 'tls'])

/** Pulls into an engine, from addresses that `permits` allows. */
async function pulling(permits: (address: string) => boolean = () => true) {
  const ingest = await embeddedEngine()
  const capabilities = {
    ffmpeg: { path: 'ffmpeg', version: 'of this machine' },
    protocols: everything,
    encoders: new Set<string>(),
    filters: new Set<string>(),
    browser: null,
    sandbox: 'there' as const,
  }
  const startPull = createPulls({ processes: ingest.processes, capabilities, permits, random: () => 0 })
  return {
    ...ingest,
    start(sourceUrl: string, inputId = 5) {
      const errors: string[] = []
      const publishUrl = ingest.engine.publishUrl(ingest.engine.inputPath(inputId))
      const pull = startPull({ inputId, sourceUrl, latencyMs: 200, publishUrl }, ({ error }) => errors.push(error))
      onTestFinished(() => pull.stop())
      return { pull, errors }
    },
  }
}

/** Beside 127.0.0.1 another address of this machine; both as they stand in a URL. */
const INSIDE = process.platform === 'linux' ? '127.0.0.2' : '[::1]'
const plain = (host: string) => host.replace(/^\[|\]$/g, '')

async function httpServer(handle: RequestListener, host = '127.0.0.1'): Promise<string> {
  const server = createServer(handle)
  server.listen(0, plain(host))
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://${host}:${(server.address() as AddressInfo).port}`
}

/** A live playlist with segments as it grows, served under `/live/`. */
async function liveHls() {
  const folder = temporaryDirectory()
  const playlist = join(folder, 'index.m3u8')
  ffmpeg([...testPicture(), '-f', 'hls', '-hls_time', '1', '-hls_flags', 'delete_segments', playlist])
  await vi.waitFor(() => readFile(playlist), within)
  const asked: string[] = []
  const url = await httpServer((request, reply) => {
    asked.push(request.url ?? '')
    readFile(join(folder, (request.url ?? '').replace(/^\/live\//, ''))).then(
      (body) => reply.end(body),
      () => reply.writeHead(404).end(),
    )
  })
  return { url: `${url}/live/index.m3u8`, asked }
}

describe.skipIf(noFfmpeg)('pulled inputs', () => {
  test('[issue 5.3] RTMP is pulled from the address that was checked, by the name that was given', async () => {
    const source = await embeddedEngine()
    const key = { inputId: 9, streamKey: 'source-key', latencyMs: 200 }
    await source.engine.allow(key)
    ffmpeg([...testPicture(), '-f', 'flv', `${source.engine.address(key).rtmpUrl}/source-key`])
    await source.event('up')
    const { start, event, processes } = await pulling()
    const { pull, errors } = start(source.engine.readUrl('input-9').replace('127.0.0.1', 'localhost'))
    expect(await event('up')).toMatchObject({ path: 'input-5', inputId: 5, protocol: 'pull' })
    expect(errors).toEqual([])
    await pull.stop()
    await event('gap')
    expect((await processes.usage()).map(({ kind }) => kind)).toEqual(['ingest'])
  })

  test('[issue 5.3] a source that goes away is pulled again when it is back, with the timeline going on', async () => {
    const source = await embeddedEngine()
    const { start, event } = await pulling()
    const publish = () => ffmpeg([...testPicture(), '-f', 'flv', source.engine.publishUrl('program-1')])
    const first = publish()
    await source.event('up')
    const { errors } = start(source.engine.readUrl('program-1'))
    const { session } = await event('up')
    first.kill('SIGTERM')
    expect(await event('gap')).toMatchObject({ session })
    await vi.waitFor(() => expect(errors[0]).toBe('The source ended the connection'), within)
    publish()
    expect((await event('up', 1)).session).not.toBe(session)
  })

  test.skipIf(!speaks('srt'))('[issue 5.3] SRT is pulled, with its stream id', async () => {
    const source = await embeddedEngine()
    ffmpeg([...testPicture(), '-f', 'flv', source.engine.publishUrl('program-1')])
    await source.event('up')
    await source.engine.serve({
      token: 'token-of-a-reader',
      readUrl: source.engine.readUrl('program-1'),
      latencyMs: 200,
    })
    const { start, event } = await pulling()
    const wrong = start(source.engine.readerUrl('token-of-nobody'), 6)
    await vi.waitFor(() => expect(wrong.errors[0]).toBe('The source did not accept the SRT connection'), within)
    start(source.engine.readerUrl('token-of-a-reader'))
    expect(await event('up')).toMatchObject({ inputId: 5, protocol: 'pull' })
  })

  test('[issue 5.3] an HLS playlist is pulled over HTTP', async () => {
    const { url, asked } = await liveHls()
    const { start, event, engine } = await pulling()
    const { errors } = start(url)
    expect(await event('up')).toMatchObject({ inputId: 5, protocol: 'pull' })
    await vi.waitFor(async () => expect((await engine.stats('input-5'))?.bytesIn).toBeGreaterThan(50_000), within)
    await vi.waitFor(() => expect(asked.length).toBeGreaterThan(3), within)
    expect(errors).toEqual([])
  })

  test('[issue 5.3] what goes wrong is told in words, without the URL, and tried again', async () => {
    const { start, types } = await pulling()
    const url = await httpServer((_request, reply) => void reply.writeHead(404).end())
    const nobody = await freePort()
    const cases = [
      [`${url}/secret-of-the-source.m3u8`, 'The source answered 404 Not Found'],
      [`rtmp://127.0.0.1:${nobody}/live/secret-of-the-source`, 'The source refused the connection'],
      ['rtmp://no-such-host.invalid/live/secret-of-the-source', 'The host name is unknown'],
      ['file:///etc/passwd', 'The source is no URL that can be pulled'],
      ['concat:http://127.0.0.1/a', 'The source is no URL that can be pulled'],
    ] as const
    const started = cases.map(([source], n) => start(source, n + 1))
    for (const [n, [, expected]] of cases.entries())
      await vi.waitFor(() => expect(started[n]?.errors.slice(0, 2)).toEqual([expected, expected]), within)
    expect(JSON.stringify(started.map(({ errors }) => errors))).not.toContain('secret')
    expect(types()).toEqual([])
  })

  test('[issue 5.3] nothing is connected to that is not permitted: not the source, not where it redirects, not what a playlist names', async () => {
    const reached: string[] = []
    const inside = await httpServer((request, reply) => {
      reached.push(request.url ?? '')
      reply.end('inside')
    }, INSIDE)
    const insideTcp = await tcpReached(INSIDE)
    const playlist = (url: string) =>
      `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:1\n#EXTINF:1,\n${url}\n#EXT-X-ENDLIST\n`
    const pages: Record<string, [number, Record<string, string>, string]> = {
      '/redirect.m3u8': [302, { location: `${inside}/x.m3u8` }, ''],
      '/segments.m3u8': [200, {}, playlist(`${inside}/x.ts`)],
      '/secure.m3u8': [200, {}, playlist(`https://${INSIDE}:${insideTcp.port}/x.ts`)],
      '/file.m3u8': [200, {}, playlist('file:///etc/passwd')],
    }
    const outside = await httpServer((request, reply) => {
      const [status, headers, body] = pages[request.url ?? ''] ?? [404, {}, '']
      reply.writeHead(status, { 'content-type': 'application/vnd.apple.mpegurl', ...headers }).end(body)
    })
    const { start, types } = await pulling((address) => address === '127.0.0.1')
    const direct = start(`${inside}/x.m3u8`, 1)
    const rtmp = start(`rtmp://${INSIDE}:${insideTcp.port}/live/x`, 2)
    const rtmps = start(`rtmps://${INSIDE}:${insideTcp.port}/live/x`, 3)
    for (const { errors } of [direct, rtmp, rtmps])
      await vi.waitFor(() => expect(errors[0]).toMatch(/not on the public internet/), within)
    const led = Object.keys(pages).map((page, n) => start(`${outside}${page}`, n + 4))
    for (const { errors } of led) await vi.waitFor(() => expect(errors[0]).toBeDefined(), within)
    expect(reached).toEqual([])
    expect(insideTcp.reached()).toBe(0)
    expect(types()).toEqual([])
    // all of it does lead there, for whoever may
    const everywhere = await pulling()
    for (const [n, page] of Object.keys(pages).slice(0, 3).entries()) everywhere.start(`${outside}${page}`, n + 1)
    await vi.waitFor(() => expect(reached).toEqual(expect.arrayContaining(['/x.m3u8', '/x.ts'])), within)
    await vi.waitFor(() => expect(insideTcp.reached()).toBeGreaterThan(0), within)
  })

  test('[issue 5.3] RTMPS is connected by way of the guard', async () => {
    const reached = await tcpReached('127.0.0.1')
    const { start } = await pulling()
    const { errors } = start(`rtmps://localhost:${reached.port}/live/x`)
    await vi.waitFor(() => expect(reached.reached()).toBeGreaterThan(0), within)
    await vi.waitFor(() => expect(errors[0]).toBeDefined(), within)
    const refused = await pulling((address) => address !== '127.0.0.1' && address !== '::1')
    const other = refused.start(`rtmps://localhost:${reached.port}/live/x`)
    await vi.waitFor(() => expect(other.errors[0]).toMatch(/not on the public internet/), within)
  })
})

/** A TCP server that hangs up, and counts. */
async function tcpReached(address: string) {
  let count = 0
  const server = createTcpServer((socket: Socket) => {
    count += 1
    socket.destroy()
  })
  const port = await freePort()
  server.listen(port, plain(address))
  await listening(port)
  onTestFinished(() => void server.close())
  return { port, reached: () => count }
}
