import type { ISql } from 'postgres'
import { type Breathe, mapInBreaths } from '../breaths.ts'
import type { SettingsSpan } from '../overlays/recorded.queries.ts'
import { settingsAt } from '../overlays/recorded.queries.ts'
import { commandsOf, onAirOf } from '../overlays/recorded-commands.queries.ts'
import { type Connection, type FirstReport, FirstReports, type Proof, prove, type Shown } from './painted.ts'
import { type Ad, type Play, playsOf } from './plays.ts'
import { without } from './spans.ts'

/** A server that has not said for this long that it is alive is not. */
const ALIVE_MS = 20_000

/** Ms since 1970. */
export type Window = { from: number; until: number }

export type ProvedPlay = Play & { overlayId: number; adType: SettingsSpan['adType']; onAir: boolean } & Proof

/** A play with the names of the brands that it shows. */
export type NamedPlay = Omit<ProvedPlay, 'ads'> & { ads: readonly (Ad & { name: string })[] }

type Asked = {
  overlayId: number
  /** Where the journal begins, when that is not its very beginning. */
  known: { seq: number; at: number } | undefined
  window: Window
  /** Ms since 1970 by the clock of the database. */
  now: number
  settings: readonly SettingsSpan[]
  /** From when on all reports are kept, ms since 1970. */
  keptFrom: number
  /** Only renderers of this name count, with any suffix that their page appends. */
  renderer: string | undefined
  breathe: Breathe
}

/** Reports of a graphic that are looked at behind the plays that are proved at a time: when renderers took the last of these off. */
const REPORTS_BEHIND = 1_000

/** From when on retention kept every report of renderers, ms since 1970; null while it has deleted none. */
export async function reportsKeptFrom(sql: ISql): Promise<number | null> {
  const [row] = await sql<{ at: number | null }[]>`
    select extract(epoch from kept_from)::float8 * 1000 as at from retention where what = 'paints'`
  return row?.at ?? null
}

/** The plays of one overlay within a window, in the order in which they began, with the reports of renderers; some at a time. */
export async function* proveOverlay(sql: ISql, asked: Asked): AsyncGenerator<ProvedPlay[]> {
  const { overlayId, known, window } = asked
  const [connections, unknown] = await Promise.all([readConnections(sql, asked), readUnrecorded(sql, asked)])
  const all = [...connections, ...unknown]
  const plays = playsOf({
    known,
    commands: () => commandsOf(sql, overlayId, { after: (known?.seq ?? 1) - 1, until: window.until }),
    onAir: () => onAirOf(sql, overlayId),
  })
  for await (const some of plays) {
    const proved = await provePlays(sql, asked, some, all)
    if (proved.length > 0) yield proved
  }
}

/** Those of some plays of one overlay that could be seen within the window. `connections` are those of renderers around it. */
async function provePlays(
  sql: ISql,
  asked: Asked,
  plays: readonly Play[],
  connections: readonly Connection[],
): Promise<ProvedPlay[]> {
  const { overlayId, settings, keptFrom, breathe } = asked
  const shown = plays.flatMap((play) => shownOf(play, asked))
  if (shown.length === 0) return []
  const reports = await readReports(
    sql,
    asked,
    shown.map(({ play }) => play),
  )
  const indexed = new Map<string, ReadonlyMap<string, FirstReports>>()
  for (const [graphicId, ofGraphic] of reports) indexed.set(graphicId, await indexOf(ofGraphic, breathe))
  return mapInBreaths(breathe, shown, ({ play, shown: one }) => ({
    // new keys before the spread. docs/performance.md: hidden classes
    overlayId,
    adType: settingsAt(settings, play.at)?.adType ?? null,
    onAir: play.until === null,
    ...play,
    ...prove(one, connections, indexed.get(play.graphicId) ?? NO_REPORTS, keptFrom),
  }))
}

/** How long each of these plays of one overlay was painted within the window, ms, in their order. */
export async function paintedMsOf(
  sql: ISql,
  asked: Omit<Asked, 'known' | 'renderer'>,
  plays: readonly Play[],
): Promise<number[]> {
  const all = { ...asked, known: undefined, renderer: undefined }
  // with a delay it is painted after the window
  const window = { from: asked.window.from, until: asked.now }
  const proved = await provePlays(sql, all, plays, await readConnections(sql, { ...all, window }))
  const painted = new Map(proved.map((play) => [keyOf(play), play.paintedMs]))
  return plays.map((play) => painted.get(keyOf(play)) ?? 0)
}

const keyOf = ({ seq, graphicId }: Pick<Play, 'seq' | 'graphicId'>) => `${seq}/${graphicId}`

/** When a play was committed and was to be seen; nothing when nobody could see it within the window. */
function shownOf(play: Play, { window, now, settings }: Asked): { play: Play; shown: Shown }[] {
  const committed = { from: Math.max(play.at, window.from), until: Math.min(play.until ?? now, window.until, now) }
  // a play of no time at all was a command, but nobody could see it
  if (committed.from >= committed.until) return []
  const delayAt = (at: number) => (settingsAt(settings, at)?.encodingDelaySeconds ?? 0) * 1000
  const last = Math.min(committed.until + delayAt(committed.until), now)
  const first = Math.min(committed.from + delayAt(committed.from), last)
  // a delay that became longer meanwhile makes it stay, but not more of it was committed
  const due = { from: first, until: Math.min(last, first + committed.until - committed.from) }
  const cut = play.until === null || play.until > window.until
  return [{ play, shown: { ...play, committed, due, endSeq: cut ? null : play.endSeq } }]
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

async function readReports(sql: ISql, { overlayId, renderer }: Asked, plays: readonly Play[]): Promise<Reports> {
  const bounds = new Map<string, Set<number>>()
  for (const { graphicId, seq, endSeq } of plays) {
    const known = bounds.get(graphicId) ?? new Set()
    known.add(seq)
    if (endSeq !== null) known.add(endSeq)
    bounds.set(graphicId, known)
  }
  const stretches = [...bounds].flatMap(([graphicId, seqs]) => {
    const ordered = [...seqs].sort((a, b) => a - b)
    return ordered.map((seq, index) => {
      const end = ordered[index + 1]
      // behind the last of these plays only reports that renderers took it off
      return { graphicId, seq, end: end ?? Number.MAX_SAFE_INTEGER, most: end === undefined ? REPORTS_BEHIND : null }
    })
  })
  const reports: Reports = new Map()
  if (stretches.length === 0) return reports
  const found = sql<ReportRow[]>`
    with report as materialized (
      select stretch.graphic_id, stretch.seq, p.renderer, p.reported_at
      from unnest(${stretches.map(({ graphicId }) => graphicId)}::text[], ${stretches.map(({ seq }) => seq)}::bigint[],
        ${stretches.map(({ end }) => end)}::bigint[], ${stretches.map(({ most }) => most)}::int[])
        as stretch (graphic_id, seq, end_seq, most)
      -- one range of the index after the other, whatever the planner thinks of hundreds of ranges
      cross join lateral (
        select renderer, reported_at from paint
        where overlay_id = ${overlayId} and graphic_id = stretch.graphic_id and seq >= stretch.seq and seq < stretch.end_seq
          ${ofRenderer(sql, sql`renderer`, renderer)}
        order by seq limit stretch.most
      ) p
    )
    select p.graphic_id as "graphicId", p.seq, s.id as "connectionId", p.renderer,
      extract(epoch from min(p.reported_at))::float8 * 1000 as at, extract(epoch from max(p.reported_at))::float8 * 1000 as last
    from report p
    left join renderer_session s on s.overlay_id = ${overlayId} and s.renderer = p.renderer
      and p.reported_at between s.opened_at and coalesce(s.closed_at, 'infinity')
    group by 1, 2, 3, 4`
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
  for (const row of await found) add(row)
  return reports
}

const unrecorded = (renderer: string) => `unrecorded/${renderer}`

/** Renderers from before connections were recorded were connected from their first report to their last. */
async function readUnrecorded(sql: ISql, { overlayId, renderer }: Asked): Promise<Connection[]> {
  const heard = await sql<{ renderer: string; from: number; until: number }[]>`
    select p.renderer, extract(epoch from min(p.reported_at))::float8 * 1000 as from,
      extract(epoch from max(p.reported_at))::float8 * 1000 as until
    from paint p
    where p.overlay_id = ${overlayId} ${ofRenderer(sql, sql`p.renderer`, renderer)} and not exists (
      select from renderer_session s where s.overlay_id = ${overlayId} and s.renderer = p.renderer
        and p.reported_at between s.opened_at and coalesce(s.closed_at, 'infinity'))
    group by 1`
  return heard.map(({ renderer: name, from, until }) => ({
    id: unrecorded(name),
    renderer: name,
    showing: [],
    inView: [{ from, until }],
    from,
    until,
  }))
}
