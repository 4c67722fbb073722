import type { Page } from 'playwright-core'
import { type Broadcast, until } from './broadcast.ts'
import { Shot } from './chromium.ts'

/** The time of a page and of its server, which a test lets run ahead: seconds of silence or of patience cost none. */
export class PageTime {
  readonly #page: Page
  readonly #broadcast: Broadcast
  /** Frames that reached the page. */
  #heard = 0
  /** Sockets that the page has opened. */
  sockets = 0

  private constructor(page: Page, broadcast: Broadcast) {
    this.#page = page
    this.#broadcast = broadcast
    page.on('websocket', (socket) => {
      this.sockets++
      socket.on('framereceived', () => {
        this.#heard++
      })
    })
  }

  /** Before the page is opened: from then on its clock goes as that of the machine does, and ahead when it is told to. */
  static async of(page: Page, broadcast: Broadcast): Promise<PageTime> {
    await page.clock.install()
    return new PageTime(page, broadcast)
  }

  /** Lets so much time pass, in which heartbeats come as they would. */
  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= STEP_MS) await this.#step(Math.min(left, STEP_MS))
  }

  /** Lets time pass until it is so; answers how long that took the page. */
  async until(what: string, condition: () => unknown, withinMs = 300_000): Promise<number> {
    for (let passed = 0; passed < withinMs; passed += STEP_MS) {
      if (await condition()) return passed
      await this.#step(STEP_MS)
    }
    throw new Error(`${what}: not within ${withinMs} ms of the page`)
  }

  /** From here on time passes only as far as it is let. */
  async stop(): Promise<void> {
    const now = Number(await this.#page.evaluate('Date.now()'))
    // what is on its way to the page takes a while, too
    await this.#page.clock.pauseAt(now + STEP_MS)
  }

  /** The picture each so many milliseconds of the page, up to the first that is as wanted. */
  async pictures(everyMs: number, wanted: (shot: Shot) => boolean, withinMs = 300_000): Promise<Shot[]> {
    const pictures: Shot[] = []
    for (let passed = 0; passed < withinMs; passed += everyMs) {
      const shot = await Shot.of(this.#page)
      pictures.push(shot)
      if (wanted(shot)) return pictures
      await this.#step(everyMs)
    }
    throw new Error(`not seen within ${withinMs} ms of the page: ${JSON.stringify(pictures.at(-1)?.box)}`)
  }

  async #step(ms: number): Promise<void> {
    await this.#page.clock.runFor(ms)
    const { sockets, heartbeats } = this.#broadcast
    if (!heartbeats || sockets.size === 0) return
    const heard = this.#heard
    this.#broadcast.beat()
    await until('the page hears its heartbeat', () => this.#heard > heard || sockets.size === 0)
  }
}

const STEP_MS = 500
