import type { ISql, PendingQuery } from 'postgres'
import type { JournalPrincipal } from '../../context.ts'
import { causedBy } from '../caused-by.ts'
import { type NamesOf, nameless } from './as-run.names.ts'
import type { AsRunEntry, AsRunQuery } from './as-run.schema.ts'
import { brandOf } from './brand.ts'
import { type SettingsSpan, settingsAt, settingsOf } from './recorded.queries.ts'

type Filter = Omit<AsRunQuery, 'format' | 'limit'> & { limit: number }

type Row = {
  overlayId: number
  seq: number
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
  painted: { renderer: string; at: number }[]
}

/**
 * How many reports of a graphic from an event on are looked at: the first ones of hundreds of renderers on a page of
 * ordinary size, of fewer on a long one, so that it answers in time.
 */
const reportsLookedAt = (limit: number) => Math.min(2000, Math.max(100, Math.floor(500_000 / limit)))

/** The as-run log of overlays that the caller owns, newest last unless the filter says otherwise. */
export async function findAsRun(
  sql: ISql,
  overlays: number | readonly number[],
  filter: Filter,
  namesOf: NamesOf = nameless,
): Promise<{ asRun: AsRunEntry[]; total: number; returned: number }> {
  const overlayIds = typeof overlays === 'number' ? [overlays] : overlays
  const settings = await settingsOf(sql, overlayIds)
  const asked = { sql, overlayIds, filter, settings }
  const [counted, rows] = await Promise.all([countAsRun(asked), readAsRun(asked)])
  const names = await namesOf(rows)
  const asRun = rows.map((row) => ({ ...entry(row, settings), ...names(row) }))
  return { asRun, total: counted, returned: asRun.length }
}

/** The latest rows of one overlay's log, newest first; costs as little as they are few. */
export async function latestAsRun(sql: ISql, overlayId: number, limit: number): Promise<AsRunEntry[]> {
  const overlayIds = [overlayId]
  const settings = await settingsOf(sql, overlayIds)
  const rows = await readAsRun({ sql, overlayIds, settings, filter: { order: 'desc', limit, offset: 0 } })
  return rows.map((row) => entry(row, settings))
}

type Asked = {
  sql: ISql
  overlayIds: readonly number[]
  filter: Filter
  settings: ReadonlyMap<number, readonly SettingsSpan[]>
}

// the text of the facts begins with the type, so a refresh is known without parsing
const selected = ({ sql, overlayIds, filter, settings }: Asked) => {
  const { from, to, action, include, by, adType } = filter
  const [type, id] = by?.split('/') ?? []
  const spans = adType === undefined ? [] : [...settings.values()].flat().filter((span) => span.adType === adType)
  return sql`
    j.ref = any(${overlayIds.map((overlayId) => `overlay/${overlayId}`)}::text[])
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
    ${include === 'refresh' || action === 'refresh' ? sql`` : sql`and not starts_with(j.events::text, '[{"type":"data.refreshed"')`}`
}

const FOR_EVER = 8.64e15

const member = (sql: ISql, event: PendingQuery<Row[]>, name: string) =>
  sql`coalesce(${event}->'graphic'->>${name}, ${event}->>${name})`

/** What a fact must be about; undefined when all of a row count. */
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
        select count(*)::int as total from journal j cross join lateral json_array_elements(j.events) as event
        where ${selected(asked)} and ${about}`
    : sql<{ total: number }[]>`
        select coalesce(sum(json_array_length(j.events)), 0)::int as total from journal j where ${selected(asked)}`)
  return row?.total ?? 0
}

// the page is picked by the number of facts alone, so that a far offset parses no more than it answers;
// a renderer painted an event at its first report of that graphic with this or a later seq, if it came within ten minutes
function readAsRun(asked: Asked) {
  const { sql, overlayIds, filter } = asked
  const about = aboutGraphic(asked, sql`(j.events->(n - 1))`)
  const way = filter.order === 'desc' ? sql`desc` : sql``
  // of one overlay the seq says the order, be the clock of the database what it may
  const ordered = (rows: PendingQuery<Row[]>) =>
    overlayIds.length === 1
      ? sql`${rows}.seq ${way}, ${rows}.n ${way}`
      : sql`${rows}.at ${way}, ${rows}.ref ${way}, ${rows}.seq ${way}, ${rows}.n ${way}`
  return sql<Row[]>`
    with picked as materialized (
      select one.ref, one.seq, one.n from (
        select j.ref, j.seq, j.at, n from journal j cross join lateral generate_series(1, json_array_length(j.events)) as n
        where ${selected(asked)} ${about ? sql`and ${about}` : sql``}
      ) one
      order by ${ordered(sql`one`)}
      limit ${filter.limit} offset ${filter.offset}
    ), fact as materialized (
      select j.ref, j.seq, picked.n, j.at, j.command, j.principal, j.request_id, j.command_id,
        j.events->(picked.n - 1) as event
      from picked join journal j using (ref, seq)
    ), page as (
      select fact.*, split_part(ref, '/', 2)::int as overlay_id, event->'graphic'->'values' as values,
        ${member(sql, sql`event`, 'graphicId')} as graphic_id, ${member(sql, sql`event`, 'graphicName')} as graphic_name,
        ${member(sql, sql`event`, 'presetId')}::int as preset_id,
        (event->'graphic'->>'version')::int as version
      from fact
    )
    select page.overlay_id as "overlayId", page.seq, page.at, page.command as asked, page.principal,
      page.request_id as "requestId", page.command_id as "commandId", page.graphic_id as "graphicId",
      page.graphic_name as "graphicName", page.preset_id as "presetId", page.version, page.values,
      coalesce((
        select json_agg(json_build_object('renderer', first.renderer, 'at', extract(epoch from first.at)::float8 * 1000)
          order by first.at)
        from (
          select report.renderer, min(report.reported_at) as at from (
            select renderer, reported_at from paint
            where overlay_id = page.overlay_id and graphic_id = page.graphic_id and seq >= page.seq
            order by seq limit ${reportsLookedAt(filter.limit)}
          ) report
          where report.reported_at < page.at + interval '10 minutes'
          group by report.renderer
        ) first
      ), '[]') as painted
    from page order by ${ordered(sql`page`)}`
}

const entry = (row: Row, settings: Asked['settings']): AsRunEntry => ({
  seq: row.seq,
  at: row.at.toISOString(),
  action: row.asked.type,
  graphicId: row.graphicId,
  graphicName: row.graphicName,
  presetId: row.presetId,
  values: row.values,
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
