import { lengthOf, type Span, union, within, without } from './spans.ts'

/** When a renderer was connected, ms since 1970, and what it said to have on screen when it came. */
export type Connection = Span & {
  id: string
  renderer: string
  showing: readonly { graphicId: string; seq: number }[]
}

/** The first report of a graphic within a connection with a seq of [seq, endSeq). */
export type FirstReport = { connectionId: string; graphicId: string; seq: number; at: number }

/** What of a play was to be seen, and why the rest was not. Milliseconds; the first is the sum of the next six. */
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
  /** Of a time of which no reports are kept any more. */
  forgottenMs: number
  /** Seen for longer than it was on air: until the renderers took it off. */
  overrunMs: number
  renderers: readonly { renderer: string; from: number; paintedMs: number }[]
}

export type Shown = {
  graphicId: string
  /** What was committed, cut to the window that is asked for. */
  committed: Span
  /** When renderers were to show it: as committed, moved by the encoding delay, up to now. */
  due: Span
  seq: number
  /** Null while it is on air, or when the window ends before it does. */
  endSeq: number | null
}

/** Reconciles one play with what renderers reported. `reports` holds those of its graphic, of all its seqs. */
export function prove(
  { graphicId, committed, due, seq, endSeq }: Shown,
  connections: readonly Connection[],
  reports: ReadonlyMap<string, readonly FirstReport[]>,
  keptFrom = 0,
): Proof {
  const until = endSeq ?? Number.POSITIVE_INFINITY
  const isOfPlay = (one: { seq: number }) => one.seq >= seq && one.seq < until
  const seen = connections.flatMap((connection) => {
    const ofGraphic = reports.get(connection.id) ?? []
    const came = connection.showing.some((one) => one.graphicId === graphicId && isOfPlay(one))
    const first = ofGraphic.filter(isOfPlay).map(({ at }) => at)
    const from = Math.min(...(came ? [connection.from] : []), ...first)
    if (from === Number.POSITIVE_INFINITY) return []
    const gone = Math.min(...ofGraphic.filter((one) => one.seq >= until && one.at >= from).map(({ at }) => at))
    const reported = gone < Number.POSITIVE_INFINITY
    return [{ renderer: connection.renderer, from, until: Math.min(gone, connection.until), reported }]
  })
  const painted = within(seen, due)
  const forgotten = without(within([{ from: 0, until: keptFrom }], due), painted)
  const connected = without(within(connections, due), forgotten)
  const waiting = without(connected, painted)
  const start = painted[0]?.from
  const late = start === undefined ? [] : within(waiting, { from: due.from, until: start })
  const over = seen.flatMap(({ until: gone, reported }) => (reported ? [{ from: due.until, until: gone }] : []))
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
