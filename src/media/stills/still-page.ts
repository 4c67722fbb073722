import { within } from '../../waiting/within.ts'
import { attachPage } from '../program/attach.ts'
import type { Devtools, DevtoolsEvent } from '../program/devtools.ts'

const LOADED_WITHIN_MS = 15_000
const DRAWN_WITHIN_MS = 6_000
const SIZE = { width: 1920, height: 1080 }
/** Of a still of 480 by 270. */
const CLIP = { x: 0, y: 0, ...SIZE, scale: 0.25 }

/** The page of a browser that shows one graphic after the other, each as long as its picture takes. */
export class StillPage {
  readonly #send: (method: string, params?: object, withinMs?: number) => Promise<Record<string, unknown>>
  readonly #sessionId: string
  readonly #fail: (reason: string) => void
  #loaded: () => void = () => {}

  private constructor(devtools: Devtools, sessionId: string, fail: (reason: string) => void) {
    this.#send = (method, params = {}, ms) => devtools.send(method, { ...params }, sessionId, ms)
    this.#sessionId = sessionId
    this.#fail = fail
  }

  /** Opens the page in the one that a browser starts with. `fail`: it crashed. */
  static async open(devtools: Devtools, url: string, fail: (reason: string) => void, take: (page: StillPage) => void) {
    const page = new StillPage(devtools, await attachPage(devtools, SIZE), fail)
    take(page)
    const loaded = new Promise<void>((resolve) => {
      page.#loaded = resolve
    })
    const { errorText } = await page.#send('Page.navigate', { url }, LOADED_WITHIN_MS)
    if (errorText !== undefined) throw new Error(`The page for stills does not load: ${errorText}`)
    await within(LOADED_WITHIN_MS, loaded, () => new Error('The page for stills does not load in time'))
    await page.#ask('typeof still === "function" ? undefined : "The page for stills is another"')
  }

  hear({ method, params, sessionId }: DevtoolsEvent): void {
    if (method === 'Target.targetCrashed') this.#fail('A part of the page for stills crashed')
    if (sessionId !== this.#sessionId) return
    if (method === 'Page.lifecycleEvent' && params.name === 'load') this.#loaded()
    if (method === 'Page.javascriptDialogOpening')
      this.#send('Page.handleJavaScriptDialog', { accept: false }).catch(() => {})
    if (method === 'Inspector.targetCrashed') this.#fail('The page for stills crashed')
  }

  /** PNG in base64. Throws one line for people. */
  async make(payload: string): Promise<string> {
    await this.#ask(`still(${payload})`)
    const { data } = await this.#send('Page.captureScreenshot', { format: 'png', clip: CLIP }, DRAWN_WITHIN_MS)
    if (typeof data !== 'string') throw new Error('The browser gave no picture')
    // nothing that moves costs anything between two pictures
    await this.#ask('clearStill()')
    return data
  }

  /** Throws what the expression comes to. */
  async #ask(expression: string): Promise<void> {
    const asked = { expression, awaitPromise: true, returnByValue: true }
    const { result, exceptionDetails } = await this.#send('Runtime.evaluate', asked, DRAWN_WITHIN_MS)
    if (exceptionDetails !== undefined) throw new Error('The page for stills broke')
    const { value } = result as { value?: unknown }
    if (typeof value === 'string') throw new Error(value)
  }
}
