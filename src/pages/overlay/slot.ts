import { addressOf, Frame, type GraphicMessage } from './frame.ts'
import {
  type Answer,
  callOf,
  type GraphicUpdate,
  inForce,
  isAtOnce,
  type LoadGraphic,
  type Size,
  toldOf,
} from './protocol.ts'
import { Trouble, type Until } from './trouble.ts'

/** Longest out animation that is waited for before a graphic's iframe is made invisible. */
const OUT_MS = 2_500
const PRELOAD_TURN_MS = 1_000
const LONGEST_RETRY_MS = 10_000
/** How long another bundle may wait until it has painted the last message, where messages come all the time. */
const NEWEST_WITHIN_MS = 250
/** Of calls that no graphic answers. */
const MOST_CALLS = 100

export type SlotEvents = {
  painted(graphicId: string, seq: number): void
  problem(graphic: string, reason: string): void
  /** One that plays out by itself has. */
  played?(graphicId: string, seq: number): void
  answered?(answer: Answer): void
}

export type SlotContext = {
  stage: HTMLElement
  size(): Size & { serverOffsetMs: number }
  /** Nobody sees the stage. */
  isStale(): boolean
  /** Above all that were shown before. */
  nextLayer(): number
  events: SlotEvents
}

/**
 * One graphic of the room: the frame that is on screen, and while another bundle of it loads, the one that takes over
 * when it has painted.
 */
export class Slot {
  readonly graphicId: string
  readonly trouble = new Trouble()
  readonly #context: SlotContext
  #current: Frame | undefined
  #incoming: Frame | undefined
  /** The load with every later update merged in, for a frame that becomes ready. */
  #load: LoadGraphic | undefined
  /** Whether the next load goes straight to its final frame. */
  #settled = false
  /** A load puts it on top, an update does not. */
  #layer = 0
  #hiding = 0
  #retrying = 0
  #failures = 0
  /** How often a frame was given up since one was ready. */
  #givenUp = 0
  /** The bundle that came and did not work: the browser may hold a broken file of it. */
  #broken = ''
  #name: string | undefined
  /** The first seq that the incoming frame was told, and when. */
  #toldIncoming = { seq: -1, at: 0 }
  /** The newest seq that was applied, for READY and `?debug`. */
  #seq = -1
  /** The newest seq on this socket: older frames are ignored. */
  #floor = -1
  /** What the graphic was asked and has not answered: whether it is a play, by its id. */
  readonly #calls = new Map<string, boolean>()

  constructor(graphicId: string, context: SlotContext) {
    this.graphicId = graphicId
    this.#context = context
  }

  get seq() {
    return this.#seq
  }

  get onAir() {
    return this.#load !== undefined
  }

  get name() {
    return this.#name ?? this.graphicId
  }

  /** On air, and there is a frame that shows it. */
  get showing() {
    return this.#load !== undefined && this.#current?.ready === true
  }

  /** A new socket. A graphic that READY does not list comes again while it is on air, and must not appear when it is off by now. */
  restart() {
    this.#floor = -1
    if (!this.#load || this.showing) return
    this.#cancelTimers()
    this.#dropIncoming()
    this.trouble.forget()
    this.#load = undefined
  }

  /** Whether a load of this bundle is told to it at once; one on air with another bundle swaps them by itself. */
  isThere(url: string) {
    return this.#current?.url === addressOf(url) ? this.#current.ready : this.onAir && this.#current?.ready === true
  }

  /** Mounts the bundle out of sight; resolves when it is ready, has failed, or takes too long. */
  preload(url: string, name?: string): Promise<void> {
    this.#name = name ?? this.#name
    if (this.#load || this.#hiding || this.#current?.url === addressOf(url)) return Promise.resolve()
    this.#current?.remove()
    return new Promise((resolve) => {
      this.#current = this.#mount(url, resolve)
      // one that was replaced meanwhile never settles
      window.setTimeout(resolve, PRELOAD_TURN_MS)
    })
  }

  /** Loads an OGraf graphic out of sight. While another bundle of it is on air it is loaded when it is shown. */
  async prepare(load: LoadGraphic) {
    this.#note(load)
    await this.preload(load.url, load.graphicName)
    if (this.#current?.url === addressOf(load.url) && this.#current.ready) this.#current.prepare(load)
  }

  /** Gives up a bundle that is mounted out of sight. */
  retire() {
    if (this.#load || this.#hiding) return
    this.trouble.forget()
    this.#current?.remove()
    this.#current = undefined
  }

  load(load: LoadGraphic, isPast: boolean) {
    if (load.seq === this.#floor || !this.#accept(load.seq)) return
    const settled = isPast || isAtOnce(load)
    const url = addressOf(load.url)
    const wasOnAir = this.#load !== undefined
    const leaving = this.#hiding !== 0
    this.#cancelTimers()
    this.#failures = 0
    this.#name = load.graphicName
    this.#note(load)
    this.#load = inForce(load, load.data)
    this.#layer = this.#context.nextLayer()
    const current = this.#current
    if (current?.url === url) {
      this.#dropIncoming()
      this.#settled = settled
      if (current.ready) this.trouble.ready()
      this.#tell(current)
    } else if (current && (wasOnAir || leaving)) {
      // the old bundle stays in the picture until the new one has painted
      this.#settled = settled || wasOnAir
      if (this.#incoming?.url === url) {
        this.#tell(this.#incoming)
      } else {
        this.#dropIncoming()
        this.#incoming = this.#mount(load.url)
      }
    } else {
      current?.remove()
      this.#settled = settled
      this.#current = this.#mount(load.url)
    }
  }

  update(update: GraphicUpdate) {
    // live data that could not be read in time follows later with the seq that announced it
    if (!this.#accept(update.seq)) return
    this.#note(update)
    if (!update.onAir) {
      this.#hide({ type: 'GRAPHIC_UPDATE', payload: update })
      return
    }
    if (!this.#load) return
    const told = inForce(update, update.data ?? this.#load.data)
    const { onAir: _onAir, ...changes } = told
    this.#load = { ...this.#load, ...changes }
    // a frame that is still loading gets the merged load when it is ready
    for (const frame of [this.#current, this.#incoming])
      if (frame?.ready)
        frame.post({
          type: 'GRAPHIC_UPDATE',
          payload: told,
          ...(isAtOnce(update) && { settled: true }),
          ...this.#time(),
        })
  }

  /** Since when the graphic on screen owes an answer; undefined when it owes none. */
  get silentSince() {
    return this.#current?.silentSince
  }

  /** Asks whether it still runs. */
  ask() {
    this.#current?.ask()
  }

  /** Takes it off at once and forgets it. */
  remove() {
    this.#cancelTimers()
    this.#dropIncoming()
    this.#current?.remove()
    this.#current = undefined
    this.#load = undefined
  }

  /** Tells a better server time. */
  greet() {
    if (this.#current?.ready) this.#current.greet()
  }

  /** Something is wrong with it. */
  note(reason: string, until: Until) {
    this.#context.events.problem(this.name, reason)
    // on its way out it harms nobody
    if (until === 'ready' || this.onAir || this.#seq < 0) this.trouble.note(reason, until, this.#seq)
  }

  #hide(message: GraphicMessage & { payload: GraphicUpdate }) {
    this.#load = undefined
    this.trouble.forget()
    this.#cancelTimers()
    this.#dropIncoming()
    const frame = this.#current
    if (!frame?.ready) {
      this.#context.events.painted(this.graphicId, message.payload.seq)
      return
    }
    const atOnce = isAtOnce(message.payload)
    frame.post({ ...message, ...(atOnce && { settled: true }), ...this.#time() })
    if (atOnce || this.#context.isStale()) frame.show(false)
    this.#hiding = window.setTimeout(() => {
      this.#hiding = 0
      frame.show(false)
    }, OUT_MS)
  }

  #mount(url: string, settle?: () => void): Frame {
    const { stage, size, events } = this.#context
    const frame: Frame = new Frame(
      url,
      size,
      { givenUp: this.#givenUp, anew: url === this.#broken },
      {
        ready: () => {
          this.#givenUp = 0
          this.trouble.ready()
          settle?.()
          this.#tell(frame)
        },
        painted: (seq) => {
          if (frame === this.#incoming && this.#mayTakeOver(seq)) this.#swap(frame)
          if (frame !== this.#current) return
          this.trouble.painted(seq)
          events.painted(this.graphicId, seq)
        },
        failed: (reason, loaded) => {
          if (loaded) this.#broken = url
          settle?.()
          this.#fail(frame, reason)
        },
        error: (message) => this.note(message, 'paint'),
        played: (seq) => {
          if (frame === this.#current && this.onAir) events.played?.(this.graphicId, seq)
        },
        answered: (answer) => {
          const isPlay = this.#calls.get(answer.call)
          // a graphic answers what it was asked, once
          if (this.#calls.delete(answer.call)) events.answered?.(toldOf(answer, isPlay === true))
        },
      },
    )
    frame.mount(stage)
    return frame
  }

  #tell(frame: Frame) {
    const load = this.#load
    if (!load || !frame.ready) return
    if (frame === this.#current) this.#raise(frame)
    else this.#toldIncoming = { seq: load.seq, at: performance.now() }
    // a hidden graphic would play its way in whenever the source comes into the picture
    const settled = this.#settled || document.hidden ? { settled: true } : {}
    this.#settled = false
    frame.post({ type: 'LOAD_GRAPHIC', payload: load, ...settled, ...this.#time() })
  }

  /** Live data may come faster than a heavy graphic paints it: then its paint after a moment is new enough. */
  #mayTakeOver(painted: number) {
    const { seq, at } = this.#toldIncoming
    return painted >= this.#seq || (painted >= seq && performance.now() - at > NEWEST_WITHIN_MS)
  }

  #raise(frame: Frame) {
    frame.element.style.zIndex = String(this.#layer)
    frame.show(true)
  }

  #swap(frame: Frame) {
    this.#raise(frame)
    this.#current?.remove()
    this.#current = frame
    this.#incoming = undefined
  }

  #fail(frame: Frame, reason: string) {
    frame.remove()
    if (frame === this.#incoming) this.#incoming = undefined
    else if (frame === this.#current) this.#current = undefined
    else return
    this.#givenUp++
    this.note(reason, 'ready')
    const load = this.#load
    if (!load) return
    // one that was on screen does not play its way in again
    if (frame.ready) this.#settled = true
    this.#failures++
    this.#retrying = window.setTimeout(
      () => {
        const retry = this.#mount(load.url)
        if (this.#current) this.#incoming = retry
        else this.#current = retry
      },
      Math.min(LONGEST_RETRY_MS, 500 * 2 ** this.#failures),
    )
  }

  #note(message: LoadGraphic | GraphicUpdate) {
    const call = callOf(message)
    if (call === undefined) return
    const [oldest] = this.#calls.keys()
    if (oldest !== undefined && this.#calls.size >= MOST_CALLS) this.#calls.delete(oldest)
    this.#calls.set(call.id, call.isPlay)
  }

  #accept(seq: number) {
    if (seq < this.#floor) return false
    this.#floor = seq
    this.#seq = seq
    return true
  }

  #cancelTimers() {
    window.clearTimeout(this.#hiding)
    window.clearTimeout(this.#retrying)
    this.#hiding = 0
  }

  #dropIncoming() {
    this.#incoming?.remove()
    this.#incoming = undefined
  }

  #time() {
    return { serverOffsetMs: this.#context.size().serverOffsetMs }
  }
}
