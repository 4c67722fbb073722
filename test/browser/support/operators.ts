import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Production } from '../../resources/support.ts'
import type { Windows } from './chromium.ts'

const PATIENT = { timeout: 30_000 }

/** The overlay of a production over REST, where every call must succeed. */
export function overlayOf(production: () => Production) {
  const path = (below = '') => `/v2/overlays/${production().overlay.id}${below}`
  const call = async (method: string, to: string, body?: unknown) => {
    const answer = await production().call(method, to, body)
    expect([answer.status < 300, answer.body]).toEqual([true, answer.body])
    return answer.body
  }
  const onAir = async () => Object.keys((await call('GET', path())).manualGraphicState as object).sort()
  return { path, call, onAir }
}

/** The control room in a window of its own, once this part of it is there. What the page throws is added to `faults`. */
export async function openRoom(
  browser: Windows,
  production: Production,
  { options, shows, faults }: { options: BrowserContextOptions; shows: string; faults: string[] },
): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage()
  page.on('pageerror', ({ message }) => faults.push(message))
  await page.goto(production.overlay.controlRoomUrl)
  await page.locator(shows).first().waitFor(PATIENT)
  return page
}
