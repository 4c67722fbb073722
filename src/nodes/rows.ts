import type { Sql, TransactionSql } from 'postgres'
import { DEAD_AFTER_MS, NODE_CHANNEL } from './leases.ts'

/** A node as people see it. */
export type NodeRow = {
  readonly id: string
  readonly url: string
  readonly version: string
  readonly state: 'live' | 'draining' | 'dead'
  readonly startedAt: string
  readonly beatAt: string
  readonly slots: number
  readonly actors: number
  readonly renderers: number
  readonly followers: number
}

type Row = Omit<NodeRow, 'startedAt' | 'beatAt'> & { started_at: Date; beat_at: Date }

const nodeRow = ({ started_at, beat_at, ...row }: Row): NodeRow => ({
  id: row.id,
  url: row.url,
  version: row.version,
  state: row.state,
  startedAt: started_at.toISOString(),
  beatAt: beat_at.toISOString(),
  slots: row.slots,
  actors: row.actors,
  renderers: row.renderers,
  followers: row.followers,
})

/** Every node that has beaten within the last day, the oldest first; one that has stopped by itself is gone. */
export async function listNodes(sql: Sql | TransactionSql, id?: string): Promise<NodeRow[]> {
  const rows = await sql<Row[]>`
    select id, url, version, started_at, beat_at, actors, renderers, followers,
      case
        when beat_at <= clock_timestamp() - ${DEAD_AFTER_MS} * interval '1 millisecond' then 'dead'
        when draining_at is not null or leaving_at is not null then 'draining'
        else 'live'
      end as state,
      (select count(*)::int from slot where slot.node = node.id and until > clock_timestamp()) as slots
    from node ${id === undefined ? sql`` : sql`where id = ${id}`}
    order by started_at, id`
  return rows.map(nodeRow)
}

/** Has a node give its slots to the others, or takes that back; undefined: there is no such node. Nodes hear of it at once. */
export async function drainNode(
  sql: Sql | TransactionSql,
  id: string,
  isDrained: boolean,
): Promise<NodeRow | undefined> {
  await sql`
    with asked as (
      update node set draining_at = ${isDrained ? sql`coalesce(draining_at, clock_timestamp())` : sql`null`}
      where id = ${id} returning id
    ) select pg_notify(${NODE_CHANNEL}, '') from asked`
  return (await listNodes(sql, id))[0]
}

/** Slots that came from one node to another. */
export type Takeover = {
  readonly at: string
  readonly slots: number
  readonly from: string
  readonly to: string
  readonly reason: string
}

/** The takeovers of the last day, the newest first. */
export async function listTakeovers(sql: Sql): Promise<Takeover[]> {
  const rows = await sql<{ at: Date; slots: number; from_node: string; to_node: string; reason: string }[]>`
    select at, slots, from_node, to_node, reason from takeover where at > clock_timestamp() - interval '1 day'
    order by id desc limit 1000`
  return rows.map(({ at, slots, from_node, to_node, reason }) => ({
    at: at.toISOString(),
    slots,
    from: from_node,
    to: to_node,
    reason,
  }))
}
