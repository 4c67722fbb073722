import type { ISql } from 'postgres'
import { type Breathe, mapInBreaths } from '../breaths.ts'
import type { SettingsSpan } from '../overlays/recorded.queries.ts'
import { settingsAt } from '../overlays/recorded.queries.ts'
import { commandsKnownFrom, commandsOf, onAirOf } from '../overlays/recorded-commands.queries.ts'
import { type Connection, type FirstReport, FirstReports, type Proof, prove, type Shown } from './painted.ts'
import { type Play, Plays } from './plays.ts'
import { without } from './spans.ts'

/** A server that has not said for this long that it is alive is not. */
const ALIVE_MS = 20_000

/** Ms since 1970. */
export type Window = { from: number; until: number }

export type ProvedPlay = Play & { overlayId: number; adType: SettingsSpan['adType']; onAir: boolean } & Proof

export type OverlayProof = {
  plays: ProvedPlay[] /** Since when the journal is whole; null: from the beginning. */
  knownFrom: number | null
}

type Asked = {
  overlayId: number
  window: Window
  /** Ms since 1970 by the clock of the database. */
  now: number
  settings: readonly SettingsSpan[]
  /** From when on all reports are kept, ms since 1970. */
  keptFrom: number
  /** Only renderers of this name count, with whatever their page appends to it. */
  renderer: string | undefined
  breathe: Breathe
}

/** Rows of reports that are read at once. */
const REPORTS_AT_A_TIME = 1_000

/** From when on retention kept every report of renderers, ms since 1970; null while it has deleted none. */
export async function reportsKeptFrom(sql: ISql): Promise<number | null> {
  const [row] = await sql<{ at: number | null }[]>`
    select extract(epoch from kept_from)::float8 * 1000 as at from retention where what = 'paints'`
  return row?.at ?? null
}

/** What one overlay had on air within a window, with what renderers reported of it. */
export async function proveOverlay(sql: ISql, asked: Asked): Promise<OverlayProof> {
  const { overlayId, window, now, settings, keptFrom, breathe } = asked
  const { plays, known } = await readPlays(sql, overlayId, window)
  const shown = plays.flatMap((play) => {
    const committed = { from: Math.max(play.at, window.from), until: Math.min(play.until ?? now, window.until, now) }
    // what was on air for no time at all was a command, but nobody could see it
    if (committed.from >= committed.until) return []
    const delayAt = (at: number) => (settingsAt(settings, at)?.encodingDelaySeconds ?? 0) * 1000
    const last = Math.min(committed.until + delayAt(committed.until), now)
    const first = Math.min(committed.from + delayAt(committed.from), last)
    // a delay that became longer meanwhile makes it stay, but not more of it was committed
    const due = { from: first, until: Math.min(last, first + committed.until - committed.from) }
    const cut = play.until === null || play.until > window.until
    return [{ play, shown: { ...play, committed, due, endSeq: cut ? null : play.endSeq } satisfies Shown }]
  })
  const [connections, reports] = await Promise.all([readConnections(sql, asked), readReports(sql, asked, plays)])
  const all = withUnrecorded(connections, reports)
  const indexed = new Map<string, ReadonlyMap<string, FirstReports>>()
  for (const [graphicId, ofGraphic] of reports) indexed.set(graphicId, await indexOf(ofGraphic, breathe))
  const proved = await mapInBreaths(breathe, shown, ({ play, shown: one }) => ({
    // new keys before what is spread: the other way round V8 makes a hidden class for each of ten thousand plays
    overlayId,
    adType: settingsAt(settings, play.at)?.adType ?? null,
    onAir: play.until === null,
    ...play,
    ...prove(one, all, indexed.get(play.graphicId) ?? NO_REPORTS, keptFrom),
  }))
  return { knownFrom: known?.at ?? null, plays: proved }
}

const NO_REPORTS: ReadonlyMap<string, FirstReports> = new Map()

async function indexOf(ofGraphic: ReadonlyMap<string, readonly FirstReport[]>, breathe: Breathe) {
  const indexed = new Map<string, FirstReports>()
  for (const [connectionId, own] of ofGraphic) {
    indexed.set(connectionId, new FirstReports(own))
    await breathe()
  }
  return indexed
}

async function readPlays(sql: ISql, overlayId: number, window: Window) {
  const known = await commandsKnownFrom(sql, overlayId)
  const plays = new Plays(known)
  for await (const row of commandsOf(sql, overlayId, { after: (known?.seq ?? 1) - 1, until: window.until }))
    plays.add(row)
  return { known, plays: plays.all(await onAirOf(sql, overlayId)) }
}

async function readConnections(sql: ISql, { overlayId, window, now, renderer }: Asked): Promise<Connection[]> {
  const rows = await sql<
    (Omit<Connection, 'until' | 'showing' | 'inView'> & {
      until: number | null
      showing: Connection['showing'] | null
      outOfView: [number, number | null][] | null
    })[]
  >`
    select s.id, s.renderer, extract(epoch from s.opened_at)::float8 * 1000 as from, s.showing,
      s.out_of_view as "outOfView",
      extract(epoch from coalesce(s.closed_at,
        case when r.alive_at < clock_timestamp() - make_interval(secs => ${ALIVE_MS / 1000}) then r.alive_at end
      ))::float8 * 1000 as until
    from renderer_session s left join server_run r on r.id = s.run_id
    where s.overlay_id = ${overlayId} and s.opened_at < ${new Date(Math.min(window.until, now))}
      and coalesce(s.closed_at, 'infinity') > ${new Date(window.from)}
      ${ofRenderer(sql, sql`s.renderer`, renderer)}`
  return rows.map(({ outOfView, ...row }) => {
    const until = row.until ?? now
    const away = (outOfView ?? []).map(([from, back]) => ({ from, until: back ?? until }))
    return { ...row, until, showing: row.showing ?? [], inView: without([{ from: row.from, until }], away) }
  })
}

/** The page of an overlay appends six characters to the name that it is given. */
const ofRenderer = (sql: ISql, column: ReturnType<ISql>, renderer: string | undefined) =>
  renderer === undefined ? sql`` : sql`and (${column} = ${renderer} or starts_with(${column}, ${`${renderer}-`}))`

type ReportRow = FirstReport & { graphicId: string; connectionId: string | null; renderer: string; last: number }

/** By graphic, then by connection, the first report of each stretch between two commands that began or ended a play. */
type Reports = Map<string, Map<string, FirstReport[]>>

async function readReports(
  sql: ISql,
  { overlayId, window, renderer }: Asked,
  plays: readonly Play[],
): Promise<Reports> {
  const wanted = plays.filter(({ at, until }) => at < window.until && (until ?? Number.POSITIVE_INFINITY) > window.from)
  const bounds = new Map<string, Set<number>>()
  for (const { graphicId, seq, endSeq } of wanted) {
    const known = bounds.get(graphicId) ?? new Set()
    known.add(seq)
    if (endSeq !== null) known.add(endSeq)
    bounds.set(graphicId, known)
  }
  const stretches = [...bounds].flatMap(([graphicId, seqs]) => {
    const ordered = [...seqs].sort((a, b) => a - b)
    return ordered.map((seq, index) => ({ graphicId, seq, end: ordered[index + 1] ?? Number.MAX_SAFE_INTEGER }))
  })
  const reports: Reports = new Map()
  if (stretches.length === 0) return reports
  const found = sql<ReportRow[]>`
    select stretch.graphic_id as "graphicId", stretch.seq, found.*
    from unnest(${stretches.map(({ graphicId }) => graphicId)}::text[], ${stretches.map(({ seq }) => seq)}::bigint[],
      ${stretches.map(({ end }) => end)}::bigint[]) as stretch (graphic_id, seq, end_seq)
    -- one range of the index after the other, whatever the planner thinks of thousands of ranges
    cross join lateral (
      select s.id as "connectionId", p.renderer, extract(epoch from min(p.reported_at))::float8 * 1000 as at,
        extract(epoch from max(p.reported_at))::float8 * 1000 as last
      from paint p
      left join renderer_session s on s.overlay_id = ${overlayId} and s.renderer = p.renderer
        and p.reported_at between s.opened_at and coalesce(s.closed_at, 'infinity')
      where p.overlay_id = ${overlayId} and p.graphic_id = stretch.graphic_id
        and p.seq >= stretch.seq and p.seq < stretch.end_seq ${ofRenderer(sql, sql`p.renderer`, renderer)}
      group by 1, 2
    ) found`
  const add = ({ graphicId, connectionId, renderer: name, seq, at, last }: ReportRow) => {
    const ofGraphic = reports.get(graphicId) ?? new Map<string, FirstReport[]>()
    reports.set(graphicId, ofGraphic)
    const id = connectionId ?? unrecorded(name)
    const own = ofGraphic.get(id) ?? []
    ofGraphic.set(id, own)
    own.push({ seq, at })
    // when it was last heard of: nobody wrote down how long it was connected
    if (connectionId === null) own.push({ seq, at: last })
  }
  for await (const rows of found.cursor(REPORTS_AT_A_TIME)) rows.forEach(add)
  return reports
}

const UNRECORDED = 'unrecorded/'
const unrecorded = (renderer: string) => UNRECORDED + renderer

/** Renderers from before connections were recorded were connected from their first report to their last. */
function withUnrecorded(connections: readonly Connection[], reports: Reports): Connection[] {
  const heard = new Map<string, { from: number; until: number }>()
  for (const ofGraphic of reports.values())
    for (const [id, own] of ofGraphic) {
      if (!id.startsWith(UNRECORDED)) continue
      const times = own.map(({ at }) => at)
      const known = heard.get(id)
      heard.set(id, {
        from: Math.min(...times, known?.from ?? Number.POSITIVE_INFINITY),
        until: Math.max(...times, known?.until ?? 0),
      })
    }
  const old = [...heard].map(([id, span]) => ({
    id,
    renderer: id.slice(UNRECORDED.length),
    showing: [],
    inView: [span],
    ...span,
  }))
  return [...connections, ...old]
}
