import type { BrowserContext, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newPerson, PASSWORD } from '../accounts/support.ts'
import { type Production, startProduction } from '../resources/support.ts'
import { noChromium, openWindows, type Windows } from './support/chromium.ts'

const MAX_BYTES = 300_000
const MAX_FIRST_RENDER_MS = 1_000
/** What else the machine does is no fault of a page. */
const TRIES = 6

type Weighed = Production & { replayPath: string }

type PageCase = {
  name: string
  address: (production: Weighed) => string
  /** There with the first render. */
  shows: string
  signedIn?: true
}

const PAGES: readonly PageCase[] = [
  { name: 'overlay', address: ({ overlay }) => overlay.url, shows: 'iframe' },
  { name: 'control room', address: ({ overlay }) => overlay.controlRoomUrl, shows: '.card-name' },
  { name: 'monitoring', address: ({ overlay }) => overlay.monitoringUrl, shows: 'h1' },
  {
    name: 'replay',
    address: ({ server, replayPath }) => server.origin + replayPath,
    shows: '.step',
  },
  { name: 'sign-in', address: ({ server }) => `${server.origin}/dashboard`, shows: 'form' },
  { name: 'matches', address: ({ server }) => `${server.origin}/dashboard`, shows: '.page-title', signedIn: true },
  {
    name: 'set-up of an overlay',
    address: ({ server, overlay }) => `${server.origin}/dashboard/overlays/${overlay.id}`,
    shows: '.nav',
    signedIn: true,
  },
]

describe.skipIf(noChromium)('the weight of the pages', () => {
  let production: Weighed
  let browser: Windows
  let cookies: Awaited<ReturnType<BrowserContext['cookies']>>

  beforeAll(async () => {
    const started = await startProduction()
    production = { ...started, replayPath: '' }
    await production.fire('show', 'Score bug')
    await production.fire('hide', 'Score bug')
    await production.fire('show', 'Score bug')
    const { body } = await production.call('POST', `/v2/overlays/${production.overlay.id}/replays`, {})
    production.replayPath = new URL(String(body.url)).pathname
    const { email } = await newPerson(production.server, production.organizationId, 'owner')
    browser = await openWindows()
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`${production.server.origin}/dashboard`)
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('.match-row').waitFor()
    cookies = await context.cookies()
    await context.close()
  })
  afterAll(async () => {
    await browser?.close()
    await production?.close()
  })

  /** Opens a page with an empty cache and measures until it shows what it is for. */
  async function openCold({ address, shows, signedIn }: PageCase) {
    const context = await browser.newContext({ viewport: { width: 1920, height: 1080 } })
    if (signedIn) await context.addCookies(cookies)
    const page = await context.newPage()
    const requests: Request[] = []
    page.on('requestfinished', (request) => requests.push(request))
    await page.addInitScript(watchFor(shows))
    await page.goto(address(production))
    await page.locator(shows).first().waitFor({ state: 'attached' })
    const firstRenderMs = Number(await page.evaluate('firstRenderMs'))
    await page.waitForLoadState('load')
    const bytes = await weightOf(page, requests)
    const hosts = new Set(requests.map((request) => new URL(request.url())).flatMap(({ host }) => host || []))
    await context.close()
    return { firstRenderMs, bytes, hosts: [...hosts] }
  }

  /** How long the machine takes for a page of a heading. */
  async function openBare() {
    const context = await browser.newContext({ viewport: { width: 1920, height: 1080 } })
    const page = await context.newPage()
    await page.route('**/bare', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><h1>' }))
    await page.addInitScript(watchFor('h1'))
    await page.goto(`${production.server.origin}/bare`)
    await page.waitForFunction('globalThis.firstRenderMs')
    const firstRenderMs = Number(await page.evaluate('firstRenderMs'))
    await context.close()
    return firstRenderMs
  }

  test.each(PAGES)('[issue 6.8] $name: light, soon there, and asking nobody else', async (page) => {
    const { host } = new URL(production.server.origin)
    let soonest = Number.POSITIVE_INFINITY
    let allowed = MAX_FIRST_RENDER_MS
    for (let turn = 0; turn < TRIES && soonest >= allowed; turn++) {
      const { firstRenderMs, bytes, hosts } = await openCold(page)
      expect(hosts).toEqual([host])
      expect(bytes).toBeGreaterThan(1_000)
      expect(bytes).toBeLessThan(MAX_BYTES)
      soonest = Math.min(soonest, firstRenderMs)
      // where even a heading takes long, the machine is busy with others
      if (soonest >= allowed) allowed = Math.max(allowed, 10 * (await openBare()))
    }
    expect(soonest).toBeLessThan(allowed)
  })
})

/** A script for the page: notes when something that matches is drawn for the first time. The frames of a page are pages of their own. */
const watchFor = (selector: string) => `
  if (self === top) (function look() {
    if (document.querySelector(${JSON.stringify(selector)})) globalThis.firstRenderMs = performance.now()
    else requestAnimationFrame(look)
  })()`

/** Bytes on the wire of what the page itself loads; the graphics in its frames are of a theme, not of the page. */
async function weightOf(page: Page, requests: readonly Request[]): Promise<number> {
  const own = requests.filter((request) => request.frame() === page.mainFrame() && /^http/.test(request.url()))
  const sizes = await Promise.all(own.map((request) => request.sizes()))
  return sizes.reduce(
    (sum, { responseBodySize, responseHeadersSize }) => sum + responseBodySize + responseHeadersSize,
    0,
  )
}
