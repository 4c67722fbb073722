import { once } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { produceOverlays, rest } from '../../bench/production.ts'
import { freePort, startServer } from '../../bench/server.ts'
import type { LiveMessage } from '../../src/realtime/followers/live-protocol.ts'
import { testDatabaseOfOneTest } from '../support/database.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { redisIsInstalled, startRedis } from '../support/redis.ts'
import { Renderer } from '../support/renderer.ts'
import { TEST_KEY } from '../support/secrets.ts'

/** What a follower with an API key is told. */
async function follow(origin: string, overlayId: number, apiKey: string, cursor = '') {
  const socket = new WebSocket(
    `${origin.replace('http', 'ws')}/rest/v2/overlays/${overlayId}/socket?cursor=${cursor}`,
    {
      headers: { Authorization: `Bearer ${apiKey}` },
    },
  )
  onTestFinished(() => socket.terminate())
  const told: LiveMessage[] = []
  socket.on('message', (text) => told.push(JSON.parse(String(text))))
  await once(socket, 'open')
  const of = <Type extends LiveMessage['type']>(type: Type) =>
    told.filter((message): message is Extract<LiveMessage, { type: Type }> => message.type === type)
  await vi.waitFor(() => expect(told.length).toBeGreaterThan(0), { timeout: 10_000 })
  return {
    socket,
    of,
    seq: () => Math.max(...[...of('SNAPSHOT'), ...of('CHANGE')].map(({ payload }) => payload.seq)),
    changes: () => of('CHANGE').map(({ payload }) => payload.seq),
    /** `painted` of the graphic that was shown last, as `1 of 2`. */
    lamp() {
      const all = told.flatMap(({ type, payload }) => {
        if (type === 'SNAPSHOT') return payload.onAir
        if (type === 'CHANGE') return payload.shown
        return type === 'PAINTED' ? payload.graphics : []
      })
      const seq = Math.max(...all.map((graphic) => graphic.seq))
      const found = all.findLast((graphic) => graphic.seq === seq)
      return found && `${found.painted.renderers} of ${found.painted.of}`
    },
  }
}

type Page = Awaited<ReturnType<typeof follow>>

test.runIf(redisIsInstalled)(
  '[cluster 5] two operators on two nodes see each other at once, and the renderers of both nodes',
  async () => {
    const database = await testDatabaseOfOneTest()
    const redis = await startRedis()
    onTestFinished(() => redis.stop())
    const dataDir = temporaryDirectory()
    const start = async () => {
      const nodePort = String(await freePort())
      const settings = { DATABASE_URL: database.url, REDIS_URL: redis.url, NODE_PORT: nodePort, SECRETS_KEY: TEST_KEY }
      const more = { NODE_URL: `127.0.0.1:${nodePort}`, MEDIA_ENGINE: 'off' }
      const server = await startServer(dataDir, { settings: { ...settings, ...more } })
      onTestFinished(() => server.stop())
      return server
    }
    const one = await start()
    const { apiKey, overlays, triggers } = await produceOverlays(one, 1)
    const two = await start()
    const [{ id = 0, key = '' } = {}] = overlays
    const [trigger] = triggers
    const show = async (url: string, value: number) => {
      const variableValues = { [trigger?.variable ?? '']: trigger?.asText ? String(value) : value }
      const body = { action: 'show', presetId: trigger?.presetId, variableValues }
      const { status, text } = await rest(url, apiKey, 'POST', `/v2/overlays/${id}/control-room/graphics`, body)
      expect(status, text).toBe(200)
    }
    const socketOf = (url: string, name: string) =>
      `${url.replace('http', 'ws')}/overlay/${key}/socket?renderer=${name}`
    const renderers = [one, two].map(({ url }, index) => new Renderer({ url: socketOf(url, `r${index}`) }))
    onTestFinished(() => {
      for (const renderer of renderers) renderer.close()
    })
    await vi.waitFor(() => expect(renderers.map(({ connected }) => connected)).toEqual([true, true]), {
      timeout: 10_000,
    })
    const pages = await Promise.all([one, two].map(({ url }) => follow(url, id, apiKey)))
    // the first SNAPSHOT has them all unless the machine is busy, and the next list does then
    const names = (page: Page) => {
      const list = page.of('RENDERERS').at(-1) ?? page.of('SNAPSHOT').at(-1)
      return list?.payload.renderers.map(({ name }) => name).sort()
    }
    await vi.waitFor(
      () => {
        for (const page of pages) expect(names(page)).toEqual(['r0', 'r1'])
      },
      { timeout: 5_000 },
    )
    const allPainted = (pages: readonly Page[]) =>
      vi.waitFor(() => expect(pages.map((page) => page.lamp())).toEqual(pages.map(() => '2 of 2')), { timeout: 5_000 })
    const [here, there] = pages as [Page, Page]
    await show(one.url, 1)
    await allPainted(pages)
    await show(two.url, 2)
    await vi.waitFor(() => expect([here.changes().length, there.changes().length]).toEqual([2, 2]), { timeout: 1_000 })
    expect(there.changes()).toEqual(here.changes())
    await allPainted(pages)

    // it goes on at the other node where it was
    const cursor = there.of('CHANGE').at(-1)?.payload.cursor
    there.socket.terminate()
    for (const value of [3, 4, 5]) await show(one.url, value)
    await vi.waitFor(() => expect(here.changes()).toHaveLength(5))
    const back = await follow(one.url, id, apiKey, cursor)
    await vi.waitFor(() => expect(back.changes()).toHaveLength(3))
    expect(back.changes()).toEqual(here.changes().slice(2))
    expect(back.of('SNAPSHOT')).toEqual([])

    // nothing here waits for Redis but the commits of the other node
    await redis.die()
    const before = here.seq()
    await show(one.url, 6)
    // a CHANGE, or a SNAPSHOT: what was read just before Redis went away is read anew
    await vi.waitFor(() => expect(here.seq()).toBe(before + 1), { timeout: 5_000 })
    await vi.waitFor(() => expect(here.lamp()).toBe('2 of 2'), { timeout: 5_000 })
    renderers[1]?.close()
    await vi.waitFor(() => expect(here.lamp()).toBe('1 of 1'), { timeout: 2_000 })
  },
  90_000,
)
