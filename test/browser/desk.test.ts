import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Production, startProduction } from '../resources/support.ts'
import { proxyTo } from '../support/proxy.ts'
import { seriousFindings } from './support/axe.ts'
import { noChromium, openWindows, type Windows } from './support/chromium.ts'

const SOON = { timeout: 20_000 }
const TELEPHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 1 }

type Said = { type: string; teamId: number | null; points: number; playerId: number | null; clientFactId?: string }

describe.skipIf(noChromium)('the desk of a match', () => {
  let browser: Windows
  let production: Production
  const faults: string[] = []

  beforeAll(async () => {
    production = await startProduction('built')
    browser = await openWindows()
  })
  afterAll(async () => {
    await browser?.close()
    await production?.close()
  })
  afterEach(() => expect(faults.splice(0)).toEqual([]))

  /** A match of a sport between two teams with squads of so many, and the address of its desk. */
  async function newMatch(sport: string, squad = 3, config: object = {}) {
    const create = async (path: string, body: object) => {
      const answer = await production.call('POST', path, body)
      expect([path, answer.status], JSON.stringify(answer.body)).toEqual([path, expect.any(Number)])
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
      return answer.body as { id: number; deskUrl: string }
    }
    const league = await create('/v1/competitions', {
      name: `League of ${sport}`,
      sport,
      age: 'Senior',
      gender: 'Mixed',
      gradeId: 1,
    })
    const teams: number[] = []
    for (const name of ['Harbour Town', 'Northern Coast']) {
      const { id } = await create('/v1/teams', {
        name,
        sport,
        abbreviation: name.slice(0, 3).toUpperCase(),
        competitionIds: [league.id],
      })
      for (let number = 1; number <= squad; number++)
        await create(`/v1/teams/${id}/players`, {
          firstName: 'Ana',
          lastName: `Player ${number}`,
          number: String(number),
          defaultStarter: true,
        })
      await production.call('PUT', `/v1/competitions/${league.id}/teams/${id}`, {})
      teams.push(id)
    }
    const match = await create('/v2/matches', {
      competitionId: league.id,
      homeTeamId: teams[0],
      awayTeamId: teams[1],
      date: '2031-05-01T12:00:00Z',
      config,
    })
    return { id: match.id, deskUrl: match.deskUrl, teams }
  }

  async function open(url: string): Promise<Page> {
    const page = await (await browser.newContext(TELEPHONE)).newPage()
    page.on('pageerror', ({ message }) => faults.push(message))
    page.on('console', (message) => message.text().includes('Content Security Policy') && faults.push(message.text()))
    await page.goto(url)
    await page.getByLabel('Score', { exact: true }).waitFor(SOON)
    return page
  }

  const tap = (page: Page, name: string | RegExp) =>
    page
      .getByRole('button', { name, exact: typeof name === 'string' })
      .first()
      .click(SOON)
  /** What the desk shows. */
  const score = async (page: Page) => [
    await page.getByTestId('score-home').textContent(),
    await page.getByTestId('score-away').textContent(),
  ]
  const shows = (page: Page, home: number, away: number) =>
    expect.poll(() => score(page), { timeout: 10_000 }).toEqual([String(home), String(away)])
  const sent = (page: Page) => page.getByRole('button', { name: 'All sent' }).waitFor(SOON)
  const readMatch = async (id: number) => (await production.call('GET', `/v2/matches/${id}`)).body
  const readFacts = async (id: number) =>
    (await production.call('GET', `/v2/matches/${id}/facts?limit=1000`)).body.facts as Said[]

  test('[issue 21.1] football: a whole match with the line away in the middle, closed and opened again, and nothing lost or doubled', async () => {
    const { id, deskUrl, teams } = await newMatch('football', 4)
    const line = await proxyTo(deskUrl)
    const page = await open(`${new URL(line.url).origin}${new URL(deskUrl).pathname}`)
    expect(await seriousFindings(page)).toEqual([])
    await sent(page)
    await tap(page, 'Start 1st half')
    await tap(page, 'Goal Harbour Town')
    // the score first, then who
    await shows(page, 1, 0)
    const sheet = page.getByRole('dialog', { name: 'Who was it?' })
    await sheet.getByRole('button', { name: /Player 3/ }).click()
    await sent(page)
    await expect
      .poll(async () => (await readFacts(id)).at(-1))
      .toMatchObject({ type: 'goal', playerId: expect.any(Number) })
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
    await expect
      .poll(() => page.evaluate('caches.open("match-desk").then((c) => c.keys()).then((k) => k.length)'), SOON)
      .toBeGreaterThan(3)

    line.refuse()
    await tap(page, 'Goal Northern Coast')
    await tap(page, 'Skip')
    await shows(page, 1, 1)
    await page.getByText('No line.').waitFor(SOON)
    await tap(page, /^Own goal Northern/)
    await tap(page, 'Skip')
    await shows(page, 2, 1)
    await tap(page, 'Undo')
    await shows(page, 1, 1)
    await tap(page, 'End 1st half')
    await page.getByText('After 1st half').waitFor(SOON)
    await page.getByRole('button', { name: /waiting$/ }).waitFor(SOON)
    // closed with the line away: what was pressed is there when it opens
    await page.reload()
    await page.getByText('After 1st half').waitFor(SOON)
    await shows(page, 1, 1)
    await tap(page, 'Start 2nd half')
    await tap(page, 'Goal Harbour Town')
    await tap(page, 'Skip')
    await shows(page, 2, 1)
    expect((await readMatch(id)).score).toMatchObject({ home: 1, away: 0 })

    line.mend()
    await sent(page)
    await shows(page, 2, 1)
    await expect.poll(async () => (await readMatch(id)).score).toMatchObject({ home: 2, away: 1 })
    await page
      .getByRole('button', { name: /^Set$|set the clock/ })
      .first()
      .click()
    await page.getByRole('textbox', { name: 'Clock' }).fill('78:30')
    await tap(page, 'Set the clock')
    await page.getByRole('timer').filter({ hasText: /^78:3/ }).waitFor(SOON)
    await page.getByText('Other facts').click()
    await tap(page, 'Yellow card Northern Coast')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Player 2/ })
      .click()
    await tap(page, 'Substitution Harbour Town')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Player 1/ })
      .click()
    await page
      .getByRole('dialog', { name: 'Who goes off?' })
      .getByRole('button', { name: /Player 4/ })
      .click()
    await page.getByRole('button', { name: /^Facts/ }).click()
    await tap(page, 'Edit Yellow card')
    await page.getByLabel('What').selectOption('redCard')
    await tap(page, 'Save')
    await page.locator('.fact-row', { hasText: 'Red card' }).waitFor(SOON)
    await page.getByRole('button', { name: 'Match', exact: true }).click()
    await tap(page, 'End the match')
    await page.getByText('Finished', { exact: true }).waitFor(SOON)
    await sent(page)
    const facts = await readFacts(id)
    expect(facts.map(({ type }) => type)).toEqual([
      ...['periodStart', 'goal', 'goal', 'periodEnd', 'periodStart', 'goal'],
      ...['clockSet', 'redCard', 'substitution', 'matchEnd'],
    ])
    expect(facts.filter(({ type }) => type === 'goal').map(({ teamId }) => teamId)).toEqual([
      teams[0],
      teams[1],
      teams[0],
    ])
    expect(facts.find(({ type }) => type === 'redCard')).toMatchObject({ teamId: teams[1], minute: 79 })
    expect(new Set(facts.map(({ clientFactId }) => clientFactId)).size).toBe(facts.length)
    expect(await readMatch(id)).toMatchObject({ state: 'finished', score: { home: 2, away: 1 } })
  })

  test('[issue 21.1] basketball: four quarters that count down, and points of every worth', async () => {
    const { id, deskUrl } = await newMatch('basketball')
    const page = await open(deskUrl)
    const expected = [0, 0]
    for (const [quarter, name] of ['1st', '2nd', '3rd', '4th'].entries()) {
      await tap(page, `Start ${name} quarter`)
      for (const [type, points] of [
        ['Three pointer', 3],
        ['Two pointer', 2],
        ['Free throw', 1],
      ] as const) {
        const side = (quarter + points) % 2
        await tap(page, `${type} ${side === 0 ? 'Harbour Town' : 'Northern Coast'}`)
        await tap(page, 'Skip')
        expected[side] = (expected[side] ?? 0) + points
      }
      if (quarter === 3) await tap(page, 'Three pointer Harbour Town')
      if (quarter === 3) expected[0] = (expected[0] ?? 0) + 3
      if (quarter === 3) await tap(page, 'Skip')
      await tap(page, 'Stop the clock')
      await tap(page, `End ${name} quarter`)
    }
    await tap(page, 'End the match')
    await shows(page, expected[0] ?? 0, expected[1] ?? 0)
    await sent(page)
    expect(await readMatch(id)).toMatchObject({ state: 'finished', score: { home: expected[0], away: expected[1] } })
  })

  test('[issue 21.1] cricket: an innings each, by whoever bats', async () => {
    const { id, deskUrl } = await newMatch('cricket', 3, { startingSize: 3 })
    const page = await open(deskUrl)
    await tap(page, 'Start 1st innings')
    const play = async (...names: string[]) => {
      for (const name of names) {
        await tap(page, name)
        await tap(page, 'Skip')
      }
    }
    await play(
      'Runs 1 Harbour Town',
      'Four Harbour Town',
      'Wide Harbour Town',
      'Runs 0 Harbour Town',
      'Wicket Harbour Town',
    )
    await page.getByText('6/1').waitFor(SOON)
    await play('Wicket Harbour Town')
    await tap(page, 'End 1st innings')
    await tap(page, 'Start 2nd innings')
    await page.getByRole('group', { name: 'Whose buttons' }).getByRole('button', { name: 'NOR' }).click()
    await play('Six Northern Coast')
    await page.getByText('6/0').waitFor(SOON)
    await play('Runs 2 Northern Coast')
    await page.getByText('Finished', { exact: true }).waitFor(SOON)
    await sent(page)
    expect(await readMatch(id)).toMatchObject({ state: 'finished', score: { home: 6, away: 8 } })
  })

  test('[issue 21.1] tennis and volleyball: point by point, sets and their ends by themselves', async () => {
    const tennis = await newMatch('tennis', 1)
    const page = await open(tennis.deskUrl)
    await tap(page, 'Start Set 1')
    const point = page.getByRole('button', { name: 'Point Harbour Town' })
    for (let won = 0; won < 48; won++) await point.click()
    await page.getByText('Finished', { exact: true }).waitFor(SOON)
    await shows(page, 2, 0)
    await sent(page)
    expect(await readMatch(tennis.id)).toMatchObject({ state: 'finished', score: { home: 2, away: 0 } })

    const volleyball = await newMatch('volleyball', 1, { periodCount: 1 })
    const other = await open(volleyball.deskUrl)
    await tap(other, 'Start Set 1')
    await tap(other, 'Point Northern Coast')
    await tap(other, 'Ace')
    await tap(other, 'Skip')
    for (let won = 1; won < 15; won++) {
      await other.getByRole('button', { name: 'Point Northern Coast' }).click()
      await tap(other, 'Skip')
    }
    await other.getByText('Finished', { exact: true }).waitFor(SOON)
    await sent(other)
    expect(await readMatch(volleyball.id)).toMatchObject({ state: 'finished', score: { home: 0, away: 1 } })
    expect((await readMatch(volleyball.id)).score).toMatchObject({ periods: [{ home: 0, away: 15 }] })
  })

  test('[issue 21.1] two telephones see each other at once, what was told twice is asked about, and what no longer fits is told', async () => {
    const { id, deskUrl } = await newMatch('football', 2)
    const line = await proxyTo(deskUrl)
    const [one, two] = [await open(deskUrl), await open(`${new URL(line.url).origin}${new URL(deskUrl).pathname}`)]
    await tap(one, 'Start 1st half')
    await two.getByText('1st half', { exact: true }).waitFor(SOON)
    line.refuse()
    await tap(two, 'End 1st half')
    await two.getByText('No line.').waitFor(SOON)
    await tap(one, 'Goal Harbour Town')
    await tap(one, 'Skip')
    await tap(one, 'End 1st half')
    await sent(one)
    line.mend()
    // pressed before the goal and the end of the other: the match cannot have ended its half twice
    await two.getByRole('button', { name: '1 refused' }).click(SOON)
    await two.getByText(/impossible|not running/).waitFor(SOON)
    await tap(two, 'Throw away')
    await two.keyboard.press('Escape')
    await sent(two)
    await shows(two, 1, 0)
    await tap(two, 'Start 2nd half')
    await one.getByRole('button', { name: 'Goal Northern Coast', exact: true }).waitFor(SOON)
    await Promise.all([tap(one, 'Goal Northern Coast'), tap(two, 'Goal Northern Coast')])
    for (const page of [one, two]) await tap(page, 'Skip')
    for (const page of [one, two]) await shows(page, 1, 2)
    // both answer, the one without a line first: one goal is left
    line.refuse()
    await tap(two, 'It was one')
    await shows(two, 1, 1)
    await tap(one, 'It was one')
    await shows(one, 1, 1)
    await sent(one)
    line.mend()
    await sent(two)
    for (const page of [one, two]) await shows(page, 1, 1)
    expect(await readMatch(id)).toMatchObject({ score: { home: 1, away: 1 } })
    expect((await readFacts(id)).filter(({ type }) => type === 'goal')).toHaveLength(2)
  })

  test('[issue 21.1] a press that was refused is put right in any of its fields, or dropped; so is a line-up', async () => {
    const { id, deskUrl, teams } = await newMatch('football', 4)
    const line = await proxyTo(deskUrl)
    const page = await open(`${new URL(line.url).origin}${new URL(deskUrl).pathname}`)
    const dialog = page.getByRole('dialog')
    await tap(page, 'Start 1st half')
    await sent(page)
    const roster = (await production.call('GET', `/v1/teams/${teams[0]}/players`)).body.players as { id: number }[]
    const [first, second, third] = roster.map((player) => player.id)
    line.refuse()
    await page.getByText('No line.').waitFor(SOON)
    await tap(page, 'Goal Harbour Town')
    await dialog.getByRole('button', { name: /Player 2/ }).click()
    await tap(page, 'Goal Harbour Town')
    await dialog.getByRole('button', { name: /Player 2/ }).click()
    // nobody knows whether the first goal arrived: who it was comes after it
    await page.getByRole('button', { name: '3 waiting' }).waitFor(SOON)
    // meanwhile somebody lines up without that player
    const players = [first, third].map((playerId) => ({ playerId, starting: true }))
    const lineup = await production.call('PUT', `/v2/matches/${id}/lineup`, { teams: [{ teamId: teams[0], players }] })
    expect(lineup.status).toBe(200)
    line.mend()
    await tap(page, '2 refused')
    await dialog.getByText('not in the line-up of the team').first().waitFor(SOON)
    await dialog.getByRole('button', { name: 'Put right…' }).first().click()
    await dialog.getByRole('heading', { name: 'Correction of a fact' }).waitFor(SOON)
    expect(await seriousFindings(page)).toEqual([])
    await dialog.getByLabel('Who').selectOption(String(first))
    await dialog.getByRole('button', { name: 'Send again' }).click()
    await tap(page, '1 refused')
    await dialog.getByRole('button', { name: 'Put right…' }).click()
    await dialog.getByText('It can be sent like this.').waitFor(SOON)
    // by the server's own rules, before it is asked
    await dialog.getByLabel('Period').fill('2')
    await dialog.getByText('Not like this:').waitFor(SOON)
    await dialog.getByLabel('Period').fill('1')
    await dialog.getByLabel('What').selectOption('penaltyGoal')
    await dialog.getByLabel('Who').selectOption(String(third))
    await dialog.getByRole('button', { name: 'Send again' }).click()
    await sent(page)
    await shows(page, 2, 0)
    // it is of this telephone, and can be taken back there
    await page.getByText('Last: Penalty goal').waitFor(SOON)
    expect((await readFacts(id)).slice(1)).toMatchObject([
      { type: 'goal', teamId: teams[0], playerId: first },
      { type: 'penaltyGoal', teamId: teams[0], playerId: third },
    ])
    // one that cannot be put right is dropped
    await tap(page, 'End 1st half')
    await expect.poll(async () => (await readFacts(id)).at(-1)?.type).toBe('periodEnd')
    line.refuse()
    await page.getByText('No line.').waitFor(SOON)
    await tap(page, 'Start 2nd half')
    await production.call('POST', `/v2/matches/${id}/facts`, { type: 'periodStart' })
    line.mend()
    await tap(page, '1 refused')
    await dialog.getByRole('button', { name: 'Put right…' }).click()
    await dialog.getByRole('button', { name: 'Throw away' }).click()
    await sent(page)
    await page.getByText('2nd half', { exact: true }).waitFor(SOON)

    await tap(page, 'Line-ups')
    await tap(page, 'Usual line-up')
    const leaver = page.getByRole('region', { name: /^Line-up of/ }).getByText('Player 2')
    await leaver.first().waitFor(SOON)
    line.refuse()
    await tap(page, 'Save the line-up')
    await page.getByText('Kept on this telephone').waitFor(SOON)
    expect((await production.call('DELETE', `/v1/teams/${teams[0]}/players/${second}`)).status).toBe(204)
    line.mend()
    await page.getByText('This line-up was refused.').waitFor(SOON)
    // what it is put right by came with the refusal
    expect(await leaver.count()).toBe(0)
    await tap(page, 'Save the line-up')
    await page.getByText('The line-up is saved.').waitFor(SOON)
    await sent(page)
    const saved = (await production.call('GET', `/v1/matches/${id}/lineup?teamId=${teams[0]}`)).body.lineups
    expect((saved as { players: { id: number }[] }[])[0]?.players.map((player) => player.id).sort()).toEqual(
      roster.map((player) => player.id).filter((one) => one !== second),
    )
  })

  test('[issue 21.1] a desk whose match was deleted says so, and keeps what was not sent', async () => {
    const { id, deskUrl } = await newMatch('football', 1)
    const line = await proxyTo(deskUrl)
    const page = await open(`${new URL(line.url).origin}${new URL(deskUrl).pathname}`)
    await sent(page)
    line.refuse()
    await tap(page, 'Start 1st half')
    await page.getByText('No line.').waitFor(SOON)
    await production.call('DELETE', `/v2/matches/${id}`)
    line.mend()
    await page.getByText('This desk is closed.').waitFor(SOON)
    await page.getByText('1 not sent: they stay on this telephone.').waitFor(SOON)
    await page.getByRole('button', { name: /waiting$/ }).click()
    await page.getByRole('dialog').getByText('Period start').waitFor(SOON)
  })

  test('[issue 21.1] a telephone whose clock is an hour off presses at the right time, and says so', async () => {
    const { id, deskUrl } = await newMatch('football', 1)
    const context = await browser.newContext(TELEPHONE)
    const page = await context.newPage()
    await page.addInitScript(`{
      const hour = 3_600_000, now = Date.now
      Date.now = () => now() + hour
      Object.defineProperty(performance, 'timeOrigin', { value: performance.timeOrigin + hour })
    }`)
    await page.goto(deskUrl)
    await page.getByText('The clock of this telephone is 60 min ahead').waitFor(SOON)
    await tap(page, 'Start 1st half')
    await expect.poll(async () => (await readFacts(id)).length, SOON).toBe(1)
    const [fact] = (await production.call('GET', `/v2/matches/${id}/facts`)).body.facts as { timestamp: string }[]
    expect(Math.abs(Date.parse(fact?.timestamp ?? '') - Date.now())).toBeLessThan(20_000)
  })
})
