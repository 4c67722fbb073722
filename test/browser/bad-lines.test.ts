import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { BLOCK, block } from './support/block.ts'
import { type Broadcast, painted, until } from './support/broadcast.ts'
import { type Colour, like, noChromium, Shot, seen } from './support/chromium.ts'
import { PageTime } from './support/page-time.ts'
import { newGate, type Stage, stageForEach } from './support/stage.ts'

const RED: Colour = [255, 0, 0, 255]
const GREEN: Colour = [0, 128, 0, 255]
const INSIDE = [BLOCK.x + 20, BLOCK.y + 20] as const

let broadcast: Broadcast
let page: Page
let open: Stage['open']

describe.skipIf(noChromium)('the overlay page behind a bad line', () => {
  stageForEach((stage) => {
    ;({ broadcast, page, open } = stage)
    broadcast.bundles.set('block', block())
  })

  const shown = (colour: Colour) => seen(page, (shot) => like(shot.at(...INSIDE), colour))

  test('[live-path 20] another bundle takes over also where data comes faster than it paints', async () => {
    // a machine without a graphics card, under load
    await page.addInitScript('window.requestAnimationFrame = (draw) => setTimeout(() => draw(performance.now()), 150)')
    broadcast.bundles.set('block-2', block({ mark: 'version 2' }))
    await open()
    broadcast.show('a', 'block', { colour: 'red' })
    await shown(RED)
    broadcast.show('a', 'block-2', { colour: 'red' })
    let stop = false
    const refreshes = (async () => {
      while (!stop) {
        broadcast.update('a', { colour: 'red' })
        await new Promise((resolve) => setTimeout(resolve, 25))
      }
    })()
    try {
      await until(
        'the new bundle alone',
        () => page.frames().length === 2 && page.frames()[1]?.url().includes('block-2'),
      )
    } finally {
      stop = true
      await refreshes
    }
    await painted(broadcast, 'a', broadcast.update('a', { colour: 'green' }))
    await shown(GREEN)
  })

  test('a bundle that takes long to come is waited for, and not asked for again from its beginning', async () => {
    broadcast.bundles.set('slow', block().replace('<script>', '<script src="slow.js"></script><script>'))
    let asked = false
    const slow = newGate()
    await page.route(/slow\.js$/, async (route) => {
      asked = true
      await slow.opened
      await route.fulfill({ contentType: 'text/javascript', body: '' })
    })
    const time = await PageTime.of(page, broadcast)
    await open()
    broadcast.show('a', 'slow', { colour: 'red' })
    await until('its script', () => asked)
    await time.pass(6_000)
    slow.open()
    await shown(RED)
    expect(broadcast.asked.filter((path) => path === 'slow/index.html')).toHaveLength(1)
  })

  test('a bundle that the browser holds broken is asked for past it, with all its files', async () => {
    broadcast.bundles.set('block', '<!doctype html><html><body style="margin:0">')
    const time = await PageTime.of(page, broadcast)
    await open()
    broadcast.show('a', 'block', { colour: 'red' })
    const asked = () => broadcast.asked.filter((path) => path === 'block/index.html').length
    await until('the broken one', () => asked() > 0)
    broadcast.bundles.set('block', block())
    await time.until('the whole one', () => asked() > 1)
    await shown(RED)
  })

  test('an answer to READY that is longer on its way than a dead server may be silent comes', async () => {
    broadcast.heartbeats = false
    const line = newGate()
    broadcast.answersAfter = line.opened
    broadcast.show('a', 'block', { colour: 'red' })
    const time = await PageTime.of(page, broadcast)
    await open()
    await time.until('it tries again', () => broadcast.readies.length > 1)
    // longer than the five seconds of a dead server
    await time.pass(7_000)
    line.open()
    await shown(RED)
    expect(broadcast.readies.length).toBeLessThanOrEqual(3)
  })

  test('[live-path 19] a server that falls silent after it was heard is left after five seconds as before', async () => {
    const time = await PageTime.of(page, broadcast)
    await open()
    for (let count = 2; count <= 3; count++) {
      broadcast.heartbeats = true
      const { beats } = broadcast
      await time.until('a heartbeat', () => broadcast.beats > beats)
      broadcast.heartbeats = false
      expect(await time.until('a new socket', () => time.sockets >= count)).toBeLessThan(7_500)
      await until('READY', () => broadcast.readies.length >= count)
    }
  })

  test('a 404 of a proxy whose server is away does not clear the program', async () => {
    await open()
    broadcast.show('a', 'block', { colour: 'red' })
    await shown(RED)
    let asked = 0
    await page.route(/\/preload$/, async (route) => {
      asked++
      await route.fulfill({ status: 404, contentType: 'text/plain', body: '404 page not found' })
    })
    broadcast.exists = false
    for (const socket of broadcast.sockets) socket.terminate()
    await until('it asks', () => asked > 1)
    expect(like((await Shot.of(page)).at(...INSIDE), RED)).toBe(true)
    broadcast.exists = true
    await until('READY again', () => broadcast.readies.length > 1)
    await page.unroute(/\/preload$/)
  })

  test('a page that was cut off on its way is loaded again by itself', async () => {
    broadcast.cuts = 3
    broadcast.show('a', 'block', { colour: 'red' })
    const time = await PageTime.of(page, broadcast)
    await page.goto(broadcast.page(), { waitUntil: 'commit' })
    await time.until('by itself', () => broadcast.readies.length > 0)
    await shown(RED)
    expect(broadcast.cuts).toBeGreaterThan(-5)
  })
})
