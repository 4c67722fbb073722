import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Demo } from '../../src/demo/seed.ts'
import type { Media } from '../../src/media/ports.ts'
import { type Answer, startApp, type TestApp } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { type Graphics, seedDemo } from '../support/demo.ts'
import { quickPlace } from '../support/quick-place.ts'

const NAME = 'Production'

/** A running server with one demo organization, and calls with its key. */
export type Production = Demo & {
  readonly server: TestApp
  call(method: string, path: string, body?: unknown): Promise<Answer>
  /** The preset of this name. */
  preset(name: string): Demo['presets'][number]
  /** Fires a preset on the overlay. */
  fire(action: string, presetName: string, variableValues?: unknown): Promise<Answer>
  close(): Promise<void>
}

export async function startProduction(
  graphics: Graphics = 'empty',
  media?: Media,
  environment: Record<string, string> = {},
): Promise<Production> {
  const { server, demo } = await copyOfDemo(graphics, media, environment)
  return { ...productionOf(server, demo), close: () => server.close() }
}

/** Of this process, by their graphics: to make the demo takes ten times as long as to copy it, and most files here begin with it. */
const originals = new Map<string, ReturnType<typeof makeOriginal>>()

async function makeOriginal(graphics: Graphics) {
  const database = await testDatabase()
  const server = await startApp({}, undefined, undefined, { ...database, drop: () => database.db.close(1) })
  const demo = await seedDemo(server, NAME, graphics)
  const files = mkdtempSync(join(quickPlace(), 'tally-demo-'))
  process.once('exit', () => rmSync(files, { recursive: true, force: true }))
  cpSync(server.dataDir, files, { recursive: true })
  const { origin } = server
  await server.close()
  return { template: new URL(database.url).pathname.slice(1), files, demo, origin }
}

async function copyOfDemo(graphics: Graphics, media: Media | undefined, environment: Record<string, string>) {
  const key = JSON.stringify(graphics)
  const making = originals.get(key) ?? makeOriginal(graphics)
  originals.set(key, making)
  const { template, files, demo, origin } = await making
  const server = await startApp(environment, media, undefined, { ...(await testDatabase({}, template)), files })
  const moved: Demo = JSON.parse(JSON.stringify(demo).replaceAll(origin, server.origin))
  return { server, demo: moved }
}

/** One more organization on the same server. */
export async function produce(server: TestApp, graphics: Graphics = 'empty'): Promise<Omit<Production, 'close'>> {
  return productionOf(server, await seedDemo(server, NAME, graphics))
}

function productionOf(server: TestApp, demo: Demo): Omit<Production, 'close'> {
  const call: Production['call'] = (method, path, body) => server.call(method, path, { key: demo.apiKey, body })
  const preset = (name: string) => {
    const found = demo.presets.find((one) => one.name === name)
    if (!found) throw new Error(`no preset ${name}`)
    return found
  }
  return {
    ...demo,
    server,
    call,
    preset,
    fire: (action, presetName, variableValues) =>
      call('POST', `/v2/overlays/${demo.overlay.id}/control-room/graphics`, {
        action,
        presetId: preset(presetName).id,
        ...(variableValues !== undefined && { variableValues }),
      }),
  }
}
