import { fitPicture } from '../overlay/fit-picture.ts'
import { Stage } from '../overlay/stage.ts'
import { clockShown, type Pace, withClock } from './clocks.ts'
import type { Moment } from './moments.ts'
import type { CustomAction, Graphic } from './recorded.ts'

/** The picture: the stage of the overlay page, fed with the graphics on air then. */
export class Screen {
  readonly #stage: Stage
  #seq = 0
  #shown: ReadonlyMap<string, Graphic> = new Map()
  /** The last text of each graphic's clock, by graphicId. */
  readonly #clocks = new Map<string, string>()

  constructor(problem: (reason: string) => void) {
    this.#stage = new Stage({ painted: () => {}, problem: (_, reason) => problem(reason) }, undefined)
    this.#stage.size = { width: 1920, height: 1080 }
  }

  get element() {
    return this.#stage.element
  }

  /** Mounts graphics that will be shown, out of sight. */
  preload(graphics: readonly Graphic[]) {
    this.#stage.preload(graphics)
  }

  /** Shows a moment as it was, without animations: somebody jumped there. */
  jump({ graphics }: Moment, pace: Pace) {
    this.#stage.restart()
    for (const [graphicId, graphic] of this.#shown) if (!graphics.has(graphicId)) this.#hide(graphic)
    this.#clocks.clear()
    for (const graphic of graphics.values()) this.#load(graphic, pace)
    this.#stage.caughtUp()
    this.#shown = graphics
  }

  /** Goes on to the next moment as viewers saw it. */
  go({ step, graphics }: Moment, pace: Pace) {
    for (const change of step.changes) {
      const { action, graphicId } = change
      const before = this.#shown.get(graphicId)
      const graphic = graphics.get(graphicId)
      if (action === 'hide' && before) this.#hide(before)
      else if (action === 'load' && graphic) this.#load(graphic, pace)
      else if (action === 'update' && graphic) this.#update(graphic, pace, change.customAction)
    }
    this.#shown = graphics
  }

  /** Time passes, or passes at another pace (`anew`): clocks that run are told their time. */
  tick(pace: Pace, anew = false) {
    if (pace.rate === 1 && !anew) return
    for (const [graphicId, graphic] of this.#shown) {
      const text = clockShown(graphic.data, pace.at)
      if (text !== undefined && (anew || text !== this.#clocks.get(graphicId))) this.#update(graphic, pace)
    }
  }

  /** As large as `picture` can be within `area`. Answers how to stop that. */
  fit(area: HTMLElement, picture: HTMLElement): () => void {
    return fitPicture(this.#stage, area, picture)
  }

  #load(graphic: Graphic, pace: Pace) {
    this.#stage.load({ ...this.#timed(graphic, pace), seq: ++this.#seq })
  }

  #update(graphic: Graphic, pace: Pace, customAction?: CustomAction) {
    const { graphicId, sport, presetId, variableValues, themeVariables, step, data } = this.#timed(graphic, pace)
    const update = { graphicId, sport, seq: ++this.#seq, onAir: true, presetId, variableValues, themeVariables, data }
    this.#stage.update({ ...update, ...(step !== undefined && { step }), ...(customAction && { customAction }) })
  }

  #hide({ graphicId, sport }: Graphic) {
    this.#stage.update({ graphicId, sport, seq: ++this.#seq, onAir: false })
  }

  #timed(graphic: Graphic, pace: Pace): Graphic {
    const text = clockShown(graphic.data, pace.at)
    if (text !== undefined) this.#clocks.set(graphic.graphicId, text)
    return { ...graphic, data: withClock(graphic.data, pace) }
  }
}
