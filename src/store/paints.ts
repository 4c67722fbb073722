import type { Sql } from 'postgres'
import type { Paint } from '../realtime/ports.ts'
import { createGathered, type Gathered } from './gathered.ts'

export type PaintsOptions = {
  sql: Sql
  log: { warn(fields: object, message: string): void }
  /** How long reports gather before one insert takes them all. */
  gatherMs?: number
  /** Reports kept while the database is away; above that the newest are dropped and counted. */
  maxKept?: number
}

/** The commit of a trigger waits for the core and the bytes of a large insert. */
const AT_ONCE = 100

/**
 * Paint reports on their way into the as-run log: ten inserts a second, more where they would be large. Reports gathered and not yet
 * stored are lost at a crash, more of them while the database is away. live-path 21
 */
export const createPaints = ({ sql, log, gatherMs = 100, maxKept = 20_000 }: PaintsOptions): Gathered<Paint> =>
  createGathered({
    gatherMs,
    enough: AT_ONCE,
    maxKept,
    failed: (error, reports, dropped) =>
      log.warn({ err: error, reports, dropped }, 'paint reports could not be stored'),
    // reports are lossy anyway: they do not make the next commit of a trigger wait for more bytes on the disk
    store: async (reports) =>
      void (await sql`
        with lazily as (select set_config('synchronous_commit', 'off', true))
        insert into paint (overlay_id, graphic_id, seq, renderer, reported_at)
        select overlay_id, graphic_id, seq, renderer, to_timestamp(at / 1000) from lazily, unnest(
          ${reports.map(({ overlayId }) => overlayId)}::int[], ${reports.map(({ graphicId }) => graphicId)}::text[],
          ${reports.map(({ seq }) => seq)}::bigint[], ${reports.map(({ renderer }) => renderer)}::text[],
          ${reports.map(({ at }) => at)}::float8[]
        ) as given(overlay_id, graphic_id, seq, renderer, at)`),
  })

/** When each graphic was first reported on screen as of its seq, ms since 1970, by graphicId; those without a report are absent. */
export async function firstPaints(
  sql: Sql,
  overlayId: number,
  graphics: readonly { graphicId: string; seq: number }[],
): Promise<Map<string, number>> {
  const rows = await sql<{ graphicId: string; at: number | null }[]>`
    select given.id as "graphicId", (
      select extract(epoch from min(reported_at))::float8 * 1000 from (
        select reported_at from paint
        where overlay_id = ${overlayId} and graphic_id = given.id and seq >= given.seq
        order by seq limit ${MAX_FIRST_REPORTS}
      ) reports
    ) as at
    from unnest(${graphics.map(({ graphicId }) => graphicId)}::text[], ${graphics.map(({ seq }) => seq)}::bigint[])
      as given(id, seq)`
  return new Map(rows.flatMap(({ graphicId, at }): [string, number][] => (at === null ? [] : [[graphicId, at]])))
}

/** Of hundreds of renderers the first reports are enough. */
const MAX_FIRST_REPORTS = 1000
