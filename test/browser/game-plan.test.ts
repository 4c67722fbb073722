import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Production, startProduction } from '../resources/support.ts'
import { seriousFindings } from './support/axe.ts'
import { noChromium, openWindows, type Windows } from './support/chromium.ts'
import { windowOf } from './support/signed-in.ts'

type Rule = { id: string; name: string; presetId: number; condition?: string }

describe.skipIf(noChromium)('the game plan at the dashboard', () => {
  let production: Production
  let browser: Windows
  let context: BrowserContext
  let page: Page
  let plan: string
  let view: string
  const faults: string[] = []

  const press = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()
  const rows = () => page.locator('.plan-rule')
  const rowOf = (name: string) =>
    rows().filter({ has: page.locator('.plan-rule-name').getByText(name, { exact: true }) })
  const order = () => page.locator('.plan-rule-name').allTextContents()
  const stored = async () => (await production.call('GET', plan)).body as { rules: Rule[]; updatedAt: string }
  const open = async (row: Locator) => {
    await row.locator('.plan-sentence').click()
    return row.locator('.plan-form')
  }

  beforeAll(async () => {
    production = await startProduction('built')
    const { competitionId, themeProfileId } = production
    plan = `/v2/competitions/${competitionId}/theme-profiles/${themeProfileId}/game-plan`
    view = `${production.server.origin}/dashboard/game-plans/${competitionId}/${themeProfileId}`
    // the demo has a plan of its own; a newcomer has none
    await production.call('PUT', plan, { rules: [] })
    browser = await openWindows()
    context = await windowOf(browser, production, 'user')
    page = await context.newPage()
    page.on('pageerror', ({ message }) => faults.push(message))
    page.on('console', (message) => message.text().includes('Content Security Policy') && faults.push(message.text()))
  })
  afterAll(async () => {
    await browser?.close()
    await production?.close()
  })

  test('[issue 18.6] a newcomer starts from a template, fills a gap and saves; no step asks for code', async () => {
    await page.goto(`${production.server.origin}/dashboard/game-plans`)
    await page.getByRole('link', { name: /^Open/ }).click()
    await press('Start from a template…')
    expect(await seriousFindings(page)).toEqual([])
    // what the theme has nothing for is left out, and said
    await page.getByText('For 4 of them the control room has no preset: they are left out.').waitFor()
    await page.getByRole('button', { name: 'Add 7 rules' }).waitFor()
    for (const name of ['Yellow card', 'Substitution']) await page.getByRole('checkbox', { name }).check()
    await press('Add 9 rules')
    await expect.poll(() => rows().count()).toBe(9)
    await page.getByText('2 rules have no preset yet.').waitFor()
    expect(await rowOf('Score bug when the match goes live').locator('.plan-words').textContent()).toBe(
      'When the match goes live, show Score bug until the match changes its state.',
    )
    expect(await rowOf('Home line-up 15 min before the start').locator('.plan-words').textContent()).toBe(
      '15 min before the planned start, show Home line-up for 20 s, only if the home line-up has players, once per match.',
    )

    await press('Save the plan')
    await page.getByText('Choose a preset.').first().waitFor()
    expect((await stored()).rules).toEqual([])
    const form = await open(rowOf('Substitution'))
    await form.getByLabel('Preset', { exact: true }).selectOption({ label: 'Commentator' })
    expect(await seriousFindings(page)).toEqual([])
    await page.locator('.plan-form').getByRole('button', { name: 'Close' }).click()
    await press('Remove those without a preset')
    await page.getByText('Removed: Yellow card').waitFor()
    await press('Save the plan')
    await page.getByText(/^Saved\. No overlay plays it yet/).waitFor()
    const { rules } = await stored()
    expect(rules.map(({ name }) => name)).toEqual(await order())
    expect(rules).toHaveLength(8)
    expect(rules.find(({ name }) => name === 'Commentator at substitution')?.presetId).toBe(
      production.preset('Commentator').id,
    )
    // which overlays play it is told and changed where the plan is
    const played = page.getByRole('region', { name: 'Played by' })
    const isAutomatic = async () =>
      (await production.call('GET', `/v2/overlays/${production.overlay.id}`)).body.autoMode === true
    const before = await isAutomatic()
    await played.getByText(`${before ? 1 : 0} of 1 automatic`).waitFor()
    await played.getByRole('switch').click()
    await played.getByText(`${before ? 0 : 1} of 1 automatic`).waitFor()
    expect(await isAutomatic()).toBe(!before)
  })

  test('[issue 18.6] a rule that would show a line-up that nobody has told says so, and is mended by a press', async () => {
    await press('Add a rule')
    const form = rows().last().locator('.plan-form')
    await form.getByLabel('What it waits for').selectOption({ label: 'a time before or after the match' })
    await form.getByLabel('Preset', { exact: true }).selectOption({ label: 'Away line-up' })
    await form
      .getByText('Away line-up shows a line-up, and as long as nobody has told one it is on air empty.')
      .waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await form.getByRole('button', { name: 'Only if the away line-up has players' }).click()
    await form.getByText('it is on air empty').waitFor({ state: 'detached' })
    await rows().last().locator('.plan-words').getByText('the away line-up has players').waitFor()
    await press('Discard')
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
  })

  test('[issue 18.6] a match without players says before it which line-ups would not come', async () => {
    const { teamIds, matchId, overlay } = production
    await production.call('PATCH', `/v2/overlays/${overlay.id}`, { autoMode: true })
    const cleared = await production.call('PUT', `/v2/matches/${matchId}/lineup`, {
      teams: [{ teamId: teamIds[0], players: [] }],
    })
    expect([cleared.status, cleared.body]).toEqual([200, cleared.body])
    // the history of the first page is looked at later
    const other = await context.newPage()
    for (const at of [`matches/${matchId}`, `overlays/${overlay.id}`]) {
      await other.goto(`${production.server.origin}/dashboard/${at}`)
      await other
        .getByText(
          /^The line-up of Norrvik Athletic has no players yet\. Until it has, this is not shown: Home line-up/,
        )
        .waitFor()
    }
    await other.close()
  })

  test('[issue 18.6] rules are put into order by keys and by hand, and it is said', async () => {
    const before = await order()
    const handle = rowOf(before[0] ?? '').getByRole('button', { name: /^Move/ })
    await handle.focus()
    await page.keyboard.press('ArrowDown')
    await page.getByText(`${before[0]} is now 2 of 8`).waitFor({ state: 'attached' })
    // the focus goes with the rule
    await page.keyboard.press('End')
    await expect.poll(async () => (await order()).at(-1)).toBe(before[0])

    const [from, to] = await Promise.all([
      rows().last().locator('.drag-handle').boundingBox(),
      rows().first().boundingBox(),
    ])
    if (!from || !to) throw new Error('no rows')
    await page.mouse.move(from.x + 20, from.y + 20)
    await page.mouse.down()
    await page.mouse.move(from.x + 20, to.y + 4, { steps: 12 })
    await page.mouse.up()
    await expect.poll(order).toEqual(before)
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
  })

  test('[issue 18.6] what is wrong is told at the rule in the words of the server while it is written', async () => {
    const [name = ''] = await order()
    const form = await open(rowOf(name))
    await form.getByText(/^More/).click()
    await form.getByLabel('Only if').fill('scores.home > 1')
    await form.getByText(/^Unknown variable: scores/).waitFor()
    await form.getByLabel('Only if').fill('')
    await form.getByText(/^Unknown variable: scores/).waitFor({ state: 'detached' })
    await form.getByLabel('Add a condition').selectOption({ label: 'home leads' })
    await rowOf(name).locator('.plan-words').getByText('home leads').waitFor()
    await form.getByRole('button', { name: 'Close' }).click()
  })

  test('[issue 18.6] what somebody else saved meanwhile is told, and both are kept', async () => {
    const { rules, updatedAt } = await stored()
    const theirs = rules.map((rule, index) => (index === 1 ? { ...rule, name: 'Theirs' } : rule))
    expect((await production.call('PUT', plan, { rules: theirs, ifUnchangedSince: updatedAt })).status).toBe(200)
    await press('Save the plan')
    await page.getByText('Changed: Theirs').waitFor()
    await press('Keep both')
    await press('Save the plan')
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
    const saved = await stored()
    expect([saved.rules[0]?.condition, saved.rules[1]?.name]).toEqual(['score.home > score.away', 'Theirs'])
  })

  test('[issue 18.6] unsaved changes are not left by accident, and a removal is undone', async () => {
    await page.getByRole('button', { name: 'Actions for Theirs' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('link', { name: 'Themes' }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    await press('Stay here')
    await page.goBack()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    await press('Stay here')
    expect(page.url()).toBe(view)
    await press('Undo')
    await rowOf('Theirs').waitFor()
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
  })

  test('[issue 18.6] a plan is tried on a match: lanes, why something was not shown, seconds, and the picture of a moment', async () => {
    await page.getByRole('tab', { name: 'Try it out' }).click()
    await page.getByText('Time on air').waitFor()
    expect(await page.locator('.time-names').textContent()).toContain('Score bug')
    expect(await page.locator('.time-bar').count()).toBeGreaterThan(5)
    // played with the rule that was put back just now: until then the lines are those without it, and move when it comes
    await page.locator('.time-log').getByText('Theirs').first().waitFor()
    const goal = page.getByRole('button', { name: /Goal scorer .* On air/ }).first()
    await goal.click()
    const picture = page.locator('iframe[title="Lower third"]')
    await picture.waitFor()
    const shown = picture.contentFrame().locator('body[data-painted="football-full-time"], body[data-problem]')
    await shown.waitFor({ state: 'attached' })
    expect(await page.getByRole('slider').getAttribute('aria-valuetext')).toContain('Goal scorer')
    expect(await seriousFindings(page)).toEqual([])
  })

  test('[issue 18.5] on a recorded match the picture is of that match, at that moment', async () => {
    const { matchId, teamIds } = production
    const at = (minutes: number) => new Date(Date.now() - (90 - minutes) * 60_000).toISOString()
    for (const fact of [
      { type: 'matchStart', timestamp: at(0) },
      { type: 'goal', timestamp: at(10), teamId: teamIds[1] },
    ])
      expect((await production.call('POST', `/v2/matches/${matchId}/facts`, fact)).status).toBe(201)
    await page.getByLabel('Play the rules on').selectOption(`match:${matchId}`)
    await page.getByRole('button', { name: /^10:0\d Goal scorer .* On air/ }).click()
    const frame = page.locator('iframe[title="Lower third"]').contentFrame()
    await frame.locator('body[data-painted="match"]').waitFor({ state: 'attached' })
    const inPreview = () =>
      page.frames().find((one) => one.parentFrame()?.url().startsWith(`${production.server.origin}/preview/`))
    await expect.poll(() => inPreview()?.locator('body').textContent()).toMatch(/Port Selwyn Rovers\s*Goal 1[01]’/i)
  })

  test('[issue 18.6] a rule that has become invalid is told when the plan is opened', async () => {
    const preset = production.preset('Commentator')
    expect(
      (await production.call('DELETE', `/v2/control-rooms/${production.controlRoomId}/presets/${preset.id}`)).status,
    ).toBe(204)
    await page.goto(view)
    await page.locator('.plan-rule').getByText('No such preset.').waitFor()
    await page.getByText('a preset that is gone').waitFor()
    // told above the rules, in the list of plans, and where an automatic overlay is looked at before its match
    const summary = page.getByText(/^A rule cannot run any more: Commentator at substitution\./)
    await summary.waitFor()
    await press('Show the first')
    await page.locator('.plan-sentence:focus').filter({ hasText: 'Commentator at substitution' }).waitFor()
    const { origin } = production.server
    await production.call('PATCH', `/v2/overlays/${production.overlay.id}`, { autoMode: true })
    for (const view of ['game-plans', `matches/${production.matchId}`, `overlays/${production.overlay.id}`]) {
      await page.goto(`${origin}/dashboard/${view}`)
      await page.getByText(/A rule cannot run any more: Commentator at substitution/).waitFor()
    }
    await page.goto(production.overlay.controlRoomUrl)
    await page.getByRole('tab', { name: 'Game plan' }).click()
    await page.locator('#plan-cannot').waitFor()
    await page.getByText('Its preset is not in this control room').waitFor()
    await page.goto(view)
    // one that is switched off runs nowhere: told at the rule alone
    await page.getByRole('switch', { name: 'Commentator at substitution is on' }).click()
    await press('Save the plan')
    await page.getByText('No such preset.').first().waitFor()
  })

  test('[issue 18.6] who only reads sees sentences, and why there is no more', async () => {
    const reader = await (await windowOf(browser, production, 'operator')).newPage()
    await reader.goto(view)
    await reader.getByText(/may not change competitions, game plans/).waitFor()
    await reader.locator('.plan-rule').getByText('No such preset.').waitFor()
    expect(await reader.locator('.plan-words').count()).toBe(8)
    expect(await reader.getByRole('button', { name: /^(Move|Add|Actions|Save)/ }).count()).toBe(0)
    expect(faults).toEqual([])
  })
})
