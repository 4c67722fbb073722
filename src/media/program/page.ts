import { within } from '../../waiting/within.ts'
import { attachPage } from './attach.ts'
import type { Owned } from './decoder.ts'
import { BrowserEnded, type Devtools, type DevtoolsEvent } from './devtools.ts'

const LOADED_WITHIN_MS = 15_000
const ANSWERS_WITHIN_MS = 5_000
const QUIET_FRAMES = 2

export type PageListener = { png(bytes: Owned): void; failed(reason: string): void }

/** The one page of a browser: its pictures as they change, with all the opacity they have. */
export class OverlayPage {
  readonly #devtools: Devtools
  readonly #listener: PageListener
  readonly #sessionId: string
  /** Pictures that the browser was not yet told to be taken. */
  #onTheirWay: number[] = []
  /** How many of those it was told of did it not confirm yet, and when it confirmed the last one, ms. */
  #unconfirmed = 0
  #confirmedAt = 0
  #mayLack = false
  #quietFrames = 0
  #loadedId = ''
  #hasLoaded = (loaderId: string): void => {
    this.#loadedId = loaderId
  }
  #isOpen = false

  private constructor(devtools: Devtools, sessionId: string, listener: PageListener) {
    this.#devtools = devtools
    this.#sessionId = sessionId
    this.#listener = listener
  }

  /** Takes over the empty page that a browser starts with. */
  static async of(
    devtools: Devtools,
    size: { width: number; height: number },
    listener: PageListener,
  ): Promise<OverlayPage> {
    return new OverlayPage(devtools, await attachPage(devtools, size), listener)
  }

  /** Shows another page; the pictures of the one before are the last until it is there. Throws one line for people. */
  async open(url: string): Promise<void> {
    this.#isOpen = false
    await this.#send('Page.stopScreencast')
    const { errorText, loaderId } = await this.#send('Page.navigate', { url }, LOADED_WITHIN_MS)
    if (errorText !== undefined) throw new Error(`The overlay page does not load: ${errorText}`)
    await within(LOADED_WITHIN_MS, this.#load(String(loaderId)), notLoaded)
    await this.#checkStatus()
    this.#isOpen = true
    await this.#startPictures()
  }

  hear({ method, params, sessionId }: DevtoolsEvent): void {
    if (method === 'Target.targetCrashed') this.#gone('A part of the overlay page crashed')
    else if (sessionId === this.#sessionId) this.#react(method, params)
  }

  /**
   * A frame was taken: the browser may send one more picture. So a page that is always moving is drawn as often as there are
   * frames. It leaves pictures out meanwhile; once it is quiet, a picture that may be lacking is asked for.
   */
  frameTaken(): void {
    const picture = this.#onTheirWay.shift()
    if (picture !== undefined) this.#confirm(picture)
    if (picture !== undefined || !this.#mayLack || ++this.#quietFrames < QUIET_FRAMES) return
    this.#mayLack = false
    this.#tell('Page.stopScreencast')
    this.#startPictures().catch(() => {})
  }

  /** Rejects when the page does not answer, and with the reason when its browser ended meanwhile. */
  async check(): Promise<void> {
    await this.#send('Runtime.evaluate', { expression: '0' }, ANSWERS_WITHIN_MS).catch((error: unknown) => {
      throw error instanceof BrowserEnded ? error : new Error('The overlay page does not answer')
    })
  }

  /** Of exactly this page: the one that a browser starts with may say so late. */
  #load(loaderId: string): Promise<void> {
    if (this.#loadedId === loaderId) return Promise.resolve()
    return new Promise((resolve) => {
      this.#hasLoaded = (loaded) => {
        this.#loadedId = loaded
        if (loaded === loaderId) resolve()
      }
    })
  }

  /** Of every change: leaving out each second one to save work would lose the last one as often as not. */
  async #startPictures(): Promise<void> {
    this.#onTheirWay = []
    await this.#send('Page.startScreencast', { format: 'png', everyNthFrame: 1 })
  }

  #confirm(picture: number): void {
    this.#unconfirmed++
    const done = () => {
      this.#unconfirmed--
      this.#confirmedAt = Date.now()
    }
    this.#send('Page.screencastFrameAck', { sessionId: picture }).then(done, done)
  }

  /**
   * With two on their way a browser leaves the next ones out, and the last one might be among them. On their way they are
   * from the moment they show, long before they are heard of where packing them takes time.
   */
  #take({ data, sessionId, metadata }: Record<string, unknown>): void {
    const shownAt = asMetadata(metadata).timestamp * 1_000
    if (this.#onTheirWay.length + this.#unconfirmed > 0 || shownAt <= this.#confirmedAt) this.#mayLack = true
    this.#onTheirWay.push(Number(sessionId))
    this.#quietFrames = 0
    if (!this.#isOpen || typeof data !== 'string') return
    // memory of its own, since it goes to another thread
    const png = Buffer.allocUnsafeSlow(Buffer.byteLength(data, 'base64'))
    png.write(data, 'base64')
    this.#listener.png(png)
  }

  #react(method: string, params: Record<string, unknown>): void {
    switch (method) {
      case 'Page.screencastFrame':
        this.#take(params)
        break
      case 'Page.lifecycleEvent':
        if (params.name === 'load') this.#hasLoaded(String(params.loaderId))
        break
      case 'Page.frameNavigated':
        this.#navigated(asFrame(params.frame))
        break
      case 'Page.javascriptDialogOpening':
        this.#tell('Page.handleJavaScriptDialog', { accept: false })
        break
      case 'Inspector.targetCrashed':
        this.#gone('The overlay page crashed')
    }
  }

  /** The page may go elsewhere or be reloaded by itself. */
  #navigated({ parentId, unreachableUrl }: Frame): void {
    if (parentId !== undefined || !this.#isOpen) return
    if (unreachableUrl !== undefined) this.#gone('The overlay page does not load any more')
    else this.#checkStatus().catch((error: Error) => this.#gone(error.message))
  }

  /** The error page of a browser is not for viewers. */
  #gone(reason: string): void {
    this.#isOpen = false
    this.#listener.failed(reason)
  }

  async #checkStatus(): Promise<void> {
    const expression = "performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0"
    const { result } = await this.#send('Runtime.evaluate', { expression, returnByValue: true })
    const status = Number(asValue(result).value)
    if (status >= 400) throw new Error(`The overlay page answers ${status}`)
  }

  #send(method: string, params: Record<string, unknown> = {}, withinMs?: number): Promise<Record<string, unknown>> {
    return this.#devtools.send(method, params, this.#sessionId, withinMs)
  }

  /** Without waiting: whether the browser still answers is checked elsewhere. */
  #tell(method: string, params: Record<string, unknown> = {}): void {
    this.#send(method, params).catch(() => {})
  }
}

type Frame = { parentId?: string; unreachableUrl?: string }

/** The protocol documents these shapes; it is that of a browser that we start ourselves. */
const asFrame = (value: unknown) => value as Frame
const asMetadata = (value: unknown) => value as { timestamp: number }
const asValue = (value: unknown) => value as { value?: unknown }

const notLoaded = () => new Error('The overlay page does not load in time')
