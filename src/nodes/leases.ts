import type { Sql } from 'postgres'

/** How long a lease is good for, by the database's clock. */
export const LEASE_MS = 3_000
/** A node that has not beaten for so long is dead to people and to the others. Its leases have ended before. */
export const DEAD_AFTER_MS = 5_000
/** Notified when slots are given up or taken; the payload is the node that did so. */
export const SLOT_CHANNEL = 'slot'
/** Notified when a node joins, leaves, or is drained; the payload is its id. */
export const NODE_CHANNEL = 'node'

const ROW_KEPT = '1 day'
const TAKEOVERS_KEPT = '7 days'

/** Why a slot came to another node. */
export type Reason = 'expired' | 'join' | 'drain' | 'leave' | 'cut off'

/** A node, as its row tells it for as long as the node lives. */
export type Joining = { id: string; url: string; version: string; knows: string }

/** The part of a node's row that each beat renews. */
export type Counts = { actors: number; renderers: number; followers: number }

/** A node that has beaten within the last seconds. */
export type LiveNode = {
  readonly id: string
  readonly url: string
  readonly knows: string
  readonly draining: boolean
  readonly leaving: boolean
  /** Since its last beat, by the database's clock. */
  readonly ageMs: number
  readonly cutOffFrom: readonly string[]
}

/** A slot that a node has, and the term in which it has it. */
export type Term = { readonly slot: number; readonly term: number }

export type Beat = {
  /** False: the row is dead or gone, nothing was renewed, and the node must join anew. */
  readonly joined: boolean
  readonly nodes: readonly LiveNode[]
  /** By slot: who has its lease now. */
  readonly owners: readonly (string | null)[]
  readonly renewed: readonly Term[]
  /** The newest migration that a node must know to serve here. */
  readonly needs: string | null
  /** The database's clock, ms since 1970. */
  readonly at: number
}

/** Makes the row of a node, or makes it live again: being drained outlives its death. Others hear of it with the commit. */
export async function join(sql: Sql, { id, url, version, knows }: Joining): Promise<void> {
  await sql`
    with joined as (
      insert into node (id, url, version, knows) values (${id}, ${url}, ${version}, ${knows})
      on conflict (id) do update set beat_at = clock_timestamp(), leaving_at = null, cut_off_from = '{}'
      returning id
    ) select pg_notify(${NODE_CHANNEL}, id) from joined`
}

/**
 * The one statement of each second: the beat of a node, the renewal of its leases, and the rows of the other nodes.
 * A lease that another statement has locked is not waited for: it is being taken or given up, or is renewed in a second.
 */
export async function beat(
  sql: Sql,
  id: string,
  { actors, renderers, followers, cutOffFrom }: Counts & { cutOffFrom: readonly string[] },
): Promise<Beat> {
  const [row] = await sql<[Beat]>`
    with me as (
      update node set beat_at = clock_timestamp(), actors = ${actors}, renderers = ${renderers}, followers = ${followers},
        cut_off_from = array(select json_array_elements_text(${JSON.stringify(cutOffFrom)}::text::json))
      where id = ${id} and beat_at > clock_timestamp() - ${DEAD_AFTER_MS} * interval '1 millisecond'
      returning *
    ), mine as materialized (
      select id from slot where node = ${id} and exists (select from me) order by id for no key update skip locked
    ), renewed as (
      update slot set until = clock_timestamp() + ${LEASE_MS} * interval '1 millisecond'
      from mine where slot.id = mine.id and slot.node = ${id}
      returning slot.id, slot.term
    ), alive as (
      select id, url, knows, draining_at, leaving_at, beat_at, cut_off_from from node
      where id <> ${id} and beat_at > clock_timestamp() - ${DEAD_AFTER_MS} * interval '1 millisecond'
      union all
      select id, url, knows, draining_at, leaving_at, beat_at, cut_off_from from me
    )
    select exists (select from me) as joined,
      extract(epoch from clock_timestamp())::float8 * 1000 as at,
      (select needs from service) as needs,
      (select coalesce(json_agg(json_build_object(
          'id', id, 'url', url, 'knows', knows, 'draining', draining_at is not null, 'leaving', leaving_at is not null,
          'ageMs', extract(epoch from clock_timestamp() - beat_at) * 1000, 'cutOffFrom', cut_off_from) order by id), '[]')
        from alive) as nodes,
      (select json_agg(case when renewed.id is not null or slot.until > clock_timestamp() then slot.node end order by slot.id)
        from slot left join renewed using (id)) as owners,
      (select coalesce(json_agg(json_build_object('slot', id, 'term', term)), '[]') from renewed) as renewed`
  return row
}

/**
 * Takes leases that are free or have expired, and those that this node has without knowing it. The row lock sees to it that a lease that is renewed
 * meanwhile is not taken. Tells the takeovers, and the other nodes.
 */
export async function take(
  sql: Sql,
  id: string,
  slots: readonly number[],
): Promise<{ taken: readonly Term[]; takeovers: number }> {
  const [row] = await sql<[{ taken: readonly Term[]; takeovers: number }]>`
    with free as materialized (
      select id from slot
      where id in (select json_array_elements_text(${JSON.stringify(slots)}::text::json)::int)
        and (until < clock_timestamp() or node = ${id})
      order by id for no key update skip locked
    ), taken as (
      update slot set node = ${id}, term = term + 1, until = clock_timestamp() + ${LEASE_MS} * interval '1 millisecond',
        previous = coalesce(node, previous), reason = case when node is null then reason else 'expired' end
      from free where slot.id = free.id and (until < clock_timestamp() or node = ${id})
      returning slot.id, term, previous, reason
    ), told as (
      insert into takeover (slots, from_node, to_node, reason)
      select count(*), previous, ${id}, reason from taken where previous <> ${id} group by previous, reason
      returning 1
    )
    select (select coalesce(json_agg(json_build_object('slot', id, 'term', term)), '[]') from taken) as taken,
      (select count(*)::int from told) as takeovers,
      (select pg_notify(${SLOT_CHANNEL}, ${id}) from taken limit 1)`
  return { taken: row.taken, takeovers: row.takeovers }
}

/** Gives leases up at once, and tells the other nodes. A lease that was taken anew meanwhile has another term, and stays. */
export async function release(sql: Sql, id: string, leases: readonly Term[], reason: Reason): Promise<void> {
  await sql`
    with given as (
      select (value ->> 'slot')::int as id, (value ->> 'term')::bigint as term
      from json_array_elements(${JSON.stringify(leases)}::text::json)
    ), mine as materialized (
      select slot.id from slot join given using (id, term) where slot.node = ${id} order by slot.id for no key update of slot
    ), freed as (
      update slot set node = null, until = '-infinity', previous = ${id}, reason = ${reason}
      from mine join given using (id) where slot.id = mine.id and slot.term = given.term and slot.node = ${id}
      returning slot.id
    )
    select pg_notify(${SLOT_CHANNEL}, ${id}) from freed limit 1`
}

/** Says that this node is about to stop: the others count without it from now on. */
export async function markLeaving(sql: Sql, id: string): Promise<void> {
  await sql`
    with leaving as (update node set leaving_at = clock_timestamp() where id = ${id} returning id)
    select pg_notify(${NODE_CHANNEL}, id) from leaving`
}

/** Takes the row of a node that has stopped. */
export async function removeNode(sql: Sql, id: string): Promise<void> {
  await sql`
    with gone as (delete from node where id = ${id} returning id) select pg_notify(${NODE_CHANNEL}, id) from gone`
}

/** Forgets nodes that have been dead for a day, and old takeovers. */
export async function prune(sql: Sql): Promise<void> {
  await sql`
    with gone as (delete from node where beat_at < clock_timestamp() - ${ROW_KEPT}::interval)
    delete from takeover where at < clock_timestamp() - ${TAKEOVERS_KEPT}::interval`
}
