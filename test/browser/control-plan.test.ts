import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Production, startProduction } from '../resources/support.ts'
import { seriousFindings } from './support/axe.ts'
import { COARSE, noChromium, openWindows, type Windows } from './support/chromium.ts'
import { openRoom, overlayOf } from './support/operators.ts'

const PATIENT = { timeout: 30_000 }
const TABLET = { viewport: { width: 1024, height: 768 }, hasTouch: true }

describe.skipIf(noChromium)('[issue 18.4] the control room of an automatic overlay', () => {
  let browser: Windows
  let production: Production
  /** Two operators, one at a desk and one with a tablet. */
  let desk: Page
  let tablet: Page
  const faults: string[] = []

  const { path, call, onAir } = overlayOf(() => production)
  const bar = (page: Page) => page.getByRole('region', { name: 'Game plan' })
  const layer = (page: Page, name: string) => page.locator(`.plan-layer[data-layer="${name}"]`)
  const bothSay = (text: string | RegExp) =>
    Promise.all([desk, tablet].map((page) => bar(page).filter({ hasText: text }).waitFor(PATIENT)))
  const bothHave = (name: string, text: string | RegExp) =>
    Promise.all([desk, tablet].map((page) => layer(page, name).filter({ hasText: text }).waitFor(PATIENT)))

  const open = (options: BrowserContextOptions) =>
    openRoom(browser, production, { options, shows: '.card-face', faults })

  beforeAll(async () => {
    production = await startProduction('built')
    const { matchId, competitionId } = production
    const { competitionThemeSettingId } = await call('GET', path())
    const rules = [
      {
        ...{ id: 'bug', name: 'While it is played', trigger: { type: 'state', state: 'live' } },
        ...{ presetId: production.preset('Score bug').id, end: { until: 'state' } },
      },
      {
        ...{ id: 'goal', name: 'Who scored', trigger: { type: 'fact', factTypes: ['goal'] } },
        ...{ presetId: production.preset('Goal scorer').id, end: { afterSeconds: 600 } },
      },
      {
        ...{ id: 'sponsor', name: 'A word from', trigger: { type: 'interval', everySeconds: 600, during: 'live' } },
        ...{ presetId: production.preset('Match partner').id, end: { afterSeconds: 1 }, layer: 'Sponsor' },
      },
    ]
    const plan = `/v2/competitions/${competitionId}/theme-profiles/${competitionThemeSettingId}/game-plan`
    await call('PUT', plan, { rules })
    await call('POST', `/v2/matches/${matchId}/facts`, { type: 'matchStart' })
    browser = await openWindows()
    desk = await open(COARSE)
    tablet = await open(TABLET)
  })
  afterAll(async () => {
    await browser?.close()
    await production?.close()
  })
  afterEach(() => expect(faults.splice(0)).toEqual([]))

  test('switched on it runs; what one operator says to it the other sees, by mouse, key and touch', async () => {
    await bothSay('Auto off')
    await tablet.getByRole('tab', { name: 'Game plan' }).tap()
    await tablet.getByRole('switch', { name: 'Automatic' }).tap()
    await bothSay(/Next A word from in (10:00|9:\d\d)/)
    await desk.keyboard.press('F2')
    await bothHave('Score bug', 'While it is played')
    await desk.locator('.chip', { hasText: 'Score bug' }).filter({ hasText: 'Auto' }).waitFor(PATIENT)

    await tablet.getByRole('button', { name: 'Hold Lower third' }).tap()
    await bothHave('Lower third', 'Held from a control room page')
    await call('POST', `/v2/matches/${production.matchId}/facts`, { type: 'goal', teamId: production.teamIds[0] })
    await bothSay('Who scored not shown: held from a control room page')
    expect(await onAir()).not.toContain('Lower third')
    await bar(desk).getByRole('button', { name: 'Release Lower third' }).click()
    await bothHave('Lower third', 'Free')

    await desk.keyboard.press('F4')
    await desk.keyboard.press('Tab')
    await desk.keyboard.press('Enter')
    await layer(tablet, 'Lower third')
      .filter({ hasText: /Who scored.*(10:00|9:\d\d)/ })
      .waitFor(PATIENT)
    expect(await onAir()).toContain('Lower third')

    await desk.keyboard.press('F8')
    await bothSay('Paused')
    await bar(tablet).getByRole('button', { name: 'Resume' }).tap()
    await bothSay(/Auto\s*Pause/)
    await desk.getByRole('searchbox').focus()
    await desk.keyboard.press('F9')
    await bothSay('Paused')
    await expect.poll(onAir, PATIENT).toEqual([])
    await desk.keyboard.press('F8')
    await expect.poll(onAir, PATIENT).toContain('Score bug')
    expect(await seriousFindings(desk)).toEqual([])
    expect(await seriousFindings(tablet)).toEqual([])

    await desk.keyboard.press('F2')
    await desk.getByRole('switch', { name: 'Automatic' }).click()
    await bothSay('Auto off')
    await tablet.getByText('The plan shows nothing. What is on air stays.').waitFor(PATIENT)
    expect(await onAir()).toContain('Score bug')
  })

  test('a refusal is told where it was pressed, and nothing is shown as done before the server says so', async () => {
    await bar(desk).getByRole('button', { name: 'Switch on' }).click()
    await bothSay(/Auto\s*Pause/)
    await desk.route('**/game-plan/pause', (route) => route.abort())
    await desk.keyboard.press('F8')
    await bar(desk).getByRole('alert').getByText('Not confirmed: the server cannot be reached').waitFor(PATIENT)
    await bar(desk).getByRole('button', { name: 'Pause' }).waitFor(PATIENT)
    await desk.unroute('**/game-plan/pause')
    await desk.keyboard.press('F8')
    await bothSay('Paused')
  })
})
