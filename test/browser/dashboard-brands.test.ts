import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Production, startProduction } from '../resources/support.ts'
import { png } from '../support/images.ts'
import { seriousFindings } from './support/axe.ts'
import { noChromium, openWindows, type Windows } from './support/chromium.ts'
import { windowOf } from './support/signed-in.ts'

describe.skipIf(noChromium)('[issue 18.7] brands in the dashboard', () => {
  let production: Production
  let browser: Windows
  let page: Page
  const faults: string[] = []

  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const row = (text: string) => page.getByRole('row').filter({ hasText: text })
  const open = (path: string) => page.goto(`${production.server.origin}/dashboard${path}`)
  const call = async (method: string, path: string, body?: unknown) => (await production.call(method, path, body)).body

  beforeAll(async () => {
    production = await startProduction()
    // those of the demo
    const { competitionThemeSettingId } = await call('GET', `/v2/overlays/${production.overlay.id}`)
    const profile = `/v2/competitions/${production.competitionId}/theme-profiles/${competitionThemeSettingId}`
    await call('PUT', `${profile}/sponsor-slots`, { slots: [] })
    const { brands } = (await call('GET', '/v2/brands')) as { brands: { id: number }[] }
    for (const { id } of brands) await production.call('DELETE', `/v2/brands/${id}`)
    browser = await openWindows()
    page = await (await windowOf(browser, production, 'owner')).newPage()
    page.on('pageerror', ({ message }) => faults.push(message))
    page.on('console', (message) => message.text().includes('Content Security Policy') && faults.push(message.text()))
  })
  afterAll(async () => {
    await browser?.close()
    await production?.close()
  })

  test('one is made with its logo, changed, and deleted once nothing uses it', async () => {
    await open('/brands')
    await press('Add a brand')
    await page.getByLabel('Name').fill('Fjordline Coffee')
    await page.getByLabel('Tagline').fill('Roasted at sea')
    const logo = page.getByLabel('Logo', { exact: true })
    await logo.setInputFiles({ name: 'logo.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') })
    await page.getByText('A logo is a PNG or a JPEG').waitFor()
    await logo.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(png(120, 60)) })
    await page.getByText('A logo is a PNG or a JPEG').waitFor({ state: 'detached' })
    expect(await seriousFindings(page)).toEqual([])
    await press('Add')
    await row('Fjordline Coffee').getByText('In rotation').waitFor()
    const image = row('Fjordline Coffee').locator('img')
    await expect
      .poll(() => image.evaluate((one) => (one as unknown as { naturalWidth: number }).naturalWidth))
      .toBe(120)
    expect(await call('GET', '/v2/brands')).toMatchObject({
      brands: [{ tagline: 'Roasted at sea', active: true }],
      total: 1,
    })

    const [{ id }] = ((await call('GET', '/v2/brands')).brands as [{ id: number }]) ?? []
    const { competitionThemeSettingId } = await call('GET', `/v2/overlays/${production.overlay.id}`)
    const slots = `/v2/competitions/${production.competitionId}/theme-profiles/${competitionThemeSettingId}/sponsor-slots`
    await call('PUT', slots, { slots: [{ name: 'Breaks', brands: [{ brandId: id, share: 1 }] }] })
    const act = async (action: string) => {
      await row('Fjordline Coffee').getByRole('button').click()
      await page.getByRole('menuitem', { name: action }).click()
    }
    await act('Edit')
    await page.getByLabel('In rotation').uncheck()
    await page.getByLabel('Until').fill('2020-01-01T12:00')
    await page.getByLabel('From').fill('2021-01-01T12:00')
    await press('Save')
    await page.getByText('must be later than from').waitFor()
    await page.getByLabel('From').fill('')
    await press('Save')
    await row('Fjordline Coffee').getByText('Paused').waitFor()
    await act('Delete')
    await press('Delete the brand')
    await page
      .getByRole('alert')
      .getByText(/sponsor slot “Breaks”/)
      .waitFor()
    await call('PUT', slots, { slots: [] })
    await press('Delete the brand')
    await page.getByText('No brands yet').waitFor()
    expect(faults).toEqual([])
  })

  test('what was promised stands against what was painted, and goes out as CSV', async () => {
    const ids: number[] = []
    for (const name of ['Alba', 'Brio']) ids.push(Number((await call('POST', '/v2/brands', { name })).id))
    const { competitionThemeSettingId } = await call('GET', `/v2/overlays/${production.overlay.id}`)
    const brands = ids.map((brandId, index) => ({ brandId, share: index === 0 ? 75 : 25 }))
    await call(
      'PUT',
      `/v2/competitions/${production.competitionId}/theme-profiles/${competitionThemeSettingId}/sponsor-slots`,
      { slots: [{ id: 'breaks', name: 'Breaks', brands }] },
    )
    await open('/brands?show=delivery')
    await row('Alba').waitFor()
    expect(await row('Alba').getByRole('cell').allTextContents()).toEqual(['Alba', '', '75.0 %', '0.0 %', '–', '0.0 s'])
    expect(await seriousFindings(page)).toEqual([])
    const href = await page.getByRole('link', { name: 'CSV of sponsor slots' }).getAttribute('href')
    const csv = await page.evaluate((path) => fetch(String(path)).then((answer) => answer.text()), href)
    expect(csv).toContain(`breaks,Breaks,${ids[1]},Brio,0.25,0,0`)
    for (const view of ['/brands', '/brands?show=delivery']) {
      await open(view)
      await row('Alba').waitFor()
      await page.setViewportSize({ width: 390, height: 800 })
      expect(await page.evaluate('document.documentElement.scrollWidth'), view).toBe(390)
      await page.setViewportSize({ width: 1920, height: 1080 })
    }
    expect(faults).toEqual([])
  })

  test('a sponsor slot is shared out, put into order and saved; what is wrong is told at its field', async () => {
    const { competitionThemeSettingId: profileId } = await call('GET', `/v2/overlays/${production.overlay.id}`)
    const path = `/v2/competitions/${production.competitionId}/theme-profiles/${profileId}/sponsor-slots`
    const stored = async () => (await call('GET', path)).slots as { name: string; brands: object[] }[]
    const card = (name: string) => page.locator('.slot-card').filter({ has: page.locator(`[value="${name}"]`) })
    const bar = page.getByRole('region', { name: 'Unsaved changes' })

    await open('/brands')
    await row('Brio').getByRole('button').click()
    await page.getByRole('menuitem', { name: 'Sponsor slots' }).click()
    await row('Breaks').getByText('Alba 75 %, Brio 25 %').waitFor()
    await row('Breaks').getByRole('link', { name: /^Open/ }).click()
    await card('Breaks').getByText('Nothing shows it yet').waitFor()
    await press('Add a slot')
    await page.keyboard.type('Goals')
    const goals = card('Goals')
    for (const brand of ['Alba', 'Brio']) await goals.getByLabel('Add a brand to Goals').selectOption({ label: brand })
    await goals.getByLabel('Share of Alba').fill('120')
    await press('Save the slots')
    await goals.getByText(/<=100/).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await goals.getByLabel('Share of Alba').fill('30')
    await goals.getByText(/<=100/).waitFor({ state: 'detached' })
    await goals.getByLabel('Share of Brio').fill('60')
    await goals.getByText('66.7 %', { exact: true }).waitFor()
    await goals.getByLabel('Side of Brio').selectOption({ label: 'only about home' })
    await goals.getByText('33.3 % or 100 %').waitFor()
    await goals.getByRole('button', { name: 'Move Brio, now 2 of 2' }).press('ArrowUp')
    await page.getByText('Brio is now 1 of 2').waitFor({ state: 'attached' })
    await goals.getByRole('button', { name: 'Move Goals, now 2 of 2' }).press('Home')
    await card('Breaks').getByRole('button', { name: 'Remove Breaks', exact: true }).click()
    await page.getByText('Removed: Breaks').waitFor()
    await press('Undo')
    await press('Save the slots')
    await bar.waitFor({ state: 'detached' })
    const [alba, brio] = ((await call('GET', '/v2/brands')).brands as { id: number }[]).map(({ id }) => id)
    expect(await stored()).toMatchObject([
      {
        name: 'Goals',
        brands: [
          { brandId: brio, share: 60, side: 'home' },
          { brandId: alba, share: 30 },
        ],
      },
      { id: 'breaks', name: 'Breaks' },
    ])

    await page.setViewportSize({ width: 390, height: 800 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    await page.setViewportSize({ width: 1920, height: 1080 })
    await goals.getByLabel('Share of Alba').fill('31')
    await page.getByRole('link', { name: 'Game plan', exact: true }).click()
    await press('Leave, drop the changes')
    await page.getByRole('link', { name: 'Sponsor slots', exact: true }).click()
    expect(await goals.getByLabel('Share of Alba').inputValue()).toBe('30')
    const reader = await (await windowOf(browser, production, 'operator')).newPage()
    await reader.goto(page.url())
    await reader.getByText(/may not change competitions, game plans and sponsor slots/).waitFor()
    await reader.getByRole('heading', { name: 'Goals' }).waitFor()
    expect(await reader.getByRole('button', { name: /^(Move|Add|Remove|Save)/ }).count()).toBe(0)
    expect(faults).toEqual([])
  })

  test('a rule offers the slots of its own profile, a preset those of every profile of its theme; the slot says what shows it', async () => {
    const { competitionId, controlRoomId, server } = production
    const { id: presetId, graphicId } = production.preset('Match partner')
    const { sql } = server.database
    const controlVariables = [{ id: 'sponsor', name: 'sponsor', type: 'ad' }]
    await sql`update graphic_version set state_machine = ${sql.json({ controlVariables })} where graphic_id = ${graphicId}`
    await sql`update preset set variable_values = '{}', exposed_variables = '{sponsor}' where id = ${presetId}`
    await sql`select pg_notify('catalog', ${JSON.stringify({ theme: production.themeId })})`
    const { competitionThemeSettingId } = await call('GET', `/v2/overlays/${production.overlay.id}`)
    const profiles = `/v2/competitions/${competitionId}/theme-profiles`
    const { id } = await call('POST', `${profiles}/${competitionThemeSettingId}/copy`, { name: 'Away days' })
    await call('PUT', `${profiles}/${id}/sponsor-slots`, { slots: [{ id: 'bus', name: 'Bus', brands: [] }] })
    const trigger = { type: 'state', state: 'break' }
    const rule = { name: 'In breaks', trigger, presetId, end: { afterSeconds: 9 } }
    await call('PUT', `${profiles}/${id}/game-plan`, { rules: [rule] })

    await open(`/game-plans/${competitionId}/${id}`)
    await page.locator('.plan-sentence').click()
    // open by itself when the plan was tried and the sponsor is what is missing
    const values = page.locator('.plan-fold').filter({ hasText: 'What Match partner shows' })
    if ((await values.getAttribute('open')) === null) await values.locator('summary').click()
    await page.getByLabel('Sponsor', { exact: true }).selectOption({ label: 'this brand or slot:' })
    const value = page.getByLabel('Value of sponsor')
    const offered = () => value.locator('optgroup').evaluateAll((all) => all.map((one) => one.textContent))
    await expect.poll(offered).toEqual(['Bus', 'AlbaBrio'])
    await value.selectOption({ label: 'Bus' })
    await press('Save the plan')
    await page.getByText(/^Saved\. No overlay plays it yet/).waitFor()
    await page.getByRole('link', { name: 'sponsor slots of this profile' }).click()
    await page.getByRole('link', { name: 'rule In breaks' }).waitFor()

    await open(`/control-rooms/${controlRoomId}`)
    await press('Change Match partner')
    const groups = () =>
      page
        .getByLabel('Sponsor', { exact: true })
        .locator('optgroup')
        .evaluateAll((all) => all.map((one) => one.textContent))
    await expect.poll(groups).toEqual(['GoalsBreaks', 'Bus', 'AlbaBrio'])
    expect(faults).toEqual([])
  })
})
