import type { ISql } from 'postgres'
import type { OverlayEvent } from '../../../machines/overlay/events.ts'
import type { OnAir } from '../../../machines/overlay/model.ts'
import { unavailable } from '../../errors.ts'
import type { JournalPrincipal } from '../../principal.ts'
import { within } from '../../waiting/within.ts'

/**
 * The newest rows of an overlay that are read for one answer, refreshes among them, and how many commands at a time: rows
 * that came at once are read at once, before other requests are answered.
 */
const MOST_ROWS = 500_000
const AT_A_TIME = 500

/** One command of an overlay that changed something; `at` in ms since 1970. */
export type CommandRow = {
  seq: number
  at: number
  /** As the as-run log calls it. */
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
      -- retention takes a beginning, and of it leaves what the state needs
      select min(seq) from journal
      where ref = ${ref} and seq > greatest(
        (select seq from journal_pruned where ref = ${ref}),
        (select max(seq) - ${MOST_ROWS} from journal where ref = ${ref}), 0))
      and seq > 1`
  const [later] = await sql<{ seq: number; at: number }[]>`
    select a.seq + 1 as seq, extract(epoch from a.updated_at)::float8 * 1000 as at from actor a
    where a.ref = ${ref} and a.seq > coalesce((select max(seq) from journal where ref = ${ref}), 0)`
  // also the newest may be gone, when nothing has happened for long
  return later ?? row
}

/** The commands of an overlay that changed what is on air, in order, refreshes of live data left out; read some at a time. */
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
        and not starts_with(events::text, '[{"type":"data.refreshed"') and json_array_length(events) > 0
      order by seq limit ${AT_A_TIME}`
    yield* rows
    const newest = rows.at(-1)
    if (!newest || rows.length < AT_A_TIME) return
    last = newest.seq
  }
}

/** The graphics on air now. */
export async function onAirOf(sql: ISql, overlayId: number): Promise<OnAir[]> {
  const [actor] = await sql<{ graphics: Record<string, OnAir> | null }[]>`
    select snapshot->'context'->'graphics' as graphics from actor where ref = ${`overlay/${overlayId}`}`
  return Object.values(actor?.graphics ?? {})
}

const ANSWERS_WITHIN_MS = 1_800

/** Throws unavailable when the database does not answer soon: for reads that may take long, and must not wait for nothing. */
export async function databaseAnswers(sql: ISql): Promise<void> {
  await within(ANSWERS_WITHIN_MS, sql`select 1`, unavailable)
}

/** The time of the database, ms since 1970. */
export async function databaseNow(sql: ISql): Promise<number> {
  const [row] = await sql<{ now: number }[]>`select extract(epoch from clock_timestamp())::float8 * 1000 as now`
  return row?.now ?? Date.now()
}
