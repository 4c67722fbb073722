import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { heardDatabaseTime } from '../../src/waiting/service-time.ts'
import { newOrganization, startApp, type TestApp } from '../support/app.ts'
import { png } from '../support/images.ts'
import { openProxy } from '../support/proxy.ts'
import { COARSE, noChromium, openWindows, type Windows } from './support/chromium.ts'
import { windowOf } from './support/signed-in.ts'

const SOON = { timeout: 30_000 }
const MINUTE_MS = 60_000
const TELEPHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 1 }
const CLUBS = [
  { name: 'Harbour Athletic', short: 'HAR', surname: 'Lopes' },
  { name: 'Northgate United', short: 'NGU', surname: 'Berg' },
] as const

/** A squad as it is copied out of a spreadsheet. */
const squadOf = (surname: string) =>
  [
    'No\tFirst name\tLast name\tPosition',
    ...Array.from({ length: 14 }, (_, index) => `${index + 1}\tAna\t${surname} ${index + 1}\tForward`),
  ].join('\n')

type Read = Record<string, unknown>
type Fact = { type: string; teamId: number | null; minute: number; clientFactId?: string }
type Team = { id: number; name: string; abbreviation: string }
type Row = { teamId: number; position: number; played: number; points: number; difference: number }
type Logged = { presetId: number | null }
type Statistics = {
  teams: { teamId: number; values: Record<string, number> }[]
  players: { playerId: number; values: Record<string, number> }[]
}

/**
 * A club that has never seen Tally plays its Saturday: the secretary at the dashboard, the volunteer at the pitch with a telephone,
 * the operator in the control room, and the picture that is on air. Issue 21: Done when
 */
describe.skipIf(noChromium)('[issue 21] a Saturday', () => {
  let app: TestApp
  let browser: Windows
  let office: BrowserContext
  let secretary: Page
  let volunteer: Page
  let operator: Page
  let air: Page
  let line: Awaited<ReturnType<typeof openProxy>>
  let key: string
  let matchId: number
  let overlayId: number
  let aheadMs = 0
  /** Ids by name. */
  let presets: Map<string, number>
  const faults: string[] = []

  const rest = async (path: string) => (await app.call('GET', path, { key })).body as Read
  const watched = (page: Page) => {
    page.setDefaultTimeout(SOON.timeout)
    page.on('pageerror', ({ message }) => faults.push(message))
    page.on('console', (message) => message.text().includes('Content Security Policy') && faults.push(message.text()))
    return page
  }
  /** It is so much later for everybody: the server, and each page but the secretary's, which is closed by then. */
  const pass = async (ms: number) => {
    aheadMs += ms
    heardDatabaseTime(Date.now() + aheadMs, Date.now(), Date.now())
    for (const page of [volunteer, operator, air]) await page.clock.fastForward(ms)
  }

  const tap = (name: string | RegExp) =>
    volunteer
      .getByRole('button', { name, exact: typeof name === 'string' })
      .first()
      .click()
  const named = (name: string) =>
    volunteer
      .getByRole('dialog')
      .getByRole('button', { name: new RegExp(`${name}$`) })
      .click()
  const sent = () => volunteer.getByRole('button', { name: 'All sent' }).waitFor()
  const deskScore = () => Promise.all(['score-home', 'score-away'].map((id) => volunteer.getByTestId(id).textContent()))

  const card = (preset: string) => operator.locator(`.card[data-preset="${preset}"]`)
  const isShown = async (preset: string) => {
    const { manualGraphicState } = (await rest(`/v2/overlays/${overlayId}`)) as {
      manualGraphicState: Record<string, { _service_presetId: number }>
    }
    return Object.values(manualGraphicState).some(({ _service_presetId }) => _service_presetId === presets.get(preset))
  }
  /** As an operator does it: a press, and the button says that it is on air. */
  const show = async (preset: string) => {
    await card(preset).locator('.card-face').click()
    await expect.poll(() => isShown(preset), SOON).toBe(true)
  }
  const hide = async (preset: string) => {
    await card(preset).locator('.card-hide').click()
    await expect.poll(() => isShown(preset), SOON).toBe(false)
  }
  /** What viewers read in a graphic that is on air. */
  const airShows = (graphic: string, selector: string, text: RegExp) =>
    expect
      .poll(async () => {
        for (const frame of air.frames()) {
          const onAir = `document.title === '${graphic}' && document.documentElement.classList.contains('on')`
          if (!(await frame.evaluate(onAir).catch(() => false))) continue
          // biome-ignore lint/performance/useDomNodeTextContent: what viewers can see is the question
          return (await frame.locator(selector).innerText()).split(/\s+/).join(' ').trim()
        }
        return undefined
      }, SOON)
      .toMatch(text)
  const bugShows = (text: string) => airShows('Score bug', '.bar', new RegExp(`^${text}`))

  beforeAll(async () => {
    app = await startApp()
    const organization = await newOrganization(app.database)
    key = organization.key
    browser = await openWindows()
    office = await windowOf(browser, { server: app, organizationId: organization.id }, 'user')
    secretary = watched(await office.newPage())
    await secretary.goto(`${app.origin}/dashboard`)
  })
  afterAll(async () => {
    heardDatabaseTime(Date.now(), Date.now(), Date.now())
    line?.close()
    await browser?.close()
    await app?.close()
  })
  afterEach(() => expect(faults.splice(0)).toEqual([]))

  test('the secretary makes competition, teams, players, theme, match and overlay with the mouse', async () => {
    const page = secretary
    const dialog = page.getByRole('dialog')
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    const fill = (label: string, text: string) => dialog.getByLabel(label, { exact: true }).fill(text)
    const next = async (name: string) => {
      await page.getByRole('link', { name: 'Tally' }).click()
      await page.locator('.first-hour-step').getByRole('link', { name }).click()
    }
    await next('Make a competition')
    await press('New competition')
    await fill('Name', 'Coast League')
    await press('Add the competition')
    await page.getByRole('heading', { name: 'Coast League' }).waitFor()
    for (const { name, short } of CLUBS) {
      await press('New team')
      await fill('Name', name)
      await fill('Short', short)
      const logo = { name: 'logo.png', mimeType: 'image/png', buffer: png(40, 20) }
      await dialog.getByLabel('Logo', { exact: true }).setInputFiles(logo)
      await press('Add the team')
      await page.getByRole('row').filter({ hasText: name }).waitFor()
    }
    for (const { name, surname } of CLUBS) {
      await page.getByRole('link', { name: 'Teams', exact: true }).click()
      await page.getByRole('link', { name }).click()
      await page.getByRole('link', { name: /^Paste or import/ }).click()
      await page.getByLabel('Cells or lines').fill(squadOf(surname))
      await press('Import 14 players')
      await page.getByText('14 players made').waitFor()
    }
    await next('Choose a theme')
    await press('Start with the theme Coastline')
    await page.getByRole('heading', { name: 'Coastline' }).waitFor()
    await next('Make the match')
    await page.locator('[name="home.choice"]').selectOption({ label: CLUBS[0].name })
    await page.locator('[name="away.choice"]').selectOption({ label: CLUBS[1].name })
    await press('Create match and overlay')
    await page.waitForURL(/overlays\/\d+\?new/)
    overlayId = Number(/overlays\/(\d+)/.exec(page.url())?.[1])
    const { matchId: own, controlRoomId } = await rest(`/v2/overlays/${overlayId}`)
    matchId = Number(own)
    const room = (await rest(`/v2/control-rooms/${controlRoomId}`)) as { presets: { id: number; name: string }[] }
    presets = new Map(room.presets.map(({ id, name }) => [name, id]))
  })

  test('the operator has the score bug on air, and the volunteer the desk on a telephone with both line-ups', async () => {
    const overlay = await rest(`/v2/overlays/${overlayId}`)
    air = watched(await browser.newPage(COARSE))
    await air.clock.install()
    await air.goto(String(overlay.productionUrl))
    operator = watched(await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage())
    await operator.clock.install()
    await operator.goto(String(overlay.controlRoomUrl))
    await show('Score bug')

    const deskUrl = String((await rest(`/v2/matches/${matchId}`)).deskUrl)
    line = await openProxy(deskUrl)
    volunteer = watched(await (await browser.newContext(TELEPHONE)).newPage())
    await volunteer.clock.install()
    await volunteer.goto(`${new URL(line.url).origin}${new URL(deskUrl).pathname}`)
    await sent()
    await tap('Line-ups')
    for (const { short } of CLUBS) {
      await tap(new RegExp(`^${short}`))
      await tap('Usual line-up')
      await tap('Save the line-up')
      await volunteer.getByText('The line-up is saved.').waitFor()
    }
    await tap('Match')
    await secretary.getByRole('link', { name: 'Tally' }).click()
    await secretary.locator('.first-hour').waitFor({ state: 'detached' })
    await office.close()
  })

  test('the first half is on air as it is pressed', async () => {
    await tap('Start 1st half')
    await bugShows('HAR 0 0 NGU')
    await pass(12 * MINUTE_MS)
    await tap('Goal Harbour Athletic')
    await named('Lopes 9')
    await bugShows('HAR 1 0 NGU')
    await show('Goal scorer')
    await airShows('Lower third', '#name', /^Lopes 9$/i)
    await hide('Goal scorer')
    await pass(33 * MINUTE_MS)
    await tap('End 1st half')
    await bugShows('HAR 1 0 NGU HT')
  })

  test('five minutes of the second half without a line: nothing is lost, nothing doubled, and all has its own time', async () => {
    await tap('Start 2nd half')
    await pass(10 * MINUTE_MS)
    await sent()
    line.refuse()
    await tap('Goal Northgate United')
    await named('Berg 10')
    await volunteer.getByText('No line.').waitFor()
    await pass(2 * MINUTE_MS)
    await tap('Goal Northgate United')
    await named('Berg 11')
    await pass(MINUTE_MS)
    // not a goal after all
    await tap('Undo')
    await volunteer.getByText('Other facts').click()
    await tap('Substitution Harbour Athletic')
    await named('Lopes 12')
    await named('Lopes 9')
    await pass(MINUTE_MS)
    await tap('Goal Harbour Athletic')
    await named('Lopes 12')
    await pass(MINUTE_MS)
    expect(await deskScore()).toEqual(['2', '1'])
    expect((await rest(`/v2/matches/${matchId}`)).score).toMatchObject({ home: 1, away: 0 })
    // the operator works on meanwhile, with what the server has
    await hide('Score bug')
    await show('Score bug')
    await bugShows('HAR 1 0 NGU')
    line.mend()
    await sent()
    await bugShows('HAR 2 1 NGU')
    expect(await deskScore()).toEqual(['2', '1'])
    const facts = (await rest(`/v2/matches/${matchId}/facts?limit=1000`)).facts as Fact[]
    expect(facts.map(({ type, minute }) => `${type} ${minute}`)).toEqual([
      ...['periodStart 1', 'goal 13', 'periodEnd 45', 'periodStart 46'],
      ...['goal 56', 'substitution 59', 'goal 60'],
    ])
    expect(new Set(facts.map(({ clientFactId }) => clientFactId)).size).toBe(facts.length)
  })

  test('at the end score, statistics, standings and what was on air agree', async () => {
    await pass(31 * MINUTE_MS)
    await tap('End the match')
    await sent()
    await bugShows('HAR 2 1 NGU FT')
    const match = await rest(`/v2/matches/${matchId}`)
    expect(match).toMatchObject({ state: 'finished', score: { home: 2, away: 1 } })
    expect(await deskScore()).toEqual(['2', '1'])

    const teams = (await rest('/v1/teams')).teams as Team[]
    const [home, away] = CLUBS.map(({ short }) => teams.find(({ abbreviation }) => abbreviation === short)?.id ?? 0)
    const { teams: ofTeams, players } = (await rest(`/v2/matches/${matchId}/statistics`)) as Statistics
    const goalsOf = (id: number | undefined) => ofTeams.find(({ teamId }) => teamId === id)?.values.goals
    expect([goalsOf(home), goalsOf(away)]).toEqual([2, 1])
    expect(players.map(({ values }) => values.goals ?? 0).filter(Boolean)).toEqual([1, 1, 1])
    const { rows } = (await rest(`/v2/competitions/${match.competitionId}/standings`)) as { rows: Row[] }
    expect(
      rows.map(({ teamId, position, played, points, difference }) => [teamId, position, played, points, difference]),
    ).toEqual([
      [home, 1, 1, 3, 1],
      [away, 2, 1, 0, -1],
    ])

    await hide('Score bug')
    await show('Full-time result')
    await airShows('Result card', '.score', /^2 1$/)
    await airShows('Result card', '#scorers', /Lopes 9 13’ Lopes 12 60’ Berg 10 56’/i)
    await hide('Full-time result')
    await show('Match statistics')
    await airShows('Statistics card', '.score', /^2 1$/)
    await hide('Match statistics')
    await show('Standings')
    await airShows(
      'Standings table',
      '#rows',
      /^1 (HAR|Harbour.*) 1 1 0 0 \+1 W 3 2 (NGU|Northgate.*) 1 0 0 1 −1 L 0$/i,
    )
    await hide('Standings')
    const names = ['Full-time result', 'Goal scorer', 'Match statistics', 'Score bug', 'Score bug', 'Standings']
    const ids = names.map((name) => presets.get(name) ?? 0)
    const { asRun } = (await rest(`/v2/matches/${matchId}/as-run?action=show&limit=100`)) as { asRun: Logged[] }
    // when each was painted is not told here: the database's clock, by which commits are, stands behind that of the pages
    expect(asRun.map(({ presetId }) => presetId).sort()).toEqual(ids.sort())
  })
})
