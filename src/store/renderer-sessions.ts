import { randomUUID } from 'node:crypto'
import type { Sql } from 'postgres'
import type { Connected, Connections } from '../realtime/ports.ts'
import { serviceTime } from '../waiting/service-time.ts'
import { createGathered } from './gathered.ts'

export type RendererSessionsOptions = {
  sql: Sql
  log: { warn(fields: object, message: string): void }
  /** How long events gather before one statement takes them all. */
  gatherMs?: number
  /** How often it is noted that this server is alive, while anybody is connected. */
  aliveMs?: number
  /** Told when connections that came or went are in their rows. */
  stored?(): void
}

type Row = {
  id: string
  overlayId: number
  renderer: string
  openedAt: number
  closedAt: number | null
  /** JSON text. */
  showing: string | null
  /** When it was not shown by its program, ms since 1970; the last is open while it lasts. */
  outOfView: [from: number, until: number | null][]
}

const MOST_KEPT = 50_000
/** Of one connection; more than somebody switches scenes in a day. */
const MOST_SPANS = 1_000

/**
 * When renderers of overlays were connected and in view, and the graphics they had on screen when they came, for the proof of play.
 * Lossy as paint reports are: the last moment before a crash is not known, and sockets that were open then ended
 * when the server last said that it was alive.
 */
export function createRendererSessions({
  sql,
  log,
  gatherMs = 500,
  aliveMs = 5_000,
  stored = () => {},
}: RendererSessionsOptions): Connections & {
  close(): Promise<void>
} {
  const runId = randomUUID()
  const open = new Map<Connected, Row>()
  let began = false
  let alive: NodeJS.Timeout | undefined

  const gathered = createGathered<Row>({
    gatherMs,
    maxKept: MOST_KEPT,
    failed: (error, rows, dropped) =>
      log.warn({ err: error, rows, dropped }, 'connections of renderers could not be stored'),
    async store(changed) {
      if (!began) await sql`insert into server_run (id) values (${runId}) on conflict do nothing`
      began = true
      // a row that changed twice is one
      const rows = [...new Set(changed)]
      await sql`
        with lazily as (select set_config('synchronous_commit', 'off', true))
        insert into renderer_session (id, overlay_id, run_id, renderer, opened_at, closed_at, showing, out_of_view)
        select id, overlay_id, ${runId}::uuid, renderer, to_timestamp(opened / 1000), to_timestamp(closed / 1000),
          showing::json, out_of_view::json
        from lazily, unnest(
          ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ overlayId }) => overlayId)}::int[],
          ${rows.map(({ renderer }) => renderer)}::text[], ${rows.map(({ openedAt }) => openedAt)}::float8[],
          ${rows.map(({ closedAt }) => closedAt)}::float8[], ${rows.map(({ showing }) => showing)}::text[],
          ${rows.map(({ outOfView }) => (outOfView.length > 0 ? JSON.stringify(outOfView) : null))}::text[]
        ) as given (id, overlay_id, renderer, opened, closed, showing, out_of_view)
        on conflict (id) do update
          set closed_at = excluded.closed_at, showing = excluded.showing, out_of_view = excluded.out_of_view`
      stored()
    },
  })

  const sayAlive = () => {
    if (!began || open.size === 0) return
    // after a long time without renderers retention has deleted the row
    sql`
      insert into server_run (id) values (${runId})
      on conflict (id) do update set alive_at = clock_timestamp()`.catch((error) =>
      log.warn({ err: error }, 'it could not be noted that this server is alive'),
    )
  }

  const note = (connected: Connected, change: Partial<Row>) => {
    const row = open.get(connected)
    if (!row) return
    Object.assign(row, change)
    gathered.add(row)
  }

  return {
    opened(connected, at) {
      const { overlayId, name } = connected
      open.set(connected, {
        id: randomUUID(),
        overlayId,
        renderer: name,
        openedAt: at,
        closedAt: null,
        showing: null,
        outOfView: [],
      })
      note(connected, {})
      alive ??= setInterval(sayAlive, aliveMs).unref()
    },
    ready(connected, showing) {
      if (open.get(connected)?.showing === null) note(connected, { showing: JSON.stringify(showing) })
    },
    viewed(connected, inView, at) {
      const spans = open.get(connected)?.outOfView ?? []
      note(connected, { outOfView: inView ? ended(spans, at) : begun(spans, at) })
    },
    closed(connected, at) {
      note(connected, { closedAt: at })
      open.delete(connected)
    },
    async close() {
      clearInterval(alive)
      const now = serviceTime()
      for (const connected of [...open.keys()]) this.closed(connected, now)
      await gathered.close()
    },
  }
}

/** The same until now. */
function ended(spans: Row['outOfView'], at: number): Row['outOfView'] {
  const last = spans.at(-1)
  return last ? [...spans.slice(0, -1), [last[0], at]] : []
}

/** One more span from now on; when there are too many the last goes on, since time that is not known was not seen. */
function begun(spans: Row['outOfView'], at: number): Row['outOfView'] {
  const last = spans.at(-1)
  if (last && spans.length >= MOST_SPANS) return [...spans.slice(0, -1), [last[0], null]]
  return [...spans, [at, null]]
}
