import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Api } from '../../bench/api.ts'
import { createLeague } from '../../bench/match-day/production.ts'
import { type Production, startProduction } from '../resources/support.ts'
import { type TestMedia, testMedia } from '../support/media-plane.ts'
import { Renderer } from '../support/renderer.ts'
import { seriousFindings } from './support/axe.ts'
import { until } from './support/broadcast.ts'
import { COARSE, noChromium, openWindows, type Windows } from './support/chromium.ts'

describe.skipIf(noChromium)('the monitoring page', () => {
  let browser: Windows
  let media: TestMedia
  let production: Production
  let page: Page
  let renderer: Renderer
  const requests: Request[] = []
  const faults: string[] = []

  const region = (name: string) => page.getByRole('region', { name, exact: true })
  const onAir = (name: string) => region('On air').getByRole('heading', { name, exact: true, level: 3 })

  beforeAll(async () => {
    media = testMedia()
    production = await startProduction('built', media)
    const history = [4, 3, 2, 1].map((ago) => ({ at: Date.now() - ago * 5_000, bitrateKb: 4_000 + ago * 100 }))
    media.measures.set(`input/${production.inputId}`, { bitrateKb: 4_200, history })
    renderer = new Renderer({ url: `${production.overlay.url.replace('http', 'ws')}/socket?renderer=obs-main` })
    browser = await openWindows()
    page = await browser.newPage(COARSE)
    page.on('request', (request) => requests.push(request))
    page.on('pageerror', ({ message }) => faults.push(message))
    page.on('console', (message) => message.text().includes('Content Security Policy') && faults.push(message.text()))
    await page.goto(production.overlay.monitoringUrl)
  })
  afterAll(async () => {
    renderer?.close()
    await browser?.close()
    await production?.close()
  })

  test('[issue 6.3] it says that it is connected, who renders, and that nothing is on air', async () => {
    await page
      .getByRole('status')
      .filter({ hasText: /^Connected$/ })
      .waitFor()
    await region('On air').getByText('Nothing is on air').waitFor()
    await region('Renderers').getByRole('rowheader', { name: 'obs-main' }).waitFor()
    await page.getByText('Off air', { exact: true }).waitFor()
  })

  test('[issue 20.8] it says how OBS is set up, and what became of the last theme version there', async () => {
    const { call, overlay } = production
    const panel = region('OBS')
    await panel.getByText('Refresh cache of current page').waitFor({ state: 'hidden' })
    await panel.getByText('Set-up').click()
    await panel.getByText('WebSocket Server Settings').waitFor()
    await call('PATCH', `/v2/overlays/${overlay.id}`, { obsUrl: 'ws://obs.invalid:4455' })
    await call('POST', `/v2/overlays/${overlay.id}/obs/refresh`)
    await panel.getByText(/^\d\d:\d\d:\d\d: (The name of OBS is not known|Cannot reach OBS)/).waitFor()
    await panel.getByText('Not refreshed', { exact: true }).click()
    await call('PATCH', `/v2/overlays/${overlay.id}`, { obsUrl: null })
  })

  test('[issue 6.3] a preset that is shown is on air there, painted by the renderers, in the live picture and in the last as-run rows', async () => {
    await production.fire('show', 'Head coach')
    await onAir('Head coach').waitFor()
    await region('On air').getByText('Painted by the renderer').waitFor()
    await page.getByText('On air', { exact: true }).first().waitFor()
    await until('the graphic in the picture', () => page.frames().find((frame) => /\/bundles\//.test(frame.url())))
    const row = region('As run').getByRole('row').nth(1)
    await row.getByRole('rowheader', { name: 'Head coach' }).waitFor()
    await row.getByText(/\d ms$/).waitFor()
    const figures = region('Renderers').getByRole('row').nth(1).getByRole('cell')
    await expect
      .poll(() => figures.allTextContents())
      .toEqual([
        'Current',
        ...Array.from({ length: 3 }, () => expect.stringMatching(/^[\d.]+ m?s$/)),
        expect.stringMatching(/ ago$/),
      ])
  })

  test('[live-path 13] a player who was picked is named', async () => {
    const roster = await production.call('GET', `/v1/teams/${production.teamIds[0]}/players`)
    const [{ id, firstName, lastName }] = roster.body.players as [{ id: number; firstName: string; lastName: string }]
    await production.fire('show', 'Goal scorer', { player: id })
    await region('On air').getByRole('definition').getByText(`${firstName} ${lastName}`, { exact: true }).waitFor()
    expect(await region('On air').getByRole('definition').getByText(String(id), { exact: true }).count()).toBe(0)
    await production.fire('show', 'Head coach')
    await onAir('Head coach').waitFor()
  })

  test('[issue 6.3] names that could not be read at first are read again', async () => {
    const other = await browser.newPage()
    await other.route('**/rest/room', (route) => route.abort(), { times: 2 })
    await other.goto(page.url())
    await other.locator('section[aria-labelledby=on-air]').getByRole('heading', { name: 'Head coach' }).waitFor()
    await other.close()
  })

  test('[issue 6.3] the live picture is no renderer', async () => {
    expect(await region('Renderers').getByRole('rowheader').count()).toBe(1)
  })

  test('[issue 6.3] score and clock follow the match', async () => {
    const record = (fact: object) => production.call('POST', `/v2/matches/${production.matchId}/facts`, fact)
    await record({ type: 'periodStart' })
    await region('Match').getByText('Live, 1st half').waitFor()
    const clock = region('Match').getByRole('timer')
    await expect.poll(() => clock.textContent()).toMatch(/^00:(0[2-9]|[1-5]\d)$/)
    await record({ type: 'goal', teamId: production.teamIds[0] })
    await expect.poll(() => page.locator('.side-score').allTextContents()).toEqual(['1', '0'])
  })

  test('[issue 6.3] tennis is read as on television: who serves, sets, games of each set, the points of the game', async () => {
    const api = new Api(production.server.origin, production.apiKey)
    const { competitionId, squads } = await createLeague(api, 'tennis', 2)
    const [homeTeamId, awayTeamId] = squads.map(({ teamId }) => teamId)
    const match = { competitionId, homeTeamId, awayTeamId, date: new Date().toISOString() }
    const { id: matchId } = await api.post<{ id: number }>('/v2/matches', match)
    const record = (type: string, teamId = homeTeamId) => api.post(`/v2/matches/${matchId}/facts`, { type, teamId })
    await record('matchStart', awayTeamId)
    for (let point = 0; point < 5; point++) await record('point')
    const overlay = { name: 'Court', matchId, controlRoomId: production.controlRoomId }
    const { monitoringUrl } = await api.post<{ monitoringUrl: string }>('/v1/overlays', overlay)
    const other = await browser.newPage()
    await other.goto(monitoringUrl)
    const table = other.getByRole('region', { name: 'Match' }).getByRole('table')
    const cells = (row: number) => table.getByRole('row').nth(row).getByRole('cell').allTextContents()
    await table.waitFor()
    expect([await cells(1), await cells(2)]).toEqual([
      ['0', '1', '15'],
      ['0', '0', '0'],
    ])
    await table.getByRole('row').nth(1).getByRole('img', { name: 'serves' }).waitFor()
    await record('point', awayTeamId)
    await expect.poll(() => cells(2)).toEqual(['0', '0', '15'])
    expect(await seriousFindings(other)).toEqual([])
    await other.close()
  })

  test('[issue 6.3] the stream shows its input and destinations with the bitrates of the last ten minutes', async () => {
    await region('Stream')
      .getByRole('img', { name: /: 4\.1 Mb\/s to 4\.4 Mb\/s in the last ten minutes$/ })
      .waitFor()
    expect(await region('Stream').getByRole('listitem').count()).toBe(1 + production.destinationIds.length)
  })

  test('[issue 6] axe finds nothing serious', async () => {
    expect(await seriousFindings(page)).toEqual([])
    await page.setViewportSize({ width: 1024, height: 768 })
    expect(await seriousFindings(page)).toEqual([])
    await page.setViewportSize({ width: 1920, height: 1080 })
  })

  test('[issue 6.3] nothing on it can change anything, and it asks nobody but its server', async () => {
    expect(await page.locator('button, input, select, textarea, form, a[href], [contenteditable]').count()).toBe(0)
    expect([...new Set(requests.map((request) => request.method()))]).toEqual(['GET'])
    const elsewhere = requests
      .map((request) => request.url())
      .filter((url) => !url.startsWith(production.server.origin))
    expect(elsewhere.filter((url) => !url.startsWith('data:'))).toEqual([])
  })

  test('[issue 6.3] a connection that is lost cannot be missed, clocks stand, and what changed meanwhile is there afterwards', async () => {
    const alarm = page.getByRole('alert').filter({ hasText: 'Not connected' })
    await production.server.restart(async () => {
      await alarm.waitFor()
      await page.getByText('Unknown', { exact: true }).waitFor()
      expect(await page.title()).toMatch(/^Not connected: /)
    })
    await production.fire('hide', 'Head coach')
    await alarm.waitFor({ state: 'detached' })
    await region('On air').getByText('Nothing is on air').waitFor()
    expect(faults).toEqual([])
  })

  test('[issue 6] once its address is replaced the page says so, and shows nothing as if it were live', async () => {
    const { call, overlay } = production
    await call('POST', `/v2/overlays/${overlay.id}/links/rotate`, { links: ['monitoring'] })
    await page.getByRole('alert').filter({ hasText: 'This address is closed.' }).waitFor()
    await page.getByText('Unknown', { exact: true }).waitFor()
  })
})
