import type { GraphicUpdate, LoadGraphic, Showing, Size } from './protocol.ts'
import { Slot, type SlotEvents } from './slot.ts'
import type { GraphicFrame } from './together.ts'
import { watch } from './watchdog.ts'

/** A first show takes no longer. live-path 20 */
const TOGETHER_WITHIN_MS = 250
const LOOK_EVERY_MS = 10

/** The graphics of the overlay by graphicId, and the rules about which frame of the server counts. */
export class Stage {
  readonly element = document.createElement('div')
  readonly slots = new Map<string, Slot>()
  readonly #events: SlotEvents
  readonly #layers: ReadonlySet<string> | undefined
  #size: Size = { width: 1920, height: 1080 }
  #serverOffsetMs = 0
  /** Frames that READY asks for are the past and get no animation. */
  #catchingUp = false
  #topLayer = 0
  #preloading: Promise<unknown> = Promise.resolve()
  /** Frames of one command of which a graphic is not mounted yet. */
  #held: { frames: readonly GraphicFrame[]; timer: number } | undefined

  constructor(events: SlotEvents, layers: ReadonlySet<string> | undefined) {
    this.#events = events
    this.#layers = layers
    this.element.id = 'stage'
    watch(this.slots)
  }

  get size() {
    return this.#size
  }

  set size(size: Size) {
    this.#size = size
    this.element.style.width = `${size.width}px`
    this.element.style.height = `${size.height}px`
  }

  set serverOffsetMs(offset: number) {
    this.#serverOffsetMs = offset
    for (const slot of this.slots.values()) slot.greet()
  }

  /** Nobody sees the page: graphics go off without an animation. */
  set stale(stale: boolean) {
    this.element.classList.toggle('stale', stale)
  }

  /** A new socket: older rules about seq no longer hold, and loads are the past until `caughtUp`. Returns the list for READY. */
  restart(): Showing[] {
    this.#catchingUp = true
    window.clearTimeout(this.#held?.timer)
    this.#held = undefined
    const showing = [...this.slots.values()]
      .filter((slot) => slot.showing)
      .map(({ graphicId, seq }) => ({ graphicId, seq }))
    for (const slot of this.slots.values()) slot.restart()
    return showing
  }

  /** Frames from now on are news, not the past. */
  caughtUp() {
    this.#catchingUp = false
  }

  /**
   * Frames of one command, in one picture. One whose bundle is not mounted yet is waited for a moment; what comes meanwhile finds the
   * command done.
   */
  show(frames: readonly GraphicFrame[]) {
    this.#release()
    if (frames.length < 2 || this.#areThere(frames)) {
      this.#apply(frames)
      return
    }
    for (const { type, payload } of frames)
      if (type === 'LOAD_GRAPHIC' && this.#wanted(payload))
        void this.#slot(payload.graphicId).preload(payload.url, payload.graphicName)
    const giveUpAt = performance.now() + TOGETHER_WITHIN_MS
    const look = () => {
      if (this.#areThere(frames) || performance.now() > giveUpAt) this.#release()
      else if (this.#held) this.#held.timer = window.setTimeout(look, LOOK_EVERY_MS)
    }
    this.#held = { frames, timer: window.setTimeout(look, LOOK_EVERY_MS) }
  }

  #areThere(frames: readonly GraphicFrame[]) {
    return frames.every(
      ({ type, payload }) =>
        type !== 'LOAD_GRAPHIC' || !this.#wanted(payload) || this.#slot(payload.graphicId).isThere(payload.url),
    )
  }

  /** Shows what waits. */
  #release() {
    const held = this.#held
    this.#held = undefined
    if (!held) return
    window.clearTimeout(held.timer)
    this.#apply(held.frames)
  }

  #apply(frames: readonly GraphicFrame[]) {
    for (const { type, payload } of frames)
      if (type === 'LOAD_GRAPHIC') this.load(payload)
      else if (type === 'GRAPHIC_UPDATE') this.update(payload)
      else if (this.#wanted(payload)) void this.#slot(payload.graphicId).prepare(payload)
  }

  load(load: LoadGraphic) {
    if (!this.#wanted(load)) return
    this.#slot(load.graphicId).load(load, this.#catchingUp)
  }

  update(update: GraphicUpdate) {
    this.slots.get(update.graphicId)?.update(update)
  }

  /** Mounts the room's graphics out of sight, one after another, so that nothing on air waits for them; gives up others. */
  preload(graphics: readonly { graphicId: string; graphicName?: string; url: string }[]) {
    const wanted = new Set(graphics.map(({ graphicId }) => graphicId))
    for (const slot of this.slots.values()) if (!wanted.has(slot.graphicId)) slot.retire()
    for (const { graphicId, graphicName, url } of graphics) {
      this.#preloading = this.#preloading.then(() => this.#slot(graphicId).preload(url, graphicName))
    }
  }

  clear() {
    window.clearTimeout(this.#held?.timer)
    this.#held = undefined
    for (const slot of this.slots.values()) slot.remove()
    this.slots.clear()
  }

  #slot(graphicId: string): Slot {
    const known = this.slots.get(graphicId)
    if (known) return known
    const slot = new Slot(graphicId, {
      stage: this.element,
      size: () => ({ ...this.#size, serverOffsetMs: this.#serverOffsetMs }),
      isStale: () => this.element.classList.contains('stale'),
      nextLayer: () => ++this.#topLayer,
      events: this.#events,
    })
    this.slots.set(graphicId, slot)
    return slot
  }

  #wanted({ graphicId, graphicName }: LoadGraphic) {
    return !this.#layers || this.#layers.has(graphicId.toLowerCase()) || this.#layers.has(graphicName?.toLowerCase())
  }
}
