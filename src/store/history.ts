import type { ISql, Sql } from 'postgres'
import { fold, type OverlayEvent } from '../../machines/overlay/events.ts'
import type { OnAir, Overlay } from '../../machines/overlay/model.ts'
import { decodeSnapshot } from '../actors/rows.ts'
import type { Committed, JournalRow, Past, PastChange } from '../realtime/ports.ts'

/** How far back the journal is searched for the last touch of a graphic, in rows of the overlay. */
const searchedRows = 20_000
const longestDelaySeconds = 60

type Row = { seq: number; events: OverlayEvent[]; ageMs: number }

const touched = (event: OverlayEvent): string[] => {
  if (event.type === 'data.refreshed') return []
  return [event.type === 'graphic.hidden' ? event.graphicId : event.graphic.graphicId]
}

/** The state of overlays some seconds ago, from the journal. live-path 22 */
export function createHistory(sql: Sql): {
  past(overlayId: number, delayMs: number): Promise<Past>
  commitTimes(overlayId: number, seqs: readonly number[]): Promise<Map<number, number>>
  commitsFrom(overlayId: number, seq: number, limit: number): Promise<JournalRow[]>
} {
  return {
    /**
     * The committed snapshot with every change of the delay window taken back. A graphic as it was before its
     * first change in the window is in the last journal row that names it, found by one bounded backward walk per graphic.
     */
    async past(overlayId, delayMs) {
      return sql.begin('isolation level repeatable read read only', async (tx): Promise<Past> => {
        const ref = `overlay/${overlayId}`
        const [actor] = await tx<{ seq: number; machineVersion: number; snapshot: unknown; floor: number }[]>`
          select a.seq, a.machine_version as "machineVersion", a.snapshot, o.delay_floor_seq as floor
          from actor a join overlay o on o.id = ${overlayId} where a.ref = ${ref}`
        if (!actor) return { view: nothing(), committed: nothing(), since: [] }
        // throws where it cannot be read: renderers keep their picture. live-path 9
        const { context } = decodeSnapshot('overlay', actor.machineVersion, actor.snapshot)
        const committed = { seq: actor.seq, context: context as Overlay }
        // backwards by seq until the first row that is old enough: as many rows as the window holds, and one
        const released = await tx<{ seq: number }[]>`
          select seq from journal
          where ref = ${ref} and seq >= ${actor.floor}
            and (at <= clock_timestamp() - make_interval(secs => ${delayMs / 1000})
              -- from before the clock was set back
              or at > clock_timestamp() + make_interval(secs => ${longestDelaySeconds}))
          order by seq desc limit 1`
        const releasedSeq = Math.max(released[0]?.seq ?? 0, Math.min(actor.floor, actor.seq))
        const since = await tx<Row[]>`
          select seq, events, greatest(0, extract(epoch from clock_timestamp() - at)::float8 * 1000) as "ageMs"
          from journal where ref = ${ref} and seq > ${releasedSeq} and seq <= ${actor.seq} order by seq`
        const before = await lastTouches(tx, { ref, releasedSeq, committed, since })
        return { view: takeBack(committed, releasedSeq, since, before), committed, since: since.map(pastChange) }
      })
    },

    /** When seqs of an overlay were committed, ms since 1970. */
    async commitTimes(overlayId, seqs) {
      const rows = await sql<{ seq: number; at: number }[]>`
        select seq, extract(epoch from at)::float8 * 1000 as at from journal
        where ref = ${`overlay/${overlayId}`} and seq = any(${[...seqs]}::bigint[])`
      return new Map(rows.map(({ seq, at }) => [seq, at]))
    },

    /** The commits from a seq on, with their causes. */
    async commitsFrom(overlayId, seq, limit) {
      const rows = await sql<(JournalRow & { command: { type?: unknown } })[]>`
        select seq, extract(epoch from at)::float8 * 1000 as at, events, asides, principal, command from journal
        where ref = ${`overlay/${overlayId}`} and seq >= ${seq} order by seq limit ${limit}`
      return rows.map(({ command, ...row }) => ({ ...row, action: String(command.type) }))
    },
  }
}

const nothing = (): Committed => ({ seq: 0, context: { graphics: {}, revisions: {} } })

const pastChange = ({ seq, events, ageMs }: Row): PastChange => ({ seq, events, ageMs })

/** A graphic's last row at or before what is released, and the last refresh there. */
type Touch = { graphicId: string; seq: number; events: OverlayEvent[] }
type Before = { touches: Map<string, Touch>; refreshSeq: number }
type Asked = { ref: string; releasedSeq: number; committed: Committed; since: readonly Row[] }

async function lastTouches(sql: ISql, { ref, releasedSeq, committed, since }: Asked): Promise<Before> {
  const events = since.flatMap((row) => row.events)
  const isRefreshed = events.some(({ type }) => type === 'data.refreshed')
  // a refresh moves the seq of everything on air
  const onAir = isRefreshed ? Object.keys(committed.context.graphics) : []
  const graphicIds = [...new Set([...events.flatMap(touched), ...onAir])]
  if (graphicIds.length === 0) return { touches: new Map(), refreshSeq: 0 }
  const rows = await sql<Touch[]>`
    select given.id as "graphicId", found.seq, found.events
    from unnest(${graphicIds}::text[], ${graphicIds.map((id) => JSON.stringify(id))}::text[]) as given(id, quoted)
    cross join lateral (
      select seq, events from (
        select seq, events from journal where ref = ${ref} and seq <= ${releasedSeq} order by seq desc limit ${searchedRows}
      ) recent
      where strpos(recent.events::text, '"graphicId":' || given.quoted) > 0
        -- the text is only the quick look: a value may have that name, too
        and exists (
          select from json_array_elements(recent.events) as event
          where given.id in (event ->> 'graphicId', event -> 'graphic' ->> 'graphicId'))
      order by seq desc limit 1
    ) found`
  const [refresh] = await sql<{ seq: number }[]>`
    select seq from (
      select seq, events from journal where ref = ${ref} and seq <= ${releasedSeq} order by seq desc limit ${searchedRows}
    ) recent
    where strpos(recent.events::text, '"data.refreshed"') > 0
    order by seq desc limit 1`
  return { touches: new Map(rows.map((row) => [row.graphicId, row])), refreshSeq: refresh?.seq ?? 0 }
}

/** As live data leave it that came at this seq, when they came after it. */
const refreshed = (entry: OnAir, seq: number): OnAir => (seq > entry.seq ? { setSeq: entry.seq, ...entry, seq } : entry)

/** The state before the window: graphics that it touched as they were, everything else as it is. */
function takeBack(committed: Committed, releasedSeq: number, since: readonly Row[], before: Before): Committed {
  if (since.length === 0) return committed
  const graphics: Record<string, OnAir> = { ...committed.context.graphics }
  const events = since.flatMap((row) => row.events)
  for (const graphicId of new Set(events.flatMap(touched))) delete graphics[graphicId]
  // refreshed inside the window; the search below finds its own last touch, if it is not too long ago
  for (const entry of Object.values(graphics))
    if (entry.seq > releasedSeq) {
      const { setSeq = entry.loadSeq, ...asSet } = entry
      graphics[entry.graphicId] = refreshed({ ...asSet, seq: setSeq }, before.refreshSeq)
    }
  for (const { graphicId, events: last } of before.touches.values()) {
    const { [graphicId]: entry } = last.reduce(fold, nothing().context).graphics
    if (entry) graphics[graphicId] = refreshed(entry, before.refreshSeq)
    else delete graphics[graphicId]
  }
  return { seq: releasedSeq, context: { ...committed.context, graphics } }
}
