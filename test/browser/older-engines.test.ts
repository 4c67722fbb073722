import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Production, startProduction } from '../resources/support.ts'
import { FLOOR, parseCss, readBy } from '../support/css-floor.ts'
import { Renderer } from '../support/renderer.ts'
import { COARSE, noChromium, openWindows, type Windows } from './support/chromium.ts'

const PRESET = 'Head coach'

describe.skipIf(noChromium)('[issue 15.16] in an engine that lacks what came later, a page says what is so', () => {
  let browser: Windows
  let production: Production

  beforeAll(async () => {
    production = await startProduction('built')
    browser = await openWindows()
  })
  afterAll(async () => {
    await browser?.close()
    await production?.close()
  })

  /** A page whose style sheets are read as an engine of this version reads them. */
  async function open(url: string, version: number): Promise<Page> {
    const page = await (await browser.newContext(COARSE)).newPage()
    onTestFinished(async () => {
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await page.context().close()
    })
    await page.route('**/*.css', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: readBy(parseCss(await response.text()), version) })
    })
    await page.goto(url)
    return page
  }

  const show = async () => expect((await production.fire('show', PRESET)).status).toBe(200)
  const path = () => `/v2/overlays/${production.overlay.id}/graphics/commands`
  const hideAll = async () => expect((await production.call('POST', path(), { action: 'hideAll' })).status).toBe(200)
  /** Of what is drawn in the colours of the theme. */
  const coloursOf = (page: Page, selector: string) =>
    page.evaluate<{ ground: string; edge: string }>(`{
      const { backgroundColor, borderTopColor } = getComputedStyle(document.querySelector(${JSON.stringify(selector)}))
      ;({ ground: backgroundColor, edge: borderTopColor })
    }`)
  const paint = async () => {
    const renderer = new Renderer({ url: `${production.overlay.url.replace('http', 'ws')}/socket?renderer=obs` })
    onTestFinished(() => renderer.close())
    await renderer.waitFor(() => renderer.shows().size > 0)
  }
  const RED = { air: 'rgb(255, 59, 78)', fill: 'rgb(196, 20, 42)' }
  const AMBER = 'rgb(255, 176, 32)'

  test.each([FLOOR, 103, 1_000])('Chromium %i: the control room draws red only what is painted', async (version) => {
    await hideAll()
    await show()
    const page = await open(production.overlay.controlRoomUrl, version)
    const card = `.card[data-preset="${PRESET}"]`
    await page.locator(card).getByText('Committed · no renderer').waitFor()
    expect(await coloursOf(page, card)).toEqual({ ground: 'rgb(58, 42, 6)', edge: AMBER })
    expect((await coloursOf(page, '.chip')).ground).toBe(AMBER)
    expect((await coloursOf(page, '.program-frame')).edge).toBe(AMBER)
    await paint()
    await page
      .locator(card)
      .getByText(/On air \d/)
      .waitFor()
    expect(await coloursOf(page, card)).toEqual({ ground: RED.fill, edge: RED.air })
    expect((await coloursOf(page, '.chip')).ground).toBe(RED.fill)
    expect((await coloursOf(page, '.program-frame')).edge).toBe(RED.air)
  })

  test('Chromium 95: the monitor says on air in red only of what is painted', async () => {
    await hideAll()
    await show()
    const page = await open(production.overlay.monitoringUrl, FLOOR)
    await page.getByText('No renderer', { exact: true }).waitFor()
    expect((await coloursOf(page, '.tally')).ground).toBe(AMBER)
    expect((await coloursOf(page, '.picture')).edge).toBe(AMBER)
    await paint()
    await page.getByText('Painted by the renderer').waitFor()
    expect((await coloursOf(page, '.tally')).ground).toBe(RED.fill)
    expect((await coloursOf(page, '.picture')).edge).toBe(RED.air)
  })
})
