import type { ISql } from 'postgres'
import type { OnAir, OverlayEvent } from '../../../machines/overlay.ts'
import type { JournalPrincipal } from '../../context.ts'

/** The newest commands of an overlay that are read for one answer, and how many at a time. */
const MOST_COMMANDS = 100_000
const AT_A_TIME = 2_000

/** One command of an overlay that changed something; `at` in ms since 1970. */
export type CommandRow = {
  seq: number
  at: number
  /** show, update, hide or hideAll */
  action: string
  principal: JournalPrincipal
  events: readonly OverlayEvent[]
}

/** Where the journal of an overlay begins that has no hole in it; undefined when that is its very beginning. */
export async function commandsKnownFrom(
  sql: ISql,
  overlayId: number,
): Promise<{ seq: number; at: number } | undefined> {
  const ref = `overlay/${overlayId}`
  const [row] = await sql<{ seq: number; at: number }[]>`
    select j.seq, extract(epoch from j.at)::float8 * 1000 as at from journal j
    where ref = ${ref} and seq = (
      select greatest(
        (select max(seq) from (select seq, seq - lag(seq, 1, 0::bigint) over (order by seq) as step from journal
          where ref = ${ref} and seq > 0) rows where step > 1),
        (select seq from journal where ref = ${ref} and not starts_with(events::text, '[{"type":"data.refreshed"')
          order by seq desc offset ${MOST_COMMANDS} limit 1)))`
  const [later] = await sql<{ seq: number; at: number }[]>`
    select a.seq + 1 as seq, extract(epoch from a.updated_at)::float8 * 1000 as at from actor a
    where a.ref = ${ref} and a.seq > coalesce((select max(seq) from journal where ref = ${ref}), 0)`
  // also the newest may be gone, when nothing has happened for long
  return later ?? row
}

/** The commands of an overlay in order, refreshes of live data left out, read some at a time. */
export async function* commandsOf(
  sql: ISql,
  overlayId: number,
  { after, until }: { after: number; until: number },
): AsyncGenerator<CommandRow> {
  const before = new Date(Math.min(until, 8.64e15))
  for (let last = after; ; ) {
    const rows = await sql<CommandRow[]>`
      select seq, extract(epoch from at)::float8 * 1000 as at, command->>'type' as action, principal, events from journal
      where ref = ${`overlay/${overlayId}`} and seq > ${last} and at < ${before}
        and not starts_with(events::text, '[{"type":"data.refreshed"')
      order by seq limit ${AT_A_TIME}`
    yield* rows
    const newest = rows.at(-1)
    if (!newest || rows.length < AT_A_TIME) return
    last = newest.seq
  }
}

/** What is on air now. */
export async function onAirOf(sql: ISql, overlayId: number): Promise<OnAir[]> {
  const [actor] = await sql<{ graphics: Record<string, OnAir> | null }[]>`
    select snapshot->'context'->'graphics' as graphics from actor where ref = ${`overlay/${overlayId}`}`
  return Object.values(actor?.graphics ?? {})
}

/** The time of the database, ms since 1970. */
export async function databaseNow(sql: ISql): Promise<number> {
  const [row] = await sql<{ now: number }[]>`select extract(epoch from clock_timestamp())::float8 * 1000 as now`
  return row?.now ?? Date.now()
}
