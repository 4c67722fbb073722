import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Production, startProduction } from '../resources/support.ts'
import { shellPath } from '../support/browsers.ts'
import { manifest, moduleText, onTheme, zipOf } from '../support/ograf.ts'
import { root } from '../support/root.ts'

/** What is used of puppeteer, which is installed beside the engines alone: `npm ci` in .ci/engines. */
type Page = {
  goto(url: string): Promise<unknown>
  evaluate<T>(script: string): Promise<T>
  waitForFunction(script: string, options?: { timeout: number }): Promise<unknown>
  screenshot(): Promise<Uint8Array>
  on(event: 'pageerror', listener: (error: Error) => void): void
  close(): Promise<void>
}
type Browser = { newPage(): Promise<Page>; version(): Promise<string>; close(): Promise<void> }
type Engine = { browser: 'chrome' | 'firefox'; name?: string; path?: string }

const folder = join(root, '.ci/engines')
const firefox = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find(existsSync)
const areThere = existsSync(join(folder, 'node_modules')) && shellPath !== undefined && firefox !== undefined

/** integrations: Engines */
const ENGINES = {
  'Chromium 103 of OBS 28 to 30': { engine: { browser: 'chrome', name: 'chromium-103' }, version: /Chrome\/103\./ },
  'Chromium 127 of OBS 31 and 32': { engine: { browser: 'chrome', name: 'chromium-127' }, version: /Chrome\/127\./ },
  'Firefox ESR': { engine: { browser: 'firefox', path: firefox ?? '' }, version: /firefox\//i },
} satisfies Record<string, { engine: Engine; version: RegExp }>

const PATIENCE = { timeout: 60_000 }
/** Pictures are compared in so many columns and rows: where letters and shades begin is each engine's own. */
const COARSE = { width: 96, height: 54 }
/** An OGraf graphic: a block in the place below, green at its first step, blue at its second one, and red when it is told to be. */
const BLOCK = zipOf({
  'block.ograf.json': manifest({
    id: 'block',
    name: 'Block',
    stepCount: 2,
    customActions: [{ id: 'red', name: 'Red' }],
  }),
  'graphic.mjs': moduleText({
    playAction: `
      this.style.cssText = 'position:absolute;left:300px;top:800px;width:300px;height:200px;overflow:hidden;font-size:0'
      this.style.background = params.goto === 1 ? 'blue' : 'green'`,
    customAction: `this.style.background = 'red'`,
  }),
})
const INSIDE = { column: 22, row: 45 }
/** Of 255: how far a part may be from the same in today's engine, and how far all of them on average. */
const MOST = 72
const MEAN = 3

describe.runIf(areThere)('[issue 20.7] in the engines that users have', () => {
  let production: Production
  let reference: Browser
  let presets: string[]
  let blockId: unknown
  /** What today's engine shows of each graphic of the demo. */
  const pictures = new Map<string, Buffer>()
  const faults: string[] = []
  const pages: Page[] = []

  const open = async (engine: Engine): Promise<Browser> =>
    (await import(pathToFileURL(join(folder, 'open.mjs')).href)).open(engine)
  async function pageOf(browser: Browser, url: string): Promise<Page> {
    const page = await browser.newPage()
    pages.push(page)
    page.on('pageerror', ({ message }) => faults.push(message))
    await page.goto(url)
    return page
  }
  const coarse = (bytes: Uint8Array) =>
    sharp(bytes)
      .resize({ ...COARSE, kernel: 'lanczos3' })
      .removeAlpha()
      .raw()
      .toBuffer()

  /** The overlay with one graphic, once it was painted and stands. */
  async function pictureOf(page: Page, presetName: string): Promise<Buffer> {
    const rest = (a: Buffer, b: Buffer) => a.every((value, index) => Math.abs(value - (b[index] ?? 0)) < 4)
    const empty = await coarse(await page.screenshot())
    let before = empty
    expect((await production.fire('show', presetName)).status).toBe(200)
    const picture = await vi.waitFor(
      async () => {
        const now = await coarse(await page.screenshot())
        const isSame = rest(before, now)
        before = now
        expect([isSame, rest(empty, now)], `${presetName} stands, and shows something`).toEqual([true, false])
        return now
      },
      { ...PATIENCE, interval: 400 },
    )
    await hideAll()
    await vi.waitFor(async () => expect(rest(await coarse(await page.screenshot()), empty), 'it is gone').toBe(true), {
      ...PATIENCE,
      interval: 300,
    })
    return picture
  }
  /** The brand whose turn it is would be another one in each engine. */
  async function oneBrandForEachSlot() {
    const path = `/v2/competitions/${production.competitionId}/theme-profiles/${production.themeProfileId}/sponsor-slots`
    const { slots } = (await production.call('GET', path)).body as {
      slots: { id: string; name: string; brands: object[] }[]
    }
    const only = slots.map(({ id, name, brands: [brand] }) => ({ id, name, brands: [brand] }))
    expect((await production.call('PUT', path, { slots: only })).status).toBe(200)
  }
  const closePages = () => Promise.all(pages.splice(0).map((page) => page.close()))
  const hideAll = () =>
    production.call('POST', `/v2/overlays/${production.overlay.id}/graphics/commands`, { action: 'hideAll' })

  beforeAll(async () => {
    production = await startProduction('built')
    // one for each graphic of the demo
    const first = new Map(production.presets.map(({ graphicId, name }) => [graphicId, name]))
    presets = [...first.values()]
    expect(presets.length).toBeGreaterThanOrEqual(5)
    await oneBrandForEachSlot()
    const { server, apiKey: key, themeId, controlRoomId, sectionIds, call } = production
    const [graphicId] = await onTheme({ server, key, themeId }, BLOCK)
    const preset = { sectionId: sectionIds[0], graphicId, name: 'Block' }
    blockId = (await call('POST', `/v2/control-rooms/${controlRoomId}/presets`, preset)).body.id
    reference = await open({ browser: 'chrome', path: shellPath ?? '' })
    const page = await pageOf(reference, production.overlay.url)
    for (const name of presets) pictures.set(name, await pictureOf(page, name))
    await closePages()
  })
  afterEach(async () => {
    await hideAll()
    await closePages()
    expect(faults.splice(0)).toEqual([])
  })
  afterAll(async () => {
    await reference?.close()
    await production?.close()
  })

  describe.each(Object.entries(ENGINES))('%s', (_, { engine, version }) => {
    let browser: Browser
    beforeAll(async () => {
      browser = await open(engine)
      expect(await browser.version()).toMatch(version)
    })
    afterAll(() => browser?.close())

    test('every graphic of the demo is drawn as today', async () => {
      const page = await pageOf(browser, production.overlay.url)
      for (const name of presets) {
        const wanted = pictures.get(name) ?? Buffer.alloc(0)
        const shown = await pictureOf(page, name)
        const off = Array.from(wanted, (value, index) => Math.abs(value - (shown[index] ?? 0)))
        const mean = off.reduce((sum, one) => sum + one, 0) / off.length
        expect({ name, most: Math.max(...off) < MOST, mean: mean < MEAN }, `${Math.max(...off)} ${mean}`).toEqual({
          name,
          most: true,
          mean: true,
        })
      }
    })

    test('[issue 20.1] an OGraf graphic plays, goes to its next step, acts, and goes', async () => {
      const page = await pageOf(browser, production.overlay.url)
      const told = async (action: string, more: object = {}) => {
        const path = `/v2/overlays/${production.overlay.id}/graphics/commands`
        const { status, body } = await production.call('POST', path, { action, presetId: blockId, ...more })
        expect([status, body]).toMatchObject([200, {}])
      }
      const colour = async () => {
        const at = (INSIDE.row * COARSE.width + INSIDE.column) * 3
        return [...(await coarse(await page.screenshot())).subarray(at, at + 3)].map((part) => Math.round(part / 64))
      }
      const shows = (...wanted: number[]) =>
        vi.waitFor(async () => expect(await colour()).toEqual(wanted), { ...PATIENCE, interval: 300 })
      const ground = await colour()
      await told('show')
      await shows(0, 2, 0)
      await told('step')
      await shows(0, 0, 4)
      await told('custom', { customActionId: 'red' })
      await shows(4, 0, 0)
      await told('hide')
      await shows(...ground)
    })

    test('the control room commands, and its cards say what is so: red only what is painted', async () => {
      const page = await pageOf(browser, production.overlay.controlRoomUrl)
      const card = (name: string) => `document.querySelector('.card[data-preset="${name}"]')`
      const says = (name: string, text: RegExp) =>
        page.waitForFunction(`${text}.test(${card(name)}?.textContent ?? '')`, PATIENCE)
      const edge = () => page.evaluate<string>(`getComputedStyle(${card('Score bug')}).borderTopColor`)
      await page.waitForFunction(`${card('Score bug')} !== null`, PATIENCE)
      await page.evaluate(`${card('Score bug')}.querySelector('.card-face').click()`)
      await says('Score bug', /no renderer/)
      const committed = await edge()
      await pageOf(browser, production.overlay.url)
      await says('Score bug', /On air/)
      await vi.waitFor(async () => expect(await edge()).not.toBe(committed), PATIENCE)
      expect([committed, await edge()]).toEqual(['rgb(255, 176, 32)', 'rgb(255, 59, 78)'])
      await page.evaluate(`${card('Score bug')}.querySelector('.card-hide').click()`)
      await vi.waitFor(async () => {
        const { manualGraphicState } = (await production.call('GET', `/v2/overlays/${production.overlay.id}`)).body
        expect(manualGraphicState).toEqual({})
      }, PATIENCE)
    })
  })
})
