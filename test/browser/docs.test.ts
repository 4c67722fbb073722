import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../src/resources/index.ts'
import { ografServerRoutes } from '../../src/resources/ograf-server/routes.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { seriousFindings } from './support/axe.ts'
import { noChromium, openWindows, type Windows } from './support/chromium.ts'

describe.skipIf(noChromium)('the reference page', () => {
  let app: TestApp
  let browser: Windows
  beforeAll(async () => {
    app = await startApp()
    browser = await openWindows()
  })
  afterAll(async () => {
    await browser?.close()
    await app?.close()
  })

  test('shows every operation and asks nobody else for anything', async () => {
    const page = await browser.newPage()
    const asked: string[] = []
    const failures: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    page.on('pageerror', (error) => failures.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') failures.push(message.text())
    })
    const weights: Promise<number>[] = []
    page.on('requestfinished', (request) =>
      weights.push(request.sizes().then(({ responseBodySize }) => responseBodySize)),
    )
    await page.goto(`${app.origin}/docs#beta`)
    const titles = page.locator('#reference .nav-bar-path')
    await expect.poll(() => titles.count(), { timeout: 50_000 }).toBeGreaterThanOrEqual(routes.length)
    const shown = (await titles.allTextContents()).map((title) => title.trim())
    for (const { summary } of routes) expect(shown).toContain(summary)
    expect(await seriousFindings(page)).toEqual([])
    for (const beta of [true, false]) {
      const one = routes.find(
        (route) =>
          (route.beta ?? false) === beta && routes.filter(({ summary }) => summary === route.summary).length === 1,
      )
      await titles
        .filter({ hasText: one?.summary ?? '' })
        .first()
        .click()
      await page
        .locator('#reference [part~="section-operation"]')
        .first()
        .getByText(one?.path ?? '')
        .first()
        .waitFor()
      expect(await page.locator('#reference strong', { hasText: /^Beta\.$/ }).count()).toBe(beta ? 1 : 0)
    }
    expect(await seriousFindings(page)).toEqual([])
    const bytes = await Promise.all(weights)
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(300_000)
    expect(await page.locator('#beta').isVisible()).toBe(true)
    expect(asked.filter((url) => !url.startsWith(app.origin) && !/^(blob|data):/.test(url))).toEqual([])
    expect(failures).toEqual([])
  })

  test('[issue 20.2] leads to the OGraf Server API, which is shown whole, and to its description', async () => {
    const page = await browser.newPage()
    const failures: string[] = []
    page.on('pageerror', (error) => failures.push(error.message))
    page.on('console', (message) => message.type() === 'error' && failures.push(message.text()))
    await page.goto(`${app.origin}/docs`)
    const described = page.getByRole('link', { name: 'ograf.json' })
    expect(await described.getAttribute('href')).toBe('rest/ograf.json')
    await page.getByRole('link', { name: 'OGraf Server API' }).click()
    await expect.poll(() => page.url()).toBe(`${app.origin}/docs/ograf-server`)
    const titles = page.locator('#reference .nav-bar-path')
    await expect.poll(() => titles.count(), { timeout: 50_000 }).toBeGreaterThanOrEqual(ografServerRoutes.length)
    const shown = (await titles.allTextContents()).map((title) => title.trim())
    for (const { summary } of ografServerRoutes) expect(shown).toContain(summary)
    expect(await page.locator('nav.places [aria-current]').textContent()).toBe('API reference')
    expect(await seriousFindings(page)).toEqual([])
    const description = await page.goto(
      `${app.origin}/${await page.getByRole('link', { name: 'ograf.json' }).getAttribute('href')}`,
    )
    expect(await description?.json()).toMatchObject({ info: { title: 'Tally: OGraf Server API' } })
    expect(failures).toEqual([])
  })

  test('[versioning.6] leads to the change history, whose newest entry is the version of the API', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 800 } })
    const failures: string[] = []
    page.on('console', (message) => message.type() === 'error' && failures.push(message.text()))
    await page.goto(`${app.origin}/docs`)
    await page.getByRole('link', { name: 'change history' }).first().click()
    await expect.poll(() => page.url()).toBe(`${app.origin}/docs/changes`)
    const newest = page.locator('section').first()
    const { version } = (await (await fetch(`${app.origin}/docs/changes.json`)).json()) as { version: string }
    expect(await newest.getByRole('heading').textContent()).toContain(version)
    expect(await newest.getByText('newest').isVisible()).toBe(true)
    // its own style is let in, and nothing is wider than a telephone
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    expect(await page.evaluate('getComputedStyle(document.querySelector("section h2")).display')).toBe('flex')
    // before the document, with which the browser asks for an icon
    expect(failures).toEqual([])
    await page.getByRole('link', { name: 'For machines' }).click()
    await expect.poll(() => page.url()).toBe(`${app.origin}/docs/changes.json`)
  })

  test('[issue 6.6] all pages of the documents lead to each other, are light, legible, and ask nobody else', async () => {
    const page = await browser.newPage()
    const asked: string[] = []
    const failures: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    page.on('console', (message) => message.type() === 'error' && failures.push(message.text()))
    await page.goto(`${app.origin}/docs/start`)
    for (const [place, heading] of [
      ['Live sockets', 'Live sockets'],
      ['Changes', 'Changes of the Tally API'],
      ['Get started', 'Get started'],
    ] as const) {
      await page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: place }).click()
      await page.getByRole('heading', { level: 1, name: heading }).waitFor()
      expect(await seriousFindings(page)).toEqual([])
    }
    // what a command button says is done, with or without a clipboard
    const copy = page.getByRole('button', { name: 'Copy' }).first()
    await copy.click()
    await page.getByRole('button', { name: /Copied|Selected/ }).waitFor()
    await page.goto(`${app.origin}/docs/live`)
    const answer = await fetch(`${app.origin}/rest/asyncapi.json`)
    const description = (await answer.json()) as { components: { messages: object } }
    for (const name of Object.keys(description.components.messages))
      expect(await page.locator(`#${name}`).isVisible(), name).toBe(true)
    const host = new URL(app.origin).host.replace('127.0.0.1', 'localhost')
    expect(await page.locator('.commands').first().textContent()).toContain(`ws://${host}/rest/v2/overlays/`)
    expect(asked.filter((url) => !url.startsWith(app.origin) && !/^(blob|data):/.test(url))).toEqual([])
    expect(failures).toEqual([])
    let bytes = 0
    for (const path of ['/docs/live', '/docs/docs.css', '/docs/barlow-500.woff2', '/docs/barlow-600.woff2'])
      bytes += Number((await fetch(`${app.origin}${path}`)).headers.get('content-length'))
    expect(bytes).toBeLessThan(100_000)
  })

  test('[issue 16.5] guides are legible from a telephone to a desk, and are searched with the keyboard alone', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 800 } })
    const failures: string[] = []
    page.on('console', (message) => message.type() === 'error' && failures.push(message.text()))
    const overview = await (await fetch(`${app.origin}/docs/guides`)).text()
    const names = new Set(Array.from(overview.matchAll(/<li><a href="([\w-]+)"/g), ([, name = '']) => name))
    expect(names.size).toBeGreaterThan(14)
    for (const name of names) {
      await page.goto(`${app.origin}/docs/${name}`)
      expect([name, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([name, 390])
    }
    await page.getByText('On this page').filter({ visible: true }).click()
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${app.origin}/docs/operate`)
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'A replay' }).click()
    await expect.poll(() => page.url()).toBe(`${app.origin}/docs/operate#a-replay`)

    const found = page.getByRole('dialog').getByRole('link')
    await page.keyboard.press('/')
    await page.keyboard.type('encrypted backup passphrase')
    await found.filter({ hasText: 'Backup and restore' }).first().waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
    expect(await page.getByRole('dialog').isVisible()).toBe(false)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('backup restore')
    await found.first().waitFor()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => found.first().evaluate((link) => link.matches(':focus'))).toBe(true)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toBe(`${app.origin}/docs/production#backup-and-restore`)

    await page.getByRole('button', { name: 'Search' }).waitFor()
    const { summary, path } = routes.find(({ path }) => path.endsWith('/links/rotate')) ?? { summary: '', path: '' }
    await page.keyboard.press('/')
    await page.keyboard.type(summary)
    await found.filter({ hasText: path }).first().click()
    const operation = page.locator('#reference [part~="section-operation"]').first()
    await operation.getByText(path).first().waitFor({ timeout: 50_000 })
    expect(failures).toEqual([])
  })
})
