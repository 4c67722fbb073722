import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { demoGraphics } from '../support/demo-theme.ts'
import { Broadcast, painted, until } from './support/broadcast.ts'
import { noChromium, openWindows, type Windows } from './support/chromium.ts'
import { demoData } from './support/demo-data.ts'

/** Counts the page's animation frames from the arrival of a frame of the server to the graphic's word that it painted it. */
const COUNT_FRAMES = `
  window.frames_ = 0
  window.shows_ = []
  const count = () => { window.frames_++; requestAnimationFrame(count) }
  requestAnimationFrame(count)
  const arrivals = new Map()
  window.WebSocket = class extends WebSocket {
    constructor(url) {
      super(url)
      this.addEventListener('message', ({ data }) => {
        const { type, payload } = JSON.parse(data)
        if (type !== 'HELLO') arrivals.set(payload.seq, { frame: window.frames_, at: performance.now() })
      })
    }
  }
  addEventListener('message', ({ data: { payload } }) => {
    const arrival = arrivals.get(payload.seq)
    if (arrival) window.shows_.push({ frames: window.frames_ - arrival.frame, ms: performance.now() - arrival.at })
  })
`

/** Milliseconds until an empty bundle is mounted. */
const mountBare = `(url) => new Promise((resolve) => {
  const frame = document.createElement('iframe')
  const from = performance.now()
  frame.sandbox = 'allow-scripts'
  frame.src = url
  frame.onload = () => resolve(performance.now() - from)
  document.body.append(frame)
})`

/** Others share the machine with this test, so what counts is what the page can do: a quarter of the shows, half of them. */
const quantile = (values: number[], part: number) =>
  values.sort((one, other) => one - other)[Math.floor(values.length * part)] ?? Number.NaN

describe.skipIf(noChromium)('[live-path 20] how soon a show is in the picture', () => {
  let browser: Windows
  let broadcast: Broadcast
  let page: Page

  beforeAll(async () => {
    browser = await openWindows()
  })
  afterAll(() => browser.close())
  beforeEach(async () => {
    broadcast = new Broadcast()
    broadcast.data = demoData
    await broadcast.start()
    page = await browser.newPage({ viewport: { width: 1920, height: 1080 } })
    await page.addInitScript(COUNT_FRAMES)
  })
  afterEach(async () => {
    await page.close()
    await broadcast.stop()
  })

  const open = async () => {
    await page.goto(broadcast.page())
    await until('READY', () => broadcast.readies.length > 0)
  }
  const shows = async (): Promise<{ frames: number; ms: number }[]> =>
    JSON.parse(await page.evaluate('JSON.stringify(shows_)'))

  test('a mounted graphic is painted within two frames of the arrival of its frame', async () => {
    broadcast.preload = demoGraphics.map(({ folder }) => ({ graphicId: folder, url: broadcast.url(folder) }))
    await open()
    await until('everything is mounted', () => page.frames().length === demoGraphics.length + 1)
    await page.waitForLoadState('networkidle')
    for (let round = 0; round < 4; round++)
      for (const { folder } of demoGraphics) {
        await painted(broadcast, folder, broadcast.show(folder, folder, { name: 'A', sponsor: 'B' }))
        await painted(broadcast, folder, broadcast.hide(folder))
      }
    const frames = (await shows()).map((show) => show.frames)
    expect(frames).toHaveLength(4 * demoGraphics.length * 2)
    expect(quantile(frames, 0.5)).toBeLessThanOrEqual(2)
  })

  // on a machine that others use, one of three tries must find a free moment
  test('a first show of a graphic that is not mounted takes at most 250 ms', { retry: 2 }, async () => {
    broadcast.bundles.set('bare', '<!doctype html>')
    await open()
    const bare: number[] = []
    for (const { folder } of demoGraphics) {
      bare.push(Number(await page.evaluate(`(${mountBare})('${broadcast.url('bare')}')`)))
      await painted(broadcast, folder, broadcast.show(folder, folder, { name: 'A', sponsor: 'B' }))
    }
    // where even an empty iframe takes long, the machine is busy with others
    const allowed = Math.max(250, 10 * quantile(bare, 0.5))
    const took = (await shows()).map(({ ms }) => ms)
    expect(took).toHaveLength(demoGraphics.length)
    expect(quantile(took, 0.5)).toBeLessThanOrEqual(allowed)
  })
})
