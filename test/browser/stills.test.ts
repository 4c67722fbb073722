import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openGuardedProxy } from '../../src/media/guarded-proxy.ts'
import { openProcesses } from '../../src/media/process.ts'
import { createStills, type Stills } from '../../src/media/stills/stills.ts'
import { type Production, startProduction } from '../resources/support.ts'
import { shellPath } from '../support/browsers.ts'
import type { Graphics } from '../support/demo.ts'
import { testMedia } from '../support/media-plane.ts'
import { cardZip, onTheme } from '../support/ograf.ts'
import { quickPlace } from '../support/quick-place.ts'
import { block } from './support/block.ts'

const SILENT = { debug: () => {}, info: () => {}, warn: () => {} }
let production: Production
let stills: Stills
let pidFolder: string

/** A production whose stills are made by a browser of this process. */
async function begin(graphics: Graphics) {
  production = await startProduction(graphics, {
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
}

async function end() {
  await stills?.close()
  await production?.close()
  if (pidFolder) rmSync(pidFolder, { recursive: true, force: true })
}

/** What is answered once it is no more being made. */
async function asked(name: string, presetId = production.preset(name).id): Promise<{ status: number; bytes: Buffer }> {
  const path = `/v2/control-rooms/${production.controlRoomId}/presets/${presetId}/still`
  for (;;) {
    const answer = await fetch(`${production.server.origin}/rest${path}`, {
      headers: { Authorization: `Bearer ${production.apiKey}` },
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (answer.status !== 503) return { status: answer.status, bytes }
  }
}

async function still(...preset: Parameters<typeof asked>): Promise<Buffer> {
  const { status, bytes } = await asked(...preset)
  if (status !== 200) throw new Error(`${status}: ${bytes}`)
  return bytes
}

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
  beforeAll(() => begin('built'))
  afterAll(end)

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

  test('[issue 20.1] they show an OGraf graphic at its first step, without its way in', async () => {
    const { server, apiKey: key, themeId, controlRoomId, sectionIds } = production
    const block = 'inset:auto;left:300px;top:800px;width:200px;height:200px;font-size:0;background:green'
    const zip = cardZip(
      { id: 'still', name: 'Still', stepCount: 2 },
      { playAction: `if (params.goto === 0 && params.skipAnimation) this.style.cssText = '${block}'` },
    )
    const [graphicId] = await onTheme({ server, key, themeId }, zip)
    const preset = { sectionId: sectionIds[0], graphicId, name: 'Still' }
    const { body } = await production.call('POST', `/v2/control-rooms/${controlRoomId}/presets`, preset)
    const { left, right, top, bottom } = drawnIn(await still('Still', Number(body.id)))
    expect({ left, right, top, bottom }).toEqual({ left: 75, right: 124, top: 200, bottom: 249 })
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

/** A graphic whose page never comes back from what it is told. */
const HANGS = `<!doctype html><script>
  addEventListener('message', ({ data: { type } }) => {
    if (type === 'HELLO') return parent.postMessage({ type: 'READY', payload: { reportsPaint: true } }, '*')
    for (;;);
  })
</script>`

describe.skipIf(!shellPath)('[show-control: Pictures] a browser that hangs while it makes a still', () => {
  beforeAll(() => begin({ 'lower-third': HANGS, 'score-bug': block() }))
  afterAll(end)

  test('holds up no command, is ended, and the next still comes from another; it is not hung up again at once', async () => {
    const hanging = asked('Head coach')
    const next = asked('Score bug')
    let isOver = false
    const over = hanging.finally(() => {
      isOver = true
    })
    let commands = 0
    while (!isOver) {
      const since = performance.now()
      expect((await production.fire(commands % 2 === 0 ? 'show' : 'hide', 'Score bug')).status).toBe(200)
      expect(performance.now() - since, 'ms of a command').toBeLessThan(1_000)
      commands++
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    expect(commands).toBeGreaterThan(20)
    const { status, bytes } = await over
    expect([status, JSON.parse(String(bytes))]).toEqual([404, { message: expect.any(String), code: 'NO_STILL' }])
    expect((await next).status).toBe(200)
    const since = performance.now()
    expect((await asked('Head coach')).status).toBe(404)
    expect(performance.now() - since, 'ms').toBeLessThan(2_000)
  })
})
