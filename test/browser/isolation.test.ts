import type { BrowserContext, Frame, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Production, startProduction } from '../resources/support.ts'
import type { TestApp } from '../support/app.ts'
import { until } from './support/broadcast.ts'
import { noChromium, openWindows, type Windows } from './support/chromium.ts'
import { makeHostile } from './support/hostile.ts'

const SECRET = 'session=signed-in'

/** What everything that it tries comes to, in the page and opened by itself. */
const STOPPED = {
  origin: 'null',
  'read cookies': 'SecurityError',
  'write cookies': 'SecurityError',
  localStorage: 'SecurityError',
  sessionStorage: 'SecurityError',
  indexedDB: 'SecurityError',
  caches: 'SecurityError',
  'service worker': 'SecurityError',
  // the browser hides the answer: it is not for a caller with credentials
  'call with credentials': 'TypeError',
  'write with credentials': 'TypeError',
  // what anybody on the network is told
  'call without': 401,
  'read the page of the server': 'TypeError',
  'read a nested page': 'closed',
  devices: [],
  popup: 'none',
  dialog: 'none',
  referrer: '',
  'own module': 'module',
  'own data': 'data',
  'own font': 'loaded',
  'own image in a canvas': 200,
}

describe.skipIf(noChromium)('[live-path 23] a hostile graphic on the host of a signed-in person', () => {
  let app: TestApp
  let demo: Production
  let browser: Windows
  let context: BrowserContext
  let page: Page
  let bundle: string
  /** Requests with what only the browser of the person can add. */
  let sent: { url: string; cookie: string | undefined }[]

  beforeAll(async () => {
    demo = await startProduction('built')
    app = demo.server
    const preset = demo.presets.find(({ name }) => name === 'Match partner')
    bundle = await makeHostile(app, demo, preset?.graphicId ?? '')
    await app.call('POST', `/v2/overlays/${demo.overlay.id}/control-room/graphics`, {
      key: demo.apiKey,
      body: { action: 'show', presetId: preset?.id },
    })
    browser = await openWindows({ whole: true })
  })
  afterAll(async () => {
    await browser?.close()
    await demo?.close()
  })

  beforeEach(async () => {
    context = await browser.newContext()
    await context.addCookies([{ name: 'session', value: 'signed-in', url: app.origin }])
    sent = []
    context.on('request', async (request) => {
      const headers = await request.allHeaders().catch(() => ({}) as Record<string, string>)
      sent.push({ url: request.url(), cookie: headers.cookie })
    })
    page = await context.newPage()
  })
  afterEach(() => context.close())

  const attempts = async (frame: Frame | Page) => {
    await frame.waitForFunction('window.attempts?.done', undefined, { timeout: 60_000 })
    return (await frame.evaluate('window.attempts')) as Record<string, unknown>
  }

  /** The person's cookie is as it was, nothing else is stored, and no request of the graphic carried it. */
  async function untouched() {
    expect((await context.cookies()).map(({ name, value }) => `${name}=${value}`)).toEqual([SECRET])
    expect(context.serviceWorkers()).toEqual([])
    expect(context.pages()).toHaveLength(1)
    const calls = sent.filter(({ url }) => url.includes('/rest/'))
    expect(calls.map(({ url }) => new URL(url).search)).toContain('?by=fetch')
    expect(calls.filter(({ cookie, url }) => cookie !== undefined || url.includes('by=form'))).toEqual([])
    expect(sent.filter(({ url }) => /by=(popup|top)/.test(url))).toEqual([])
  }

  test('in the overlay page it gets nothing of the person, nor of the page, and its own files load', async () => {
    await page.goto(`${app.origin}/overlay/${demo.overlay.key}`)
    const frame = await until('its frame', () => page.frames().find((one) => one.url().includes(bundle)))
    expect(await attempts(frame)).toEqual({
      ...STOPPED,
      'read the parent': 'SecurityError',
      'address of the parent': 'SecurityError',
      'navigate the top page': 'SecurityError',
      'submit a form': 'done',
      done: true,
    })
    await untouched()
    expect(new URL(page.url()).pathname).toBe(`/overlay/${demo.overlay.key}`)
    expect(await page.evaluate('Object.keys(localStorage).length + Object.keys(sessionStorage).length')).toBe(0)
  })

  test('opened by its own address it gets as little', async () => {
    // the person is on the host already
    await page.goto(`${app.origin}/docs/changes`)
    await page.goto(`${app.origin}${bundle}index.html`)
    expect(await attempts(page)).toEqual({
      ...STOPPED,
      'read the parent': 'alone',
      'address of the parent': 'alone',
      'navigate the top page': 'alone',
      'submit a form': 'done',
      done: true,
    })
    await untouched()
    expect(new URL(page.url()).pathname).toBe(`${bundle}index.html`)
  })

  test('a picture with a script in it is as powerless when it is opened', async () => {
    await page.goto(`${app.origin}${bundle}picture.svg`)
    expect(await page.evaluate('document.documentElement.dataset.cookie')).toBe('SecurityError')
  })
})
