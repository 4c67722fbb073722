import { fold, type OverlayEvent, type OverlayFact } from '../../../machines/overlay/events.ts'
import type { OnAir } from '../../../machines/overlay/model.ts'
import type { Committed } from '../ports.ts'
import { difference, lack } from './difference.ts'
import { goneFrame, loadFrame, type Sets, together, updateFrame } from './frames.ts'
import { type LiveText, noLive } from './live-text.ts'

/** One step of the view: the facts of one commit, with the live data read after it when the step needs it. */
export type Step = {
  /** The state after the commit; undefined: no commit, only live data that arrived late. */
  view: Committed | undefined
  events: readonly OverlayEvent[]
  live: LiveText | undefined
  /** The message leaves without the live data that it promises, which is still being read; or it is that data. */
  late: boolean
}

export const nothing: Committed = { seq: 0, context: { graphics: {}, revisions: {} } }
export const isEmpty = ({ context }: Committed) => Object.keys(context.graphics).length === 0

export const advance = ({ context }: Committed, seq: number, events: readonly OverlayFact[]): Committed => ({
  seq,
  context: events.reduce(fold, context),
})

const isRefresh = ({ type }: OverlayEvent) => type === 'data.refreshed'
const comesOrChanges = ({ type }: OverlayEvent) => type === 'graphic.shown' || type === 'graphic.updated'
const valuesOnly: Sets = { values: true }
const maxKnown = 1000
const remembered = 256

/** The graphics that every renderer of an overlay must show, and the frames that take it there. Pure but for its memory. */
export class Screen {
  readonly #publicUrl: string
  #view = nothing
  #live = noLive
  #sport = ''
  // renderers may have older live data than this screen: they were believed, or got no frame when it came
  #unsure = false
  // graphics that a paint report may name; bounded, since renderers choose the names in READY
  readonly #known = new Set<string>()
  #steps: { seq: Float64Array; at: Float64Array } | undefined

  constructor(publicUrl: string) {
    this.#publicUrl = publicUrl
  }

  get view(): Committed {
    return this.#view
  }

  get hasLive(): boolean {
    return this.#live !== noLive
  }

  /** Takes a state read from the store. The frames bring renderers of the state before to it. */
  reset(
    view: Committed,
    live: LiveText | undefined,
    { sport, lateSeq, framesWanted }: { sport: string; lateSeq: number; framesWanted: boolean },
  ): string[] {
    const [viewBefore, liveBefore] = [this.#view, this.#live]
    this.#view = view
    this.#sport = sport
    if (live) this.#live = live
    for (const graphicId in view.context.graphics) this.#remember(graphicId)
    if (!framesWanted) return []
    try {
      return this.lacking(
        new Map(Object.values(viewBefore.context.graphics).map((one) => [one.graphicId, one.seq])),
        lateSeq,
      )
    } catch (error) {
      this.#goBack(viewBefore, liveBefore)
      throw error
    }
  }

  /** Applies one step. Frames are made only when a renderer will get them: one text per graphic, however many renderers. */
  apply({ view, events, live }: Step, framesWanted: boolean): string[] {
    const [viewBefore, liveBefore] = [this.#view, this.#live]
    if (view) this.#view = view
    if (live) this.#live = live
    if (live && view && !isEmpty(viewBefore) && !events.some(isRefresh)) this.#unsure = true
    for (const event of events) if (event.type === 'graphic.shown') this.#remember(event.graphic.graphicId)
    if (!framesWanted) return []
    try {
      const before = { view: viewBefore, live: liveBefore }
      if (!view) return this.#dataFrames(liveBefore, false)
      const frames = events.flatMap((event) => this.#frames(event, before))
      // renderers know the frames of a hideAll from the contract, which names their members
      return frames.length > 1 && events.some(comesOrChanges) ? together(frames) : frames
    } catch (error) {
      this.#goBack(viewBefore, liveBefore)
      throw error
    }
  }

  isOnAir(graphicId: string): boolean {
    return Object.hasOwn(this.#view.context.graphics, graphicId)
  }

  /** The graphics that a renderer showing these must be told about. live-path 16 */
  behind(shown: ReadonlyMap<string, number>, lateSeq: number): string[] {
    return difference(shown, this.#view, lateSeq)
  }

  /** The same for a renderer that has just told its graphics: they count where they are right. */
  lacks(shown: ReadonlyMap<string, number>, lateSeq: number): string[] {
    const told = this.behind(shown, lateSeq)
    for (const graphicId of told) if (!this.isOnAir(graphicId)) this.#remember(graphicId)
    const onAir = told.filter((graphicId) => this.isOnAir(graphicId))
    if (onAir.length < Object.keys(this.#view.context.graphics).length) this.#unsure = true
    return told
  }

  /** All frames of that at once. */
  lacking(shown: ReadonlyMap<string, number>, lateSeq: number): string[] {
    return this.lacks(shown, lateSeq).flatMap((graphicId) => this.frameOf(graphicId, shown.get(graphicId))?.text ?? [])
  }

  /** A graphic as it is now for a renderer that shows it as of a seq, and as of which seq it shows it then. */
  frameOf(graphicId: string, shown: number | undefined): { text: string; seq: number | undefined } | undefined {
    const graphic = this.isOnAir(graphicId) ? this.#view.context.graphics[graphicId] : undefined
    const lacks = lack(graphic, shown, Number.POSITIVE_INFINITY)
    if (!graphic) return lacks && { text: goneFrame(graphicId, this.#sport, this.#view.seq), seq: undefined }
    if (lacks === 'load')
      return { text: loadFrame(graphic, this.#sport, this.#live, this.#publicUrl), seq: graphic.seq }
    const sets = { values: true, theme: this.#live.themeVariables, data: this.#live.data(graphic) }
    return { text: updateFrame(graphic, this.#sport, sets), seq: graphic.seq }
  }

  /** Takes everything off, as of `seq`. */
  cleared(seq: number): string[] {
    return Object.keys(this.#view.context.graphics).map((graphicId) => goneFrame(graphicId, this.#sport, seq))
  }

  /** Whether a renderer can have painted this seq: keeps invented reports out of the as-run log. */
  sent(graphicId: string, seq: number): boolean {
    return seq <= this.#view.seq && this.#known.has(graphicId)
  }

  /** Notes when a seq went out, for the latency of its paint reports. */
  noteRelease(seq: number, at: number): void {
    this.#steps ??= { seq: new Float64Array(remembered), at: new Float64Array(remembered) }
    this.#steps.seq[seq % remembered] = seq
    this.#steps.at[seq % remembered] = at
  }

  /** When a seq went out; undefined when that is long ago. */
  releasedAt(seq: number): number | undefined {
    return this.#steps?.seq[seq % remembered] === seq ? this.#steps.at[seq % remembered] : undefined
  }

  /** Goes back to an older view: graphics that were not sent are not on screen. */
  #goBack(view: Committed, live: LiveText): void {
    this.#view = view
    this.#live = live
  }

  #frames(event: OverlayEvent, before: { view: Committed; live: LiveText }): string[] {
    switch (event.type) {
      case 'graphic.shown':
        return [loadFrame(event.graphic, this.#sport, this.#live, this.#publicUrl, event)]
      case 'graphic.updated':
        return [
          updateFrame(event.graphic, this.#sport, {
            ...this.#changed(event.graphic, before.view),
            customAction: event.customAction,
            call: event.call,
            skipAnimation: event.skipAnimation,
          }),
        ]
      case 'graphic.hidden':
        return [goneFrame(event.graphicId, this.#sport, this.#view.seq, event)]
      case 'data.refreshed':
        return this.#dataFrames(before.live, true)
    }
  }

  /** New values may select another player or team: then the graphic's own data changes with them. */
  #changed(graphic: OnAir, { context }: Committed): Sets {
    const before = context.graphics[graphic.graphicId]
    if (!before || this.#live.selected(before) === this.#live.selected(graphic)) return valuesOnly
    return { values: true, data: this.#live.data(graphic) }
  }

  /** To each graphic the sets that changed for it. `announced`: its seq rose, so it hears of that even when nothing did. */
  #dataFrames(before: LiveText, announced: boolean): string[] {
    const [now, whole] = [this.#live, this.#unsure]
    const theme = whole || before.themeVariables !== now.themeVariables ? now.themeVariables : undefined
    const frames: string[] = []
    for (const graphic of Object.values(this.#view.context.graphics)) {
      const text = now.data(graphic)
      const data = whole || before.data(graphic) !== text ? text : undefined
      if (announced || theme !== undefined || data !== undefined)
        frames.push(updateFrame(graphic, this.#sport, { theme, data }))
    }
    this.#unsure = false
    return frames
  }

  #remember(graphicId: string): void {
    if (this.#known.has(graphicId)) return
    const [oldest] = this.#known
    if (oldest !== undefined && this.#known.size >= maxKnown) this.#known.delete(oldest)
    this.#known.add(graphicId)
  }
}
