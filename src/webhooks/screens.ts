import type { Sql, TransactionSql } from 'postgres'
import { exactly } from '../resources/target.ts'
import type { Happening } from '../resources/webhooks/tell.ts'
import type { Registry } from './registry.ts'
import type { Teller } from './teller.ts'

/** A server that has not said for so long that it is alive is not: its sockets ended when it last did. */
const ALIVE_SECONDS = 15
const LIMIT = 500
/** A graphic that should have been painted so long ago is no news. */
const NEWS_SECONDS = 60

type Parts = { sql: Sql; registry: Registry; teller: Pick<Teller, 'happened'> }

/**
 * What renderers do, from the rows of their connections and paint reports: nothing of it is in the journal. Each connection is told once
 * as it comes and once as it is lost, and nothing of an overlay that rehearses.
 */
export function createScreens({ sql, registry, teller }: Parts) {
  const organizationsWith = async (find: () => Promise<{ organizationId: number }[]>) => {
    if (registry.isEmpty) return []
    return [...new Set((await find()).map(({ organizationId }) => organizationId))].filter((id) => registry.has(id))
  }

  /** Tells connections that came or went and were not told yet. */
  const connections = async (): Promise<void> => {
    const found = await organizationsWith(
      () => sql<{ organizationId: number }[]>`
        select distinct "organizationId" from (${untold(sql)}) s`,
    )
    for (const organizationId of found)
      await teller.happened(organizationId, async (tx) => {
        const rows = await tx<Untold[]>`
          select * from (${untold(tx)}) s where "organizationId" = ${organizationId} order by at, seq limit ${LIMIT}`
        return rows.map(({ id, seq, overlayId, renderer, at }) => ({
          ...{ ref: `renderer/${id}`, seq, nth: 0, at, subject: `overlay/${overlayId}` },
          type: seq === 0 ? 'overlay.renderer_connected' : 'overlay.renderer_lost',
          data: { overlayId, renderer },
        }))
      })
  }

  /** Tells graphics that should be on screens by now, and that no renderer which is there has painted. */
  const paints = async (): Promise<void> => {
    const found = await organizationsWith(
      () => sql<{ organizationId: number }[]>`
        select distinct organization_id as "organizationId" from webhook_paint_check where due_at < clock_timestamp()`,
    )
    for (const organizationId of found) await teller.happened(organizationId, (tx) => unpainted(tx, organizationId))
  }

  let looking: Promise<void> | undefined
  let again = false
  /** The same after what goes on now; those that come meanwhile are one. */
  const connectionsSoon = (): Promise<void> => {
    again = true
    looking ??= (async () => {
      while (again) {
        again = false
        await connections()
      }
    })().finally(() => {
      looking = undefined
    })
    return looking
  }

  return { connections: connectionsSoon, paints }
}

type Untold = { id: string; seq: 0 | 1; overlayId: number; renderer: string; at: string; organizationId: number }

/** Beginnings (0) and ends (1) of connections, of overlays whose organization had webhooks then, that no event tells yet. */
const untold = (sql: Sql | TransactionSql) => sql`
  select s.id, happened.seq, s.overlay_id as "overlayId", s.renderer, ${exactly(sql, 'happened.at')} as at,
    o.organization_id as "organizationId"
  from (select organization_id, min(enabled_at) as since from webhook where enabled group by 1) w
  join overlay o on o.organization_id = w.organization_id
  join renderer_session s on s.overlay_id = o.id and s.opened_at >= w.since - interval '1 day'
  left join server_run r on r.id = s.run_id
  join actor a on a.ref = 'overlay/' || o.id and a.snapshot ->> 'value' <> 'rehearsal'
  cross join lateral (
    values (0, s.opened_at),
      (1, coalesce(s.closed_at, case when r.alive_at < clock_timestamp() - make_interval(secs => ${ALIVE_SECONDS})
        then greatest(r.alive_at, s.opened_at) end))
  ) as happened (seq, at)
  where happened.at >= greatest(w.since, clock_timestamp() - interval '1 day')
    and not exists (select from webhook_event e where e.ref = 'renderer/' || s.id and e.seq = happened.seq)`

type Check = {
  overlayId: number
  graphicId: string
  graphicName: string
  presetId: number
  seq: number
  at: string
  renderers: number
}

async function unpainted(tx: TransactionSql, organizationId: number): Promise<Happening[]> {
  const rows = await tx<Check[]>`
    with due as (
      delete from webhook_paint_check where (overlay_id, graphic_id) in (
        select overlay_id, graphic_id from webhook_paint_check
        where organization_id = ${organizationId} and due_at < clock_timestamp() limit ${LIMIT} for update skip locked)
      returning overlay_id, graphic_id, graphic_name, preset_id, seq, due_at
    )
    select overlay_id as "overlayId", graphic_id as "graphicId", graphic_name as "graphicName", preset_id as "presetId",
      seq, ${exactly(tx, 'due_at')} as at, (
        select count(*)::int from renderer_session s join server_run r on r.id = s.run_id
        where s.overlay_id = due.overlay_id and s.closed_at is null and s.showing is not null
          and r.alive_at > clock_timestamp() - make_interval(secs => ${ALIVE_SECONDS})
          -- a source that its program does not show paints nothing
          and (s.out_of_view is null or s.out_of_view -> -1 ->> 1 is not null)
      ) as renderers
    from due
    where due_at > clock_timestamp() - make_interval(secs => ${NEWS_SECONDS}) and not exists (
      select from paint p where p.overlay_id = due.overlay_id and p.graphic_id = due.graphic_id and p.seq >= due.seq)`
  return rows
    .filter(({ renderers }) => renderers > 0)
    .map(({ at, ...data }) => ({
      ...{ type: 'overlay.graphic_not_painted', subject: `overlay/${data.overlayId}`, at, data },
      ...{ ref: `unpainted/${data.overlayId}/${data.graphicId}`, seq: data.seq, nth: 0 },
    }))
}
