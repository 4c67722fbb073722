import type { Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Production, startProduction } from '../resources/support.ts'
import { inThePast, playMatch } from '../support/played-match.ts'
import { seriousFindings } from './support/axe.ts'
import { until } from './support/broadcast.ts'
import { COARSE, noChromium, openWindows, type Windows } from './support/chromium.ts'

const MINUTE = 60_000
const kickOff = Math.floor(Date.now() / MINUTE) * MINUTE - 150 * MINUTE
const PATIENCE = { timeout: 30_000 }

describe.skipIf(noChromium)('the page of a replay, in a real Chromium', () => {
  let browser: Windows
  let production: Production
  let page: Page
  let url: string
  const elsewhere: string[] = []

  beforeAll(async () => {
    production = await startProduction('built')
    await playMatch(production, inThePast(production, kickOff))
    const { body } = await production.call('POST', `/v2/overlays/${production.overlay.id}/replays`, {})
    url = String(body.url)
    browser = await openWindows()
    page = await browser.newPage(COARSE)
    page.on('request', (request) => {
      if (!request.url().startsWith(`${new URL(url).origin}/`) && !request.url().startsWith('data:'))
        elsewhere.push(request.url())
    })
    await page.goto(`${url}?at=${new Date(kickOff - 1.5 * MINUTE).toISOString()}`)
  })
  afterAll(async () => {
    await browser?.close()
    await production?.close()
  })

  const bug = (): Promise<Frame> =>
    until('the score bug on air', async () => {
      for (const frame of page.frames())
        if (
          await frame
            .evaluate(`document.title === 'Score bug' && document.documentElement.classList.contains('on')`)
            .catch(() => false)
        )
          return frame
      return undefined
    })
  const shows = async (text: RegExp) => {
    const frame = await bug()
    // biome-ignore lint/performance/useDomNodeTextContent: what viewers can see is the question
    const seen = async () => (await frame.locator('.bar').innerText()).split(/\s+/).join(' ')
    await expect.poll(seen, PATIENCE).toMatch(text)
  }
  const seekTo = (minutes: number) => page.getByLabel('Position').fill(String(kickOff + minutes * MINUTE))
  const onAir = () => page.locator('.on-air').textContent()

  test('[issue 6.5] it stands where it was opened, with what was on air then on the real stage', async () => {
    await shows(/^NOR 0 0 PSR 00:00$/)
    expect(await onAir()).toBe('Score bug')
  })

  test('[issue 6.5] a jump shows the score and the clock of then, standing while it is paused', async () => {
    await seekTo(80)
    await shows(/^NOR 1 1 PSR 65:00/)
    await seekTo(30.5)
    await shows(/^NOR 1 0 PSR 30:30/)
    expect(await page.locator('.score').textContent()).toContain('30:30')
  })

  test('[issue 6.5] at 60 times the speed a minute passes in a second, and the clock on air with it', async () => {
    await page.getByText('60×').click()
    const passing = (await bug()).waitForFunction(`/3[2-9]:/.test(document.querySelector('.bar').innerText)`)
    await page.getByRole('button', { name: /^Play/ }).click()
    // ten minutes pass in ten seconds: looked for with each frame, lest they pass between two looks
    await passing
    await page.keyboard.press('Space')
    await expect.poll(() => page.getByRole('button', { name: /^Play/ }).count(), PATIENCE).toBe(1)
  })

  test('[issue 6.5] by keyboard to the next change and back', async () => {
    await seekTo(46.5)
    await expect.poll(onAir, PATIENCE).toBe('Nothing on air')
    await page.locator('h1').click()
    await page.keyboard.press('ArrowRight')
    await expect.poll(onAir, PATIENCE).toBe('Sponsor card')
    expect(await page.locator('[aria-current=step]').textContent()).toContain('Sponsor card: Fjordline Coffee')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(onAir, PATIENCE).toBe('Nothing on air')
  })

  test('[issue 6.5] a press on what happened goes there', async () => {
    await page
      .getByRole('button', { name: /Result card/ })
      .first()
      .click()
    await expect.poll(onAir, PATIENCE).toBe('Score bug, Result card')
  })

  test.each([
    [1920, 1080],
    [1024, 768],
  ])('[issue 6.8] axe finds nothing serious at %i x %i, and nothing is wider than the page', async (width, height) => {
    await page.setViewportSize({ width, height })
    expect(await seriousFindings(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  })

  test('[issue 6] it asks nobody else for anything, and says when the replay is over', async () => {
    expect(elsewhere).toEqual([])
    await production.server.database.sql`update replay set expires_at = now()`
    const over = await page.request.get(url)
    expect(over.status()).toBe(404)
  })
})
