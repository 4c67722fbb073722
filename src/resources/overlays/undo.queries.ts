import type { ISql } from 'postgres'
import type { OverlayEvent } from '../../../machines/overlay/events.ts'
import { graphicOf, type RecentCommands, UNDO_SECONDS, undoable } from '../../../machines/overlay/undo.ts'
import type { JournalPrincipal } from '../../principal.ts'

/** Rows that are looked through: in that time there are a few hundred refreshes at most. */
const NEWEST = 2_000

/** `at`: ms since 1970. */
type Recent = { seq: number; at: number; action: string; principal: JournalPrincipal; events: OverlayEvent[] }

/** What a row did on air, or in the rehearsal that began with this seq. */
const eventsOf = (sql: ISql, rehearsal: number | undefined) =>
  rehearsal === undefined
    ? sql`events`
    : sql`(select coalesce(json_agg(aside->'fact'), '[]') from json_array_elements(asides) as aside
        where aside->>'type' = 'rehearsed' and seq > ${rehearsal})`

/**
 * The commands of the last 30 s that changed what is on air, the newest first, and the time of the database, ms since 1970. `rehearsal`: those
 * of the rehearsal that began with this seq. Over the end of one none is: what was on air before nobody expects after it.
 */
async function latestCommands(
  sql: ISql,
  overlayId: number,
  rehearsal: number | undefined,
): Promise<{ now: number; recent: Recent[] }> {
  const rows = await sql<(Recent & { now: number })[]>`
    select seq::float8 as seq, extract(epoch from at)::float8 * 1000 as at, command->>'type' as action, principal, events,
      extract(epoch from clock_timestamp())::float8 * 1000 as now
    from (
      select *, max(seq) filter (where starts_with(asides::text, '[{"type":"rehearsal.ended"')) over () as ended from (
        select seq, command, principal, at, asides, ${eventsOf(sql, rehearsal)} as events
        from journal where ref = ${`overlay/${overlayId}`} order by seq desc limit ${NEWEST}
      ) as latest
    ) as newest
    where seq > coalesce(ended, 0) and at > clock_timestamp() - make_interval(secs => ${UNDO_SECONDS})
      and not starts_with(events::text, '[{"type":"data.refreshed"') and json_array_length(events) > 0
    order by seq desc`
  return { now: rows[0]?.now ?? 0, recent: [...rows] }
}

/** The commits that an undo looks at, on air or in the rehearsal that began with this seq, and the time of the database, ms since 1970. */
export async function recentCommands(
  sql: ISql,
  overlayId: number,
  rehearsal: number | undefined,
): Promise<RecentCommands<Recent> & { now: number }> {
  const { now, recent } = await latestCommands(sql, overlayId, rehearsal)
  const touches = undoable(recent)?.touches ?? []
  const wanted = touches.flatMap((touch) =>
    touch.was === undefined ? [] : { graphicId: graphicOf(touch).graphicId, was: touch.was },
  )
  return { now, recent, before: await entriesBefore(sql, overlayId, wanted, rehearsal) }
}

/** Rows before one of these that are searched for the graphic: states of the release before say only that it is further back. */
const SEARCHED = 20_000

type Wanted = { graphicId: string; was: number }
type Row = { graphicId: string; events: OverlayEvent[] }

/** Graphics as they were, by id, and until when those that have a time are on air (ms since 1970); those that the journal does not hold are absent. */
async function entriesBefore(
  sql: ISql,
  overlayId: number,
  wanted: readonly Wanted[],
  rehearsal: number | undefined,
): Promise<RecentCommands<Recent>['before']> {
  if (wanted.length === 0) return new Map()
  const ref = `overlay/${overlayId}`
  const rows = await sql<Row[]>`
    select given.id as "graphicId", found.events
    from unnest(${wanted.map(({ graphicId }) => graphicId)}::text[], ${wanted.map(({ was }) => was)}::bigint[]) as given (id, was)
    cross join lateral (
      select events from (
        select seq, ${eventsOf(sql, rehearsal)} as events from journal where ref = ${ref} and seq <= given.was order by seq desc limit ${SEARCHED}
      ) as earlier
      where exists (
        select from json_array_elements(earlier.events) as event where event->'graphic'->>'graphicId' = given.id)
      order by seq desc limit 1
    ) as found`
  const graphics = rows.flatMap(({ graphicId, events }) =>
    events.flatMap((event) => ('graphic' in event && event.graphic.graphicId === graphicId ? [event.graphic] : [])),
  )
  const timed = graphics.filter(({ durationSeconds }) => durationSeconds !== undefined)
  const shownAt = await timesOf(
    sql,
    ref,
    timed.map(({ loadSeq }) => loadSeq),
  )
  return new Map(
    graphics.map((graphic) => {
      const at = shownAt.get(graphic.loadSeq)
      const { durationSeconds } = graphic
      const until = durationSeconds === undefined || at === undefined ? undefined : at + durationSeconds * 1000
      return [graphic.graphicId, { graphic, until }]
    }),
  )
}

async function timesOf(sql: ISql, ref: string, seqs: readonly number[]): Promise<Map<number, number>> {
  if (seqs.length === 0) return new Map()
  const rows = await sql<{ seq: number; at: number }[]>`
    select seq::float8 as seq, extract(epoch from at)::float8 * 1000 as at from journal
    where ref = ${ref} and seq = any(${[...seqs]}::bigint[])`
  return new Map(rows.map(({ seq, at }) => [seq, at]))
}
