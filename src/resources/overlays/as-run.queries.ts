import type { ISql } from 'postgres'
import type { JournalPrincipal } from '../../context.ts'
import { causedBy } from '../caused-by.ts'
import type { AsRunEntry, AsRunQuery } from './as-run.schema.ts'

type Filter = Omit<AsRunQuery, 'format' | 'limit'> & { limit: number }

type Row = {
  seq: number
  at: Date
  asked: { type: string } & Record<string, unknown>
  principal: JournalPrincipal
  requestId: string
  commandId: string
  graphicId: string | null
  graphicName: string | null
  presetId: number | null
  values: AsRunEntry['values']
  painted: { renderer: string; at: number }[]
}

/**
 * How many reports of a graphic from an event on are looked at: the first ones of hundreds of renderers on a page of
 * ordinary size, of fewer on a long one, so that it answers in time.
 */
const reportsLookedAt = (limit: number) => Math.min(2000, Math.max(100, Math.floor(500_000 / limit)))

/** The as-run log of an overlay that the caller owns, newest last. */
export async function findAsRun(
  sql: ISql,
  overlayId: number,
  filter: Filter,
): Promise<{ asRun: AsRunEntry[]; total: number; returned: number }> {
  const [counted, rows] = await Promise.all([countAsRun(sql, overlayId, filter), readAsRun(sql, overlayId, filter)])
  const asRun = rows.map(entry)
  return { asRun, total: counted, returned: asRun.length }
}

// the text of the facts begins with the type, so a refresh is known without parsing
const selected = (sql: ISql, overlayId: number, { from, to, action, include }: Filter) => sql`
  j.ref = ${`overlay/${overlayId}`}
  ${from === undefined ? sql`` : sql`and j.at >= ${from}`}
  ${to === undefined ? sql`` : sql`and j.at < ${to}`}
  ${action === undefined ? sql`` : sql`and j.command->>'type' = ${action}`}
  ${include === 'refresh' || action === 'refresh' ? sql`` : sql`and not starts_with(j.events::text, '[{"type":"data.refreshed"')`}`

async function countAsRun(sql: ISql, overlayId: number, filter: Filter): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select coalesce(sum(json_array_length(j.events)), 0)::int as total from journal j
    where ${selected(sql, overlayId, filter)}`
  return row?.total ?? 0
}

// the page is picked by the number of facts alone, so that a far offset parses no more than it answers;
// a renderer painted an event at its first report of that graphic with this or a later seq, if it came within ten minutes
const readAsRun = (sql: ISql, overlayId: number, filter: Filter) => sql<Row[]>`
  with picked as materialized (
    select j.seq, n from journal j cross join lateral generate_series(1, json_array_length(j.events)) as n
    where ${selected(sql, overlayId, filter)}
    order by j.seq, n
    limit ${filter.limit} offset ${filter.offset}
  ), fact as materialized (
    select j.seq, picked.n, j.at, j.command, j.principal, j.request_id, j.command_id, j.events->(picked.n - 1) as event
    from picked join journal j on j.ref = ${`overlay/${overlayId}`} and j.seq = picked.seq
  ), page as (
    select fact.*, event->'graphic'->'values' as values,
      coalesce(event->'graphic'->>'graphicId', event->>'graphicId') as graphic_id,
      coalesce(event->'graphic'->>'graphicName', event->>'graphicName') as graphic_name,
      coalesce(event->'graphic'->>'presetId', event->>'presetId')::int as preset_id
    from fact
  )
  select page.seq, page.at, page.command as asked, page.principal, page.request_id as "requestId",
    page.command_id as "commandId", page.graphic_id as "graphicId", page.graphic_name as "graphicName",
    page.preset_id as "presetId", page.values,
    coalesce((
      select json_agg(json_build_object('renderer', first.renderer, 'at', extract(epoch from first.at)::float8 * 1000)
        order by first.at)
      from (
        select report.renderer, min(report.reported_at) as at from (
          select renderer, reported_at from paint
          where overlay_id = ${overlayId} and graphic_id = page.graphic_id and seq >= page.seq
          order by seq limit ${reportsLookedAt(filter.limit)}
        ) report
        where report.reported_at < page.at + interval '10 minutes'
        group by report.renderer
      ) first
    ), '[]') as painted
  from page order by page.seq, page.n`

const entry = (row: Row): AsRunEntry => ({
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
})
