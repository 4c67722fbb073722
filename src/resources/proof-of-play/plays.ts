import type { OnAir } from '../../../machines/overlay/model.ts'
import type { JournalPrincipal } from '../../principal.ts'
import { brandOf } from '../overlays/brand.ts'
import type { CommandRow } from '../overlays/recorded-commands.queries.ts'

/** A brand that a graphic shows, and the sponsor slot that it was chosen from; null when it was named. */
export type Ad = { slotId: string | null; brandId: number }

/** A graphic on air with one preset and one brand, from the command that began it to the one that ended it. */
export type Play = {
  graphicId: string
  graphicName: string
  presetId: number
  /** What its values call a brand; for those that `ads` tell, nothing. */
  brand: string | null
  ads: readonly Ad[]
  /** The principal that began the play; null when that is not known any more. */
  by: JournalPrincipal | null
  /** The seq that began it and the one that ended it; null while it is on air. */
  seq: number
  endSeq: number | null
  /** Ms since 1970. */
  at: number
  until: number | null
  /** The play began before the kept part of the journal: its beginning is that of the kept part. */
  cut: boolean
}

type Known = { seq: number; at: number }

/**
 * Folds commands, in order, into plays, of which it tells the beginnings and the ends. `known` says where the journal begins when
 * its beginning is not kept: a graphic on air then begins with the first row that names it.
 */
export class Plays {
  readonly #open = new Map<string, Play>()
  readonly #known: Known | undefined
  readonly #told: { began(play: Play): void; ended(play: Play): void }

  /** `open`: those that were on air before the first command. */
  constructor(
    known: Known | undefined,
    told: { began(play: Play): void; ended?(play: Play): void },
    open: readonly Play[] = [],
  ) {
    this.#known = known
    this.#told = { ended: () => {}, ...told }
    for (const play of open) this.#open.set(play.graphicId, play)
  }

  /** Plays that have not ended. */
  get open(): Iterable<Play> {
    return this.#open.values()
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
      const shows = shownBrands(graphic)
      // values that change neither change nothing in the proof
      if (event.type === 'graphic.updated' && before?.presetId === graphic.presetId && isSame(before, shows)) continue
      this.#end(graphic.graphicId, seq, at)
      this.#begin(playOf(graphic, { seq, at, by: principal, ...shows, cut: false }))
    }
  }

  /** Tells the graphics on air after the last command: one that no command names has been there since before. */
  last(onAir: readonly OnAir[]): void {
    if (!this.#known) return
    for (const graphic of onAir)
      if (!this.#open.has(graphic.graphicId))
        this.#begin(playOf(graphic, { ...this.#known, by: null, ...shownBrands(graphic), cut: true }))
  }

  #begin(play: Play): void {
    this.#open.set(play.graphicId, play)
    this.#told.began(play)
  }

  #end(graphicId: string, endSeq: number, until: number): void {
    const play = this.#open.get(graphicId)
    if (!play) return
    this.#open.delete(graphicId)
    // the clock of a database may have been put back
    play.endSeq = endSeq
    play.until = Math.max(play.at, until)
    this.#told.ended(play)
  }

  /** A graphic changes or goes that no kept command has shown: it was on air when the kept part begins. */
  #earlier(graphic: Named): void {
    if (this.#known && !this.#open.has(graphic.graphicId))
      this.#begin(playOf(graphic, { ...this.#known, by: null, brand: null, ads: NO_ADS, cut: true }))
  }
}

const NO_ADS: readonly Ad[] = []

function shownBrands({ ads, values }: OnAir): Pick<Play, 'brand' | 'ads'> {
  if (!ads) return { brand: brandOf(values), ads: NO_ADS }
  const found = Object.entries(ads).flatMap(([name, slotId]) => {
    const brandId = values[name]
    return typeof brandId === 'number' ? [{ slotId, brandId }] : []
  })
  return { brand: found.length > 0 ? null : brandOf(values), ads: found }
}

const isSame = (one: Pick<Play, 'brand' | 'ads'>, other: Pick<Play, 'brand' | 'ads'>) =>
  one.brand === other.brand &&
  one.ads.length === other.ads.length &&
  one.ads.every(({ slotId, brandId }, index) => {
    const ad = other.ads[index]
    return ad?.slotId === slotId && ad.brandId === brandId
  })

/** The end of a play that lasts for more commands than this is found beforehand, instead of holding back all plays after it. */
const NEAR = 2_000
const AT_A_TIME = 500

type Journal = {
  known: Known | undefined
  /** The commands in order; asked for twice. */
  commands(): AsyncIterable<CommandRow>
  /** The graphics on air after the last command. */
  onAir(): Promise<readonly OnAir[]>
}

const keyOf = ({ graphicId, seq }: Play) => `${seq}/${graphicId}`

/**
 * Plays in the order in which they began, some at a time. The commands are read twice, so that memory does not grow with them,
 * however long a play lasts.
 */
export async function* playsOf({ known, commands, onAir }: Journal): AsyncGenerator<Play[]> {
  const long = new Map<string, Play>()
  const cut: Play[] = []
  const first = new Plays(known, {
    began: (play) => {
      if (play.cut) cut.push(play)
    },
    ended: (play) => {
      if (!play.cut && play.endSeq !== null && play.endSeq - play.seq > NEAR) long.set(keyOf(play), play)
    },
  })
  let lastSeq = 0
  for await (const row of commands()) {
    first.add(row)
    lastSeq = row.seq
  }
  first.last(await onAir())
  for (const play of first.open) long.set(keyOf(play), play)
  if (cut.length > 0) yield cut

  let begun: Play[] = []
  let ready = 0
  const again = new Plays(known, {
    began: (play) => {
      if (!play.cut) begun.push(long.get(keyOf(play)) ?? play)
    },
  })
  const isSettled = (play: Play | undefined) => play && (play.until !== null || long.has(keyOf(play)))
  for await (const row of commands()) {
    // commands that came meanwhile belong to another answer
    if (row.seq > lastSeq) break
    again.add(row)
    while (isSettled(begun[ready])) ready++
    if (ready < AT_A_TIME) continue
    yield begun.slice(0, ready)
    begun = begun.slice(ready)
    ready = 0
  }
  if (begun.length > 0) yield begun
}

type Named = Pick<OnAir, 'graphicId' | 'graphicName' | 'presetId'>

const playOf = (
  { graphicId, graphicName, presetId }: Named,
  began: Pick<Play, 'seq' | 'at' | 'by' | 'brand' | 'ads' | 'cut'>,
): Play => ({
  graphicId,
  graphicName,
  presetId,
  ...began,
  endSeq: null,
  until: null,
})
