import { readGraphicError, readGraphicReady, type Size } from './protocol.ts'

/** All of a bundle has come, or failed to. */
const READY_AFTER_LOAD_MS = 3_000
const LOADED_WITHIN_MS = 20_000
/** Its runtime and its pictures come when its page is loaded. */
const MOTION_READY_WITHIN_MS = 20_000
/** What was given up loads anew from its beginning, so a slow line needs longer each time. */
const LONGEST_PATIENCE_MS = 120_000
const LONGEST_AFTER_LOAD_MS = 12_000
const KNOCK_EVERY_MS = 20
const PAINT_WITHIN_MS = 1_000
/** A first show may wait two seconds for its pictures. */
const MOTION_PAINT_WITHIN_MS = 2_500

/** What a graphic is told. `settled` asks for the final frame without an animation; both extras stand beside the payload. */
export type GraphicMessage = {
  type: 'HELLO' | 'LOAD_GRAPHIC' | 'GRAPHIC_UPDATE'
  payload: object
  settled?: boolean
  serverOffsetMs?: number
}

export type FrameEvents = {
  ready(): void
  painted(seq: number): void
  /** No READY in time, or a message of the graphic about itself. */
  failed(reason: string, loaded: boolean): void
  error(message: string): void
}

/** One graphic's bundle in a sandboxed iframe, invisible until `show`. */
export class Frame {
  readonly url: string
  readonly element: HTMLIFrameElement
  readonly #events: FrameEvents
  readonly #hello: () => GraphicMessage
  readonly #patience: { loadMs: number; readyMs: number }
  readonly #paintWithinMs: number
  #knocking = 0
  #deadline = 0
  #reportsPaint = false
  #ready = false
  /** Newest seq posted to the graphic, and newest that was painted. */
  #posted = -1
  #reported = -1
  #awaiting = false
  #overdue = 0

  /** `givenUp`: how many before it were; `anew`: past what the browser keeps of it. */
  constructor(
    url: string,
    size: () => Size & { serverOffsetMs: number },
    { givenUp, anew }: { givenUp: number; anew: boolean },
    events: FrameEvents,
  ) {
    this.url = addressOf(url)
    this.#patience = patienceFor(isMotion(url), givenUp)
    this.#paintWithinMs = isMotion(url) ? MOTION_PAINT_WITHIN_MS : PAINT_WITHIN_MS
    this.#events = events
    this.#hello = () => {
      const { width, height, serverOffsetMs } = size()
      return { type: 'HELLO', payload: { width, height }, serverOffsetMs }
    }
    this.element = document.createElement('iframe')
    this.element.setAttribute('sandbox', 'allow-scripts')
    this.element.setAttribute('allow', 'autoplay')
    this.element.setAttribute('tabindex', '-1')
    this.element.src = anew ? addressAnew(this.url) : this.url
    window.addEventListener('message', this.#receive)
  }

  get ready() {
    return this.#ready
  }

  mount(stage: HTMLElement) {
    stage.append(this.element)
    // a graphic may listen before its load event, or long after it
    this.#knocking = window.setInterval(() => this.greet(), KNOCK_EVERY_MS)
    this.element.addEventListener('load', () => {
      this.greet()
      if (!this.#ready) this.#expect('READY', this.#patience.readyMs, true)
    })
    this.#expect('bundle', this.#patience.loadMs, false)
  }

  #expect(what: string, withinMs: number, loaded: boolean) {
    window.clearTimeout(this.#deadline)
    const fail = () => this.#events.failed(`no ${what} in ${withinMs / 1_000} s`, loaded)
    this.#deadline = window.setTimeout(fail, withinMs)
  }

  /** Also tells a running graphic a better server time. */
  greet() {
    this.#post(this.#hello())
  }

  /** Posts a load or update and tells when it is on screen. */
  post(message: GraphicMessage & { payload: { seq: number } }) {
    this.#post(message)
    this.#posted = message.payload.seq
    // a restored server counts from lower
    this.#reported = Math.min(this.#reported, this.#posted - 1)
    if (!this.#reportsPaint) this.#awaitPaint()
    else if (this.#overdue === 0) this.#overdue = window.setTimeout(() => this.#isOverdue(), this.#paintWithinMs)
  }

  show(shown: boolean) {
    this.element.classList.toggle('shown', shown)
  }

  remove() {
    window.clearInterval(this.#knocking)
    window.clearTimeout(this.#deadline)
    window.clearTimeout(this.#overdue)
    window.removeEventListener('message', this.#receive)
    this.element.remove()
  }

  /** One wait at a time: a hidden source gets no animation frames for hours, claims no paint, and must not pile them up. */
  #awaitPaint() {
    if (this.#awaiting) return
    this.#awaiting = true
    requestAnimationFrame(() => {
      const seq = this.#posted
      requestAnimationFrame(() => {
        this.#awaiting = false
        this.#painted(seq)
        if (this.#posted > seq) this.#awaitPaint()
      })
    })
  }

  #isOverdue() {
    this.#overdue = 0
    if (this.#posted > this.#reported) this.#awaitPaint()
  }

  #painted(seq: number) {
    this.#reported = Math.max(this.#reported, seq)
    this.#events.painted(seq)
  }

  #post(message: GraphicMessage) {
    // the sandbox leaves the graphic without an origin to name
    this.element.contentWindow?.postMessage(message, '*')
  }

  readonly #receive = ({ source, data }: MessageEvent) => {
    if (source === null || source !== this.element.contentWindow) return
    const error = readGraphicError(data)
    if (error !== undefined) this.#events.error(error)
    const ready = readGraphicReady(data)
    if (!ready) return
    this.#reportsPaint ||= ready.paints
    if (ready.seq !== undefined) {
      this.#painted(ready.seq)
    } else if (!this.#ready) {
      this.#ready = true
      window.clearInterval(this.#knocking)
      window.clearTimeout(this.#deadline)
      this.#events.ready()
    }
  }
}

function patienceFor(motion: boolean, givenUp: number) {
  const longer = (ms: number, longestMs: number) => Math.min(longestMs, ms * 2 ** givenUp)
  const loadMs = longer(LOADED_WITHIN_MS, LONGEST_PATIENCE_MS)
  return {
    loadMs,
    readyMs: motion
      ? longer(MOTION_READY_WITHIN_MS, LONGEST_PATIENCE_MS)
      : longer(READY_AFTER_LOAD_MS, LONGEST_AFTER_LOAD_MS),
  }
}

/** A motion graphic is named by its file, and drawn by a page of this host. */
const isMotion = (url: string) => /\.riv(?:$|[?#])/.test(url)

/** Where a bundle is loaded from: this host serves it, whatever name the server believes it has. */
export function addressOf(url: string) {
  const { pathname, search, href } = new URL(url, location.href)
  if (!pathname.startsWith('/bundles/')) return href
  if (isMotion(pathname)) return `${location.origin}/motion?file=${encodeURIComponent(pathname)}`
  return location.origin + pathname + search
}

/**
 * The same bundle at an address that no cache knows. Its files never change, so a browser keeps one that was cut off on its way
 * for good; links in it are relative, so they are new too.
 */
const addressAnew = (url: string) => url.replace(/(\/bundles\/[^/~]+)\//, `$1~${Date.now()}/`)
