import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newOrganization, startApp, type TestApp } from '../support/app.ts'
import { png } from '../support/images.ts'
import { seriousFindings } from './support/axe.ts'
import { noChromium, openWindows, type Windows } from './support/chromium.ts'
import { windowOf } from './support/signed-in.ts'

const SQUAD = [
  'No\tFirst name\tLast name\tPosition',
  '1\tIngrid\tBerg\tGoalkeeper',
  '9\tAna María\tLopes\tForward',
  '10\tNoor\tde Vries\tMidfielder',
  '9\tINGRID\tBERG\tForward',
].join('\n')

describe.skipIf(noChromium)('[issue 21.6] the first hour of an organization', () => {
  let app: TestApp
  let browser: Windows
  let context: BrowserContext
  let page: Page
  let key: string
  let organizationId: number
  const faults: string[] = []

  const press = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()
  const dialog = () => page.getByRole('dialog')
  const fill = (label: string, text: string) => dialog().getByLabel(label, { exact: true }).fill(text)
  const home = () => page.getByRole('link', { name: 'Tally' }).click()
  const next = () => page.locator('.first-hour-step[aria-current]')
  const rest = async (path: string) => (await app.call('GET', path, { key })).body

  beforeAll(async () => {
    app = await startApp()
    const organization = await newOrganization(app.database)
    key = organization.key
    organizationId = organization.id
    browser = await openWindows()
    context = await windowOf(browser, { server: app, organizationId }, 'user')
    page = await context.newPage()
    page.setDefaultTimeout(12_000)
    page.on('pageerror', ({ message }) => faults.push(message))
    page.on('console', (message) => message.text().includes('Content Security Policy') && faults.push(message.text()))
    await page.goto(`${app.origin}/dashboard`)
  })
  afterAll(async () => {
    await browser?.close()
    await app?.close()
  })

  test('begins with what to do first', async () => {
    await page.getByText('0 of 7 done').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await next().getByRole('link', { name: 'Make a competition' }).click()
    await press('New competition')
    await fill('Name', 'Coast')
    await press('Add the competition')
    await dialog().getByText('6 to 39 characters', { exact: true }).last().waitFor()
    await fill('Name', 'Coast League')
    await press('Add the competition')
    await page.getByRole('heading', { name: 'Coast League' }).waitFor()
  })

  test('two teams have logos and colours; a file that is no picture is told, and loses nothing', async () => {
    for (const [name, short] of [
      ['Harbour Athletic', 'HAR'],
      ['Northgate United', 'NGU'],
    ] as const) {
      await press('New team')
      await fill('Name', name)
      await fill('Short', short)
      const logo = dialog().getByLabel('Logo', { exact: true })
      await logo.setInputFiles({ name: 'notes.txt', mimeType: 'image/png', buffer: Buffer.from('no picture') })
      await dialog().getByText('notes.txt is no picture that can be read').waitFor()
      await logo.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: png(40, 20) })
      await dialog().getByLabel('Size in the square').fill('2')
      expect(await seriousFindings(page)).toEqual([])
      await press('Add the team')
      await dialog().waitFor({ state: 'detached' })
      await page.getByRole('row').filter({ hasText: name }).locator('img').waitFor()
    }
    const { teams } = await rest('/v1/teams')
    const [team] = teams as { logoUrl: string; abbreviation: string }[]
    expect(team?.abbreviation).toBe('HAR')
    const bytes = Buffer.from(await (await fetch(String(team?.logoUrl))).arrayBuffer())
    // the square that was cut out, not the file that was chosen
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([512, 512])
  })

  test('players are pasted; a doubled one is told with its line, the others are made once', async () => {
    await home()
    await next().getByRole('link', { name: 'Paste the players' }).click()
    await page.getByLabel('Cells or lines').fill(SQUAD)
    await page.getByText('The same player as in line 2').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    // the answer of the first request is lost, when it is done
    let lost = false
    await page.route('**/players/batch', async (route) => {
      if (lost) return route.continue()
      lost = true
      await route.fetch()
      await route.abort()
    })
    await press('Import 3 players')
    await page.getByText('3 players made').waitFor({ timeout: 10_000 })
    expect(lost).toBe(true)
    await page.getByRole('link', { name: 'To the team' }).click()
    await page.getByRole('row', { name: /10 Noor de Vries/ }).waitFor()
    expect((await rest('/v1/players')).total).toBe(3)
  })

  test('the theme that comes with the server is made theirs', async () => {
    await home()
    await next().getByRole('link', { name: 'Choose a theme' }).click()
    await press('Start with the theme Coastline')
    await page.getByRole('heading', { name: 'Coastline' }).or(page.getByRole('alert')).waitFor({ timeout: 30_000 })
    expect(await page.getByRole('alert').allTextContents()).toEqual([])
    const { themes } = await rest('/v2/themes')
    expect(themes).toMatchObject([{ name: 'Coastline', activeVersion: 1, graphics: expect.any(Array) }])
    const rooms = (await rest('/v2/control-rooms')) as unknown as { sections: unknown[] }[]
    expect(rooms[0]?.sections.length).toBeGreaterThan(2)
  })

  test('a match and its overlay are made in one form, a telephone opens its desk, and a preset is on air', async () => {
    await home()
    await next().getByRole('link', { name: 'Make the match' }).click()
    await page.locator('[name="home.choice"]').selectOption({ label: 'Harbour Athletic' })
    await page.locator('[name="away.choice"]').selectOption({ label: 'Northgate United' })
    await press('Create match and overlay')
    await page.waitForURL(/overlays\/\d+\?new/)
    const { overlays } = await rest('/v2/overlays')
    const [overlay] = overlays as { controlRoomUrl: string; id: number }[]
    await home()
    await next().getByRole('heading', { name: 'The desk on a telephone' }).waitFor()
    await next().getByRole('img', { name: 'The address of the match desk as a QR code' }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    const match = async () => (await rest('/v1/matches')).matches as { deskUrl: string; deskOpenedAt: string | null }[]
    const [made] = await match()
    expect(made?.deskOpenedAt).toBe(null)
    const telephone = await (await browser.newContext({ viewport: { width: 360, height: 740 } })).newPage()
    await telephone.goto(String(made?.deskUrl))
    await telephone.getByRole('button', { name: 'All sent' }).waitFor()
    await next().getByRole('heading', { name: 'A graphic on air' }).waitFor()
    expect((await match())[0]?.deskOpenedAt).toEqual(expect.any(String))
    await telephone.close()
    const room = await context.newPage()
    await room.goto(String(overlay?.controlRoomUrl))
    await room
      .getByRole('button', { name: /Score bug/ })
      .first()
      .click()
    await expect
      .poll(async () => Object.keys((await rest(`/v2/overlays/${overlay?.id}`)).manualGraphicState as object))
      .toEqual(['Score bug'])
    await room.close()
    await home()
    await page.getByRole('heading', { name: 'Matches' }).waitFor()
    await page.locator('.first-hour').waitFor({ state: 'detached' })
    expect(faults).toEqual([])
  })

  test('[issue 18.6] a competition of another sport has the theme in its own words, and a plan without a gap', async () => {
    const { grades } = { grades: (await rest('/v1/competitions/grades')) as unknown as { id: number }[] }
    const body = {
      name: 'Harbour Basketball',
      sport: 'basketball',
      age: 'Senior',
      gender: 'Female',
      gradeId: grades[0]?.id,
    }
    const { id: competitionId } = (await app.call('POST', '/v1/competitions', { key, body })).body
    await page.getByRole('link', { name: 'Themes', exact: true }).click()
    await page.getByText(/a control room for basketball/).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await press('Start with the theme Coastline')
    await page.getByRole('heading', { name: 'Coastline, basketball' }).waitFor({ timeout: 30_000 })
    const { themes } = await rest('/v2/themes')
    const theme = (themes as { id: number; name: string; sports: string[] }[]).find(
      ({ sports }) => sports[0] === 'basketball',
    )
    const [room] = (await rest(`/v2/control-rooms?themeId=${theme?.id}`)) as unknown as { id: number }[]
    const profile = { themeId: theme?.id, name: 'Looks', defaultControlRoomId: room?.id }
    const profiles = `/v2/competitions/${competitionId}/theme-profiles`
    const { id: profileId } = (await app.call('POST', profiles, { key, body: profile })).body
    await page.goto(`${app.origin}/dashboard/game-plans/${competitionId}/${profileId}`)
    await press('Start from a template…')
    const offers = dialog().locator('.plan-offer')
    await offers.filter({ hasText: 'shows Three-pointer' }).waitFor()
    expect(await dialog().locator('.plan-gap').count()).toBe(0)
    await dialog()
      .getByRole('button', { name: /^Add \d+ rules$/ })
      .click()
    await press('Save the plan')
    // who leaves before is asked
    await page.getByText(/^Saved\. No overlay plays it yet/).waitFor()
    expect((await rest(`${profiles}/${profileId}/game-plan`)).rules).toHaveLength(12)
    await page.getByRole('link', { name: 'Themes', exact: true }).click()
    await page.getByRole('link', { name: 'Coastline, basketball' }).waitFor()
    expect(await page.getByRole('button', { name: 'Start with the theme Coastline' }).count()).toBe(0)
  })

  test('a record that is used says by what, with the way there', async () => {
    await page.getByRole('link', { name: 'Teams', exact: true }).click()
    await press('Actions for Harbour Athletic')
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await press('Delete the team')
    await dialog().getByText('The team is in use:').waitFor()
    await dialog()
      .getByRole('link', { name: /match \d+ “Harbour Athletic – Northgate United”/ })
      .click()
    await page.waitForURL(/matches\/\d+$/)
  })

  test('a list of ten thousand of which twelve are wrong: these are told with their lines, all others can be imported', async () => {
    const wrong = new Set(Array.from({ length: 12 }, (_, index) => 17 + index * 811))
    const lines = Array.from(
      { length: 10_000 },
      (_, index) => `${index % 100};${wrong.has(index + 2) ? '' : 'A'};Z ${index}`,
    )
    const csv = Buffer.from(['no;first name;last name', ...lines].join('\r\n'))
    const { teams } = await rest('/v1/teams')
    await page.goto(`${app.origin}/dashboard/teams/${(teams as { id: number }[])[1]?.id}/import`)
    await page.locator('input[type=file]').setInputFiles({ name: 'players.csv', mimeType: 'text/csv', buffer: csv })
    await page.getByRole('button', { name: 'Import 9,988 players' }).waitFor()
    await page.getByRole('button', { name: '12 Wrong' }).click()
    const told = page.getByRole('region', { name: 'Lines: wrong' }).locator('tbody tr')
    expect(await told.locator('td:first-child').allTextContents()).toEqual([...wrong].map(String))
  })

  test('[Authentication 7] who may not write looks at records, and is told why no more', async () => {
    const reader = await windowOf(browser, { server: app, organizationId }, 'operator')
    const theirs = await reader.newPage()
    for (const [path, heading] of [
      ['/teams', 'Teams'],
      ['/competitions', 'Competitions'],
      ['/venues', 'Venues'],
      ['/officials', 'Officials'],
      ['/clubs', 'Clubs'],
    ] as const) {
      await theirs.goto(`${app.origin}/dashboard${path}`)
      await theirs.getByRole('heading', { name: heading, level: 1 }).waitFor()
      await theirs.getByText(/Your role, operator, may not change/).waitFor()
      expect(await theirs.getByRole('button', { name: /^New / }).count()).toBe(0)
    }
    await theirs.goto(`${app.origin}/dashboard`)
    await theirs.getByRole('heading', { name: 'Matches' }).waitFor()
    expect(await theirs.getByRole('link', { name: 'Data providers' }).count()).toBe(0)
    await reader.close()
  })
})
