import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { livePages } from '../../src/http/live-pages.ts'
import { createServer } from '../../src/http/uws.ts'
import type { HlsShelf } from '../../src/media/hls-shelf.ts'
import type { PullTarget } from '../../src/media/ports.ts'
import { testRouter } from '../support/http.ts'
import { ffmpeg, liveSource, noFfmpeg } from '../support/media.ts'
import { relays } from '../support/relays.ts'

const within = { timeout: 30_000, interval: 50 }
const TOKEN = 'token-of-this-destination'
const target: PullTarget = { protocol: 'hls', token: TOKEN, latencyMs: 200 }

async function served(shelf: HlsShelf): Promise<string> {
  const { router } = testRouter({ pages: livePages(shelf) })
  const server = createServer({ handle: router, sockets: [], log: pino({ level: 'silent' }) })
  const port = await server.listen('127.0.0.1', 0)
  onTestFinished(() => server.close())
  return `http://127.0.0.1:${port}/live/${TOKEN}`
}

const lines = async (url: string) => (await (await fetch(url)).text()).split('\n')
const segmentsOf = (playlist: readonly string[]) => playlist.filter((line) => line.endsWith('.ts'))

describe.skipIf(noFfmpeg)('a pull destination over HLS', () => {
  test('[issue 5.4] is connected with its first segments, played by players, and counts them', async () => {
    const [source, { start, shelf, hlsFolder }] = [await liveSource(), await relays()]
    const { relay, types } = start(source.url, target)
    const url = await served(shelf)
    expect((await fetch(`${url}/index.m3u8`)).status).toBe(200)
    expect(relay.activeClients()).toBe(0)
    await vi.waitFor(() => expect(types()).toEqual(['connected']), within)
    const play = () => lines(`${url}/media.m3u8?sid=me`)
    expect(segmentsOf(await play()).length).toBeGreaterThan(0)
    expect(relay.activeClients()).toBe(1)
    const players = [0, 1].map(() =>
      ffmpeg(['-i', `${url}/index.m3u8`, '-t', '3', '-map', '0:v', '-map', '0:a', '-f', 'framecrc', '-']),
    )
    let frames = ''
    players[0]?.stdout?.on('data', (chunk: Buffer) => {
      frames += chunk
    })
    const ended = Promise.all(players.map(async (player) => (await once(player, 'exit'))[0]))
    // each counts for ten seconds
    await vi.waitFor(async () => {
      await play()
      expect(relay.activeClients()).toBe(3)
    }, within)
    expect(await ended).toEqual([0, 0])
    expect(frames.split('\n').filter((line) => line.startsWith('0,')).length).toBeGreaterThan(60)
    // a source that was held up sends more for a moment
    const isAsSent = (kb: number | null) => kb !== null && kb > 300 && kb < 900
    await vi.waitFor(() => expect(relay.measured().bitrateKb).toSatisfy(isAsSent), within)
    await relay.stop()
    expect((await fetch(`${url}/index.m3u8`)).status).toBe(404)
    expect(existsSync(join(hlsFolder, TOKEN))).toBe(false)
  })

  test('[issue 5.4] says that another try has nothing to do with what was played before', async () => {
    const [source, { start, shelf, processes }] = [await liveSource(), await relays()]
    const first = start(source.url, target)
    const url = await served(shelf)
    await vi.waitFor(() => expect(first.types()).toEqual(['connected']), within)
    const before = segmentsOf(await lines(`${url}/media.m3u8`)).map((name) => Number.parseInt(name, 10))
    const [used] = await processes.usage()
    process.kill(used?.pid ?? 0, 'SIGKILL')
    await vi.waitFor(() => expect(first.types()).toEqual(['connected', 'failed']), within)
    expect((await fetch(`${url}/media.m3u8`)).status).toBe(404)
    const second = start(source.url, target)
    await vi.waitFor(() => expect(second.types()).toEqual(['connected']), within)
    const playlist = await lines(`${url}/media.m3u8`)
    expect(playlist).toContain('#EXT-X-DISCONTINUITY')
    expect(playlist).not.toContain('#EXT-X-ENDLIST')
    // a number that came again would be taken from a cache
    for (const name of segmentsOf(playlist)) expect(Number.parseInt(name, 10)).toBeGreaterThan(before.at(-1) ?? 0)
  })
})

test('[issue 5.4] playlists are never kept by caches, segments are, and any page may play them', async () => {
  const { call } = testRouter({
    pages: livePages({
      index: (token) => (token === TOKEN ? '#EXTM3U\n' : undefined),
      playlist: async (token, client) => (token === TOKEN ? `#EXTM3U\n#${client}` : undefined),
      segment: async (_token, file) => (file === '7.ts' ? Buffer.from([0x47]) : undefined),
    }),
  })
  for (const file of ['index.m3u8', 'media.m3u8']) {
    const { status, headers } = await call('GET', `/live/${TOKEN}/${file}`)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'Content-Type': 'application/vnd.apple.mpegurl',
      'Cache-Control': 'no-store',
      'Access-Control-Allow-Origin': '*',
    })
    expect((await call('GET', `/live/another/${file}`)).status).toBe(404)
  }
  expect((await call('GET', `/live/${TOKEN}/media.m3u8?sid=abc`)).body).toContain('#abc')
  expect((await call('GET', `/live/${TOKEN}/media.m3u8`)).body).toContain('#127.0.0.1')
  const segment = await call('GET', `/live/${TOKEN}/7.ts`)
  expect(segment.headers).toMatchObject({
    'Content-Type': 'video/mp2t',
    'Cache-Control': 'public, max-age=60, immutable',
    'Access-Control-Allow-Origin': '*',
  })
  const missing = await call('GET', `/live/${TOKEN}/8.ts`)
  expect(missing).toMatchObject({ status: 404, headers: { 'Cache-Control': 'no-store' } })
})
