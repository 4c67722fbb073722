import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openGuardedProxy } from '../../src/media/guarded-proxy.ts'
import { openProcesses } from '../../src/media/process.ts'
import { createStills, type Stills } from '../../src/media/stills/stills.ts'
import { type Production, startProduction } from '../resources/support.ts'
import { shellPath } from '../support/browsers.ts'
import { testMedia } from '../support/media-plane.ts'
import { quickPlace } from '../support/quick-place.ts'

const SILENT = { debug: () => {}, info: () => {}, warn: () => {} }
let production: Production
let stills: Stills
let pidFolder: string

/** What stands in a picture: how much of it is drawn, and where. */
function drawnIn(bytes: Buffer) {
  const { width, height, data } = PNG.sync.read(bytes)
  const box = { left: width, right: 0, top: height, bottom: 0, pixels: 0 }
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if ((data[(y * width + x) * 4 + 3] ?? 0) < 128) continue
      box.pixels++
      box.left = Math.min(box.left, x)
      box.right = Math.max(box.right, x)
      box.top = Math.min(box.top, y)
      box.bottom = Math.max(box.bottom, y)
    }
  return { width, height, ...box }
}

describe.skipIf(!shellPath)('[show-control: Pictures] stills by a real browser', () => {
  beforeAll(async () => {
    production = await startProduction('built', {
      ...testMedia(),
      still: (asked) => stills.make(asked),
    })
    const { host } = new URL(production.server.origin)
    pidFolder = mkdtempSync(join(quickPlace(), 'tally-stills-'))
    stills = createStills({
      processes: await openProcesses(pidFolder, SILENT),
      tools: async () => ({
        browser: shellPath ?? '',
        sandbox: false,
        pidFolder,
        proxyUrl: await openGuardedProxy(() => false),
        direct: [host, host.replace('127.0.0.1', 'localhost')],
        pageUrl: `${production.server.origin}/still`,
      }),
      isBusy: () => false,
      log: SILENT,
    })
  })
  afterAll(async () => {
    await stills?.close()
    await production?.close()
    if (pidFolder) rmSync(pidFolder, { recursive: true, force: true })
  })

  async function still(name: string): Promise<Buffer> {
    const path = `/v2/control-rooms/${production.controlRoomId}/presets/${production.preset(name).id}/still`
    for (;;) {
      const answer = await fetch(`${production.server.origin}/rest${path}`, {
        headers: { Authorization: `Bearer ${production.apiKey}` },
      })
      const bytes = Buffer.from(await answer.arrayBuffer())
      if (answer.status === 200) return bytes
      expect([answer.status, String(bytes)]).toEqual([503, expect.any(String)])
    }
  }

  test('they show the graphic as it stands, where it stands on the screen, and nothing else', async () => {
    const third = drawnIn(await still('Head coach'))
    expect(third).toMatchObject({ width: 480, height: 270 })
    // a lower third: low, wide, and with nothing above it
    expect(third.top).toBeGreaterThan(135)
    expect(third.right - third.left).toBeGreaterThan(100)
    expect(third.pixels).toBeGreaterThan(2_000)
    const bug = drawnIn(await still('Score bug'))
    expect(bug.bottom).toBeLessThan(90)
    expect(drawnIn(await still('Home line-up')).pixels).toBeGreaterThan(third.pixels)
  })

  test('other values are another picture, soon after the change', async () => {
    const before = await still('Head coach')
    const since = performance.now()
    const path = `/v2/control-rooms/${production.controlRoomId}/presets/${production.preset('Head coach').id}`
    await production.call('PATCH', path, { variableValues: { title: 'Assistant to the general manager' } })
    const after = await still('Head coach')
    expect(performance.now() - since).toBeLessThan(5_000)
    expect(after.equals(before)).toBe(false)
  })
})
