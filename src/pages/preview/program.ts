import { fitPicture } from '../overlay/fit-picture.ts'
import type { LoadGraphic } from '../overlay/protocol.ts'
import { Stage } from '../overlay/stage.ts'
import { fitStage } from '../overlay/viewport.ts'
import { followServerTime } from '../shared/server-time.ts'

export type ProgramEvents = {
  painted(): void
  problem(reason: string): void
}

/** The picture: one graphic on the stage of the overlay page, fed by this page in place of a socket. */
export class Program {
  readonly #stage: Stage
  #seq = 0
  /** The graphic on air; undefined when none is. */
  #shown: LoadGraphic | undefined

  constructor(parent: HTMLElement, events: ProgramEvents) {
    this.#stage = new Stage(
      {
        painted: (_, seq) => {
          if (seq === this.#seq) events.painted()
        },
        problem: (_, reason) => events.problem(reason),
      },
      undefined,
    )
    this.#stage.size = { width: 1920, height: 1080 }
    parent.prepend(this.#stage.element)
    followServerTime(`${location.origin}/time`, (offsetMs) => {
      this.#stage.serverOffsetMs = offsetMs
    })
  }

  get onAir() {
    return this.#shown !== undefined
  }

  /** Shows it, with its animation unless `settled`. */
  load(load: LoadGraphic, settled = false) {
    // as after a reconnection: a graphic on air already comes without an animation
    if (settled) this.#stage.restart()
    this.#shown = load
    this.#stage.load({ ...load, seq: ++this.#seq })
    this.#stage.caughtUp()
  }

  /** Changes the graphic on air, by an update where the bundle stays. */
  change(load: LoadGraphic) {
    if (!this.#shown) return
    if (this.#shown.url !== load.url) {
      this.load(load)
      return
    }
    this.#shown = load
    const { graphicId, sport, variableValues, themeVariables, data, presetId } = load
    const seq = ++this.#seq
    this.#stage.update({ graphicId, sport, seq, onAir: true, presetId, variableValues, themeVariables, data })
  }

  out() {
    if (!this.#shown) return
    const { graphicId, sport } = this.#shown
    this.#shown = undefined
    this.#stage.update({ graphicId, sport, seq: ++this.#seq, onAir: false })
  }

  /** As large as `picture` can be within `area`. */
  fit(area: HTMLElement, picture: HTMLElement) {
    fitPicture(this.#stage, area, picture)
  }

  /** As large as the window. */
  fill() {
    fitStage(this.#stage, {})
  }
}
