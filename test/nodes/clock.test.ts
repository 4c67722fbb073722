import { once } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { freePort } from '../../bench/free-port.ts'
import { produceOverlays, rest } from '../../bench/production.ts'
import { startServer } from '../../bench/server.ts'
import type { LiveMessage } from '../../src/realtime/followers/live-protocol.ts'
import { heardDatabaseTime, serviceMoment, serviceTime } from '../../src/waiting/service-time.ts'
import { testDatabaseOfOneTest } from '../support/database.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { redisIsInstalled, startRedis } from '../support/redis.ts'
import { Renderer } from '../support/renderer.ts'
import { TEST_KEY } from '../support/secrets.ts'

const shiftedClock = new URL('../chaos/nodes/shifted-clock.mjs', import.meta.url).href
const OFF_BY_MS = 30_000
/** What a busy machine may make of a moment. */
const SOON_MS = 8_000

/** How far a moment is from now, which is the database's time too. */
const offBy = (moment: string | number | null | undefined) =>
  Math.abs((typeof moment === 'number' ? moment : Date.parse(moment ?? '')) - Date.now())

test('[cluster] the time of the service moves no further than an answer of the database proves', () => {
  onTestFinished(() => {
    vi.useRealTimers()
    heardDatabaseTime(Date.now(), Date.now(), Date.now())
  })
  vi.useFakeTimers({ now: 1_000_000, toFake: ['Date'] })
  heardDatabaseTime(1_000_000, 1_000_000, 1_000_000)
  expect(serviceTime()).toBe(1_000_000)
  // anything from 0 to 300 ms before it was answered
  heardDatabaseTime(1_000_200, 1_000_000, 1_000_300)
  expect(serviceTime()).toBe(1_000_000)
  heardDatabaseTime(1_030_000, 1_000_000, 1_000_300)
  expect(serviceTime()).toBe(1_029_700)
  heardDatabaseTime(1_030_000, 1_000_000, 1_000_010)
  expect(serviceMoment()).toBe(new Date(1_029_990).toISOString())
  // the machine's clock was set right
  vi.setSystemTime(1_030_000)
  heardDatabaseTime(1_030_005, 1_030_000, 1_030_010)
  expect(serviceTime()).toBe(1_030_005)
  // and back while the database was asked: that proves nothing
  heardDatabaseTime(1_500_000, 1_030_000, 900_000)
  expect(serviceTime()).toBe(1_030_005)
})

test.runIf(redisIsInstalled)(
  '[cluster] nodes with clocks that are 30 s off tell, record and command the right times',
  async () => {
    const database = await testDatabaseOfOneTest()
    const redis = await startRedis()
    onTestFinished(() => redis.stop())
    const dataDir = temporaryDirectory()
    const start = async (shiftMs: number) => {
      const nodePort = String(await freePort())
      const settings = {
        ...{ DATABASE_URL: database.url, REDIS_URL: redis.url, NODE_PORT: nodePort, SECRETS_KEY: TEST_KEY },
        ...{ NODE_URL: `127.0.0.1:${nodePort}`, MEDIA_ENGINE: 'off' },
        ...{ NODE_OPTIONS: `--import=${shiftedClock}`, SHIFT_CLOCK_MS: String(shiftMs) },
      }
      const server = await startServer(dataDir, { settings })
      onTestFinished(() => server.stop())
      return server
    }
    const servers = [await start(OFF_BY_MS), await start(-OFF_BY_MS)]
    const [ahead, behind] = servers
    if (!ahead || !behind) throw new Error('two nodes')
    const { apiKey, overlays, triggers } = await produceOverlays(ahead, 1)
    const [{ id = 0, key = '' } = {}] = overlays
    const [trigger] = triggers

    // match clocks of pages and graphics run on it
    for (const { url } of servers) {
      const now = Number(await (await fetch(`${url}/time`)).text())
      expect(offBy(now)).toBeLessThan(SOON_MS)
    }

    const renderers = servers.map(({ url }, index) => {
      const socket = `${url.replace('http', 'ws')}/overlay/${key}/socket?renderer=r${index}`
      return new Renderer({ url: socket })
    })
    onTestFinished(() => {
      for (const renderer of renderers) renderer.close()
    })
    await vi.waitFor(() => expect(renderers.map(({ connected }) => connected)).toEqual([true, true]))
    const pages = servers.map(({ url }) => {
      const told: LiveMessage[] = []
      const socket = new WebSocket(`${url.replace('http', 'ws')}/rest/v2/overlays/${id}/socket`, {
        headers: { Authorization: `Bearer ${apiKey}` },
      })
      onTestFinished(() => socket.terminate())
      socket.on('message', (text) => told.push(JSON.parse(String(text))))
      return { socket, told }
    })
    await Promise.all(pages.map(({ socket }) => once(socket, 'open')))
    const variableValues = { [trigger?.variable ?? '']: trigger?.asText ? '7' : 7 }
    for (const { url } of servers) {
      const body = { action: 'show', presetId: trigger?.presetId, variableValues }
      const { status, text } = await rest(url, apiKey, 'POST', `/v2/overlays/${id}/control-room/graphics`, body)
      expect(status, text).toBe(200)
    }
    const lastList = (told: readonly LiveMessage[]) => {
      const lists = told.filter((message) => message.type === 'RENDERERS' || message.type === 'SNAPSHOT')
      return lists.at(-1)?.payload.renderers ?? []
    }
    for (const { told } of pages)
      await vi.waitFor(() => {
        const lamps = told.flatMap(({ type, payload }) => (type === 'PAINTED' ? payload.graphics : []))
        expect(lamps.findLast(({ painted }) => painted.renderers === 2)).toBeDefined()
        const list = lastList(told)
        expect(list.map(({ name, state }) => `${name} ${state}`).sort()).toEqual(['r0 current', 'r1 current'])
        expect(list.every(({ lastPaintAt }) => lastPaintAt)).toBe(true)
      })
    for (const { told } of pages) {
      const moments = told.flatMap(({ type, payload }) => {
        if (type === 'SNAPSHOT' || type === 'PULSE') return [payload.serverTime]
        return type === 'PAINTED' ? payload.graphics.flatMap(({ painted }) => painted.at ?? []) : []
      })
      const ofRenderers = lastList(told).flatMap(({ connectedAt, lastPaintAt }) => [connectedAt, lastPaintAt])
      for (const moment of [...moments, ...ofRenderers]) expect(offBy(moment)).toBeLessThan(2 * SOON_MS)
      for (const { latency } of lastList(told)) expect(latency?.p99).toBeLessThan(SOON_MS)
    }

    // proof of play: what each renderer painted, when, and how long after the command
    await vi.waitFor(async () => {
      const asRun = await rest<{ asRun: { painted: { renderer: string; at: string; latencyMs: number }[] }[] }>(
        behind.url,
        apiKey,
        'GET',
        `/v2/overlays/${id}/as-run?order=desc&limit=1`,
      )
      const painted = asRun.json?.asRun[0]?.painted ?? []
      expect(painted.map(({ renderer }) => renderer).sort()).toEqual(['r0', 'r1'])
      for (const { at, latencyMs } of painted) {
        expect(offBy(at)).toBeLessThan(2 * SOON_MS)
        expect(latencyMs).toBeLessThan(SOON_MS)
        expect(latencyMs).toBeGreaterThanOrEqual(0)
      }
    })
    const sessions = await database.sql<{ opened: Date }[]>`
      select opened_at as opened from renderer_session where overlay_id = ${id}`
    expect(sessions).toHaveLength(2)
    for (const { opened } of sessions) expect(offBy(opened.toISOString())).toBeLessThan(2 * SOON_MS)

    // a fact without a moment happens now, whichever node was told
    const matches = await rest<{ matches: { id: number }[] }>(ahead.url, apiKey, 'GET', '/v2/matches?limit=1')
    const matchId = matches.json?.matches[0]?.id
    for (const { url } of servers) {
      const fact = await rest<{ timestamp: string }>(url, apiKey, 'POST', `/v2/matches/${matchId}/facts`, {
        type: 'varDecision',
      })
      expect(fact.text).toContain('timestamp')
      expect(offBy(fact.json?.timestamp)).toBeLessThan(SOON_MS)
    }
  },
  120_000,
)
