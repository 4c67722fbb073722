import { lengthOf, type Span, union, within, without } from './spans.ts'

/** When a renderer was connected, ms since 1970, and the graphics that it told to have on screen when it came. */
export type Connection = Span & {
  id: string
  renderer: string
  showing: readonly { graphicId: string; seq: number }[]
  /** When of that its program showed it. */
  inView: readonly Span[]
}

/** The first report within a connection that names a stretch of seqs which begins at `seq`. */
export type FirstReport = { seq: number; at: number }

/** First reports of one graphic within one connection. */
export class FirstReports {
  readonly #ordered: readonly FirstReport[]
  /** By place, the earliest of this and all later seqs. */
  readonly #earliest: number[]

  constructor(reports: readonly FirstReport[]) {
    this.#ordered = [...reports].sort((a, b) => a.seq - b.seq)
    let earliest = Number.POSITIVE_INFINITY
    this.#earliest = this.#ordered.map(() => 0)
    for (let place = this.#ordered.length - 1; place >= 0; place--) {
      earliest = Math.min(earliest, this.#ordered[place]?.at ?? earliest)
      this.#earliest[place] = earliest
    }
  }

  /** When a seq of [from, until) was first reported, ms since 1970; infinity when none was. */
  first(from: number, until: number): number {
    let first = Number.POSITIVE_INFINITY
    for (let place = this.#placeOf(from); ; place++) {
      const report = this.#ordered[place]
      if (!report || report.seq >= until) return first
      first = Math.min(first, report.at)
    }
  }

  /** When this or any later seq was first reported. */
  since(seq: number): number {
    return this.#earliest[this.#placeOf(seq)] ?? Number.POSITIVE_INFINITY
  }

  #placeOf(seq: number): number {
    let [low, high] = [0, this.#ordered.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#ordered[middle]?.seq ?? 0) < seq) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** How long a play was to be seen, and why not for the rest. Milliseconds; the first is the sum of the next seven. */
export type Proof = {
  committedMs: number
  paintedMs: number
  /** Held back for the encoding delay and not released yet. */
  delayMs: number
  noRendererMs: number
  /** Connected renderers had not painted it yet, and did later. */
  lateMs: number
  /** Connected renderers never said that they painted it, or went away and came back without it. */
  unreportedMs: number
  /** All connected renderers were in programs that did not show them. */
  outOfViewMs: number
  /** Of a time of which no reports are kept any more. */
  forgottenMs: number
  /** Seen for longer than it was on air: until the renderers took it off. */
  overrunMs: number
  renderers: readonly { renderer: string; from: number; paintedMs: number }[]
}

export type Shown = {
  graphicId: string
  /** The time from commit to commit, cut to the window that is asked for. */
  committed: Span
  /** When renderers were to show it: as committed, moved by the encoding delay, up to now. */
  due: Span
  seq: number
  /** Null while it is on air, or when the window ends before it does. */
  endSeq: number | null
}

/** Reconciles one play with the reports of renderers. `reports` holds those of its graphic, of all its seqs. */
export function prove(
  { graphicId, committed, due, seq, endSeq }: Shown,
  connections: readonly Connection[],
  reports: ReadonlyMap<string, FirstReports>,
  keptFrom = 0,
): Proof {
  const until = endSeq ?? Number.POSITIVE_INFINITY
  // a day has thousands of connections, and few of them say something of one play
  const near = connections.filter(
    (one) => one.until > due.from && (one.from < due.until || one.showing.length > 0 || reports.has(one.id)),
  )
  const seen = near.flatMap((connection) => {
    const ofGraphic = reports.get(connection.id)
    const came = connection.showing.some((one) => one.graphicId === graphicId && one.seq >= seq && one.seq < until)
    const from = came ? connection.from : (ofGraphic?.first(seq, until) ?? Number.POSITIVE_INFINITY)
    if (from === Number.POSITIVE_INFINITY) return []
    const gone = ofGraphic?.since(until) ?? Number.POSITIVE_INFINITY
    const reported = gone < Number.POSITIVE_INFINITY
    const span = { from, until: Math.min(gone, connection.until) }
    // a graphic that it has painted is seen again when its program shows the page again
    return within(connection.inView, span).map((one) => ({ ...one, renderer: connection.renderer, reported }))
  })
  const painted = within(seen, due)
  const forgotten = without(within([{ from: 0, until: keptFrom }], due), painted)
  const connected = without(within(near, due), forgotten)
  const inView = near.flatMap((connection) => connection.inView)
  const waiting = without(within(inView, due), [...forgotten, ...painted])
  const outOfView = without(connected, [...waiting, ...painted])
  const start = painted[0]?.from
  const late = start === undefined ? [] : within(waiting, { from: due.from, until: start })
  const over = seen.flatMap(({ from, until: gone, reported }) =>
    reported ? [{ from: Math.max(from, due.until), until: gone }] : [],
  )
  const paintedMs = lengthOf(painted)
  const committedMs = lengthOf([committed])
  const dueMs = lengthOf([due])
  return {
    committedMs,
    paintedMs,
    delayMs: committedMs - dueMs,
    noRendererMs: dueMs - lengthOf([...connected, ...painted, ...forgotten]),
    lateMs: lengthOf(late),
    unreportedMs: lengthOf(waiting) - lengthOf(late),
    outOfViewMs: lengthOf(outOfView),
    forgottenMs: lengthOf(forgotten),
    overrunMs: lengthOf(over),
    renderers: byRenderer(seen, due),
  }
}

function byRenderer(seen: readonly (Span & { renderer: string })[], due: Span): Proof['renderers'] {
  const names = [...new Set(seen.map(({ renderer }) => renderer))]
  return names
    .map((renderer) => {
      const own = union(
        within(
          seen.filter((one) => one.renderer === renderer),
          due,
        ),
      )
      return { renderer, from: own[0]?.from ?? 0, paintedMs: lengthOf(own) }
    })
    .filter(({ paintedMs }) => paintedMs > 0)
    .sort((a, b) => a.from - b.from)
}
