import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Production, startProduction } from '../resources/support.ts'
import type { TestApp } from '../support/app.ts'
import { COARSE, noChromium, openWindows, Shot, seen, still, type Windows } from './support/chromium.ts'

const BUG = { left: 96, top: 60 }
const LOWER_THIRD = { x: 130, y: 960 }

describe.skipIf(noChromium)('the demo production on the whole server, in a browser source', () => {
  let browser: Windows
  let app: TestApp
  let demo: Production
  let page: Page

  beforeAll(async () => {
    demo = await startProduction('built')
    app = demo.server
    browser = await openWindows()
    page = await browser.newPage(COARSE)
    await page.goto(demo.overlay.url)
  })
  afterAll(async () => {
    await browser?.close()
    await demo?.close()
  })

  const fire = async (action: string, presetName?: string, variableValues?: Record<string, unknown>) => {
    const presetId = demo.presets.find(({ name }) => name === presetName)?.id
    const path = presetId
      ? `/v2/overlays/${demo.overlay.id}/control-room/graphics`
      : `/v2/overlays/${demo.overlay.id}/graphics/commands`
    const body = { action, ...(presetId && { presetId }), ...(variableValues && { variableValues }) }
    const answer = await app.call('POST', path, { key: demo.apiKey, body })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  }
  const opaque = (shot: Shot, x: number, y: number) => shot.at(x, y)[3] > 250

  test('a preset of each graphic is in the picture after one POST, and gone after hideAll', async () => {
    const oneOfEach = new Map(demo.presets.map(({ graphicId, name }) => [graphicId, name]))
    expect(oneOfEach.size).toBe(7)
    for (const name of oneOfEach.values()) {
      await fire('show', name)
      await seen(page, ({ box }) => box.right - box.left > 200)
      await fire('hideAll')
      await seen(page, (shot) => shot.painted === 0)
    }
  })

  test('an update changes the values in place', async () => {
    await fire('show', 'Score bug')
    await fire('show', 'Head coach')
    await seen(page, (shot) => opaque(shot, BUG.left + 60, BUG.top + 8) && opaque(shot, LOWER_THIRD.x, LOWER_THIRD.y))
    await fire('update', 'Score bug', { homeScore: 7 })
    const scores = async () => Promise.all(page.frames().map((frame) => frame.locator('#home-cell').allTextContents()))
    await expect.poll(scores).toContainEqual(['7'])
  })

  test('[live-path 16] while the server is away the picture stands, and after its restart the page comes back by itself', async () => {
    await fire('hide', 'Head coach')
    await seen(page, (shot) => !opaque(shot, LOWER_THIRD.x, LOWER_THIRD.y))
    await app.restart(async () => {
      expect(opaque(await Shot.of(page), BUG.left + 60, BUG.top + 8)).toBe(true)
    })
    expect(opaque(await Shot.of(page), BUG.left + 60, BUG.top + 8)).toBe(true)
    await fire('show', 'Goal scorer')
    await seen(page, (shot) => opaque(shot, LOWER_THIRD.x, LOWER_THIRD.y))

    // a cold start of the page shows the same
    const both = (shot: Shot) => opaque(shot, BUG.left + 60, BUG.top + 8) && opaque(shot, LOWER_THIRD.x, LOWER_THIRD.y)
    await seen(page, both)
    const before = (await still(page)).box
    await page.reload()
    await seen(page, both)
    expect((await still(page)).box).toEqual(before)
  })

  test('unknown keys and tokens answer 404', async () => {
    const unknown = '9b2f7c1e-5d7f-4a53-8a0b-0d7d6f1c2e3a'
    for (const path of [
      `/overlay/${unknown}`,
      `/overlay/${unknown}/preload`,
      `/monitor/${unknown}`,
      `/control/${demo.overlay.key}`,
    ])
      expect((await fetch(app.origin + path)).status, path).toBe(404)
  })
})
