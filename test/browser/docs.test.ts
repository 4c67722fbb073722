import { describe, expect, onTestFinished, test } from 'vitest'
import { routes } from '../../src/resources/index.ts'
import { startApp } from '../support/app.ts'
import { launch, noChromium } from './support/chromium.ts'

describe.skipIf(noChromium)('the reference page', () => {
  test('shows every operation and asks nobody else for anything', async () => {
    const app = await startApp()
    onTestFinished(() => app.close())
    const browser = await launch()
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    const asked: string[] = []
    const failures: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    page.on('pageerror', (error) => failures.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') failures.push(message.text())
    })
    await page.goto(`${app.origin}/docs#beta`)
    const titles = page.locator('#reference h2')
    await expect.poll(() => titles.count(), { timeout: 15_000 }).toBeGreaterThanOrEqual(routes.length)
    const shown = (await titles.allTextContents()).map((title) => title.trim())
    for (const { summary } of routes) expect(shown).toContain(summary)
    const beta = page.locator('#reference strong', { hasText: /^Beta\.$/ })
    expect(await beta.count()).toBe(routes.filter((route) => route.beta).length)
    expect(await page.locator('#beta').isVisible()).toBe(true)
    expect(asked.filter((url) => !url.startsWith(app.origin) && !/^(blob|data):/.test(url))).toEqual([])
    expect(failures).toEqual([])
  })

  test('[versioning.6] leads to the change history, whose newest entry is the version of the API', async () => {
    const app = await startApp()
    onTestFinished(() => app.close())
    const browser = await launch()
    onTestFinished(() => browser.close())
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
})
