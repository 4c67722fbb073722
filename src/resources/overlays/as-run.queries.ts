import type { ISql } from 'postgres'
import type { JournalPrincipal } from '../../context.ts'
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

/** A renderer reports at most ten times a second, so these hold the first report of a few hundred renderers. */
const reportsLookedAt = 2000

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

// a renderer painted an event at its first report of that graphic with this or a later seq, if it came within ten minutes
const readAsRun = (sql: ISql, overlayId: number, filter: Filter) => sql<Row[]>`
  with page as materialized (
    select j.seq, fact.n, j.at, j.command, j.principal, j.request_id, j.command_id,
      coalesce(fact.event->'graphic'->>'graphicId', fact.event->>'graphicId') as graphic_id,
      coalesce(fact.event->'graphic'->>'graphicName', fact.event->>'graphicName') as graphic_name,
      coalesce(fact.event->'graphic'->>'presetId', fact.event->>'presetId')::int as preset_id,
      fact.event->'graphic'->'values' as values
    from journal j cross join lateral json_array_elements(j.events) with ordinality as fact(event, n)
    where ${selected(sql, overlayId, filter)}
    order by j.seq, fact.n
    limit ${filter.limit} offset ${filter.offset}
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
          order by seq limit ${reportsLookedAt}
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
  by: {
    type: row.principal.type,
    id: row.principal.type === 'key' ? row.principal.id : null,
    name: row.principal.type === 'link' ? null : row.principal.name,
  },
  requestId: row.requestId,
  commandId: row.commandId,
  painted: row.painted.map(({ renderer, at }) => ({
    renderer,
    at: new Date(at).toISOString(),
    latencyMs: Math.max(0, Math.round(at - row.at.getTime())),
  })),
})
