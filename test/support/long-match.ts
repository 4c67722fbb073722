import { randomUUID } from 'node:crypto'
import type { Sql } from 'postgres'

export type LongMatch = {
  /** Rows of the journal, one for each command. */
  commands: number
  /** Who reported each of them. */
  renderers?: number
  /** Ids of the overlays; the commands are spread over them. */
  overlayIds: readonly number[]
  organizationId: number
}

/** Every command is so much later than the one before. */
export const STEP_MS = 200
/** Rows for one statement. */
const AT_A_TIME = 20_000

const graphicOf = (sql: Sql) => sql`case when seq = 1 then 'g0' else 'g' || (1 + seq / 2 % 4) end`

/**
 * A match day straight into the tables: graphics 1 to 4 are shown and hidden in turn, graphic `g0` is on air from the first command of
 * an overlay on. The last command is as old as a step.
 */
export async function insertLongMatch(sql: Sql, { commands, renderers = 2, overlayIds, organizationId }: LongMatch) {
  const runId = randomUUID()
  const now = new Date()
  await sql`insert into server_run (id) values (${runId})`
  for (const [place, overlayId] of overlayIds.entries()) {
    const ref = `overlay/${overlayId}`
    const apartSeconds = (STEP_MS / 1000) * overlayIds.length
    const rows = Math.floor(commands / overlayIds.length)
    for (let from = 1; from <= rows; from += AT_A_TIME)
      await sql`
        insert into journal (ref, seq, at, organization_id, command_id, request_id, principal, command, events)
        select ${ref}, seq, ${now}::timestamptz - make_interval(secs => (${rows}::int - seq + 1) * ${apartSeconds}::float8 - ${(place * STEP_MS) / 1000}::float8),
          ${organizationId}, gen_random_uuid(), 'request', '{"type":"key","id":7,"name":"Operator"}',
          case when is_show then '{"type":"show","presetId":7}' else '{"type":"hide","presetId":7}' end::json,
          case when is_show
            then format('[{"type":"graphic.shown","graphic":{"graphicId":"%1$s","graphicName":"Graphic %1$s","presetId":7,"sectionId":"s","kind":"code","version":1,"url":"/x","sport":"football","loadSeq":%2$s,"seq":%2$s,"values":{"name":"Name %2$s","sponsor":"Brand %3$s"}}}]', graphic, seq, seq % 3)
            else format('[{"type":"graphic.hidden","graphicId":"%1$s","graphicName":"Graphic %1$s","presetId":7}]', graphic)
          end::json
        from (
          select seq, seq = 1 or seq % 2 = 0 as is_show, ${graphicOf(sql)} as graphic
          from generate_series(${from}::int, ${Math.min(rows, from + AT_A_TIME - 1)}::int) as seq
        ) one`
    await sql`
      insert into actor (ref, organization_id, seq, machine_version, snapshot)
      values (${ref}, ${organizationId}, ${rows}, 1, ${JSON.stringify({ status: 'active', value: 'onAir', context: { graphics: {}, revisions: {} } })}::text::json)
      on conflict (ref) do update set seq = excluded.seq, snapshot = excluded.snapshot, epoch = actor.epoch + 1`
    await sql`
      insert into renderer_session (id, overlay_id, run_id, renderer, opened_at, showing)
      select gen_random_uuid(), ${overlayId}, ${runId}, 'renderer-' || n,
        (select min(at) from journal where ref = ${ref}) - interval '1 second', '[]'
      from generate_series(1, ${renderers}) as n`
    for (let from = 1; from <= rows; from += AT_A_TIME)
      await sql`
        insert into paint (overlay_id, graphic_id, seq, renderer, reported_at)
        select ${overlayId}, ${graphicOf(sql)}, seq, 'renderer-' || n, at + make_interval(secs => 0.02 * n)
        from journal cross join generate_series(1, ${renderers}::int) as n
        where ref = ${ref} and seq >= ${from} and seq < ${from + AT_A_TIME}`
  }
  await sql`analyze journal, paint`
}
