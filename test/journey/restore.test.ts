import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres, { type Sql } from 'postgres'
import { expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '../../bench/free-port.ts'
import { removeDataDir, type Server, startServer, temporaryDataDir } from '../../bench/server.ts'
import type { Demo } from '../../src/demo/seed.ts'
import { keyFileOf } from '../../src/secrets/key-file.ts'
import { PostgresServer } from '../../src/store/embedded/postgres-server.ts'
import { built, start } from '../support/process.ts'
import { quickPlace } from '../support/quick-place.ts'
import { Renderer } from '../support/renderer.ts'

/** A directory for a server of its own, which is stopped and removed with the test. */
function directory() {
  const dataDir = temporaryDataDir(quickPlace())
  onTestFinished(() => removeDataDir(dataDir))
  return dataDir
}

async function serve(dataDir: string, port: number): Promise<Server> {
  const server = await startServer(dataDir, { port, settings: { MEDIA_ENGINE: 'off' } })
  onTestFinished(() => server.stop())
  return server
}

async function withSql<T>(dataDir: string, use: (sql: Sql) => Promise<T>): Promise<T> {
  const cluster = new PostgresServer(dataDir)
  await cluster.initialize()
  const sql = postgres(cluster.url('tally'), { max: 1, connect_timeout: 5, onnotice: () => {} })
  try {
    return await use(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

const pictureOf = (renderer: Renderer) =>
  [...renderer.shows()].map(([graphicId, { presetId, variableValues }]) => [graphicId, presetId, variableValues]).sort()

test('[issue 6.7] a production that was on air is restored on another machine: picture, keys, files, timers and schedules', async () => {
  const port = await freePort()
  const [first, second] = [directory(), directory()]
  const server = await serve(first, port)
  const demo = (await server.admin('demo', '--name', 'House')) as Demo
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`http://127.0.0.1:${port}/rest${path}`, {
      method,
      headers: { Authorization: `Bearer ${demo.apiKey}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }
  const fire = (body: object) => call('POST', `/v2/overlays/${demo.overlay.id}/graphics/commands`, body)
  const preset = (graphic: string) => demo.presets.find(({ graphicName }) => graphicName === graphic)?.id
  const url = `ws://127.0.0.1:${port}/overlay/${demo.overlay.key}/socket`
  const bundles: string[] = []
  const onFrame = (text: string) => {
    const { type, payload } = JSON.parse(text)
    if (type === 'LOAD_GRAPHIC') bundles.push(payload.url)
  }
  const renderer = new Renderer({ url, onFrame })
  onTestFinished(() => renderer.close())

  await fire({ action: 'show', presetId: preset('Score bug') })
  await fire({ action: 'show', presetId: preset('Lower third'), variableValues: { title: 'On air' } })
  // what waits for its time: a lock that ends by itself, and a stream that starts with its match
  const lock = `/v2/themes/${demo.themeId}/code-graphics/${demo.presets[0]?.graphicId}/lock`
  expect((await call('PUT', lock)).status).toBe(200)
  expect((await call('POST', `/v1/streams/${demo.streamSettingsId}/automation`, { autoStream: true })).status).toBe(200)
  await renderer.waitFor((one) => one.shows().size === 2)
  const timers = (dataDir: string) =>
    withSql(dataDir, (sql) => sql<{ ref: string }[]>`select ref, name, due_at, event from timer order by ref, name`)
  await vi.waitFor(async () => expect((await timers(first)).map(({ ref }) => ref.split('/')[0])).toContain('stream'), {
    timeout: 60_000,
    interval: 200,
  })
  const onAir = pictureOf(renderer)
  const waiting = [...(await timers(first))]
  const page = await (await fetch(new URL(bundles[0] ?? '', server.url))).text()

  const file = join(first, 'tally.tar')
  expect(await server.admin('backup', '--to', file)).toMatchObject({ file, missing: [] })
  // the show goes on, so that the renderer knows of more than the backup
  await fire({ action: 'hide', presetId: preset('Score bug') })
  await fire({ action: 'show', presetId: preset('Sponsor card') })
  await renderer.waitFor((one) => one.shows().has(presetGraphic(demo, 'Sponsor card')))
  await server.stop()

  // the key of the secrets comes by another way than a plain backup
  copyFileSync(keyFileOf(first), keyFileOf(second))
  const restoring = start([built('run/admin.js'), 'restore', '--from', file, '--json'], {
    DATA_DIR: second,
    SECRETS_KEY: '',
  })
  expect(await restoring.ended, restoring.stderr()).toBe(0)
  expect(JSON.parse(restoring.stdout())).toMatchObject({ file, migrated: [] })
  const restored = await serve(second, port)
  const same = (one: Renderer) => JSON.stringify(pictureOf(one)) === JSON.stringify(onAir)
  const fresh = new Renderer({ url })
  onTestFinished(() => fresh.close())
  await Promise.all([renderer.waitFor(same), fresh.waitFor(same)])
  expect(await (await fetch(new URL(bundles[0] ?? '', restored.url))).text()).toBe(page)
  expect(await timers(second)).toEqual(waiting)

  // it lives: commands take effect, and what was waiting still comes
  expect((await fire({ action: 'show', presetId: preset('Result card') })).status).toBe(200)
  await fresh.waitFor((one) => one.shows().has(presetGraphic(demo, 'Result card')))
  const held = waiting.find(({ ref }) => ref.startsWith('graphic-lock/'))?.ref ?? ''
  await withSql(second, (sql) => sql`update timer set due_at = clock_timestamp() where ref = ${held}`)
  await vi.waitFor(
    async () =>
      expect(
        await withSql(second, (sql) => sql`select snapshot ->> 'value' as state from actor where ref = ${held}`),
      ).toEqual([{ state: 'free' }]),
    { timeout: 60_000, interval: 200 },
  )
}, 300_000)

const presetGraphic = ({ presets }: Demo, graphic: string) =>
  presets.find(({ graphicName }) => graphicName === graphic)?.graphicId ?? ''
