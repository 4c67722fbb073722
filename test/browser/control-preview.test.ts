import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Production, startProduction } from '../resources/support.ts'
import { seriousFindings } from './support/axe.ts'
import { COARSE, noChromium, openWindows, type Windows } from './support/chromium.ts'
import { openRoom, overlayOf } from './support/operators.ts'

const PATIENT = { timeout: 30_000 }
const TABLET = { viewport: { width: 1180, height: 820 }, hasTouch: true }

describe.skipIf(noChromium)('[issue 19.4] preview and take', () => {
  let browser: Windows
  let production: Production
  /** Two operators, one at a desk with a keyboard and one with a tablet. */
  let desk: Page
  let tablet: Page
  const faults: string[] = []

  beforeAll(async () => {
    production = await startProduction('built')
    const room = `/v2/control-rooms/${production.controlRoomId}`
    expect((await production.call('PATCH', room, { defaultMode: 'preview' })).body).toMatchObject({
      defaultMode: 'preview',
    })
    browser = await openWindows()
    desk = await open(COARSE)
    tablet = await open(TABLET)
  })
  afterAll(async () => {
    await browser?.close()
    await production?.close()
  })
  beforeEach(async () => {
    await command({ action: 'hideAll', scheduled: true })
    for (const page of [desk, tablet]) {
      await take(page).filter({ hasText: 'Nothing on preview' }).waitFor(PATIENT)
      await page.getByRole('button', { name: /Nothing on air$/ }).waitFor(PATIENT)
    }
  })
  afterEach(() => expect(faults.splice(0)).toEqual([]))

  const open = (options: BrowserContextOptions) =>
    openRoom(browser, production, { options, shows: '.card-face', faults })
  const { path } = overlayOf(() => production)
  const command = (body: object) => production.call('POST', path('/graphics/commands'), body)
  const state = async () => {
    const { manualGraphicState, previewState, scheduled } = (await production.call('GET', path())).body
    return { air: Object.keys(manualGraphicState as object), preview: Object.keys(previewState as object), scheduled }
  }
  const card = (page: Page, name: string) => page.locator(`.card[data-preset="${name}"]`)
  const face = (page: Page, name: string) => card(page, name).locator('.card-face')
  const says = (page: Page, name: string, text: string | RegExp) =>
    face(page, name).filter({ hasText: text }).waitFor(PATIENT)
  const bothSay = (name: string, text: string | RegExp) =>
    Promise.all([desk, tablet].map((page) => says(page, name, text)))
  const take = (page: Page) => page.getByRole('button', { name: /^Take/ })
  const undo = (page: Page) => page.locator('.undo-button')

  test('a press cues and the other sees it at once; Enter takes, Shift cuts, Backspace takes back', async () => {
    await desk.locator('body').press('2')
    await bothSay('Goal scorer', 'On preview')
    expect(await state()).toMatchObject({ air: [], preview: ['Lower third'] })
    await tablet.locator('.chip-cued', { hasText: 'Goal scorer' }).waitFor(PATIENT)
    // again the same: nothing
    await desk.keyboard.press('2')
    await face(tablet, 'Score bug').tap()
    await bothSay('Score bug', 'On preview')
    await take(desk).filter({ hasText: '2 on preview' }).waitFor(PATIENT)
    expect(await seriousFindings(desk)).toEqual([])
    await desk.keyboard.press('Enter')
    await bothSay('Goal scorer', /On air|Committed/)
    expect(await state()).toMatchObject({ air: ['Lower third', 'Score bug'].sort(), preview: [] })

    await undo(tablet).filter({ hasText: 'takes off Goal scorer, Score bug' }).waitFor(PATIENT)
    await desk.keyboard.press('Shift+3')
    await bothSay('Head coach', /On air|Committed/)
    await undo(desk).filter({ hasText: 'brings back Goal scorer' }).waitFor(PATIENT)
    await desk.keyboard.press('Backspace')
    await bothSay('Goal scorer', /On air|Committed/)
    await bothSay('Head coach', /Off air/)
    await undo(desk).waitFor({ state: 'detached', ...PATIENT })
    await desk.keyboard.press('Delete')
    await bothSay('Head coach', /Off air/)
    await face(desk, 'Score bug').focus()
    await desk.keyboard.press('Delete')
    await bothSay('Score bug', /Off air/)
    expect((await state()).air).toEqual(['Lower third'])
  })

  test('by touch alone: cue, values, take, cut, off preview, undo', async () => {
    await card(tablet, 'Commentator')
      .getByRole('button', { name: /^Values/ })
      .tap()
    await tablet.locator('#values').getByLabel('Name', { exact: true }).fill('Ruairí Keane')
    await tablet.locator('#values').getByRole('button', { name: 'Cue' }).tap()
    await says(tablet, 'Commentator', /Ruairí Keane.*On preview/)
    // the other operator has set nothing of it, and sees what was cued
    await says(desk, 'Commentator', /Ruairí Keane.*On preview/)
    await take(tablet).tap()
    await bothSay('Commentator', /Ruairí Keane.*(On air|Committed)/)
    await tablet.getByRole('button', { name: 'Cut', exact: true }).first().tap()
    await face(tablet, 'Score bug').tap()
    await bothSay('Score bug', /On air|Committed/)
    await face(tablet, 'Home line-up').tap()
    await bothSay('Home line-up', 'On preview')
    await tablet.locator('.chip-cued').getByRole('button', { name: 'Off preview: Home line-up' }).tap()
    await bothSay('Home line-up', /Off air/)
    await undo(tablet).tap()
    await bothSay('Score bug', /Off air/)
    const small = `[...document.querySelectorAll('button, input, select')]
      .filter((one) => one.offsetParent !== null && one.type !== 'radio')
      .filter((one) => { const box = one.getBoundingClientRect(); return box.width < 43.5 || box.height < 43.5 })
      .map((one) => one.className + ' ' + one.textContent)`
    expect(await tablet.evaluate(small)).toEqual([])
    expect(await tablet.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
    expect(await seriousFindings(tablet)).toEqual([])
  })

  test('what is changed on preview is told, and goes there by another press', async () => {
    await face(desk, 'Score bug').click()
    await says(desk, 'Score bug', 'On preview')
    await desk.locator('#values').getByRole('button', { name: 'Home score plus one' }).click()
    await says(desk, 'Score bug', 'Changed: press to cue')
    await face(desk, 'Score bug').click()
    await says(tablet, 'Score bug', /Home score 1.*On preview/)
    await desk.keyboard.press('Enter')
    await bothSay('Score bug', /Home score 1.*(On air|Committed)/)
    await desk.keyboard.press('1')
    await bothSay('Score bug', /On preview.*(On air|Committed)/)
    await desk.keyboard.press('Escape')
    await expect.poll(async () => (await state()).preview, PATIENT).toEqual([])
  })

  test('a scheduled take, a timed graphic, and one that is taken off the schedule', async () => {
    await desk.keyboard.press('F3')
    await desk.getByRole('button', { name: 'in 5 min' }).click()
    await desk
      .locator('.planned', { hasText: 'Take what is on preview' })
      .filter({ hasText: /in [45]:\d\d/ })
      .waitFor(PATIENT)
    await tablet.getByRole('tab', { name: /^Schedule/ }).tap()
    await tablet.getByRole('button', { name: /^Remove/ }).tap()
    await expect.poll(async () => (await state()).scheduled, PATIENT).toEqual([])
    await desk.getByText('Nothing is scheduled.').waitFor(PATIENT)

    await desk.getByLabel('What').selectOption('show')
    await desk.getByLabel('Preset', { exact: true }).selectOption({ label: 'Score bug' })
    await desk.getByLabel('Off air after, seconds').fill('600')
    await desk.getByRole('button', { name: 'in 5 min' }).click()
    await bothSay('Score bug', /Comes in [45]:\d\d/)
    const { id: presetId } = production.preset('Score bug')
    expect((await state()).scheduled).toMatchObject([{ action: 'show', presetId, durationSeconds: 600 }])
    // its countdown stands on the button
    await command({ action: 'show', presetId, durationSeconds: 600 })
    await bothSay('Score bug', /off in (10:00|9:\d\d)/)
  })

  test('a refused take says so, and nothing is shown as done before the server says so', async () => {
    await face(desk, 'Score bug').click()
    await says(desk, 'Score bug', 'On preview')
    await desk.route('**/graphics/commands', (route) => route.abort())
    await desk.keyboard.press('Enter')
    await desk.locator('.transport').getByRole('alert').getByText('Not confirmed').waitFor(PATIENT)
    await says(desk, 'Score bug', 'On preview')
    await desk.unroute('**/graphics/commands')
    await desk.keyboard.press('Enter')
    await says(desk, 'Score bug', /On air|Committed/)
  })

  test('each browser has the mode and the pictures that it wants', async () => {
    await desk.locator('.bus-preview iframe').waitFor()
    await desk.getByRole('button', { name: 'Hide the picture of preview' }).click()
    await desk.reload()
    await face(desk, 'Score bug').waitFor(PATIENT)
    expect(await desk.locator('.bus-preview iframe').count()).toBe(0)
    await desk.getByRole('button', { name: 'Show the picture of preview' }).click()
    await desk.locator('.bus-preview iframe').waitFor()
    await desk.getByRole('button', { name: 'Direct', exact: true }).click()
    await face(tablet, 'Goal scorer').tap()
    // direct mode knows what others have on preview
    await says(desk, 'Goal scorer', 'On preview')
    await face(desk, 'Score bug').click()
    await bothSay('Score bug', /On air|Committed/)
    await undo(desk).filter({ hasText: 'takes off Score bug' }).waitFor(PATIENT)
    await desk.keyboard.press('Backspace')
    await bothSay('Score bug', /Off air/)
    await desk.getByRole('button', { name: 'Preview', exact: true }).click()
  })

  test('[issue 19.3] ?bus=preview shows it painted beside program, and is no renderer', async () => {
    const pages = await Promise.all(
      ['', '?bus=preview'].map(async (query) => {
        const page = await (await browser.newContext(COARSE)).newPage()
        await page.goto(production.overlay.url + query)
        return page
      }),
    )
    const [program, preview] = pages as [Page, Page]
    const shown = (page: Page) => page.locator('iframe.shown')
    await expect.poll(async () => (await production.call('GET', path())).body.active, PATIENT).toBe(true)
    await face(tablet, 'Score bug').tap()
    await expect.poll(() => shown(preview).count(), PATIENT).toBe(1)
    expect(await shown(program).count()).toBe(0)
    const scoreOf = (page: Page) => page.frameLocator('iframe.shown').locator('body')
    const before = await scoreOf(preview).textContent()
    await production.call('POST', `/v2/matches/${production.matchId}/facts`, { type: 'matchStart' })
    await production.call('POST', `/v2/matches/${production.matchId}/facts`, {
      type: 'goal',
      teamId: production.teamIds[0],
    })
    await expect.poll(() => scoreOf(preview).textContent(), PATIENT).not.toBe(before)
    await desk.keyboard.press('Enter')
    await expect.poll(() => shown(program).count(), PATIENT).toBe(1)
    // its clock goes on
    const both = () => Promise.all([program, preview].map((page) => scoreOf(page).textContent()))
    await expect.poll(async () => new Set(await both()).size, PATIENT).toBe(1)
    await says(desk, 'Score bug', /On air \d/)
    await desk.getByText('1 of 1 renderer up to date').waitFor(PATIENT)
    await desk.keyboard.press('F9')
    await expect.poll(() => shown(preview).count(), PATIENT).toBe(0)
    await Promise.all(pages.map((page) => page.context().close()))
  })
})

describe.skipIf(noChromium)('[issue 19.3] what is wrong on preview', () => {
  test('is told at what is cued and at the take, before it is on air', async () => {
    // its graphics are pages that never answer
    const production = await startProduction()
    const browser = await openWindows()
    try {
      const faults: string[] = []
      const room = `/v2/control-rooms/${production.controlRoomId}`
      await production.call('PATCH', room, { defaultMode: 'preview' })
      const page = await openRoom(browser, production, { options: COARSE, shows: '.card-face', faults })
      await page.locator('.card[data-preset="Score bug"] .card-face').click()
      const chip = page.locator('.chip-cued', { hasText: 'Score bug' })
      await chip.getByText(/no READY in/).waitFor(PATIENT)
      await page.locator('.take').filter({ hasText: '1 on preview, with a problem' }).waitFor(PATIENT)
      expect(await seriousFindings(page)).toEqual([])
      expect(faults).toEqual([])
    } finally {
      await browser.close()
      await production.close()
    }
  })
})
