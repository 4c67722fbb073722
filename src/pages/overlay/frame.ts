import {
  type Answer,
  readGraphicAnswer,
  readGraphicError,
  readGraphicPlayed,
  readGraphicPulse,
  readGraphicReady,
  type Size,
} from './protocol.ts'
import { Pulse } from './pulse.ts'

/** All of a bundle has come, or failed to. */
const READY_AFTER_LOAD_MS = 3_000
const LOADED_WITHIN_MS = 20_000
/** Its runtime and its pictures come when its page is loaded. */
const MOTION_READY_WITHIN_MS = 20_000
/** A frame that was given up loads anew from its beginning, so a slow line needs longer each time. */
const LONGEST_PATIENCE_MS = 120_000
const LONGEST_AFTER_LOAD_MS = 12_000
const KNOCK_EVERY_MS = 20
const PAINT_WITHIN_MS = 1_000
/** A first show may wait two seconds for its pictures. */
const MOTION_PAINT_WITHIN_MS = 2_500
/** The page of an OGraf graphic says when it paints; one whose `load` does not come back never does. */
const NEVER_MS = 2 ** 31 - 1

/** Of one graphic: each costs the page, which has others to serve. */
const MOST_MESSAGES_A_SECOND = 1_000

/** Frames by their windows: a message costs the same however many graphics there are. */
const framesByWindow = new Map<MessageEventSource, Frame>()
window.addEventListener('message', ({ source, data }) => {
  if (source) framesByWindow.get(source)?.receive(data)
})

/** A message to a graphic. `settled` asks for the final frame without an animation; both extras stand beside the payload. */
export type GraphicMessage = {
  type: 'HELLO' | 'LOAD_GRAPHIC' | 'GRAPHIC_UPDATE' | 'PREPARE_GRAPHIC'
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
  /** The graphic has played to its end by itself. */
  played(seq: number): void
  /** A call of an OGraf graphic has ended. */
  answered(answer: Answer): void
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
  #loaded = false
  /** Whether the page that is loaded, or on its way, has said that it has a pulse. */
  #introduced = false
  #pulse = new Pulse((id) => this.#ask(id))
  /** The number of the question behind the message that was posted last. */
  #question = 0
  #whenThrough: (() => void) | undefined
  /** The first thing that went wrong, which is why the rest did. */
  #trouble = ''
  #second = { at: 0, messages: 0 }

  /** `givenUp`: how many before it were; `anew`: past the browser's cache. */
  constructor(
    url: string,
    size: () => Size & { serverOffsetMs: number },
    { givenUp, anew }: { givenUp: number; anew: boolean },
    events: FrameEvents,
  ) {
    this.url = addressOf(url)
    this.#patience = patienceFor(isHosted(url), givenUp)
    this.#paintWithinMs = isOgraf(url) ? NEVER_MS : isMotion(url) ? MOTION_PAINT_WITHIN_MS : PAINT_WITHIN_MS
    this.#events = events
    this.#hello = () => {
      const { width, height, serverOffsetMs } = size()
      return { type: 'HELLO', payload: { width, height }, serverOffsetMs }
    }
    this.element = document.createElement('iframe')
    this.element.setAttribute('sandbox', 'allow-scripts')
    this.element.setAttribute('allow', 'autoplay')
    this.element.setAttribute('tabindex', '-1')
    // content that is larger than the picture, or only out of it, must not put bars on air
    this.element.setAttribute('scrolling', 'no')
    this.element.src = framed(anew ? addressAnew(this.url) : this.url)
  }

  get ready() {
    return this.#ready
  }

  mount(stage: HTMLElement) {
    stage.append(this.element)
    if (this.element.contentWindow) framesByWindow.set(this.element.contentWindow, this)
    // a graphic may listen before its load event, or long after it
    this.#knocking = window.setInterval(() => this.greet(), KNOCK_EVERY_MS)
    this.element.addEventListener('load', () => this.#isLoaded())
    this.#expect('bundle', this.#patience.loadMs, false)
  }

  #isLoaded() {
    if (this.#ready && this.#loaded) {
      this.#isLeft()
      return
    }
    this.#loaded = true
    if (!this.#introduced) this.#pulse = new Pulse((id) => this.#ask(id))
    this.#introduced = false
    this.greet()
    if (!this.#ready) this.#expect('READY', this.#patience.readyMs, true)
  }

  /** The page that comes next knows nothing of the graphic on air, and may be any page. */
  #isLeft() {
    this.#events.failed('its page was left or loaded again', false)
  }

  #expect(what: string, withinMs: number, loaded: boolean) {
    window.clearTimeout(this.#deadline)
    const fail = () => this.#events.failed(`no ${what} in ${withinMs / 1_000} s${this.#trouble}`, loaded)
    this.#deadline = window.setTimeout(fail, withinMs)
  }

  /** Also tells a running graphic a better server time. */
  greet() {
    this.#post(this.#hello())
  }

  /** Posts a load or update and tells when it is on screen. */
  post(message: GraphicMessage & { payload: { seq: number } }) {
    this.#post(message)
    this.#question = this.#pulse.ask()
    this.#posted = message.payload.seq
    // a restored server counts from lower
    this.#reported = Math.min(this.#reported, this.#posted - 1)
    if (!this.#reportsPaint) this.#awaitPaint()
    else if (this.#overdue === 0) this.#overdue = window.setTimeout(() => this.#isOverdue(), this.#paintWithinMs)
  }

  /** Posts what changes nothing on screen. */
  prepare(payload: object) {
    this.#post({ type: 'PREPARE_GRAPHIC', payload })
  }

  show(shown: boolean) {
    this.element.classList.toggle('shown', shown)
  }

  /** Asks whether it still runs. */
  ask() {
    if (this.#ready && this.#pulse.unansweredSince === undefined) this.#pulse.ask()
  }

  /** Since when it owes an answer, by `performance.now()`; undefined when it owes none. */
  get silentSince() {
    return this.#ready ? this.#pulse.unansweredSince : undefined
  }

  remove() {
    window.clearInterval(this.#knocking)
    window.clearTimeout(this.#deadline)
    window.clearTimeout(this.#overdue)
    if (this.element.contentWindow) framesByWindow.delete(this.element.contentWindow)
    this.element.remove()
  }

  /** One wait at a time: a hidden source gets no animation frames for hours, claims no paint, and must not pile them up. */
  #awaitPaint() {
    if (this.#awaiting) return
    this.#awaiting = true
    requestAnimationFrame(() => {
      const seq = this.#posted
      const question = this.#question
      requestAnimationFrame(() => {
        this.#whenThrough = () => {
          // a graphic that hangs has painted nothing, also when the page around it gets frames
          if (!this.#pulse.isThrough(question)) return
          this.#whenThrough = undefined
          this.#awaiting = false
          this.#painted(seq)
          if (this.#posted > seq) this.#awaitPaint()
        }
        this.#whenThrough()
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

  #ask(id: number) {
    this.element.contentWindow?.postMessage({ type: 'PULSE', payload: { id } }, '*')
  }

  receive(data: unknown) {
    if (this.#isTooMuch()) {
      this.#events.failed(`more than ${MOST_MESSAGES_A_SECOND} messages in a second`, false)
      return
    }
    const pulse = readGraphicPulse(data)
    if (pulse !== undefined) this.#hear(pulse)
    const error = readGraphicError(data)
    if (error !== undefined) {
      this.#trouble ||= `: ${error}`
      this.#events.error(error)
    }
    const played = readGraphicPlayed(data)
    if (played !== undefined) this.#events.played(played)
    const answer = readGraphicAnswer(data)
    if (answer) this.#events.answered(answer)
    const ready = readGraphicReady(data)
    if (!ready) return
    this.#reportsPaint ||= ready.paints
    if (!this.#ready) {
      this.#ready = true
      window.clearInterval(this.#knocking)
      window.clearTimeout(this.#deadline)
      this.#events.ready()
    } else if (ready.seq !== undefined && ready.seq <= this.#posted) {
      // it has not painted a seq that it was never told, and the next report would look old beside it
      this.#painted(ready.seq)
    }
  }

  #hear(id: number) {
    if (id < 0) {
      if (this.#ready) this.#isLeft()
      return
    }
    if (id === 0) {
      this.#pulse = new Pulse((question) => this.#ask(question))
      this.#introduced = true
    }
    this.#pulse.answered(id)
    this.#whenThrough?.()
  }

  #isTooMuch() {
    const now = performance.now()
    if (now - this.#second.at > 1_000) this.#second = { at: now, messages: 0 }
    return ++this.#second.messages > MOST_MESSAGES_A_SECOND
  }
}

function patienceFor(hosted: boolean, givenUp: number) {
  const longer = (ms: number, longestMs: number) => Math.min(longestMs, ms * 2 ** givenUp)
  const loadMs = longer(LOADED_WITHIN_MS, LONGEST_PATIENCE_MS)
  return {
    loadMs,
    readyMs: hosted
      ? longer(MOTION_READY_WITHIN_MS, LONGEST_PATIENCE_MS)
      : longer(READY_AFTER_LOAD_MS, LONGEST_AFTER_LOAD_MS),
  }
}

/** A motion graphic is named by its file, and drawn by a page of this host. */
const isMotion = (url: string) => /\.riv(?:$|[?#])/.test(url)

/** An OGraf graphic is named by its manifest, and hosted by a page of this host. */
const isOgraf = (url: string) => /\.ograf\.json(?:$|[?#])/.test(url)

const isHosted = (url: string) => isMotion(url) || isOgraf(url)

/** The page of a code graphic with the script that the server puts before it for a frame. */
function framed(url: string) {
  const { pathname, search } = new URL(url)
  return pathname.startsWith('/bundles/') && search === '' ? `${url}?framed` : url
}

/** Where a bundle is loaded from: this host serves it, by whichever name the server knows itself. */
export function addressOf(url: string) {
  const { pathname, search, href } = new URL(url, location.href)
  if (!pathname.startsWith('/bundles/')) return href
  if (isMotion(pathname)) return `${location.origin}/motion?file=${encodeURIComponent(pathname)}`
  if (isOgraf(pathname)) return `${location.origin}/ograf?manifest=${encodeURIComponent(pathname)}`
  return location.origin + pathname + search
}

/**
 * The same bundle at an address that no cache knows. Its files never change, so a browser keeps one that was cut off on its way
 * for good; links in it are relative, so they are new too.
 */
const addressAnew = (url: string) =>
  url.replace(/(\/bundles\/[^/~]+)\/|(%2Fbundles%2F(?:(?!%2F|~).)+)%2F/, `$1$2~${Date.now()}/`)
