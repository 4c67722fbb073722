import { readFileSync } from 'node:fs'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newPerson, PASSWORD } from '../accounts/support.ts'
import { type Production, startProduction } from '../resources/support.ts'
import { seriousFindings } from './support/axe.ts'
import { COARSE, noChromium, openWindows, type Windows } from './support/chromium.ts'

const VIEWS = ['/', '/matches/new', '/matches/1', '/overlays', '/overlays/1', '/account']

describe.skipIf(noChromium)('the dashboard', () => {
  let production: Production
  let browser: Windows
  let context: BrowserContext
  let page: Page
  let owner: { email: string }
  const faults: string[] = []

  const open = (path: string) => page.goto(`${production.server.origin}/dashboard${path}`)
  const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name, exact: true })
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()

  async function signIn(who: Page, { email }: { email: string }, password = PASSWORD) {
    await who.getByLabel('E-mail').fill(email)
    await who.getByLabel('Password').fill(password)
    await who.getByRole('button', { name: 'Sign in' }).click()
  }

  beforeAll(async () => {
    production = await startProduction()
    owner = await newPerson(production.server, production.organizationId, 'owner')
    browser = await openWindows()
    context = await browser.newContext({
      ...COARSE,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    page = await context.newPage()
    page.on('pageerror', ({ message }) => faults.push(message))
    page.on('console', (message) => message.text().includes('Content Security Policy') && faults.push(message.text()))
  })
  afterAll(async () => {
    await browser?.close()
    await production?.close()
  })

  test('[issue 6.4] a wrong password is told; who signs in is where the address says', async () => {
    await open('/matches/1')
    await heading('Sign in').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await signIn(page, owner, 'not the password')
    await page.getByRole('alert').filter({ hasText: 'E-mail or password is wrong' }).waitFor()
    await signIn(page, owner)
    await heading('Norrvik Athletic – Port Selwyn Rovers').waitFor()
  })

  test('[issue 6.4] [issue 6.8] no view has serious findings, at a desk and on a tablet, where nothing is wider than the screen', async () => {
    for (const view of VIEWS) {
      await open(view)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.getByText('Reading…').waitFor({ state: 'detached' })
      expect(await seriousFindings(page), view).toEqual([])
      await page.setViewportSize({ width: 1024, height: 768 })
      expect(await page.evaluate('document.documentElement.scrollWidth'), view).toBe(1024)
      await page.setViewportSize({ width: 1920, height: 1080 })
    }
  })

  test('[issue 6.4] what is missing in the form for a match is said at its field, and nothing is made', async () => {
    await open('/')
    await page.getByRole('link', { name: 'New match' }).click()
    await page.getByLabel('Home team').selectOption('new')
    await page.locator('[name="home.name"]').fill('Oaks')
    await press('Create match and overlay')
    const name = page.locator('[name="home.name"]')
    await page.getByText('Use 6 to 39 characters').waitFor()
    expect(await name.getAttribute('aria-invalid')).toBe('true')
    await expect.poll(() => name.evaluate((input) => input.ownerDocument.activeElement === input)).toBe(true)
    expect((await production.call('GET', '/v1/matches')).body.total).toBe(1)
  })

  test('[issue 6.4] in one form a competition, its teams, a venue, a match and an overlay are made, once, and the addresses can be copied', async () => {
    await page.getByLabel('Competition').selectOption('new')
    await page.locator('[name="competitionName"]').fill('Harbour Cup')
    for (const [side, name, short] of [
      ['home', 'Oakfield Town', 'oak'],
      ['away', 'River City', 'riv'],
    ]) {
      await page.locator(`[name="${side}.choice"]`).selectOption('new')
      await page.locator(`[name="${side}.name"]`).fill(name ?? '')
      await page.locator(`[name="${side}.abbreviation"]`).fill(short ?? '')
    }
    await page.getByLabel('Venue').selectOption('new')
    await press('Create match and overlay')
    expect(await page.locator('[name="venueName"]').getAttribute('aria-invalid')).toBe('true')
    await page.locator('[name="venueName"]').fill('Harbour Ground')
    await page.getByLabel('Time zone').selectOption('Europe/Oslo')
    expect(await page.getByLabel('Graphics').inputValue()).toBe(`theme:${production.themeId}`)
    await page.getByRole('button', { name: 'Create match and overlay' }).dblclick()
    await page.waitForURL(/\/overlays\/\d+\?new$/)
    await heading('Oakfield Town v River City').waitFor()
    await page.getByText('The match and its overlay are ready.').waitFor()

    const made = (await production.call('GET', '/v1/matches?include=o,c,v')).body
    expect(made.total).toBe(2)
    const [, match] = made.matches as {
      overlays: { productionUrl: string; autoMode: boolean; controlRoomId: number }[]
    }[]
    expect(match).toMatchObject({
      competition: { name: 'Harbour Cup', sport: 'football' },
      homeTeam: { name: 'Oakfield Town', abbreviation: 'OAK', primaryTextColor: '#ffffff' },
      awayTeam: { name: 'River City' },
      venue: { name: 'Harbour Ground' },
      timezone: 'Europe/Oslo',
      overlays: [{ autoMode: false, controlRoomId: production.controlRoomId }],
    })
    await press('Copy Overlay address')
    await page
      .getByRole('status')
      .filter({ hasText: /^Copied$/ })
      .waitFor()
    const copied = await page.evaluate('navigator.clipboard.readText()')
    expect(copied).toBe(match?.overlays[0]?.productionUrl)
    expect((await fetch(String(copied))).status).toBe(200)
  })

  test('[issue 6.4] OBS, vMix and CasparCG are each told how to show it', async () => {
    const told = page.getByRole('tabpanel')
    for (const [host, needed] of [
      [
        'OBS',
        ['1920', '1080', '50', '60', 'Shutdown source when not visible', 'Refresh browser when scene becomes active'],
      ],
      ['vMix', ['1920', '1080', '50', '60', 'no reload']],
      ['CasparCG', ['1080p5000', 'STOP 1-20', 'enable-gpu']],
    ] as const) {
      await page.getByRole('tab', { name: host, exact: true }).click()
      const text = await told.textContent()
      for (const word of needed) expect(text, host).toContain(word)
    }
    const command = page.getByRole('textbox', { name: 'CasparCG command' })
    expect(await command.inputValue()).toMatch(/^PLAY 1-20 \[HTML\] "http:\/\/[^"]+\/overlay\/[^"]+"$/)
  })

  test('[issue 6.1] an address that got into wrong hands is replaced, and the old one is refused', async () => {
    const shown = page.getByRole('textbox', { name: 'Control room address' })
    const old = await shown.inputValue()
    await press('New address… in place of: Control room address')
    await press('Replace the address')
    await expect.poll(() => shown.inputValue()).not.toBe(old)
    expect((await fetch(old)).status).toBe(404)
    expect((await fetch(await shown.inputValue())).status).toBe(200)
  })

  test('[issue 6.4] a half is run from the page of the match: started, scored, corrected', async () => {
    await page.getByRole('link', { name: 'Score and clock' }).click()
    await press('Start 1st half')
    await press('Stop the clock')
    await page.getByRole('button', { name: 'Start the clock' }).waitFor()
    const home = page.getByRole('region', { name: 'Oakfield Town' })
    await home.getByRole('button', { name: 'Goal', exact: true }).click()
    await page.getByText('1–0').waitFor()

    await press('Add… players of Oakfield Town')
    await page.getByRole('textbox', { name: 'Players' }).fill('9 Ana María Lopes\n4. Noor de Vries')
    await press('Add 2 players')
    await page.getByLabel('Player of Goal').selectOption({ label: '9 Ana María Lopes' })
    const facts = async () => {
      const { body } = await production.call('GET', '/v2/matches/2/facts')
      return (body.facts as { type: string; playerId: number | null }[]).map((fact) => [
        fact.type,
        fact.playerId !== null,
      ])
    }
    const goal = ['goal', true]
    await expect.poll(facts).toEqual([['periodStart', false], ['clockStop', false], goal])

    await press('Add… players of Oakfield Town')
    await page.getByRole('textbox', { name: 'Players' }).fill('7 Ingrid Berg\n9 Kari Dahl')
    await page.getByText('Number 9 is taken by Ana María Lopes').waitFor()
    await press('Cancel')
    await press('Edit… players of Oakfield Town')
    await page.getByLabel('Last name of Ana María Lopes').fill('Lópes')
    await press('Remove Noor de Vries')
    await press('Save')
    await page.getByText('Oakfield Town 1 player', { exact: true }).waitFor()
    await page.getByLabel('Player of Goal').getByText('9 Ana Lópes').waitFor({ state: 'attached' })
    await press('Remove Goal')
    await page.getByText('0–0').waitFor()
    await press('End 1st half')
    await page.getByRole('button', { name: 'Start 2nd half' }).waitFor()
  })

  test('[issue 6.4] where the score counts sets, each point is seen in the set', async () => {
    const made = async (path: string, body: object) => Number((await production.call('POST', path, body)).body.id)
    const sport = 'volleyball'
    const grade = { age: 'Senior', gender: 'Female', gradeId: production.gradeId }
    const competitionId = await made('/v1/competitions', { name: 'Beach League', sport, ...grade })
    const team = (name: string) => made('/v1/teams', { name, sport, competitionIds: [competitionId] })
    const teams = { homeTeamId: await team('Dune Spikers'), awayTeamId: await team('Pier Setters') }
    const date = new Date().toISOString()
    await open(`/matches/${await made('/v1/matches', { competitionId, ...teams, date, timezone: 'UTC' })}`)
    await press('Start Set 1')
    await page.getByRole('region', { name: 'Pier Setters' }).getByRole('button', { name: 'Point' }).click()
    await page.getByText('0–1 in the set').waitFor()
    expect(await page.getByText('in the game').count()).toBe(0)
    await open('/matches/2')
    await heading('Oakfield Town – River City').waitFor()
  })

  test('[issue 6.4] when the server is out of reach that is said, until it is back', async () => {
    const told = page.getByText('The server cannot be reached.')
    await context.setOffline(true)
    await told.waitFor()
    await context.setOffline(false)
    await told.waitFor({ state: 'detached' })
  })

  test('[issue 6.4] a server that takes longer to answer than the page waits to ask again is still heard', async () => {
    const slowly = '**/dashboard/rest/v1/matches/2?*'
    await page.route(slowly, async (route) => {
      const response = await route.fetch()
      // longer than the two seconds after which the page asks again
      setTimeout(() => void route.fulfill({ response }).catch(() => {}), 2_500)
    })
    await page.reload()
    await heading('Oakfield Town – River City').waitFor()
    await page.unroute(slowly)
  })

  test('[issue 6.4] a session that has ended asks for the password, and goes on where it was, with what was typed', async () => {
    await page.getByText('Other facts, clock by hand').click()
    await page.getByRole('textbox', { name: 'Clock' }).fill('12:30')
    await production.server.database.sql`delete from person_session`
    await page.getByText('Your session has ended.').waitFor()
    expect(await page.getByText('Oakfield Town').first().isVisible()).toBe(false)
    await signIn(page, owner)
    await heading('Oakfield Town – River City').waitFor()
    expect(await page.getByRole('textbox', { name: 'Clock' }).inputValue()).toBe('12:30')
    // in a dialog, too, which gives up the focus meanwhile
    await press('Add… players of Oakfield Town')
    await page.getByRole('textbox', { name: 'Players' }).fill('7 Sørine Dahl')
    await production.server.database.sql`delete from person_session`
    await page.getByText('Your session has ended.').waitFor()
    await expect
      .poll(() => page.getByLabel('E-mail').evaluate((field) => field === field.ownerDocument.activeElement))
      .toBe(true)
    expect(await seriousFindings(page)).toEqual([])
    await signIn(page, owner)
    await page.getByRole('dialog', { name: 'Players of Oakfield Town' }).waitFor()
    expect(await page.getByRole('textbox', { name: 'Players' }).inputValue()).toBe('7 Sørine Dahl')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('[issue 6.5] what an overlay had on air is exported, and played again under an address of its own', async () => {
    await page.getByRole('link', { name: 'Addresses and set-up' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export CSV' }).click(),
    ])
    expect(readFileSync(await file.path(), 'utf8')).toMatch(/^seq,at,action/)
    await press('Replay')
    const replay = page.getByRole('link', { name: 'Open the replay' })
    await replay.waitFor()
    expect((await fetch((await replay.getAttribute('href')) ?? '')).status).toBe(200)
    await page.keyboard.press('Escape')
  })

  test('[issue 6.4] an overlay is deleted only after a question that names it', async () => {
    await press('Delete the overlay…')
    await page.getByRole('dialog', { name: 'Delete Oakfield Town v River City?' }).waitFor()
    await press('Delete the overlay')
    await page.getByText('A match without an overlay').waitFor()
    expect((await production.call('GET', '/v1/overlays')).body.total).toBe(1)
  })

  test('[issue 6.4] an operator sees what the role opens: the control room, and nothing that only others may', async () => {
    const operator = await newPerson(production.server, production.organizationId, 'operator')
    const other = await browser.newPage()
    await other.goto(`${production.server.origin}/dashboard/matches/1`)
    await signIn(other, operator)
    await other.getByRole('link', { name: 'Control room of Main output' }).waitFor()
    expect(await other.getByRole('button', { name: 'Start 1st half' }).count()).toBe(0)
    expect(await other.getByRole('button', { name: 'Delete the match…' }).count()).toBe(0)
    expect(await other.getByRole('link', { name: 'API keys' }).count()).toBe(0)
    const closed = (what: string) =>
      `Your role, operator, may not ${what}. An owner or admin can give you the role user.`
    const limits: [path: string, ...what: string[]][] = [
      ['/matches/1', 'change matches', 'change teams and players', 'run or change streams'],
      ['/', 'change matches'],
      ['/matches/new', 'change matches'],
      ['/streams', 'run or change streams'],
      ['/streams/new', 'run or change streams'],
      ['/streams/1', 'run or change streams'],
      ['/themes/1', 'change themes and control rooms'],
      ['/control-rooms', 'change themes and control rooms'],
      ['/control-rooms/1', 'change themes and control rooms'],
    ]
    for (const [path, ...what] of limits) {
      await other.goto(`${production.server.origin}/dashboard${path}`)
      for (const one of what) await other.getByText(closed(one), { exact: true }).waitFor()
      await open(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(await page.getByText('Your role').count(), path).toBe(0)
    }
    expect(await other.getByLabel('Competition').count()).toBe(0)
    await other.goto(`${production.server.origin}/dashboard/overlays/1`)
    await other.getByRole('button', { name: 'Delete the overlay…' }).waitFor()
    expect(await other.getByText('Your role').count()).toBe(0)
    await other.close()
  })

  test('[issue 6.4] a person chooses another password, and is still signed in', async () => {
    await open('/account')
    const change = async (now: string, next: string) => {
      await page.getByLabel('Password now').fill(now)
      await page.getByLabel('New password', { exact: true }).fill(next)
      await page.getByLabel('New password again').fill(next)
      await press('Change the password')
    }
    await change('not the password', 'three words long')
    await page.getByText('This is not your password').waitFor()
    await change(PASSWORD, 'three words long')
    await page.getByText('The password is changed.').waitFor()
    await page.reload()
    await heading('Account').waitFor()
  })

  test('[issue 6.4] who signs out is out, in every tab; no view broke the policy of its page', async () => {
    await page.getByRole('button', { name: /account and help/ }).click()
    for (const title of ['Getting started', 'API reference', 'Change history']) {
      const address = await page.getByRole('menuitem', { name: title }).getAttribute('href')
      expect((await fetch(`${production.server.origin}${address}`)).status, title).toBe(200)
    }
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await heading('Sign in').waitFor()
    await open('/overlays/1')
    await heading('Sign in').waitFor()
    expect(faults).toEqual([])
  })
})
