import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Production, startProduction } from '../resources/support.ts'
import { block } from './support/block.ts'
import { Broadcast, until } from './support/broadcast.ts'
import { COARSE, noChromium, openWindows, seen, type Windows } from './support/chromium.ts'

/** A frame that has only been attached has no address yet. */
const urlsOf = (page: Page) => page.frames().flatMap((frame) => /\/bundles\/[^?]*/.exec(frame.url())?.[0] ?? [])

describe.skipIf(noChromium)('bundles of the active version, mounted before they are shown', () => {
  let browser: Windows
  beforeAll(async () => {
    browser = await openWindows()
  })
  afterAll(() => browser.close())

  describe('after another version was activated', () => {
    let broadcast: Broadcast
    let page: Page
    const graphic = (graphicId: string, bundle: string) => ({ graphicId, url: broadcast.url(bundle) })
    const mounted = (...bundles: string[]) =>
      until(`${bundles} mounted`, () => {
        const wanted = bundles.map((name) => broadcast.url(name))
        return urlsOf(page).sort().join() === wanted.sort().join()
      })

    beforeEach(async () => {
      broadcast = new Broadcast()
      for (const name of ['one', 'one-2', 'two', 'two-2']) broadcast.bundles.set(name, block())
      await broadcast.start()
      broadcast.preload = [graphic('a', 'one'), graphic('b', 'two')]
      page = await browser.newPage()
    })
    afterEach(async () => {
      await page.close()
      await broadcast.stop()
    })

    test('an open page mounts it by itself within a minute and a half, without a reload', async () => {
      await page.clock.install()
      await page.goto(broadcast.page())
      await until('READY', () => broadcast.readies.length === 1)
      await page.clock.runFor(1_000)
      await mounted('one', 'two')
      broadcast.preload = [graphic('a', 'one-2'), graphic('b', 'two')]
      await page.clock.runFor(90_000)
      await mounted('one-2', 'two')
    })

    test('a reconnect asks again', async () => {
      await page.goto(broadcast.page())
      await mounted('one', 'two')
      broadcast.preload = [graphic('a', 'one-2'), graphic('b', 'two')]
      for (const socket of broadcast.sockets) socket.terminate()
      await mounted('one-2', 'two')
    })

    test('the first show of the new version brings the others; what is on air stays, what is left out goes', async () => {
      await page.goto(broadcast.page())
      await mounted('one', 'two')
      broadcast.show('b', 'two')
      await until('b on air', () => broadcast.reports.length > 0)
      broadcast.preload = [graphic('b', 'two-2'), graphic('c', 'one-2')]
      broadcast.show('c', 'one-2')
      // nothing of c was kept, so it says nothing of the version
      await mounted('one', 'one-2', 'two')
      broadcast.show('b', 'two-2')
      await mounted('one-2', 'two-2')
    })
  })

  describe('on the whole server', () => {
    let production: Production
    let page: Page
    beforeAll(async () => {
      production = await startProduction('built')
      page = await browser.newPage(COARSE)
    })
    afterAll(async () => {
      await page?.close()
      await production?.close()
    })

    test('a show uses the frame that is mounted, and a later preload leaves it', async () => {
      const preload = (await (await fetch(`${production.overlay.url}/preload`)).json()) as {
        graphicId: string
        url: string
      }[]
      const { graphicId } = production.preset('Score bug')
      const url = preload.find((graphic) => graphic.graphicId === graphicId)?.url ?? ''
      let mounted = 0
      page.on('framenavigated', (frame) => {
        if (frame.url().includes(url)) mounted++
      })
      await page.goto(production.overlay.url)
      await until('the score bug mounted', () => urlsOf(page).includes(url), 30_000)
      await production.fire('show', 'Score bug')
      await seen(page, (shot) => shot.painted > 0)
      await production.fire('hide', 'Score bug')
      await seen(page, (shot) => shot.painted === 0)
      await production.fire('show', 'Score bug')
      await seen(page, (shot) => shot.painted > 0)
      expect([url, mounted]).toEqual([expect.stringContaining('/bundles/'), 1])
    })
  })
})
