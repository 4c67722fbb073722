import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { noChromium, openWindows, Shot, seen, still } from './support/chromium.ts'
import { Show } from './support/show.ts'

const PATIENT = { timeout: 60_000 }
/** One at a desk with keys and a mouse, one with a tablet in the hand. */
const DESK = { viewport: { width: 1366, height: 768 } }
const TABLET = { viewport: { width: 1180, height: 820 }, hasTouch: true }

const line = (page: Page, name: string) => page.locator('.rundown-line').filter({ hasText: name })
const next = (page: Page, name: string) => line(page, name).getByText('Next', { exact: true }).waitFor(PATIENT)
const card = (page: Page, name: string) => page.locator(`.card[data-preset="${name}"]`)
const values = (page: Page, name: string) => card(page, name).getByRole('button', { name: /^Values/ })

test.skipIf(noChromium)(
  '[issue 19: done when] two people play a show over a kill -9, and the log tells exactly what happened',
  { timeout: 480_000 },
  async () => {
    const browser = await openWindows()
    const faults: string[] = []
    try {
      const show = await Show.begin(browser)
      const operator = async (options: BrowserContextOptions) => {
        const page = await (await browser.newContext(options)).newPage()
        page.on('pageerror', ({ message }) => faults.push(message))
        await page.goto(show.controlRoomUrl)
        return page
      }
      const [desk, tablet] = await Promise.all([operator(DESK), operator(TABLET)])
      const both = [desk, tablet]
      await desk.getByRole('button', { name: 'Preview', exact: true }).click()
      await tablet.getByRole('button', { name: 'Preview', exact: true }).tap()
      for (const page of both) await expect.poll(() => page.locator('.rundown-line').count(), PATIENT).toBe(12)
      const pressNext = (page: Page) =>
        page === desk ? desk.keyboard.press('PageDown') : tablet.getByRole('button', { name: /^Next/ }).tap()
      const airs = (...presets: string[]) => show.airs(both, ...presets)
      const previews = (...presets: string[]) => show.previews(both, ...presets)

      // the show as it is written
      await pressNext(desk)
      for (const page of both) await next(page, 'Welcome')
      await previews('Commentator')
      await airs()
      await desk.frameLocator('.bus-preview iframe').locator('iframe.shown').waitFor(PATIENT)
      await pressNext(desk)
      await airs('Commentator')
      await previews('Home line-up')
      await pressNext(tablet)
      await airs('Home line-up')
      await previews('Away line-up')
      await pressNext(desk)
      await airs('Away line-up')
      await show.isAsTold()

      // what is cued is changed by the other one, in the last second
      await previews('Head coach')
      await values(tablet, 'Head coach').tap()
      await tablet.locator('#values').getByLabel('Title', { exact: true }).fill('Manager, banned tonight')
      await tablet.locator('#values').getByRole('button', { name: 'Cue' }).tap()
      await desk.locator('.chip-cued', { hasText: 'Manager, banned tonight' }).waitFor(PATIENT)
      await pressNext(desk)
      await airs('Head coach')
      await expect.poll(show.words, PATIENT).toEqual([expect.stringContaining('Manager, banned tonight')])

      // the kick-off card comes by itself, and the sponsor goes by itself, whatever happens meanwhile
      await previews('Match partner')
      await values(desk, 'Half-time score').click()
      await desk.locator('#values').getByLabel('Headline').fill('Kick-off')
      await desk.keyboard.press('F3')
      await desk.getByLabel('What').selectOption('show')
      await desk.getByLabel('Preset', { exact: true }).selectOption({ label: 'Half-time score' })
      await desk.getByRole('button', { name: 'in 30 s' }).click()
      for (const page of both)
        await card(page, 'Half-time score')
          .getByText(/Comes in/)
          .waitFor(PATIENT)
      // its headline is the schedule's: at half-time the button has its own again
      await card(desk, 'Half-time score')
        .getByText('Edited:')
        .waitFor({ state: 'detached', ...PATIENT })
      const due = Date.parse((await show.overlay()).scheduled[0]?.at ?? '')
      await pressNext(desk)
      await airs('Match partner')
      for (const page of both)
        await page
          .locator('.bus-program')
          .getByText(/off in/)
          .waitFor(PATIENT)
      await previews('Score bug')

      await show.kill()
      const before = await still(show.screen)
      for (const page of both) await page.locator('.page-lost').waitFor(PATIENT)
      await desk.keyboard.press('Enter')
      await desk.locator('.transport').getByRole('alert').getByText('Not confirmed').waitFor(PATIENT)
      expect(await show.graphicsShown()).toEqual(['Sponsor card'])
      expect((await Shot.of(show.screen)).equals(before)).toBe(true)
      await show.startAgain()
      const backAt = Date.now()
      for (const page of both) await page.locator('.page-connected').waitFor(PATIENT)
      await previews('Score bug')
      await desk.keyboard.press('F3')
      await expect.poll(async () => (await show.asRun()).at(-1)?.told, PATIENT).toBe('show Half-time score (link)')
      await airs('Half-time score')
      expect(await show.words()).toEqual([expect.stringContaining('KICK-OFF')])
      await desk.getByText('Nothing is scheduled.').waitFor(PATIENT)
      await desk.keyboard.press('Enter')
      await airs('Half-time score', 'Score bug')
      await show.isAsTold()

      // a mistake, and the other one takes it back
      await tablet.getByRole('button', { name: 'Cut', exact: true }).first().tap()
      await card(tablet, 'Away line-up').locator('.card-face').tap()
      await airs('Away line-up', 'Half-time score', 'Score bug')
      await desk.locator('.undo-button').filter({ hasText: 'takes off Away line-up' }).waitFor(PATIENT)
      await desk.keyboard.press('Backspace')
      await airs('Half-time score', 'Score bug')
      await show.isAsTold()

      // everything off; what is on preview stays there, and then it is another item after all
      await pressNext(desk)
      await previews('Half-time score')
      await tablet.getByRole('button', { name: /^Hide all/ }).tap()
      await airs()
      await previews('Half-time score')
      await line(tablet, 'Second half').getByRole('button').tap()
      for (const page of both) await next(page, 'Second half')
      await previews('Score bug')
      await pressNext(desk)
      await airs('Score bug')
      await previews('Full-time result')
      await pressNext(desk)
      await airs('Full-time result')
      await previews('Head coach')
      await pressNext(tablet)
      await airs('Head coach')
      // as it was written, not as it was changed for the first time
      await expect.poll(show.words, PATIENT).toEqual([expect.not.stringContaining('banned')])
      await previews('Match partner')
      await pressNext(desk)
      await airs('Match partner')
      await previews()
      for (const page of both) await page.getByText('The end of the rundown').waitFor(PATIENT)
      await show.isAsTold()
      await desk.keyboard.press('F9')
      await airs()
      await seen(show.screen, ({ painted }) => painted === 0)

      const log = await show.asRun()
      expect(log.map(({ told }) => told)).toEqual([
        'next Commentator (link)',
        'next Commentator (link)',
        'next Commentator off (link)',
        'next Home line-up (link)',
        'next Away line-up (link)',
        'cue Head coach (link)',
        'next Away line-up off (link)',
        'next Head coach (link)',
        'schedule Half-time score off (link)',
        'next Head coach off (link)',
        'next Match partner (link)',
        'autoHide Match partner off (system)',
        'show Half-time score (link)',
        'take Score bug (link)',
        'show Away line-up (link)',
        'undo Away line-up off (link)',
        'next Half-time score (link)',
        'hideAll Half-time score off (link)',
        'hideAll Score bug off (link)',
        'cue Half-time score off (link)',
        'cue Score bug (link)',
        'next Score bug (link)',
        'next Score bug off (link)',
        'next Full-time result (link)',
        'next Full-time result off (link)',
        'next Head coach (link)',
        'next Head coach off (link)',
        'next Match partner (link)',
        'hideAll Match partner off (link)',
      ])
      const at = (told: string) => Date.parse(log.find((one) => one.told === told)?.row.at ?? '')
      const [shownAt, outAt] = [at('next Match partner (link)'), at('autoHide Match partner off (system)')]
      const cameAt = at('show Half-time score (link)')
      expect(outAt - shownAt).toBeGreaterThanOrEqual(10_000)
      expect(cameAt).toBeGreaterThanOrEqual(due)
      // at once, what came due while there was no server
      expect(outAt, 'ms').toBeLessThan(Math.max(shownAt + 10_000, backAt) + 1_000)
      expect(cameAt, 'ms').toBeLessThan(Math.max(due, backAt) + 1_000)
      expect(faults).toEqual([])
    } finally {
      await browser.close()
    }
  },
)
