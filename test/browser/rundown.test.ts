import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Production, startProduction } from '../resources/support.ts'
import { seriousFindings } from './support/axe.ts'
import { COARSE, noChromium, openWindows, type Windows } from './support/chromium.ts'
import { openRoom, overlayOf } from './support/operators.ts'
import { windowOf } from './support/signed-in.ts'

const PATIENT = { timeout: 30_000 }
const SMALL = { viewport: { width: 1366, height: 768 } }

describe.skipIf(noChromium)('[issue 19.6] the rundown', () => {
  let browser: Windows
  let production: Production
  const faults: string[] = []

  const { path, call, onAir } = overlayOf(() => production)
  const stored = async () => (await call('GET', path('/rundown'))).items as { name?: string; presetId: number }[]
  const line = (page: Page, name: string) => page.locator('.rundown-line').filter({ hasText: name })
  const heard = (page: Page) => page.on('pageerror', ({ message }) => faults.push(message))

  const operator = (options: BrowserContextOptions) =>
    openRoom(browser, production, { options, shows: '.rundown-line', faults })

  beforeAll(async () => {
    production = await startProduction('built')
    // the demo has one
    await call('PUT', path('/rundown'), { items: [] })
    browser = await openWindows()
  })
  afterAll(async () => {
    await browser?.close()
    await production?.close()
  })
  afterEach(() => expect(faults.splice(0)).toEqual([]))

  test('is written at the dashboard: items are added, named, put into order by keys, and saved', async () => {
    const page = await (await windowOf(browser, production, 'user')).newPage()
    heard(page)
    await page.goto(`${production.server.origin}/dashboard/overlays/${production.overlay.id}`)
    await page.getByRole('link', { name: 'Write a rundown' }).click()
    const add = (label: string) => page.getByLabel('Add an item').selectOption({ label })
    await add('Home line-up')
    await add('Score bug')
    await add('Head coach')
    await page.getByLabel('Name in the rundown').fill('The interview')
    const title = page.locator('.rundown-values').getByLabel('Title')
    await title.fill('Manager of the year')
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('button', { name: /^Move The interview/ }).focus()
    await page.keyboard.press('ArrowUp')
    await page.getByText('The interview is now 2 of 3').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Save the rundown' }).click()
    await page.getByText('Saved. Control rooms have it now.').waitFor()
    const id = (name: string) => production.preset(name).id
    expect(await stored()).toMatchObject([
      { presetId: id('Home line-up') },
      { presetId: id('Head coach'), name: 'The interview', variableValues: { title: 'Manager of the year' } },
      { presetId: id('Score bug') },
    ])
  })

  test('two operators move it by key and by press, and see the same position at once; a press that comes too late does nothing', async () => {
    const [desk, other] = await Promise.all([operator(COARSE), operator(SMALL)])
    const both = [desk, other]
    await desk.keyboard.press('PageDown')
    for (const page of both) await line(page, 'Home line-up').getByText('Next').waitFor(PATIENT)
    expect(await onAir()).toEqual([])
    await other.getByRole('button', { name: /^Next/ }).click()
    for (const page of both) {
      await line(page, 'Home line-up').getByText('On air').waitFor(PATIENT)
      await line(page, 'The interview').getByText('Next').waitFor(PATIENT)
    }
    expect(await onAir()).toEqual(['Line-up card'])
    expect(await seriousFindings(desk)).toEqual([])

    // both press at the same moment: the line of one is slow, and what it has seen is not so any more
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await other.route('**/rundown/next', async (route) => {
      await held
      await route.continue()
    })
    await other.keyboard.press('PageDown')
    await desk.keyboard.press('PageDown')
    for (const page of both) await line(page, 'Score bug').getByText('Next').waitFor(PATIENT)
    release()
    await other.getByRole('alert').getByText('Somebody else moved the rundown meanwhile').waitFor(PATIENT)
    expect(await onAir()).toEqual(['Lower third'])
    expect(await line(desk, 'Score bug').getByText('Next').count()).toBe(1)
    await other.unroute('**/rundown/next')

    await desk.keyboard.press('PageUp')
    for (const page of both) await line(page, 'The interview').getByText('Next').waitFor(PATIENT)
    await line(desk, 'Score bug').getByRole('button').click()
    for (const page of both) await line(page, 'Score bug').getByText('Next').waitFor(PATIENT)
    await desk.keyboard.press('PageDown')
    await desk.getByText('The end of the rundown').waitFor(PATIENT)
    expect(await onAir()).toEqual(['Score bug'])
  })

  test('a preset that is deleted is told at its item, at once and on every page', async () => {
    const page = await operator(SMALL)
    const preset = production.preset('Head coach')
    await call('DELETE', `/v2/control-rooms/${production.controlRoomId}/presets/${preset.id}`)
    await line(page, 'The interview').getByText('Skipped: no such preset').waitFor(PATIENT)
  })
})
