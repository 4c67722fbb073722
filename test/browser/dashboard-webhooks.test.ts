import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Production, startProduction } from '../resources/support.ts'
import { type Receiver, webhookReceiver } from '../support/webhook-receiver.ts'
import { seriousFindings } from './support/axe.ts'
import { noChromium, openWindows, type Windows } from './support/chromium.ts'
import { windowOf } from './support/signed-in.ts'

describe.skipIf(noChromium)('[issue 20.3] webhooks in the dashboard', () => {
  let production: Production
  let receiver: Receiver
  let browser: Windows
  let page: Page
  const faults: string[] = []

  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const open = (path: string) => page.goto(`${production.server.origin}/dashboard${path}`)

  beforeAll(async () => {
    production = await startProduction('empty', undefined, { OUTBOUND_PRIVATE: 'on' })
    receiver = await webhookReceiver()
    browser = await openWindows()
    page = await (await windowOf(browser, production, 'owner')).newPage()
    page.on('pageerror', ({ message }) => faults.push(message))
    page.on('console', (message) => message.text().includes('Content Security Policy') && faults.push(message.text()))
  })
  afterAll(async () => {
    await browser?.close()
    await receiver?.close()
    await production?.close()
  })

  test('one is made, shows its secret once, takes a test and a goal, and is disabled and deleted', async () => {
    await open('/webhooks')
    await page.getByText('Nobody is told yet').waitFor()
    await press('New webhook')
    await page.getByLabel('Address').fill('http://receiver')
    await page.getByLabel('What it is for').fill('The club site')
    await page.getByLabel('Every event').click()
    await page.getByLabel('match.score_changed').check()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByLabel('Address').fill(receiver.url)
    await press('Make the webhook')
    receiver.trust(await page.getByLabel('Secret', { exact: true }).inputValue())
    await press('Done')
    await page.getByRole('link', { name: receiver.url }).click()
    await press('Send a test')
    await page.getByRole('row').filter({ hasText: 'webhook.test' }).getByText('Delivered').waitFor()
    const facts = `/v2/matches/${production.matchId}/facts`
    await production.call('POST', facts, { type: 'matchStart' })
    await production.call('POST', facts, { type: 'goal', teamId: production.teamIds[0] })
    const goal = page.getByRole('row').filter({ hasText: 'match.score_changed' })
    await goal.getByText('Delivered').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await goal.getByRole('button', { name: /^Actions/ }).click()
    await page.getByRole('menuitem', { name: 'Deliver again' }).click()
    await receiver.until((received) => received.filter(({ type }) => type === 'match.score_changed').length === 2)
    await page.getByRole('link', { name: 'Webhooks' }).first().click()
    const row = page.getByRole('row').filter({ hasText: 'The club site' })
    await row.getByText('Works').waitFor()
    await row.getByRole('button', { name: /^Actions/ }).click()
    await page.getByRole('menuitem', { name: 'Disable' }).click()
    await press('Disable')
    await row.getByText('Disabled').waitFor()
    await row.getByRole('button', { name: /^Actions/ }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await press('Delete the webhook')
    await page.getByText('Nobody is told yet').waitFor()
    expect([faults, receiver.faults]).toEqual([[], []])
  })

  test('one that is gone says that it was disabled by itself, and the audit list says so', async () => {
    const gone = await webhookReceiver()
    gone.answer = (_, response) => response.writeHead(410).end()
    const wanted = { url: gone.url, events: ['match.created'], description: 'The old site' }
    const { body } = await production.call('POST', '/v2/webhooks', wanted)
    await production.call('POST', `/v2/webhooks/${body.id}/test`)
    await expect.poll(async () => (await production.call('GET', `/v2/webhooks/${body.id}`)).body.enabled).toBe(false)
    await open('/webhooks')
    const row = page.getByRole('row').filter({ hasText: 'The old site' })
    await row.getByText('by itself: nothing was taken since').waitFor()
    await row.getByText('Disabled').waitFor()
    await open('/audit?kind=webhook')
    await page.getByRole('row').filter({ hasText: 'reason: gone' }).getByText('the server').waitFor()
    await gone.close()
  })

  test('nobody but owners and admins sees them', async () => {
    const other = await (await windowOf(browser, production, 'user')).newPage()
    await other.goto(`${production.server.origin}/dashboard/`)
    await other.getByRole('link', { name: 'Overlays' }).waitFor()
    expect(await other.getByRole('link', { name: 'Webhooks' }).count()).toBe(0)
    await other.goto(`${production.server.origin}/dashboard/webhooks`)
    await other.getByText('Your role does not open this page').waitFor()
  })
})
