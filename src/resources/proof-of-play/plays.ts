import type { OnAir } from '../../../machines/overlay.ts'
import type { JournalPrincipal } from '../../context.ts'
import { brandOf } from '../overlays/brand.ts'
import type { CommandRow } from '../overlays/recorded-commands.queries.ts'

/** A graphic on air with one preset and one brand, from the command that began it to the one that ended it. */
export type Play = {
  graphicId: string
  graphicName: string
  presetId: number
  brand: string | null
  /** Who began it; null when that is not known any more. */
  by: JournalPrincipal | null
  /** The seq that began it and the one that ended it; null while it is on air. */
  seq: number
  endSeq: number | null
  /** Ms since 1970. */
  at: number
  until: number | null
  /** It was on air before what is kept of the journal begins: the beginning is that of what is kept. */
  cut: boolean
}

type Known = { seq: number; at: number }

/**
 * Folds commands, in order, into what was on air. `known` says where the journal begins when its beginning is not kept;
 * `onAir` is what is on air after the last of them.
 */
export class Plays {
  readonly ended: Play[] = []
  readonly #open = new Map<string, Play>()
  readonly #known: Known | undefined

  constructor(known: Known | undefined) {
    this.#known = known
  }

  add({ seq, at, principal, events }: CommandRow): void {
    for (const event of events) {
      if (event.type === 'data.refreshed') continue
      if (event.type === 'graphic.hidden') {
        this.#earlier(event)
        this.#end(event.graphicId, seq, at)
        continue
      }
      const { graphic } = event
      if (event.type === 'graphic.updated') this.#earlier(graphic)
      const before = this.#open.get(graphic.graphicId)
      const brand = brandOf(graphic.values)
      // values that change neither change nothing of what is proved
      if (event.type === 'graphic.updated' && before?.presetId === graphic.presetId && before.brand === brand) continue
      this.#end(graphic.graphicId, seq, at)
      this.#open.set(graphic.graphicId, playOf(graphic, { seq, at, by: principal, brand, cut: false }))
    }
  }

  /** All of them in the order in which they began. */
  all(onAir: readonly OnAir[]): Play[] {
    if (this.#known)
      for (const graphic of onAir) {
        // what no kept command names has been as it is since before
        if (!this.#open.has(graphic.graphicId))
          this.#open.set(
            graphic.graphicId,
            playOf(graphic, { ...this.#known, by: null, brand: brandOf(graphic.values), cut: true }),
          )
      }
    return [...this.ended, ...this.#open.values()].sort((a, b) => a.seq - b.seq)
  }

  #end(graphicId: string, endSeq: number, until: number): void {
    const play = this.#open.get(graphicId)
    if (!play) return
    this.#open.delete(graphicId)
    // the clock of a database may have been put back
    this.ended.push({ ...play, endSeq, until: Math.max(play.at, until) })
  }

  /** A graphic changes or goes that no kept command has shown: it was on air when what is kept begins. */
  #earlier(graphic: Named): void {
    if (this.#known && !this.#open.has(graphic.graphicId))
      this.#open.set(graphic.graphicId, playOf(graphic, { ...this.#known, by: null, brand: null, cut: true }))
  }
}

type Named = Pick<OnAir, 'graphicId' | 'graphicName' | 'presetId'>

const playOf = (
  { graphicId, graphicName, presetId }: Named,
  began: Pick<Play, 'seq' | 'at' | 'by' | 'brand' | 'cut'>,
): Play => ({
  graphicId,
  graphicName,
  presetId,
  ...began,
  endSeq: null,
  until: null,
})
