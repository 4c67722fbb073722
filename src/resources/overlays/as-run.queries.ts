import type { ISql, PendingQuery } from 'postgres'
import type { JournalPrincipal } from '../../principal.ts'
import { causedBy } from '../caused-by.ts'
import { type AsRunPosition, type AsRunPositions, after, START } from './as-run.cursor.ts'
import { type NamesOf, nameless } from './as-run.names.ts'
import type { AsRunEntry, AsRunQuery } from './as-run.schema.ts'
import { brandOf } from './brand.ts'
import { type SettingsSpan, settingsAt, settingsOf } from './recorded.queries.ts'

type Filter = Omit<AsRunQuery, 'format' | 'limit' | 'offset' | 'cursor'>

type Row = {
  overlayId: number
  seq: number
  /** Which of the command's graphics, from 1. */
  n: number
  at: Date
  asked: { type: string } & Record<string, unknown>
  principal: JournalPrincipal
  requestId: string
  commandId: string
  graphicId: string | null
  graphicName: string | null
  presetId: number | null
  /** Of the graphic that was shown; null when it went off. */
  version: number | null
  values: AsRunEntry['values']
  rehearsal: boolean
  painted: { renderer: string; at: number }[]
}

/**
 * How many reports of a graphic from an event on are looked at: the first ones of hundreds of renderers on a page of
 * ordinary size, of fewer on a long one, so that it answers in time.
 */
const reportsLookedAt = (limit: number) => Math.min(2000, Math.max(100, Math.floor(500_000 / limit)))

/** Where a page of a log begins: a number of rows from its beginning, or behind those that were given. */
type From = { offset: number } | { behind: AsRunPositions }

/** A page of the as-run log of overlays that the caller owns, newest last unless the filter says otherwise. */
export async function findAsRun(
  sql: ISql,
  overlayIds: readonly number[],
  { limit, start, namesOf = nameless, ...filter }: Filter & { limit: number; start: From; namesOf?: NamesOf },
): Promise<{ asRun: AsRunEntry[]; total: number; returned: number; next: AsRunPositions | undefined }> {
  const settings = await settingsOf(sql, overlayIds)
  const asked = { sql, overlayIds, filter, settings }
  const behind = 'behind' in start ? start.behind : await skipped(asked, start.offset)
  // one more, to see whether there is one
  const [total, found] = await Promise.all([countAsRun(asked), readAsRun(asked, behind, limit + 1)])
  const rows = found.slice(0, limit)
  const names = await namesOf(rows)
  const asRun = rows.map((row) => ({ ...entry(row, settings), ...names(row) }))
  const next = found.length > limit ? after(behind, rows) : undefined
  return { asRun, total, returned: asRun.length, next }
}

/** Rows that are read at once when all are wanted, and the reports that are then looked at for each. */
const AT_A_TIME = 250
const REPORTS_OF_EACH = 100

/** The whole as-run log of overlays from a place on, a page at a time. */
export async function* allAsRun(
  sql: ISql,
  overlayIds: readonly number[],
  { start, ...filter }: Filter & { start: From },
): AsyncGenerator<AsRunEntry[]> {
  const settings = await settingsOf(sql, overlayIds)
  const asked = { sql, overlayIds, filter, settings }
  let behind = 'behind' in start ? start.behind : await skipped(asked, start.offset)
  for (;;) {
    const rows = await readAsRun(asked, behind, AT_A_TIME, REPORTS_OF_EACH)
    if (rows.length > 0) yield rows.map((row) => entry(row, settings))
    if (rows.length < AT_A_TIME) return
    behind = after(behind, rows)
  }
}

/** How many rows a log has. */
export const totalAsRun = async (sql: ISql, overlayIds: readonly number[], filter: Filter): Promise<number> =>
  countAsRun({ sql, overlayIds, filter, settings: await settingsOf(sql, overlayIds) })

/** The latest rows of one overlay's log, newest first; costs as little as they are few. */
export async function latestAsRun(sql: ISql, overlayId: number, limit: number): Promise<AsRunEntry[]> {
  const overlayIds = [overlayId]
  const settings = await settingsOf(sql, overlayIds)
  const rows = await readAsRun({ sql, overlayIds, settings, filter: { order: 'desc' } }, START, limit)
  return rows.map((row) => entry(row, settings))
}

type Asked = {
  sql: ISql
  overlayIds: readonly number[]
  filter: Filter
  settings: ReadonlyMap<number, readonly SettingsSpan[]>
}

// the text of the facts begins with the type, so a refresh is known without parsing
const selected = ({ sql, filter, settings }: Asked) => {
  const { from, to, action, include, by, adType } = filter
  // the id of a rule may hold slashes of its own
  const [, type, id] = /^(\w+)(?:\/(.*))?$/s.exec(by ?? '') ?? []
  const spans = adType === undefined ? [] : [...settings.values()].flat().filter((span) => span.adType === adType)
  return sql`
    true
    ${from === undefined ? sql`` : sql`and j.at >= ${from}`}
    ${to === undefined ? sql`` : sql`and j.at < ${to}`}
    ${action === undefined ? sql`` : sql`and j.command->>'type' = ${action}`}
    ${type === undefined ? sql`` : sql`and j.principal->>'type' = ${type}`}
    ${id === undefined ? sql`` : sql`and j.principal->>'id' = ${id}`}
    ${
      adType === undefined
        ? sql``
        : sql`and exists (
            select from unnest(${spans.map((span) => `overlay/${span.overlayId}`)}::text[],
              ${spans.map((span) => span.from)}::float8[],
              ${spans.map((span) => Math.min(span.to, FOR_EVER))}::float8[]) as span (ref, since, until)
            where span.ref = j.ref and extract(epoch from j.at)::float8 * 1000 >= span.since
              and extract(epoch from j.at)::float8 * 1000 < span.until)`
    }
    ${include === 'refresh' || action === 'refresh' ? sql`` : sql`and not starts_with(j.events::text, '[{"type":"data.refreshed"')`}
    ${
      include === 'rehearsal'
        ? sql`and not starts_with(coalesce(j.asides::text, ''), '[{"type":"rehearsed","fact":{"type":"data.refreshed"')`
        : sql`and not ${isRehearsed(sql)}`
    }`
}

/** Whether a row is of a rehearsal: nothing of it was on air. */
const isRehearsed = (sql: ISql) => sql`starts_with(coalesce(j.asides::text, ''), '[{"type":"rehearsed"')`

/** What a command did on air, or, when that is nothing, in rehearsal, else to preview and schedule. Of the end of a rehearsal that it ended. */
const factsOf = (sql: ISql) => sql`(case
  when j.asides is null or json_array_length(j.events) > 0 then j.events
  when ${isRehearsed(sql)} then
    (select json_agg(aside->'fact') from json_array_elements(j.asides) as aside where aside->>'type' = 'rehearsed')
  when starts_with(j.asides::text, '[{"type":"rehearsal.') then json_build_array(j.asides->0)
  -- where the rundown is then: what it did to graphics is told beside it
  when json_array_length(j.asides) > 1 and strpos(j.asides::text, '{"type":"rundown.moved"') > 0 then
    (select json_agg(aside) from json_array_elements(j.asides) as aside where aside->>'type' <> 'rundown.moved')
  else j.asides end)`

const FOR_EVER = 8.64e15

const member = (sql: ISql, event: PendingQuery<Row[]>, name: string) =>
  sql`coalesce(${event}->'graphic'->>${name}, ${event}->>${name})`

/** The condition on facts of a row; undefined when all of a row count. */
function aboutGraphic({ sql, filter: { graphicId, graphicName, presetId } }: Asked, event: PendingQuery<Row[]>) {
  if (graphicId === undefined && graphicName === undefined && presetId === undefined) return undefined
  return sql`
    ${graphicId === undefined ? sql`true` : sql`${member(sql, event, 'graphicId')} = ${graphicId}`}
    and ${graphicName === undefined ? sql`true` : sql`${member(sql, event, 'graphicName')} = ${graphicName}`}
    and ${presetId === undefined ? sql`true` : sql`${member(sql, event, 'presetId')} = ${String(presetId)}`}`
}

async function countAsRun(asked: Asked): Promise<number> {
  const { sql } = asked
  const about = aboutGraphic(asked, sql`event`)
  const [row] = await (about
    ? sql<{ total: number }[]>`
        select count(*)::int as total from journal j cross join lateral json_array_elements(${factsOf(sql)}) as event
        where ${ofOverlays(asked)} and ${selected(asked)} and ${about}`
    : sql<{ total: number }[]>`
        select coalesce(sum(json_array_length(${factsOf(sql)})), 0)::int as total from journal j
        where ${ofOverlays(asked)} and ${selected(asked)}`)
  return row?.total ?? 0
}

const ofOverlays = ({ sql, overlayIds }: Asked) => sql`
  j.ref = any(${overlayIds.map((overlayId) => `overlay/${overlayId}`)}::text[])`

const backwards = ({ filter }: Asked) => filter.order === 'desc'

/** The rows behind the last ones given, of each overlay in the order of its commands, the next `limit` of all by time. */
function following(asked: Asked, behind: AsRunPositions, limit: number) {
  const { sql, overlayIds } = asked
  const about = aboutGraphic(asked, sql`(${factsOf(sql)}->(fact.n - 1))`)
  const way = backwards(asked) ? sql`desc` : sql``
  const begin = backwards(asked) ? { seq: Number.MAX_SAFE_INTEGER, n: 0 } : { seq: 0, n: 0 }
  const places = overlayIds.map((overlayId) => behind.get(overlayId) ?? begin)
  const beyond = backwards(asked)
    ? sql`j.seq <= start.seq and (j.seq < start.seq or fact.n < start.n)`
    : sql`j.seq >= start.seq and (j.seq > start.seq or fact.n > start.n)`
  return sql`
    select one.ref, one.seq, one.n,
      -- of one overlay the seq says the order, be the clock of the database what it may
      ${backwards(asked) ? sql`min` : sql`max`}(one.at) over (partition by one.ref order by one.seq ${way}, one.n ${way}) as at
    from unnest(${overlayIds.map((overlayId) => `overlay/${overlayId}`)}::text[], ${places.map(({ seq }) => seq)}::bigint[],
      ${places.map(({ n }) => n)}::int[]) as start (ref, seq, n)
    cross join lateral (
      select j.ref, j.seq, j.at, fact.n
      from journal j cross join lateral generate_series(1, json_array_length(${factsOf(sql)})) as fact (n)
      where j.ref = start.ref and ${beyond} and ${selected(asked)} ${about ? sql`and ${about}` : sql``}
      order by j.seq ${way}, fact.n ${way}
      limit ${limit}
    ) one
    order by at ${way}, ref ${way}, seq ${way}, n ${way}
    limit ${limit}`
}

/** The positions in a log behind so many skipped rows. */
async function skipped(asked: Asked, rows: number): Promise<AsRunPositions> {
  if (rows === 0) return START
  const { sql } = asked
  const way = backwards(asked) ? sql`` : sql`desc`
  const found = await sql<(AsRunPosition & { overlayId: number })[]>`
    select distinct on (ref) split_part(ref, '/', 2)::int as "overlayId", seq, n from (${following(asked, START, rows)}) one
    order by ref, seq ${way}, n ${way}`
  return after(START, found)
}

// the page is picked by the number of facts alone, so that it parses no more than it answers;
// a renderer painted an event at its first report of that graphic with this or a later seq, if it came within ten minutes
function readAsRun(asked: Asked, behind: AsRunPositions, limit: number, reports = reportsLookedAt(limit)) {
  const { sql } = asked
  const way = backwards(asked) ? sql`desc` : sql``
  return sql<Row[]>`
    with picked as materialized (
      select found.*, row_number() over (order by at ${way}, ref ${way}, seq ${way}, n ${way}) as place
      from (${following(asked, behind, limit)}) found
    ), fact as materialized (
      select j.ref, j.seq, picked.n, picked.place, j.at, j.command, j.principal, j.request_id, j.command_id,
        ${factsOf(sql)}->(picked.n - 1) as event, json_array_length(j.events) > 0 as "onAir",
        ${isRehearsed(sql)} as rehearsal
      from picked join journal j using (ref, seq)
    ), page as (
      select fact.*, split_part(ref, '/', 2)::int as overlay_id, event->'graphic'->'values' as values,
        ${member(sql, sql`event`, 'graphicId')} as graphic_id, ${member(sql, sql`event`, 'graphicName')} as graphic_name,
        ${member(sql, sql`event`, 'presetId')}::int as preset_id,
        (event->'graphic'->>'version')::int as version
      from fact
    )
    select page.overlay_id as "overlayId", page.seq, page.n, page.at, page.command as asked, page.principal,
      page.request_id as "requestId", page.command_id as "commandId", page.graphic_id as "graphicId",
      page.graphic_name as "graphicName", page.preset_id as "presetId", page.version, page.values, page.rehearsal,
      coalesce((
        select json_agg(json_build_object('renderer', first.renderer, 'at', extract(epoch from first.at)::float8 * 1000)
          order by first.at)
        from (
          select report.renderer, min(report.reported_at) as at from (
            select renderer, reported_at from paint
            where page."onAir" and overlay_id = page.overlay_id and graphic_id = page.graphic_id and seq >= page.seq
            order by seq limit ${reports}
          ) report
          where report.reported_at < page.at + interval '10 minutes'
          group by report.renderer
        ) first
      ), '[]') as painted
    from page order by page.place`
}

const entry = (row: Row, settings: Asked['settings']): AsRunEntry => ({
  seq: row.seq,
  at: row.at.toISOString(),
  action: row.asked.type,
  graphicId: row.graphicId,
  graphicName: row.graphicName,
  presetId: row.presetId,
  values: row.values,
  ...(row.rehearsal && { rehearsal: true as const }),
  asked: row.asked,
  by: causedBy(row.principal),
  requestId: row.requestId,
  commandId: row.commandId,
  painted: row.painted.map(({ renderer, at }) => ({
    renderer,
    at: new Date(at).toISOString(),
    latencyMs: Math.max(0, Math.round(at - row.at.getTime())),
  })),
  overlayId: row.overlayId,
  adType: settingsAt(settings.get(row.overlayId) ?? [], row.at.getTime())?.adType ?? null,
  brand: brandOf(row.values),
})
