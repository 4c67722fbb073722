import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Production, startProduction } from '../resources/support.ts'
import { testMedia } from '../support/media-plane.ts'
import { seriousFindings } from './support/axe.ts'
import { noChromium, openWindows, type Windows } from './support/chromium.ts'
import { windowOf } from './support/signed-in.ts'

const VIEWS = ['/streams/new?match=1']

describe.skipIf(noChromium)('what is made at the dashboard', () => {
  let production: Production
  let browser: Windows
  let context: BrowserContext
  let page: Page
  const faults: string[] = []

  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const actions = (name: string) => page.getByRole('button', { name: `Actions for ${name}`, exact: true })
  const dialog = (name: string) => page.getByRole('dialog', { name })
  const field = (name: string) => page.locator(`[name="${name}"]`)
  const open = (path: string) => page.goto(`${production.server.origin}/dashboard${path}`)
  const hasFocus = (one: Locator) => one.evaluate((element) => element === element.ownerDocument.activeElement)
  const rest = async (path: string) => (await production.call('GET', path)).body

  beforeAll(async () => {
    production = await startProduction('empty', testMedia())
    browser = await openWindows()
    context = await windowOf(browser, production, 'user')
    page = await context.newPage()
    page.on('pageerror', ({ message }) => faults.push(message))
    page.on('console', (message) => message.text().includes('Content Security Policy') && faults.push(message.text()))
  })
  afterAll(async () => {
    await browser?.close()
    await production?.close()
  })

  test('[issue 6.4] [issue 6.8] no form has serious findings, at a desk and on a tablet, where nothing is wider than the screen', async () => {
    for (const view of VIEWS) {
      await open(view)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.getByText('Reading…').first().waitFor({ state: 'detached' })
      expect(await seriousFindings(page), view).toEqual([])
      await page.setViewportSize({ width: 1024, height: 768 })
      expect(await page.evaluate('document.documentElement.scrollWidth'), view).toBe(1024)
      await page.setViewportSize({ width: 1920, height: 1080 })
    }
  })

  test('[issue 6.4] a match gets a stream with two destinations; what is refused is said at its field, and nothing is made twice', async () => {
    await open('/matches/1')
    await page.getByRole('link', { name: 'New stream…' }).click()
    await expect.poll(() => field('stream.overlayId').inputValue()).toBe(String(production.overlay.id))
    // the matches may come after the overlays
    await expect.poll(() => field('stream.match').inputValue()).toBe('1')
    await page.getByRole('switch', { name: 'Start and stop by itself' }).click()
    await field('times.pregameAutomationTime').fill('20')
    await press('Add a destination')
    await field('d2.type').selectOption('srt')
    await field('d2.url').fill('srt://live.example.com')

    await press('Create the stream')
    await page.getByText('type youtube needs a streamKey').waitFor()
    await expect.poll(() => hasFocus(field('d1.streamKey'))).toBe(true)
    await page.getByText('Made so far: the input, the stream.').waitFor()
    await expect.poll(() => field('stream.name').isDisabled()).toBe(true)
    expect(await seriousFindings(page)).toEqual([])

    await field('d1.streamKey').fill('abcd-efgh')
    await press('Go on')
    await page.getByText('an SRT URL needs a port').waitFor()
    await field('d2.url').fill('srt://live.example.com:9000?streamid=city')
    await page.getByRole('button', { name: 'Go on' }).dblclick()
    await page.getByText('The stream is ready.').waitFor()

    const { streams, total } = await rest('/v1/streams?matchId=1')
    expect(total).toBe(2)
    expect((streams as unknown[])[1]).toMatchObject({
      name: 'Norrvik Athletic – Port Selwyn Rovers',
      overlayId: production.overlay.id,
      autoStream: true,
      resolution: '1080p',
      destinations: [{ name: 'YouTube' }, { name: 'SRT' }],
    })
    expect(await rest('/v1/matches/1')).toMatchObject({ pregameAutomationTime: 20, postgameAutomationTime: 10 })
    const address = await page.getByRole('textbox', { name: 'RTMP address with key' }).inputValue()
    expect(address).toMatch(/^rtmp:\/\/ingest\.test:1935\/live\/[0-9a-f]{32}$/)
  })

  test('[issue 6.4] a destination is added, changed without its key being shown again, and removed', async () => {
    await press('Add a destination…')
    await dialog('Add a destination').getByLabel('Goes to').selectOption('rtmp')
    await page.getByLabel('Name').fill('Club page')
    await page.getByLabel('Address', { exact: true }).fill('https://live.example.com/app')
    await press('Add the destination')
    await page.getByText('expected a URL of rtmp, rtmps').waitFor()
    await page.getByLabel('Address', { exact: true }).fill('rtmp://live.example.com/app')
    await press('Add the destination')
    await actions('Club page').waitFor()

    await press('Actions for YouTube')
    await page.getByRole('menuitem', { name: 'Change' }).click()
    const address = dialog('Change YouTube').getByLabel('Address')
    await expect.poll(() => address.inputValue()).toContain('youtube.com')
    expect(await page.getByLabel('Stream key').inputValue()).toBe('')
    expect(await page.content()).not.toContain('abcd-efgh')
    expect(await seriousFindings(page)).toEqual([])
    await page.getByLabel('Name').fill('YouTube main')
    await press('Save')
    await actions('YouTube main').waitFor()
    await expect.poll(() => hasFocus(actions('YouTube main'))).toBe(true)

    await press('Actions for SRT')
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await press('Remove the destination')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await actions('SRT').count()).toBe(0)
    const { destinations } = await rest('/v1/streams/2/destinations')
    expect(destinations).toMatchObject([{ name: 'YouTube main', streamKey: 'abcd-efgh' }, { name: 'Club page' }])
  })

  test('[issue 6.4] name, graphics and times of a stream are changed afterwards', async () => {
    await press('Change… the stream')
    await dialog('Change Norrvik').getByLabel('Name').fill('Clean feed')
    await field('stream.videoBitrateKb').fill('60000')
    await press('Save')
    await page.getByText('Use a whole number from 200 to 50000').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await field('stream.overlayId').selectOption('')
    await press('Save')
    await page.getByRole('heading', { level: 1, name: 'Clean feed' }).waitFor()
    await press('Times…')
    await field('times.postgameAutomationTime').fill('5')
    await press('Save')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => hasFocus(page.getByRole('button', { name: 'Times…' }))).toBe(true)
    expect(await rest('/v1/streams/2')).toMatchObject({ name: 'Clean feed', overlayId: null, videoBitrateKb: 6000 })
    expect(await rest('/v1/matches/1')).toMatchObject({ pregameAutomationTime: 20, postgameAutomationTime: 5 })
  })

  test('[issue 6.4] a control room is made with its sections, and gets one more', async () => {
    await open('/control-rooms')
    await press('New control room')
    expect(await page.getByRole('button', { name: 'Create the control room' }).isDisabled()).toBe(true)
    await page.getByLabel('Name', { exact: true }).fill('Studio B')
    await page.getByLabel('Name of section 1').fill('Welcome')
    await press('Remove section 3')
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Create the control room' }).dblclick()
    await page.getByRole('heading', { level: 1, name: 'Studio B' }).waitFor()
    await press('Add a section…')
    await page.getByLabel('Name', { exact: true }).fill('Full time')
    await press('Add')
    await page.getByRole('region', { name: 'Full time' }).waitFor()
    expect(await rest('/v2/control-rooms/2')).toMatchObject({
      themeId: production.themeId,
      sections: [{ name: 'Welcome', colorKey: 'blue' }, { name: 'In play', colorKey: 'green' }, { name: 'Full time' }],
    })
  })

  test('[issue 6.4] a preset is made of a graphic, changed, fired with its values, and deleted after a question', async () => {
    const stills: string[] = []
    page.on('request', (request) => request.url().endsWith('/still') && stills.push(request.url()))
    await press('Add a preset… to In play')
    await page.getByLabel('Graphic', { exact: true }).selectOption({ label: 'Lower third' })
    await page.getByLabel('Title', { exact: true }).fill('Player of the match')
    await page.getByLabel('Player', { exact: true }).selectOption({ label: '9 Henrik Ståhlberg' })
    await page.getByLabel('Operators set it: About').uncheck()
    expect(await seriousFindings(page)).toEqual([])
    await production.call('PATCH', '/v2/control-rooms/2', { name: 'Studio C' })
    await press('Add the preset')
    await page.getByText('Changed since it was read').waitFor()
    await press('Add the preset')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await press('Change Lower third')
    await page.getByLabel('Preset name').fill('Best player')
    await page.getByRole('radio', { name: 'away', exact: true }).check()
    await press('Use the default Title')
    await expect.poll(() => stills.length).toBeGreaterThan(0)
    const asked = stills.length
    await press('Save')
    await page.getByRole('row', { name: /^Best player/ }).waitFor()
    // [issue 19.5] other values are another picture
    await expect.poll(() => stills.length).toBeGreaterThan(asked)
    const [preset] = (await rest('/v2/control-rooms/2')).presets as { id: number; variableValues: { player: number } }[]
    expect(preset).toMatchObject({
      variableValues: { team: 'away', player: expect.any(Number) },
      exposedVariables: ['name', 'player', 'title', 'team', 'scores'],
    })

    const { overlay } = production
    await production.call('PATCH', `/v1/overlays/${overlay.id}`, { controlRoomId: 2 })
    const fired = await production.call('POST', `/v2/overlays/${overlay.id}/control-room/graphics`, {
      action: 'show',
      presetId: preset?.id,
    })
    expect(fired.status).toBe(200)
    expect(Object.values((await rest(`/v2/overlays/${overlay.id}`)).manualGraphicState as object)).toMatchObject([
      { variableValues: preset?.variableValues },
    ])

    await press('Delete Best player')
    await dialog('Delete Best player?').waitFor()
    await press('Delete the preset')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect((await rest('/v2/control-rooms/2')).presets).toEqual([])
    await press('Delete the control room…')
    await press('Delete the control room')
    await page.getByText(`Used by overlay ${overlay.id}`).waitFor()
    await press('Cancel')
  })

  test('[issue 6.4] no form broke the policy of its page', () => {
    expect(faults).toEqual([])
  })
})
