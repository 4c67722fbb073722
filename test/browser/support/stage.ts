import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { Broadcast, until } from './broadcast.ts'
import { COARSE, openWindows, type Windows } from './chromium.ts'

/** A server of the socket protocol and an empty page in Full HD beside it. */
export type Stage = {
  broadcast: Broadcast
  page: Page
  /** Opens the overlay page, until it has said READY. */
  open(query?: string): Promise<void>
}

/** Gives each test of this block a stage of its own, in one browser; `whole`: in one that has graphics in a process of their own. */
export function stageForEach(take: (stage: Stage) => void, { whole = false } = {}): void {
  let browser: Windows
  let stage: Stage
  beforeAll(async () => {
    browser = await openWindows({ whole })
  })
  afterAll(() => browser.close())
  beforeEach(async () => {
    const broadcast = new Broadcast()
    await broadcast.start()
    const page = await browser.newPage(COARSE)
    const open = async (query = '') => {
      const count = broadcast.readies.length
      await page.goto(broadcast.page(query))
      await until('READY', () => broadcast.readies.length > count)
    }
    stage = { broadcast, page, open }
    take(stage)
  })
  afterEach(async () => {
    await stage.page.close()
    await stage.broadcast.stop()
  })
}

/** What waits until a test lets it go. */
export function newGate(): { opened: Promise<void>; open(): void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}
