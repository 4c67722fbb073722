import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Production, startProduction } from '../resources/support.ts'
import { seriousFindings } from './support/axe.ts'
import { noChromium, openWindows, type Windows } from './support/chromium.ts'
import { windowOf } from './support/signed-in.ts'

const SOON = { timeout: 20_000 }

describe.skipIf(noChromium)('the editor of line-ups', () => {
  let browser: Windows
  let production: Production
  const faults: string[] = []

  beforeAll(async () => {
    production = await startProduction()
    browser = await openWindows()
  })
  afterAll(async () => {
    await browser?.close()
    await production?.close()
  })
  afterEach(() => expect(faults.splice(0)).toEqual([]))

  const watched = (page: Page) => {
    page.on('pageerror', ({ message }) => faults.push(message))
    page.on('console', (message) => message.text().includes('Content Security Policy') && faults.push(message.text()))
    return page
  }
  const lineupOf = async (teamId = production.teamIds[0]) => {
    const { body } = await production.call('GET', `/v1/matches/${production.matchId}/lineup?teamId=${teamId}`)
    const [lineup] = body.lineups as {
      formation: string | null
      players: { id: number; starting: boolean; captain: boolean; number: string | null }[]
    }[]
    if (!lineup) throw new Error('no line-up')
    return lineup
  }
  const named = (page: Page, index: number) => page.locator('.lineup-player').nth(index)
  const count = (page: Page, part: string) => page.locator(`.lineup-${part}`).count()

  test('[issue 21.2] on a telephone: keys, drag and buttons, errors at the player, formation and captain', async () => {
    const { deskUrl } = (await production.call('GET', `/v2/matches/${production.matchId}`)).body as { deskUrl: string }
    const context = await browser.newContext({ viewport: { width: 360, height: 740 } })
    const page = watched(await context.newPage())
    await page.goto(deskUrl)
    await page.getByRole('button', { name: 'Line-ups' }).click(SOON)
    await page.getByRole('button', { name: 'Usual line-up' }).click(SOON)
    await expect.poll(() => count(page, 'starters')).toBe(11)
    expect(await seriousFindings(page)).toEqual([])
    const tooMany = await page.locator('.lineup-bench').first().locator('.lineup-name').textContent()
    await page.getByRole('button', { name: `Start ${tooMany}` }).click()
    await page.getByText('more than 11 starters').waitFor(SOON)
    expect(await page.getByRole('button', { name: 'Save the line-up' }).isDisabled()).toBe(true)
    // by keys: the last starter goes below the mark, and is on the bench
    await named(page, 11).locator('.drag-handle').press('ArrowDown')
    await expect.poll(() => count(page, 'starters')).toBe(11)
    // by drag: the first below the third
    const first = (await named(page, 0).locator('.lineup-name').textContent()) ?? ''
    await named(page, 0).scrollIntoViewIfNeeded()
    const [from, to] = [await named(page, 0).locator('.drag-handle').boundingBox(), await named(page, 2).boundingBox()]
    if (!from || !to) throw new Error('the players have no place')
    await page.mouse.move(from.x + 10, from.y + 10)
    await page.mouse.down()
    await page.mouse.move(from.x + 10, to.y + to.height - 4, { steps: 4 })
    await page.mouse.up()
    await expect.poll(() => named(page, 2).locator('.lineup-name').textContent()).toBe(first)
    const number = (index: number) => named(page, index).locator('.lineup-number')
    const taken = await number(1).inputValue()
    const own = await number(0).inputValue()
    await number(0).fill(taken)
    await page.getByText('worn by another player').first().waitFor(SOON)
    await number(0).fill(own === '77' ? '78' : '77')
    await page.getByLabel('Formation').fill('4-4-2')
    const captain = (await page.evaluate(`
      [...document.querySelectorAll('.lineup-starters .lineup-captain')]
        .findIndex((one) => one.getAttribute('aria-pressed') === 'false')`)) as number
    await named(page, captain)
      .getByRole('button', { name: /^Captain/ })
      .click()
    await page.getByRole('button', { name: 'Save the line-up' }).click()
    await page.getByText('The line-up is saved.').waitFor(SOON)
    await expect.poll(async () => (await lineupOf()).formation, SOON).toBe('4-4-2')
    const { players } = await lineupOf()
    expect(players.filter(({ starting }) => starting)).toHaveLength(11)
    expect([players[0]?.number, players[captain]?.captain]).toEqual([own === '77' ? '78' : '77', true])
  })

  test('[issue 21.2] in the dashboard: the same editor, from the last match, and the desk as a QR code', async () => {
    const context = await windowOf(browser, production, 'user')
    const page = watched(await context.newPage())
    const later = await production.call('POST', '/v2/matches', {
      competitionId: production.competitionId,
      homeTeamId: production.teamIds[0],
      awayTeamId: production.teamIds[1],
      date: '2039-05-01T12:00:00Z',
    })
    await page.goto(`${production.server.origin}/dashboard/matches/${later.body.id}`)
    const desk = page.getByLabel('Desk address')
    await desk.waitFor(SOON)
    expect(new URL(await desk.inputValue()).pathname).toBe(new URL(String(later.body.deskUrl)).pathname)
    await page.getByRole('img', { name: 'The address of the match desk as a QR code' }).waitFor(SOON)
    await page
      .getByRole('button', { name: /^Edit… the line-up of/ })
      .first()
      .click(SOON)
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Empty' }).click()
    await dialog.getByText('0 start, 0 on the bench').waitFor(SOON)
    // a server that has no time says so where the line-up would be, and whoever wants it presses again
    await vi.waitFor(async () => {
      await dialog.getByRole('button', { name: 'Last match' }).click()
      await expect
        .poll(() => dialog.getByRole('status').textContent(), { timeout: 5_000 })
        .toMatch(/^As in the match before/)
    })
    expect(await dialog.getByLabel('Formation').inputValue()).toBe('4-4-2')
    await dialog.getByRole('button', { name: 'Save the line-up' }).click()
    await page.getByText('4-4-2').waitFor(SOON)
    const read = await production.call('GET', `/v1/matches/${later.body.id}/lineup?teamId=${production.teamIds[0]}`)
    expect(read.body.lineups).toMatchObject([{ formation: '4-4-2' }])
  })
})
