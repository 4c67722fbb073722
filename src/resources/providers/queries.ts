import type { ISql } from 'postgres'
import type { Connection } from './schema.ts'

type LastReport = { counts?: Record<string, Record<string, number>>; problems?: string[]; details?: string[] }

type Row = Omit<Connection, 'loadedAt' | 'dueAt' | 'lastSuccessAt' | 'lastFinishedAt'> & {
  loadedAt: Date | null
  dueAt: Date
  lastSuccessAt: Date | null
  lastFinishedAt: Date | null
}

const columns = (sql: ISql) => sql`
  id, organization_id as "organizationId", provider_name as provider, url,
  interval_seconds as "intervalSeconds", has_token as "hasToken",
  coalesce(run_until > clock_timestamp(), false) as syncing, loaded_at as "loadedAt", due_at as "dueAt",
  last_success_at as "lastSuccessAt", last_finished_at as "lastFinishedAt", last_error as "lastError"`

const connectionOf = (row: Row): Connection => ({
  ...row,
  loadedAt: row.loadedAt?.toISOString() ?? null,
  dueAt: row.dueAt.toISOString(),
  lastSuccessAt: row.lastSuccessAt?.toISOString() ?? null,
  lastFinishedAt: row.lastFinishedAt?.toISOString() ?? null,
})

/** Every connection of an organization, or of all, by id. */
export async function listConnections(sql: ISql, organizationId?: number): Promise<Connection[]> {
  const rows = await sql<Row[]>`
    select ${columns(sql)} from provider_connection
    ${organizationId === undefined ? sql`` : sql`where organization_id = ${organizationId}`} order by id`
  return rows.map(connectionOf)
}

export async function findConnection(sql: ISql, id: number): Promise<Connection | undefined> {
  const [row] = await sql<Row[]>`select ${columns(sql)} from provider_connection where id = ${id}`
  return row && connectionOf(row)
}

/** The report of the last sync that began at `since` (database time) or later and has ended; undefined before that. */
export async function findReport(sql: ISql, id: number, since: string): Promise<unknown> {
  const [row] = await sql<{ report: unknown }[]>`
    select last_result as report from provider_connection
    where id = ${id} and run_id is null and last_started_at >= ${since}::text::timestamptz`
  return row?.report
}

/** What came of the last sync that ended, as far as people are shown it; null before the first. */
export async function findLastReport(sql: ISql, id: number): Promise<LastReport | null> {
  const [row] = await sql<{ report: LastReport | null }[]>`
    select case when last_result is not null then json_build_object(
      'counts', last_result -> 'counts', 'problems', last_result -> 'problems', 'details', last_result -> 'details') end
      as report
    from provider_connection where id = ${id}`
  if (!row?.report) return null
  return Object.fromEntries(Object.entries(row.report).filter(([, value]) => value !== null))
}

/** How many connections failed when they were synced last. */
export async function failingConnections(sql: ISql): Promise<number> {
  const [row] = await sql<
    { count: number }[]
  >`select count(*)::int as count from provider_connection where failures > 0`
  return row?.count ?? 0
}

/** Seconds since the success that lies furthest back, or since the connection was made; 0 without connections. */
export async function oldestSuccessSeconds(sql: ISql): Promise<number> {
  const [row] = await sql<{ age: number }[]>`
    select coalesce(extract(epoch from clock_timestamp() - min(coalesce(last_success_at, created_at))), 0)::float8 as age
    from provider_connection`
  return row?.age ?? 0
}
