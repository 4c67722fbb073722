import type { Demo } from '../../src/demo/seed.ts'
import type { Media } from '../../src/media/ports.ts'
import { type Answer, startApp, type TestApp } from '../support/app.ts'
import { type Graphics, seedDemo } from '../support/demo.ts'

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

export async function startProduction(graphics: Graphics = 'empty', media?: Media): Promise<Production> {
  const server = await startApp({}, media)
  return { ...(await produce(server, graphics)), close: () => server.close() }
}

/** One more organization on the same server. */
export async function produce(server: TestApp, graphics: Graphics = 'empty'): Promise<Omit<Production, 'close'>> {
  const demo = await seedDemo(server, 'Production', graphics)
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
