import type { OverlayEvent } from '../../../machines/overlay/events.ts'
import type { Committed, Live, MaybePromise, Ports } from '../ports.ts'
import { type LiveText, liveText } from './live-text.ts'
import type { Step } from './screen.ts'

type Change = Step & {
  /** By this node's clock. */
  committedAt: number
  loading: boolean
}

const liveRetryMs = 250
const livePatienceMs = 1000

/**
 * Commits between the journal and the screen, in order. A change leaves when the delay has passed and the live data it
 * needs is read; changes behind it wait. Without a delay and with live data at hand it leaves in the same turn of the loop.
 */
export class Backlog {
  delayMs = 0
  readonly #ports: Ports
  readonly #overlayId: number
  readonly #release: (step: Step) => void
  readonly #knowsLive: () => boolean
  #changes: Change[] = []
  #cancelTimer: (() => void) | undefined
  #stopped = false
  #reads = 0
  /** Reads that a change did not wait for. */
  #lateReads = 0

  constructor(ports: Ports, overlayId: number, on: { release: (step: Step) => void; knowsLive: () => boolean }) {
    this.#ports = ports
    this.#overlayId = overlayId
    this.#release = on.release
    this.#knowsLive = on.knowsLive
  }

  get empty(): boolean {
    return this.#changes.length === 0
  }

  /** `live`: true reads it now, after the commit; given, it is taken as read. */
  add(step: { view: Committed; events: readonly OverlayEvent[] }, committedAt: number, live: boolean | LiveText): void {
    const given = typeof live === 'object' ? live : undefined
    const { view, events } = step
    const change: Change = { view, events, committedAt, live: given, loading: false, late: false }
    if (live === true) this.#read(change)
    if (this.#changes.length === 0 && this.delayMs === 0 && !change.loading) {
      this.#emit(change)
      return
    }
    this.#changes.push(change)
    this.drain()
  }

  /** Releases changes that are due. Called when the delay changed, too. */
  drain(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    if (this.#stopped) return
    for (let change = this.#changes[0]; change && !change.loading; change = this.#changes[0]) {
      const waitMs = change.committedAt + this.delayMs - this.#ports.clock.now()
      if (waitMs > 0) {
        this.#cancelTimer = this.#ports.clock.after(waitMs, () => this.drain())
        return
      }
      this.#changes.shift()
      this.#emit(change)
    }
  }

  /** Forgets changes that wait: the state is read anew, and live data still being read for the old one are older. */
  clear(): void {
    this.#changes = []
    this.#reads++
    this.drain()
  }

  stop(): void {
    this.#stopped = true
    this.clear()
  }

  #read(change: Change): void {
    const read = ++this.#reads
    const live = this.#ask()
    if (live instanceof Promise) {
      change.loading = true
      void this.#await(change, read, live)
    } else change.live = liveText(live)
  }

  #ask(): MaybePromise<Live> {
    try {
      return this.#ports.live(this.#overlayId, this.delayMs)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  /**
   * With older live data at hand the picture goes on with it after a second, and the new data follows when it comes;
   * without any the change waits, as a graphic must not appear empty.
   */
  async #await(change: Change, read: number, first: MaybePromise<Live>): Promise<void> {
    let late = false
    const cancelPatience = this.#ports.clock.after(livePatienceMs, () => {
      if (!this.#knowsLive()) return
      late = true
      this.#lateReads++
      this.#go(change)
    })
    for (let asked = first; ; asked = this.#ask()) {
      try {
        const live = liveText(await asked)
        cancelPatience()
        // under a delay it may wait still, and needs no other one behind it
        if (!late || this.#changes.includes(change)) change.live = live
        // a change that read later carries newer data than this late one
        else if (read === this.#reads) this.#changes.push({ ...change, view: undefined, events: [], live })
        if (late) this.#lateReads--
        this.#go(change)
        return
      } catch (error) {
        this.#ports.log.warn({ overlayId: this.#overlayId, err: error }, 'live data could not be read')
        await new Promise<void>((resolve) => this.#ports.clock.after(liveRetryMs, resolve))
        // a question that nobody waits for any more would fail unheard
        if (this.#stopped) return
      }
    }
  }

  #emit(change: Change): void {
    change.late = change.view === undefined || this.#lateReads > 0
    this.#release(change)
  }

  #go(change: Change): void {
    change.loading = false
    this.drain()
  }
}
