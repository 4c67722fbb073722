import { expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '../../bench/free-port.ts'
import { produceOverlays, rest } from '../../bench/production.ts'
import { startServer } from '../../bench/server.ts'
import { testDatabaseOfOneTest } from '../support/database.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { follow } from '../support/page.ts'
import { proxyTo } from '../support/proxy.ts'
import { redisIsInstalled, startRedis } from '../support/redis.ts'
import { Renderer } from '../support/renderer.ts'
import { TEST_KEY } from '../support/secrets.ts'

const COLOUR = '#12ab34'

/** Starts a service, whose nodes reach Redis and are reached by the others on ways that can be cut. */
async function openService() {
  const database = await testDatabaseOfOneTest()
  const redis = await startRedis()
  onTestFinished(() => redis.stop())
  const dataDir = temporaryDirectory()
  return async () => {
    const nodePort = await freePort()
    const ways = { redis: await proxyTo(redis.url), others: await proxyTo(`http://127.0.0.1:${nodePort}`) }
    const settings = {
      DATABASE_URL: database.url,
      REDIS_URL: ways.redis.url,
      NODE_PORT: String(nodePort),
      NODE_URL: new URL(ways.others.url).host,
      SECRETS_KEY: TEST_KEY,
      MEDIA_ENGINE: 'off',
    }
    const server = await startServer(dataDir, { settings })
    onTestFinished(() => server.stop())
    return { ...server, ways }
  }
}

test.runIf(redisIsInstalled)(
  '[issue 17.2, 17.4] followers and renderers of a node without Redis see matches, plans and colours as all others do, and go on when it is back',
  async () => {
    const start = await openService()
    const deaf = await start()
    const { apiKey, overlays, triggers } = await produceOverlays(deaf, 1)
    const other = await start()
    const [{ id = 0, key = '' } = {}] = overlays
    const [trigger] = triggers
    const ask = async (method: string, path: string, body?: object) => {
      const answer = await rest<Record<string, number>>(other.url, apiKey, method, path, body)
      expect([path, answer.status, answer.text]).toEqual([path, expect.toBeOneOf([200, 201, 204]), answer.text])
      return answer.json ?? {}
    }
    const { matchId, competitionThemeSettingId } = await ask('GET', `/v2/overlays/${id}`)
    const { competitionId } = await ask('GET', `/v2/matches/${matchId}`)
    await ask('POST', `/v2/overlays/${id}/graphics/commands`, { action: 'hideAll' })
    const frames: string[] = []
    const socket = `${deaf.url.replace('http', 'ws')}/overlay/${key}/socket`
    const renderer = new Renderer({ url: socket, onFrame: (text) => void frames.push(text) })
    onTestFinished(() => renderer.close())
    await renderer.waitFor(({ connected }) => connected)
    const person = await follow(deaf.url, id, apiKey)
    onTestFinished(() => person.socket.terminate())
    const states = () => person.of('MATCH').map(({ payload }) => payload.match?.state)

    deaf.ways.redis.refuse()
    await vi.waitFor(async () => expect((await metric(deaf.url, 'tally_bus_up')).at(0)).toBe('0'))
    await ask('POST', `/v2/matches/${matchId}/facts`, { type: 'matchStart' })
    await vi.waitFor(() => expect(states().at(-1)).toBe('live'))
    await ask('PUT', `/v2/competitions/${competitionId}/theme-profiles/${competitionThemeSettingId}/variable-values`, {
      themeVariableValues: [{ variableId: 'accentColor', value: COLOUR }],
    })
    await ask('POST', `/v2/overlays/${id}/graphics/commands`, { action: 'show', presetId: trigger?.presetId })
    await vi.waitFor(() => expect(frames.filter((text) => text.includes('LOAD_GRAPHIC')).at(-1)).toContain(COLOUR))
    await ask('PATCH', `/v2/overlays/${id}`, { autoMode: true })
    // once the plan has looked
    await vi.waitFor(() => ask('POST', `/v2/overlays/${id}/game-plan/pause`))
    await vi.waitFor(() => expect(person.of('PLAN').at(-1)?.payload).toMatchObject({ paused: true }))

    // told by the bus alone before this node hears it again
    await ask('POST', `/v2/matches/${matchId}/facts`, { type: 'periodEnd' })
    deaf.ways.redis.mend()
    await vi.waitFor(() => expect(states().at(-1)).toBe('break'))
    // a state that is as it was told is not told again, however often it is read
    expect(states()).toEqual([...new Set(states())])
  },
)

test.runIf(redisIsInstalled)(
  '[cluster 3] of two nodes that cannot reach each other one is not ready, and the other takes every command',
  async () => {
    const start = await openService()
    const one = await start()
    const { apiKey, overlays } = await produceOverlays(one, 6)
    const two = await start()
    const ready = () => Promise.all([one, two].map(async ({ url }) => (await fetch(`${url}/readyz`)).status))
    await vi.waitFor(async () => expect(await ready()).toEqual([200, 200]))
    for (const { ways } of [one, two]) ways.others.refuse()
    await vi.waitFor(async () => expect((await ready()).sort()).toEqual([200, 503]))
    const serving = (await ready())[0] === 200 ? one : two
    for (const { id } of overlays)
      await vi.waitFor(async () => {
        const path = `/v2/overlays/${id}/graphics/commands`
        expect((await rest(serving.url, apiKey, 'POST', path, { action: 'hideAll' })).status).toBe(200)
      })
    for (const { ways } of [one, two]) ways.others.mend()
    await vi.waitFor(async () => expect(await ready()).toEqual([200, 200]))
  },
)

/** The values of a metric of a server. */
async function metric(url: string, name: string): Promise<string[]> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return [...text.matchAll(new RegExp(`^${name} (\\S+)$`, 'gm'))].map(([, value = '']) => value)
}
