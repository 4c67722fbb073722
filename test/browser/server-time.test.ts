import type { Page } from 'playwright-core'
import { describe, test } from 'vitest'
import type { Broadcast } from './support/broadcast.ts'
import { noChromium } from './support/chromium.ts'
import { type Stage, stageForEach } from './support/stage.ts'

const HOUR = 3_600_000
/** The next round of measurements comes after half a minute. */
const SOON = { timeout: 20_000 }

describe.skipIf(noChromium)('the time of the server on a page', () => {
  let broadcast: Broadcast
  let page: Page
  let open: Stage['open']
  let aheadMs = 0
  let reachable = true
  stageForEach((stage) => {
    ;({ broadcast, page, open } = stage)
    aheadMs = 0
    reachable = true
  })

  const opened = async () => {
    await page.route('**/time', (route) =>
      reachable ? route.fulfill({ body: String(Date.now() + aheadMs) }) : route.abort(),
    )
    await open('?debug')
    await ahead(/server [+-]\d{1,3}\.\d ms/).waitFor(SOON)
  }
  const ahead = (pattern: RegExp) => page.locator('#debug', { hasText: pattern })

  test('[browser-source 2] is right soon after the computer slept, also when its network comes back later', async () => {
    await opened()
    // what a sleep does: both clocks went on, and what the page has waited by did not
    aheadMs = HOUR
    reachable = false
    const asked = page.waitForEvent('requestfailed', SOON)
    await page.evaluate(`{ const now = Date.now; Date.now = () => now() + ${HOUR} }`)
    await asked
    reachable = true
    await ahead(/server \+3[56]\d{5}\.\d ms/).waitFor(SOON)
  })

  test('[browser-source 2] is that of the machine which serves after a reconnect', async () => {
    await opened()
    aheadMs = -HOUR
    for (const socket of broadcast.sockets) socket.terminate()
    await ahead(/server -3[56]\d{5}\.\d ms/).waitFor(SOON)
  })
})
