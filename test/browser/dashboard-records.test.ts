import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserOf } from '../accounts/support.ts'
import { type Production, startProduction } from '../resources/support.ts'
import { seriousFindings } from './support/axe.ts'
import { noChromium, openWindows, type Windows } from './support/chromium.ts'
import { windowOf } from './support/signed-in.ts'

const VIEWS = [
  '/keys',
  '/people',
  '/audit',
  '/streams/1',
  '/themes/1?show=graphics',
  '/themes/1?show=variables',
  '/themes/1?show=profiles',
  '/control-rooms/1',
  '/as-run?match=1',
  '/as-run?match=1&show=proof',
  '/venues/import',
  '/matches/import?competitionId=1',
]

describe.skipIf(noChromium)('the records behind the dashboard', () => {
  let production: Production
  let browser: Windows
  let context: BrowserContext
  let page: Page
  const faults: string[] = []

  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const row = (text: string | RegExp) => page.getByRole('row').filter({ hasText: text })
  const dialog = (name: string) => page.getByRole('dialog', { name })
  const url = (path: string) => `${production.server.origin}/dashboard${path}`
  const open = (path: string) => page.goto(url(path))
  const rest = async (path: string) => (await production.call('GET', path)).body
  const cells = (one: Locator) => one.getByRole('cell').allTextContents()

  beforeAll(async () => {
    production = await startProduction()
    browser = await openWindows()
    context = await windowOf(browser, production, 'owner')
    page = await context.newPage()
    page.on('pageerror', ({ message }) => faults.push(message))
    page.on('console', (message) => message.text().includes('Content Security Policy') && faults.push(message.text()))
    await production.fire('show', 'Match partner')
    await production.fire('show', 'Score bug')
    await production.fire('hide', 'Match partner')
  })
  afterAll(async () => {
    await browser?.close()
    await production?.close()
  })

  test('[issue 6.4] [issue 6.8] no view has serious findings, at a desk and on a tablet, where nothing is wider than the screen', async () => {
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

  test('[auth.1] [auth.8] [auth.10] a key is made for 30 days, shown once, used, and refused as soon as it is deleted', async () => {
    await open('/keys')
    await press('New key')
    await page.getByRole('textbox', { name: 'Name' }).fill('Scoreboard')
    expect(await page.getByRole('button', { name: 'Make the key' }).isDisabled()).toBe(true)
    await page.getByRole('group', { name: 'matches' }).getByLabel('Read').check()
    await page.getByRole('group', { name: 'overlays' }).getByLabel('Write').check()
    expect(await page.getByLabel('Expires').inputValue()).toBe('30d')
    expect(await page.getByLabel('Expires').locator('option').allTextContents()).toEqual([
      'After 7 days',
      'After 30 days',
      'After 60 days',
      'After 90 days',
      'After one year',
      'On a date',
      'Never',
    ])
    await page.getByRole('button', { name: 'Make the key' }).dblclick()
    await dialog('The key Scoreboard').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await press('Copy API key')
    await page.getByRole('button', { name: 'Copied API key' }).waitFor()
    const key = String(await page.evaluate('navigator.clipboard.readText()'))
    expect(key).toMatch(/^service_[\w-]{43}$/)
    await page.mouse.click(5, 5)
    await press('Done')

    const use = (method: string, path: string) =>
      production.server.call(method, path, { key }).then(({ status }) => status)
    expect(await use('GET', '/v1/matches')).toBe(200)
    expect(await use('GET', '/v1/teams')).toBe(403)
    expect(await row('Scoreboard').count()).toBe(1)
    const [, preview, scopes] = await cells(row('Scoreboard'))
    expect(preview).toBe(`serv…${key.slice(-4)}`)
    expect(scopes).toBe('Write: overlays. Read: matches')
    expect(await page.content()).not.toContain(key)

    await press('Actions for Scoreboard')
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await dialog('Delete the key Scoreboard?').waitFor()
    await press('Delete the key')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await row('Scoreboard').count()).toBe(0)
    // running servers hear of it with the commit
    await expect.poll(() => use('GET', '/v1/matches'), { interval: 10 }).toBe(401)
  })

  test('[auth.8] an expiry in the past is refused at its field, and no key is made', async () => {
    await press('Actions for Demo key')
    await page.getByRole('menuitem', { name: 'New key with the same scopes' }).click()
    expect(await page.getByRole('group', { name: 'themes' }).getByLabel('Write').isChecked()).toBe(true)
    await page.getByRole('textbox', { name: 'Name' }).fill('Too late')
    await page.getByLabel('Expires').selectOption('custom')
    await page.getByLabel('Date and time').fill('2020-01-01T12:00')
    await press('Make the key')
    await page.getByText('is in the past').waitFor()
    await press('Cancel')
    expect(await row('Too late').count()).toBe(0)
  })

  test('[issue 6.4] somebody is added with a password seen once, changes role, and is out when deleted', async () => {
    await open('/people')
    await press('Add somebody')
    await page.getByLabel('E-mail').fill('Ines@coast.example')
    await press('Add')
    await dialog('The password of ines@coast.example').waitFor()
    const password = await page.getByRole('textbox', { name: 'Password' }).inputValue()
    await press('Done')
    const theirs = browserOf(production.server)
    expect((await theirs.signIn('ines@coast.example', password)).status).toBe(204)
    expect((await theirs.api('GET', '/v1/keys')).status).toBe(403)

    await press('Actions for ines@coast.example')
    await page.getByRole('menuitem', { name: 'Change the role' }).click()
    await page.getByLabel('Role', { exact: true }).selectOption('admin')
    await press('Change the role')
    await row('ines@coast.example').filter({ hasText: 'Admin' }).waitFor()
    expect((await theirs.api('GET', '/v1/me')).status).toBe(401)
    await theirs.signIn('ines@coast.example', password)
    expect((await theirs.api('GET', '/v1/keys')).status).toBe(200)

    await press('Actions for ines@coast.example')
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await dialog('Delete ines@coast.example?').waitFor()
    await press('Delete the person')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await row('ines@coast.example').count()).toBe(0)
    expect((await theirs.api('GET', '/v1/me')).status).toBe(401)
  })

  test('[issue 6.4] the audit list tells of keys and people, by who and about what', async () => {
    await open('/audit')
    await page.getByLabel('About').selectOption({ label: 'API keys' })
    await row('Key deleted').first().waitFor()
    expect(await row(/Person/).count()).toBe(0)
    const [, , by, record] = await cells(row('Key created').first())
    expect(record).toMatch(/^api-key\/\d+$/)
    expect(by).toMatch(/^owner-/)
    // the filters stand in the address
    await page.reload()
    await row('Key deleted').first().waitFor()
    expect(await page.getByLabel('About').inputValue()).toBe('api-key')
    await page.getByLabel('About').selectOption({ label: 'People and sign-ins' })
    await row('Person deleted').waitFor()
  })

  test('[issue 6.4] another version is activated after a look at what it does', async () => {
    await production.call('POST', '/v2/themes/1/versions', { notes: 'Second release' })
    await open('/themes')
    await page.getByRole('link', { name: 'Coastline' }).click()
    await press('Activate version 2')
    await dialog('Activate version 2 of Coastline?').getByText('What is on air is the same in this version.').waitFor()
    expect((await rest('/v2/themes/1')).activeVersion).toBe(1)
    await dialog('Activate version 2').getByRole('button', { name: 'Activate version 2' }).click()
    await row('Second release').getByText('Active', { exact: true }).waitFor()
    expect((await rest('/v2/themes/1')).activeVersion).toBe(2)
  })

  test('[issue 6.4] a graphic is looked at by an address that needs no account, and a default is changed', async () => {
    await page.getByRole('tab', { name: 'Graphics' }).click()
    await press('Preview Score bug')
    const address = await page.getByRole('textbox', { name: 'Address of the preview' }).inputValue()
    expect((await fetch(address)).status).toBe(200)
    await press('Close')
    await page.getByRole('tab', { name: 'Variables' }).click()
    await press('Change accentColor')
    await page.getByRole('textbox', { name: 'Default' }).fill('#00ff88')
    await press('Save')
    await row('accentColor').filter({ hasText: '#00ff88' }).waitFor()
    await page.getByRole('tab', { name: 'Profiles' }).click()
    await row('Full graphics').filter({ hasText: '#ffd23f' }).waitFor()
  })

  test('[issue 6.4] sections and presets are put in order and renamed; what somebody else changed meanwhile is not lost', async () => {
    await open('/control-rooms')
    await page.getByRole('link', { name: 'Match day' }).click()
    const sections = () => page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents()
    const names = async () =>
      ((await rest('/v2/control-rooms/1')).sections as { name: string }[]).map(({ name }) => name)
    await press('Move Line-ups up')
    await expect
      .poll(sections)
      .toEqual(['Operators', 'Line-ups', 'In play', 'Full time', 'Sponsors', 'Overlays that use this room', 'Delete'])
    expect(await names()).toEqual(['Line-ups', 'In play', 'Full time', 'Sponsors'])
    await press('Change Commentator')
    await page.getByRole('textbox', { name: 'Preset name' }).fill('Co-commentator')
    await press('Save')
    await row('Co-commentator').waitFor()

    await press('Change Sponsors')
    const { id } = ((await rest('/v2/control-rooms/1')).sections as { id: string }[]).at(-1) ?? {}
    await production.call('PATCH', `/v2/control-rooms/1/sections/${id}`, { name: 'Partners' })
    await page.getByRole('textbox', { name: 'Name' }).fill('Brands')
    await press('Save')
    await page.getByText('Changed since it was read').waitFor()
    await press('Cancel')
    expect(await names()).toEqual(['Line-ups', 'In play', 'Full time', 'Partners'])
    await page.getByRole('button', { name: 'Change Partners' }).waitFor()
  })

  test('[issue 6.4] a stream tells why it cannot be started, and its graphics are switched', async () => {
    await open('/streams')
    await page.getByRole('link', { name: 'Match stream' }).click()
    await press('Start')
    await page.getByRole('alert').first().waitFor()
    const graphics = page.getByRole('switch', { name: 'Graphics in the picture' })
    await graphics.click()
    await expect.poll(() => graphics.getAttribute('aria-checked')).toBe('false')
    expect((await rest('/v1/streams/1')).overlayHidden).toBe(true)
  })

  test('[issue 6.5] the log of a match is narrowed, and is the same as CSV', async () => {
    await open('/as-run')
    await page.getByLabel('Match').selectOption('1')
    await row('Match partner').or(row('Sponsor card')).first().waitFor()
    await page.getByLabel('Action').selectOption('show')
    await page.getByLabel('Graphic').selectOption({ label: 'Sponsor card' })
    const shown = page.getByRole('region', { name: 'As-run log' }).locator('tbody tr')
    await expect.poll(() => shown.count()).toBe(1)
    expect((await cells(shown.first())).join(' ')).toContain('Fjordline Coffee')
    // half of a year that is typed
    await page.getByLabel('From').fill('0020-11-21T10:00')
    await expect.poll(() => new URL(page.url()).searchParams.get('from')).toMatch(/^0020-/)
    expect(await page.getByLabel('From').inputValue()).toBe('0020-11-21T10:00')
    await page.getByLabel('From').fill('')
    await expect.poll(() => shown.count()).toBe(1)

    const [download] = await Promise.all([page.waitForEvent('download'), page.getByText('Download CSV').click()])
    const lines = Buffer.concat(await (await download.createReadStream()).toArray())
      .toString()
      .trim()
      .split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain(',show,')
  })

  test('[issue 6.5] the seconds of a sponsor on air are told, and why they were not seen', async () => {
    await page.getByLabel('Graphic').selectOption('')
    await page.getByRole('tab', { name: 'Proof of play' }).click()
    const sponsor = page
      .getByRole('region', { name: 'By sponsor' })
      .getByRole('row')
      .filter({ hasText: 'Fjordline Coffee' })
    await sponsor.first().waitFor()
    const [, , plays, onAir, seen] = await cells(sponsor.first())
    expect(plays).toBe('1')
    expect(onAir).toMatch(/^\d+\.\d s$/)
    expect(seen).toBe('0.0 s')
    await page
      .getByRole('region', { name: 'By graphic' })
      .getByRole('row')
      .filter({ hasText: 'Score bug' })
      .getByText('On air')
      .waitFor()
  })

  test('[issue 21.5] teams and the fixtures of a season are pasted; what is wrong is told by line and column', async () => {
    await open('/competitions/1')
    await page.getByRole('link', { name: 'Paste or import…' }).click()
    const list = page.getByLabel('Cells or lines')
    await list.fill('Team\tShort\tCoach\nEastfield Town\tEAS\tIda Holm\nWestport\tTOOLONG\t\nSouthbank City\t\t')
    await row('Westport').getByText('Short: has 7 characters, and needs 2 to 4').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await press('Import 2 teams')
    await page.getByText('2 teams made. 1 wrong line was left out.').waitFor()
    await page.getByRole('status').getByRole('link').click()
    await row('Eastfield Town').waitFor()
    const { teams } = await rest('/v1/teams?competitionId=1&name=Eastfield')
    expect(teams).toMatchObject([{ abbreviation: 'EAS', nonPlayerStaff: [{ firstName: 'Ida', role: 'manager' }] }])

    await page.getByRole('link', { name: 'Import fixtures…' }).click()
    await page.getByLabel('Times are those of').waitFor({ state: 'detached' })
    await list.fill(
      [
        'Date,Time,Home,Away,Round',
        '6.3.2027,18:00,Eastfield Town,Southbank City,Round 1',
        '31.2.2027,18:00,EAS,Southbank City,',
      ]
        .concat('13.3.2027,15:00,Southbank City,Nowhere,Round 2')
        .join('\n'),
    )
    await row('31.2.2027').getByText('is no day').waitFor()
    await row('Nowhere').getByText('Away: “Nowhere” is no team').waitFor()
    await page.getByLabel('Times are those of').selectOption('Pacific/Auckland')
    await press('1 New')
    await row('Sat, 6 Mar 2027, 18:00').waitFor()
    await press('Import 1 match')
    await page.getByText('1 match made.').waitFor()
    const { matches } = await rest('/v2/matches?dateFrom=2027-03-01T00:00:00Z&dateTo=2027-03-31T00:00:00Z')
    expect(matches).toMatchObject([
      { date: '2027-03-06T05:00:00.000Z', timezone: 'Pacific/Auckland', round: 'Round 1', competitionId: 1 },
    ])
    // the list once more, with another time: the match is moved
    await list.fill('Date,Home,Away,Round\n2027-03-07 19:30,Eastfield Town,Southbank City,round 1')
    await page.getByLabel('Times are those of').selectOption('Pacific/Auckland')
    await row('Sun, 7 Mar 2027, 19:30').waitFor()
    await press('Import 1 match')
    await page.getByText('1 match changed.').waitFor()
    const moved = await rest('/v2/matches?dateFrom=2027-03-01T00:00:00Z&dateTo=2027-03-31T00:00:00Z')
    expect(moved.matches).toMatchObject([{ date: '2027-03-07T06:30:00.000Z' }])
  })

  test('[issue 6.4] each role is offered what it may, and told what it may not', async () => {
    const offered: Record<string, string[]> = {}
    for (const role of ['admin', 'user', 'operator'] as const) {
      const theirs = await windowOf(browser, production, role)
      const tab = await theirs.newPage()
      await tab.goto(url('/themes/1?show=variables'))
      await tab.getByText('accentColor').first().waitFor()
      const seen = async (kind: 'link' | 'button', name: string) =>
        (await tab.getByRole(kind, { name, exact: true }).count()) > 0 ? [name] : []
      const links = await Promise.all(['API keys', 'People', 'Audit'].map((name) => seen('link', name)))
      const change = await seen('button', 'Change accentColor')
      await tab.goto(url('/streams/1'))
      await tab.getByRole('heading', { name: 'What happened' }).waitFor()
      offered[role] = [...links.flat(), ...change, ...(await seen('button', 'Start'))]
      if (role !== 'admin') {
        await tab.goto(url('/keys'))
        await tab.getByText('Your role does not open this page.').waitFor()
      }
      await theirs.close()
    }
    expect(offered).toEqual({
      admin: ['API keys', 'People', 'Audit', 'Change accentColor', 'Start'],
      user: ['Change accentColor', 'Start'],
      operator: [],
    })
    expect(faults).toEqual([])
  })
})
