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
    expect(await page.locator('#beta').isVisible()).toBe(true)
    expect(asked.filter((url) => !url.startsWith(app.origin) && !/^(blob|data):/.test(url))).toEqual([])
    expect(failures).toEqual([])
  })
})
