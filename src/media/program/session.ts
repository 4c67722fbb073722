import { type Browser, type BrowserSpec, startBrowser } from './browser.ts'
import { type Decoder, type Owned, startDecoder } from './decoder.ts'
import { OverlayPage } from './page.ts'
import type { Matrix } from './planes.ts'

const CHECK_EACH_MS = 2_000

export type SessionListener = {
  picture(planes: Owned): void
  /** Once at most; it has ended by itself. */
  failed(reason: string): void
}

/** One browser with the overlay page, from its start to its end. */
export interface Session {
  setPage(url: string): void
  frameTaken(): void
  /** Gives back planes of a picture that nobody reads any more. */
  recycle(planes: Owned): void
  stop(): Promise<void>
}

export type StartSession = (url: string, listener: SessionListener) => Session

/** Starts a browser, opens the page and tells its pictures. Nothing is told before it returned. */
export function startSession(
  spec: BrowserSpec & { matrix: Matrix },
  url: string,
  { picture, failed }: SessionListener,
): Session {
  let browser: Browser | undefined
  let page: OverlayPage | undefined
  let checks: NodeJS.Timeout | undefined
  let ended = false
  let wanted = url
  let opening = Promise.resolve()

  const decoder: Decoder = startDecoder(spec, { picture: (planes) => ended || picture(planes), failed: (r) => fail(r) })

  const end = async () => {
    ended = true
    clearInterval(checks)
    decoder.close()
    await browser?.stop()
  }
  const fail = (reason: string) => {
    if (ended) return
    void end().finally(() => failed(reason))
  }

  const start = async () => {
    browser = await startBrowser(spec, (event) => page?.hear(event))
    void browser.ended.then(fail)
    if (ended) return void (await browser.stop())
    page = await OverlayPage.of(browser.devtools, spec, { png: decoder.decode, failed: fail })
    checks = setInterval(() => void page?.check().catch((error: Error) => fail(error.message)), CHECK_EACH_MS)
    await page.open(wanted)
  }
  const started = start()
  opening = started.catch((error: Error) => fail(error.message))

  return {
    setPage(next) {
      wanted = next
      opening = opening.then(async () => {
        // of several changes only the last counts
        if (wanted === next && !ended) await page?.open(next).catch((error: Error) => fail(error.message))
      })
    },
    frameTaken: () => page?.frameTaken(),
    recycle: decoder.recycle,
    async stop() {
      await end()
      await started.catch(() => {})
    },
  }
}
