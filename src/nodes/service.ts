import { randomBytes } from 'node:crypto'
import type { Sql } from 'postgres'
import { heardDatabaseTime } from '../waiting/service-time.ts'
import { DEAD_AFTER_MS } from './leases.ts'
import { type Knowledge, mustJoin, type Standing } from './versions.ts'

/** The service that all nodes of one database make up: its name, and the secret by which they know each other. */
export type Service = { readonly id: string; readonly linkSecret: Buffer }

/** Reads the service, and makes it for the first node. */
export async function openService(sql: Sql): Promise<Service> {
  await sql`insert into service (link_secret) values (${randomBytes(32)}) on conflict (one) do nothing`
  // two first nodes: both go on with the row that the faster one wrote
  const askedAt = Date.now()
  const [row] = await sql<[{ id: string; link_secret: Buffer | null; at: number }]>`
    update service set link_secret = coalesce(link_secret, ${randomBytes(32)})
    returning id, link_secret, extract(epoch from clock_timestamp())::float8 * 1000 as at`
  heardDatabaseTime(row.at, askedAt, Date.now())
  if (!row.link_secret) throw new Error('the service has no link secret')
  return { id: row.id, linkSecret: row.link_secret }
}

/** The nodes that serve on the database now, also on one of an older version, which knows no nodes. */
export async function standingOf(sql: Sql): Promise<Standing> {
  const [there] = await sql<[{ there: boolean }]>`select to_regclass('public.node') is not null as there`
  if (!there.there) return { needs: null, nodes: [] }
  const [service] = await sql<{ needs: string | null }[]>`select needs from service`
  const nodes = await sql<{ id: string; url: string; knows: string }[]>`
    select id, url, knows from node where beat_at > clock_timestamp() - ${DEAD_AFTER_MS} * interval '1 millisecond' order by id`
  return { needs: service?.needs ?? null, nodes: [...nodes] }
}

/** Throws one line when a node of this code must not join. Ask before migrating: the schema may be one that the others cannot serve on. */
export const checkJoin = async (sql: Sql, mine: Knowledge): Promise<void> => mustJoin(mine, await standingOf(sql))

/** Sets the newest migration that every node here must know from now on; a node that knows less stops within a second. */
export const raiseNeeds = (sql: Sql, worksBeside: string) => sql`
  insert into service (needs) values (${worksBeside})
  on conflict (one) do update set needs = greatest(service.needs, excluded.needs)
  where service.needs is distinct from greatest(service.needs, excluded.needs)`
