import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { localFile } from '../resources/code-graphics-support.ts'
import { type Production, startProduction } from '../resources/support.ts'
import { Renderer } from '../support/renderer.ts'
import { seriousFindings } from './support/axe.ts'
import { COARSE, noChromium, openWindows, type Windows } from './support/chromium.ts'

const PATIENT = { timeout: 30_000 }

describe.skipIf(noChromium)('the page of a control room', () => {
  let browser: Windows
  let production: Production
  let renderer: Renderer
  let page: Page
  const faults: string[] = []
  const hosts = new Set<string>()

  beforeAll(async () => {
    production = await startProduction('built')
    browser = await openWindows()
    page = await open(COARSE)
  })
  afterAll(async () => {
    renderer?.close()
    await browser?.close()
    await production?.close()
  })
  beforeEach(async () => {
    await production.call('POST', path('/graphics/commands'), { action: 'hideAll' })
    await page.getByRole('button', { name: /Nothing on air$/ }).waitFor(PATIENT)
  })
  afterEach(() => expect(faults.splice(0)).toEqual([]))

  const path = (below = '') => `/v2/overlays/${production.overlay.id}${below}`
  const stateOf = async () => (await production.call('GET', path())).body.manualGraphicState
  const asRunTotal = async () => Number((await production.call('GET', path('/as-run'))).body.total)

  async function open(options: BrowserContextOptions) {
    const opened = await (await browser.newContext(options)).newPage()
    opened.on('request', (request) => hosts.add(new URL(request.url()).host))
    opened.on('pageerror', ({ message }) => faults.push(message))
    opened.on('console', (message) => message.text().includes('Content Security Policy') && faults.push(message.text()))
    await opened.goto(production.overlay.controlRoomUrl)
    await face('Score bug', opened).waitFor(PATIENT)
    return opened
  }
  const card = (name: string, on = page) => on.locator(`.card[data-preset="${name}"]`)
  const face = (name: string, on = page) => card(name, on).locator('.card-face')
  const says = (name: string, text: string | RegExp, on = page) =>
    face(name, on).filter({ hasText: text }).waitFor(PATIENT)
  const values = (on = page) => on.locator('#values')
  /** No time passes for the page meanwhile: on a busy machine two presses may be so far apart that they are two. */
  const atOnce = async (press: () => Promise<void>) => {
    await page.evaluate('{ const at = Date.now(); globalThis.now_ = Date.now; Date.now = () => at }')
    await press()
    await page.evaluate('{ Date.now = globalThis.now_ }')
  }

  test('[issue 6.1] sections in order with their presets, keys on the buttons, and nothing on air', async () => {
    expect(await page.locator('.section h2').allTextContents()).toEqual([
      'In play',
      'Line-ups',
      'Full time',
      'Sponsors',
    ])
    expect(await page.locator('.card-name').allTextContents()).toEqual(
      production.presets.map(({ name }) => `Show ${name}`),
    )
    expect(await page.locator('.card-title .key').allTextContents()).toEqual([...'1234567890QW'])
    await page
      .getByRole('status')
      .filter({ hasText: /^Connected$/ })
      .waitFor()
    await page.frameLocator('.program iframe').locator('#stage').waitFor({ state: 'attached' })
    expect(await seriousFindings(page)).toEqual([])
  })

  test('[issue 6.1] a button lights when the server has committed, says so, and is on air once a renderer has painted', async () => {
    await face('Head coach').click()
    await says('Head coach', 'Committed · no renderer')
    renderer = new Renderer({ url: `${production.overlay.url.replace('http', 'ws')}/socket?renderer=obs` })
    await says('Head coach', /On air \d/)
    await says('Goal scorer', 'Off air · replaces Head coach')
    await page.getByText('1 of 1 renderer up to date').waitFor()
    await page.locator('.chip', { hasText: 'Head coach' }).getByRole('button').click()
    await says('Head coach', /Off air$/)
    expect(await stateOf()).toEqual({})
    expect(renderer.shows().size).toBe(0)
  })

  test('[issue 6.1] nothing is lit before the server has answered, and a failed command says so on its button', async () => {
    const keys: string[] = []
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await page.route('**/graphics/commands', async (route) => {
      keys.push(route.request().headers()['idempotency-key'] ?? '')
      await held
      await route.abort()
    })
    await face('Score bug').click()
    await expect.poll(() => face('Score bug').getAttribute('aria-busy')).toBe('true')
    await says('Score bug', 'Off air')
    letGo()
    await card('Score bug').getByRole('alert').getByText('Not confirmed: the server cannot be reached').waitFor(PATIENT)
    await says('Score bug', 'Off air')
    // nobody knows whether the first one was done: the same press again has the same key
    const again = page.waitForEvent('requestfailed', PATIENT)
    await page.keyboard.press('1')
    await expect.poll(() => keys.length).toBe(2)
    expect(keys[1]).toBe(keys[0])
    // a request that is held when its route goes is sent on, and answered
    await again
    await page.unroute('**/graphics/commands')
    await face('Score bug').click()
    await says('Score bug', /On air/)
    expect(await card('Score bug').getByRole('alert').count()).toBe(0)
  })

  test('[issue 6.1] commands of one graphic go one after another, and nothing that is not answered comes after hide all', async () => {
    const asked: string[] = []
    await page.route('**/graphics/commands', async (route) => {
      const { action } = route.request().postDataJSON()
      asked.push(action)
      // a show is never answered
      if (action === 'hideAll') await route.continue()
    })
    await page.locator('body').press('2')
    await page.keyboard.press('3')
    await page.keyboard.press('1')
    await expect.poll(() => asked).toEqual(['show', 'show'])
    await page.keyboard.press('F9')
    for (const name of ['Score bug', 'Goal scorer', 'Head coach'])
      await card(name).getByRole('alert').getByText('Not sent: hide all came after it').waitFor(PATIENT)
    await expect.poll(() => asked).toEqual(['show', 'show', 'hideAll'])
    await page.unroute('**/graphics/commands')
    expect(await stateOf()).toEqual({})
  })

  test('[issue 6.1] hide all is asked anew when the answer to the one before was lost', async () => {
    await production.fire('show', 'Score bug')
    await says('Score bug', /On air/)
    await page.route('**/graphics/commands', async (route) => {
      await route.fetch()
      await route.abort()
    })
    const lost = page.waitForEvent('requestfailed', PATIENT)
    await page.keyboard.press('F9')
    await says('Score bug', /Off air$/)
    await lost
    await page.unroute('**/graphics/commands')
    await production.fire('show', 'Score bug')
    await says('Score bug', /On air/)
    await page.locator('.panic .failure').waitFor(PATIENT)
    await page.keyboard.press('F9')
    await says('Score bug', /Off air$/)
    expect(await stateOf()).toEqual({})
  })

  test('[issue 6.1] a shifted digit hides what is on air, also where it is the slash that searches', async () => {
    const slash = `document.activeElement.dispatchEvent(
      new KeyboardEvent('keydown', { key: '/', code: 'Digit1', shiftKey: true, bubbles: true, cancelable: true }))`
    await production.fire('show', 'Score bug')
    await says('Score bug', /On air/)
    await face('Score bug').focus()
    await page.evaluate(slash)
    await says('Score bug', /Off air$/)
    await page.evaluate(slash)
    await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('search')
    await page.keyboard.press('Escape')
  })

  test('[issue 6.1] a double press is one command', async () => {
    const before = await asRunTotal()
    await atOnce(() => face('Match partner').dblclick())
    await says('Match partner', /On air/)
    await atOnce(async () => {
      await page.keyboard.press('3')
      await page.keyboard.press('3')
    })
    await says('Head coach', /On air/)
    expect(await asRunTotal()).toBe(before + 2)
    await atOnce(() => card('Match partner').locator('.card-hide').dblclick())
    await says('Match partner', /Off air$/)
    expect(Object.keys((await stateOf()) as object)).toEqual(['Lower third'])
  })

  test('[issue 6.1] values are set with the editor of their type; what is changed on air is told and sent', async () => {
    await card('Commentator').getByRole('button', { name: 'Values of Commentator' }).click()
    await values().getByLabel('Name', { exact: true }).fill('Ruairí Keane')
    await values().getByRole('radio', { name: 'away' }).check()
    await says('Commentator', /Edited: Ruairí Keane · Commentary · Team away/)
    await values().getByRole('button', { name: 'Show', exact: false }).click()
    await says('Commentator', /On air/)
    const shown = { name: 'Ruairí Keane', title: 'Commentary', team: 'away' }
    expect(await stateOf()).toMatchObject({ 'Lower third': { variableValues: shown } })

    await values().getByLabel('Title', { exact: true }).fill('Video referee')
    await says('Commentator', 'Changed: press to update')
    expect(await stateOf()).toMatchObject({ 'Lower third': { variableValues: shown } })
    expect(await seriousFindings(page)).toEqual([])
    await face('Commentator').click()
    await expect.poll(() => face('Commentator').textContent()).not.toContain('Changed')
    expect(await stateOf()).toMatchObject({ 'Lower third': { variableValues: { ...shown, title: 'Video referee' } } })

    await face('Score bug').click()
    await says('Score bug', /On air/)
    await values().getByRole('button', { name: 'Home score plus one' }).click()
    await values().getByRole('switch', { name: 'Show clock' }).click()
    await page.keyboard.press('Control+Enter')
    await expect.poll(stateOf).toMatchObject({ 'Score bug': { variableValues: { homeScore: 1, showClock: false } } })
  })

  test('[issue 6.1] a preset that was changed since it was shown says so, and can be brought up to date', async () => {
    const preset = `/v2/control-rooms/${production.controlRoomId}/presets/${production.preset('Kit partner').id}`
    const before = { sponsor: 'Kestrel Outdoor', tagline: 'Built for the touchline' }
    await production.call('PATCH', preset, { variableValues: before, exposedVariables: ['sponsor', 'tagline'] })
    await says('Kit partner', /Built for the touchline/)
    await face('Kit partner').click()
    await says('Kit partner', /On air/)
    const variableValues = { ...before, tagline: 'New this season' }
    await production.call('PATCH', preset, { variableValues })
    await says('Kit partner', /Next: .*New this season.*Changed: press to update/)
    await values().getByRole('button', { name: 'Undo all' }).click()
    await says('Kit partner', /Built for the touchline.*On air \d+ s$/)
    await values().getByLabel('Tagline').fill('New this season')
    await face('Kit partner').click()
    await expect.poll(stateOf).toMatchObject({ 'Sponsor card': { variableValues } })
  })

  test('[issue 6.1] two operators see at once what the other does, and neither undoes the other', async () => {
    const other = await open({ viewport: { width: 1280, height: 900 } })
    await face('Score bug').click()
    await says('Score bug', /On air/, other)
    await face('Score bug', other).click()
    await values(other).getByLabel('Away score', { exact: true }).fill('2')
    await face('Score bug', other).click()
    await says('Score bug', 'Away score 2')
    await values().getByLabel('Home score', { exact: true }).fill('3')
    await face('Score bug').click()
    await says('Score bug', 'Home score 3 · Away score 2', other)
    expect(await stateOf()).toMatchObject({ 'Score bug': { variableValues: { homeScore: 3, awayScore: 2 } } })
    await other.getByRole('button', { name: /^Hide all/ }).click()
    await says('Score bug', /Off air$/)
    await page.locator('.activity li').first().getByText('Hidden: Score bug').waitFor()
    await other.context().close()
  })

  test('[issue 6.1] everything works by keyboard alone, and the panic key from everywhere', async () => {
    await page.locator('body').press('1')
    await says('Score bug', /On air/)
    await page.keyboard.press('Shift+1')
    await says('Score bug', /Off air$/)
    await face('Score bug').focus()
    await page.keyboard.press('Enter')
    await says('Score bug', /On air/)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await says('Score bug', /Off air$/)
    // what was pressed keeps the focus
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('v')
    const focused = () => page.evaluate<string>('document.activeElement.labels?.[0]?.textContent ?? ""')
    await expect.poll(focused).toBe('Name')
    // no key of a preset while somebody writes
    await page.keyboard.type('1 Noh')
    await page.keyboard.press('Control+Enter')
    await says('Goal scorer', /1 Noh.*On air/)
    await page.keyboard.press('F9')
    await says('Goal scorer', /Off air$/)
    expect(await stateOf()).toEqual({})
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    await page.keyboard.type('match part')
    await expect.poll(() => page.locator('.card').count()).toBe(1)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await says('Match partner', /On air/)
    await page.keyboard.press('/')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('.card').count()).toBe(12)
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.keyboard.press('Space')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('1')
    await page.keyboard.press('F9')
    await says('Match partner', /Off air$/)
    await page.getByRole('button', { name: 'Keyboard' }).click()
    await page.getByRole('switch', { name: 'Keys of single letters' }).click()
    await page.keyboard.press('Escape')
    const log = await production.call('GET', path('/as-run?limit=1'))
    expect(JSON.stringify(log.body)).not.toContain('Score bug')
  })

  test('[issue 6.1] pickers of the match, a preset that cannot be shown, and drafts that outlive room and reload', async () => {
    const { themeId, controlRoomId, sectionIds } = production
    const types = ['player', 'team', 'fact', 'period', 'stat', 'number']
    const stateMachine = { controlVariables: types.map((type) => ({ id: type, name: `my${type}`, type })) }
    const made = await production.call('POST', `/v2/themes/${themeId}/code-graphics`, {
      name: 'Player card',
      stateMachine,
    })
    const graphic = `/v2/themes/${themeId}/code-graphics/${made.body.graphicId}`
    const { name, mime, size, hash, bytes } = localFile('index.html')
    const files = [{ name, mime, size, hash }]
    const session = await production.call('POST', `${graphic}/uploads`, { files })
    for (const file of session.body.files as { url: string | null; headers: Record<string, string> }[])
      if (file.url !== null) await fetch(file.url, { method: 'PUT', headers: file.headers, body: bytes })
    await production.call('PUT', `${graphic}/bundle`, { files, uploadSessionId: session.body.uploadSessionId })
    expect((await production.call('POST', `${graphic}/publish`, {})).status).toBe(201)
    const preset = { sectionId: sectionIds[0], graphicId: made.body.graphicId, name: 'Player card' }
    await face('Goal scorer').focus()
    await values().getByLabel('Name', { exact: true }).fill('Kept')
    const { body } = await production.call('POST', `/v2/control-rooms/${controlRoomId}/presets`, preset)
    await says('Player card', '“Player card” is not in version 1 of the theme')
    expect(await face('Player card').getAttribute('aria-disabled')).toBe('true')
    await says('Goal scorer', 'Edited: Kept')

    expect((await production.call('POST', `/v2/themes/${themeId}/versions`, { activate: true })).status).toBe(200)
    await says('Player card', /Off air$/)
    await card('Player card').getByRole('button', { name: 'Values of Player card' }).click()
    const picker = values().getByLabel('Myplayer')
    await picker.selectOption({ label: '10  Mateus Conceição' })
    await values().getByLabel('Myteam').selectOption({ label: 'Port Selwyn Rovers' })
    await values().getByLabel('Mynumber', { exact: true }).fill('1,5')
    await says('Player card', '10  Mateus Conceição · Port Selwyn Rovers · Mynumber 1.5')
    await page.reload()
    await says('Player card', 'Edited: 10  Mateus Conceição · Port Selwyn Rovers · Mynumber 1.5')
    await face('Player card').click()
    await says('Player card', /On air/)
    const playerId = Number(production.playerIds[String(production.teamIds[0])]?.[8])
    expect(await stateOf()).toMatchObject({
      'Player card': { variableValues: { myplayer: playerId, myteam: production.teamIds[1], mynumber: 1.5 } },
    })
    const activation = await production.call('POST', `/v2/themes/${themeId}/versions/1/activate`, {})
    expect(activation.status).toBe(200)
    await says('Player card', /On air.*“Player card” is not in version 1 of the theme/)
    await production.call('DELETE', `/v2/control-rooms/${controlRoomId}/presets/${body.id}`)
    await page.locator('.chip', { hasText: 'not of this room' }).getByRole('button').click()
    await expect.poll(stateOf).toEqual({})
  })

  test('[live-path 22] a delayed overlay tells when a graphic will be on air, and when it will be gone', async () => {
    // long enough to be seen on a busy machine
    await production.call('PATCH', `/v1/overlays/${production.overlay.id}`, { encodingDelay: 4 })
    await page.getByText('Program, 4 s late').waitFor(PATIENT)
    await face('Score bug').click()
    await says('Score bug', /On air in \d s/)
    await says('Score bug', /On air \d/)
    await card('Score bug').locator('.card-hide').click()
    await says('Score bug', /Off air in \d s/)
    await says('Score bug', /Off air$/)
    await production.call('PATCH', `/v1/overlays/${production.overlay.id}`, { encodingDelay: 0 })
    await page.getByRole('heading', { name: 'Program', exact: true }).waitFor(PATIENT)
  })

  test('[issue 6.8] on a tablet everything is in reach of a finger', async () => {
    const tablet = await open({ viewport: { width: 1024, height: 768 }, hasTouch: true })
    await face('Home line-up', tablet).tap()
    await says('Home line-up', /On air/, tablet)
    const small = () =>
      tablet.evaluate<string[]>(`[...document.querySelectorAll('button, input, select, .segments label')]
        .filter((one) => one.offsetParent !== null && one.type !== 'radio')
        .filter((one) => { const box = one.getBoundingClientRect(); return box.width < 43.5 || box.height < 43.5 })
        .map((one) => one.className + ' ' + one.textContent)`)
    expect(await small()).toEqual([])
    const overflow = 'document.documentElement.scrollWidth - innerWidth'
    expect(await tablet.evaluate(overflow)).toBe(0)
    expect(await seriousFindings(tablet)).toEqual([])

    await tablet.setViewportSize({ width: 768, height: 1024 })
    expect(await tablet.evaluate(overflow)).toBe(0)
    expect(await values(tablet).isVisible()).toBe(false)
    await card('Home line-up', tablet)
      .getByRole('button', { name: /^Values/ })
      .tap()
    await values(tablet).getByRole('radio', { name: 'away' }).tap()
    expect(await small()).toEqual([])
    await values(tablet).getByRole('button', { name: 'Update' }).tap()
    await expect.poll(stateOf).toMatchObject({ 'Line-up card': { variableValues: { team: 'away' } } })
    await values(tablet).getByRole('button', { name: 'Close' }).tap()
    expect(await values(tablet).isVisible()).toBe(false)
    await tablet.context().close()
  })

  test('[issue 6.1] all can be hidden when the room cannot be read', async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const opened = await context.newPage()
    await opened.route('**/rest/room', (route) => route.fulfill({ status: 500, json: { message: 'A fault' } }))
    await production.fire('show', 'Score bug')
    await opened.goto(production.overlay.controlRoomUrl)
    await opened.getByRole('button', { name: /^Hide all.*1 on air$/ }).waitFor(PATIENT)
    expect(await seriousFindings(opened)).toEqual([])
    await opened.keyboard.press('F9')
    await opened.getByRole('button', { name: /Nothing on air$/ }).waitFor(PATIENT)
    expect(await stateOf()).toEqual({})
    await context.close()
  })

  test('[issue 6.1] a hide all that failed is told while nobody knows what is on air', async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const opened = await context.newPage()
    let cut = async () => {}
    await opened.routeWebSocket(/\/control\/[^/]+\/socket/, (route) => {
      cut = () => route.close({ code: 1011 })
      route.connectToServer()
    })
    await opened.goto(production.overlay.controlRoomUrl)
    await face('Score bug', opened).waitFor(PATIENT)
    await opened.routeWebSocket(/\/control\/[^/]+\/socket/, (route) => route.close({ code: 1011 }))
    await opened.route('**/rest/**', (route) => route.abort())
    await cut()
    await opened.locator('.alarm-lost').waitFor(PATIENT)
    await opened.locator('.panic').getByText('On air: not known').waitFor()
    await opened.keyboard.press('F9')
    await opened.locator('.panic .failure').getByText('Not confirmed: the server cannot be reached').waitFor(PATIENT)
    await context.close()
  })

  test('[issue 6.1] a lost connection cannot be missed, and what happened meanwhile is there after it', async () => {
    await face('Score bug').click()
    await says('Score bug', /On air/)
    const lost = page.getByRole('alert').filter({ hasText: 'Not connected' })
    await production.server.restart(() => lost.waitFor(PATIENT))
    await page.locator('.alarm').waitFor({ state: 'detached', ...PATIENT })
    await says('Score bug', /On air/)
    await production.fire('show', 'Away line-up')
    await says('Away line-up', /On air/)
    await page.keyboard.press('F9')
    await says('Score bug', /Off air$/)
    expect(await stateOf()).toEqual({})
    // logos of brands come from the public address of this server
    expect([...new Set([...hosts].map((host) => host.replace('localhost', '127.0.0.1')))]).toHaveLength(1)
  })

  test('[issue 6.2] a connection on which nothing arrives counts as lost, and is resumed where it was', async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const opened = await context.newPage()
    let frozen = false
    const told: string[][] = []
    await opened.routeWebSocket(/\/control\/[^/]+\/socket/, (route) => {
      const types: string[] = []
      const isFirst = told.push(types) === 1
      route.connectToServer().onMessage((text) => {
        if (frozen && isFirst) return
        types.push(JSON.parse(String(text)).type)
        route.send(text)
      })
    })
    await opened.goto(production.overlay.controlRoomUrl)
    await face('Score bug', opened).waitFor(PATIENT)
    // it is resumed so soon that a look at the page now and then could miss it
    const lost = opened.evaluate<boolean>(`new Promise((seen) => new MutationObserver(() => {
      if (document.querySelector('[role=alert].alarm-lost')?.textContent.startsWith('Not connected')) seen(true)
    }).observe(document.body, { childList: true, subtree: true }))`)
    frozen = true
    await production.fire('show', 'Score bug')
    expect(await lost).toBe(true)
    await says('Score bug', /On air|Committed/, opened)
    expect([told[0]?.[0], told.at(-1)?.[0]]).toEqual(['SNAPSHOT', 'CHANGE'])
    expect(told.at(-1)).not.toContain('SNAPSHOT')
    await context.close()
  })

  test('[issue 6] an address that was replaced is closed at once, and says so', async () => {
    expect((await production.call('POST', path('/links/rotate'), { links: ['control'] })).status).toBe(200)
    await page.getByRole('alert').filter({ hasText: 'This address is closed' }).waitFor(PATIENT)
    await face('Score bug').click()
    await card('Score bug').getByRole('alert').getByText('This address is not valid any more').waitFor(PATIENT)
    expect(await stateOf()).toEqual({})
    expect(await seriousFindings(page)).toEqual([])
  })
})
