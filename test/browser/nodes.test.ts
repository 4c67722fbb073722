import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Production, startProduction } from '../resources/support.ts'
import { newOrganization } from '../support/app.ts'
import { seriousFindings } from './support/axe.ts'
import { noChromium, openWindows, type Windows } from './support/chromium.ts'
import { windowOf } from './support/signed-in.ts'

describe.skipIf(noChromium)('[cluster] the page Nodes', () => {
  let production: Production
  let browser: Windows
  let page: Page
  const faults: string[] = []

  beforeAll(async () => {
    production = await startProduction()
    browser = await openWindows()
    page = await (await windowOf(browser, production, 'admin')).newPage()
    page.on('pageerror', ({ message }) => faults.push(message))
  })
  afterAll(async () => {
    await browser?.close()
    await production?.close()
  })
  afterEach(async () => {
    const { sql } = production.server.database
    await sql`delete from node`
    await sql`delete from takeover`
    await sql`update slot set node = null, until = '-infinity'`
  })

  /** A node as its last beat left it; one with a beat to come stays alive for as long as the test takes. */
  const add = async (id: string, { ago = '-1 hour', slots = 0, version = '1.4.0', draining = false } = {}) => {
    const { sql } = production.server.database
    await sql`
      insert into node (id, url, version, knows, started_at, beat_at, draining_at, actors, renderers, followers)
      values (${id}, ${`tls://${id}.venue.example:8081`}, ${version}, '', now() - interval '3 hours', now() - ${ago}::interval,
        ${draining ? sql`now()` : null}, 40, 12, 5)`
    await sql`
      update slot set node = ${id}, until = now() + interval '1 hour'
      where id in (select id from slot where node is null order by id limit ${slots})`
  }
  const open = async () => {
    await page.goto(`${production.server.origin}/dashboard/nodes`)
    await page.getByRole('heading', { level: 1, name: 'Nodes' }).waitFor()
    await page.getByText('Reading…').waitFor({ state: 'detached' })
  }
  const looksRight = async () => {
    for (const [width, height] of [
      [1366, 768],
      [1920, 1080],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height })
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
      expect(await seriousFindings(page)).toEqual([])
    }
    await page.setViewportSize({ width: 1366, height: 768 })
    expect(faults).toEqual([])
  }
  const row = (host: string) => page.getByRole('region', { name: 'Nodes' }).getByRole('row').filter({ hasText: host })
  const fact = (title: string) => page.locator('.nodes-fact').filter({ hasText: title }).locator('dd')

  test('a server that is alone says what that means', async () => {
    await open()
    await page.getByText('This server is alone.').waitFor()
    expect(await page.getByRole('table').count()).toBe(0)
    await looksRight()
  })

  test('one is dead and one is drained: who lives comes first, and nothing dead counts', async () => {
    const { sql } = production.server.database
    await add('dead', { ago: '4 minutes' })
    await add('drained', { draining: true })
    await add('one', { slots: 128 })
    await add('two', { slots: 128 })
    await sql`insert into takeover (at, slots, from_node, to_node, reason) values
      (now() - interval '4 minutes', 40, 'dead', 'one', 'expired'),
      (now() - interval '239 seconds', 45, 'dead', 'two', 'expired'),
      (now() - interval '1 minute', 85, 'drained', 'one', 'drain')`
    await open()
    const hosts = await page.getByRole('region', { name: 'Nodes' }).locator('tbody b').allTextContents()
    expect(hosts.map((host) => host.split('.')[0])).toEqual(['one', 'two', 'drained', 'dead'])
    expect(await fact('Live').textContent()).toBe('2 of 4')
    expect(await fact('Everything has an owner').textContent()).toBe('Yes')
    // of three: those of the dead one have gone elsewhere
    expect(await fact('Renderers').textContent()).toBe('36')
    expect(await row('dead.venue').textContent()).toMatch(/Dead.*the others took over.*–.*4 min ago/)
    expect(await row('drained.venue').textContent()).toMatch(/Draining.*serves on, owns nothing.*up 3 h.*Undrain/)
    expect(await row('one.venue').textContent()).toMatch(/Live.*50 %.*Drain/)
    expect(await row('dead.venue').getByRole('button').count()).toBe(0)
    // what two nodes took of one that was lost is one thing that happened
    const moves = page.getByRole('region', { name: 'Takeovers' }).locator('tbody tr')
    expect(await moves.count()).toBe(2)
    expect(await moves.last().textContent()).toMatch(/It was lost.*dead\.venue.*one\.venue.*two\.venue.*33 %/)
    await looksRight()
  })

  test('what has no owner is bad, and different versions are told', async () => {
    await add('one', { slots: 100 })
    await add('leaving', { slots: 28, draining: true, version: '1.5.0' })
    await add('dead', { ago: '8 seconds', version: '1.3.0' })
    await open()
    expect(await fact('Everything has an owner').textContent()).toBe('50 %')
    expect(await page.locator('.nodes-fact[data-tone=bad]').count()).toBe(2)
    await page.getByText('Nodes run different versions: 1.4.0, 1.5.0.').waitFor()
    expect(await row('leaving.venue').textContent()).toContain('hands over what it owns')
    expect(await row('dead.venue').textContent()).toContain('the others are taking over')
    await looksRight()
  })

  test('an admin drains and undrains where there is one organization; with several the page says how it is done', async () => {
    await add('one', { slots: 128 })
    await add('two', { slots: 128 })
    await open()
    await row('two.venue').getByRole('button', { name: 'Drain' }).click()
    await page.getByRole('dialog').getByText('Drain two.venue.example:8081?').waitFor()
    await page.getByRole('button', { name: 'Drain the node' }).click()
    await row('two.venue').getByText('Draining').waitFor()
    // the last one that lives is not offered
    expect(await row('one.venue').getByRole('button').count()).toBe(0)
    await row('two.venue').getByRole('button', { name: 'Undrain' }).click()
    await page.getByRole('button', { name: 'Undrain the node' }).click()
    await row('two.venue').getByText('Live').waitFor()

    const { id } = await newOrganization(production.server.database)
    await page.getByText('Several organizations share these nodes').waitFor()
    expect(await page.getByRole('region', { name: 'Nodes' }).getByRole('button').count()).toBe(0)
    await looksRight()
    await production.server.database.sql`update organization set complete = false where id = ${id}`
  })

  test('a server that does not answer is told: what is seen was read before', async () => {
    await add('one', { slots: 256 })
    await open()
    await page.route('**/v1/nodes', (route) =>
      route.fulfill({ status: 503, body: '{"message":"Temporarily unavailable"}' }),
    )
    await page.getByRole('alert').filter({ hasText: 'This is how it was at' }).waitFor()
    await row('one.venue').waitFor()
    await page.unroute('**/v1/nodes')
    await page.getByRole('alert').waitFor({ state: 'detached' })
  })
})
