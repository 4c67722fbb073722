import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Sql, TransactionSql } from 'postgres'
import type { Database } from '../database.ts'
import type { Feed } from '../resources/providers/feed.schema.ts'
import type { ProviderName } from '../schema/provider.ts'
import type { Page, Source } from './connector.ts'

const pack = promisify(gzip)
const unpack = promisify(gunzip)

/** One sync of one connection, which nobody else syncs while its lease is renewed. */
export type Run = {
  connectionId: number
  organizationId: number
  provider: ProviderName
  source: Source
  runId: string
  /** The initial load was complete before. */
  loaded: boolean
  /** Matches of which the last sync could not take everything, by the provider's id. */
  unfinished: readonly string[]
}

/** The database, and the keys that open the secrets in it. */
export type Stored = Pick<Database, 'sql' | 'secrets'>

/** A run, or why there is none now: `waitMs` until one may start, undefined when the connection is gone. */
export type Claim = { run: Run } | { waitMs: number | undefined; busy: boolean }

const LEASE_SECONDS = 20
export const RENEW_MS = 5_000
const FIRST_RETRY_SECONDS = 30

/** Starts a run when one is due; one that was cut off is due as soon as its lease has ended. */
export async function claimRun({ sql, secrets }: Stored, connectionId: number): Promise<Claim> {
  const [row] = await sql<
    {
      organizationId: number
      provider: ProviderName
      secrets: string
      runId: string
      loaded: boolean
      unfinished: string[]
    }[]
  >`
    update provider_connection set run_id = gen_random_uuid(), last_started_at = clock_timestamp(),
      run_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}),
      due_at = clock_timestamp() + make_interval(secs => interval_seconds)
    where id = ${connectionId} and (run_until is null or run_until < clock_timestamp())
      and (run_id is not null or due_at <= clock_timestamp())
    returning organization_id as "organizationId", provider_name as provider, secrets, run_id as "runId",
      loaded_at is not null as loaded, coalesce(last_result -> 'unfinished', '[]') as unfinished`
  if (row) {
    const { secrets: sealed, ...run } = row
    return { run: { connectionId, source: secrets.open('provider_connection', connectionId, sealed), ...run } }
  }
  const [other] = await sql<{ busy: boolean; waitMs: number }[]>`
    select run_id is not null as busy, greatest(0, ceil(extract(epoch from due_at - clock_timestamp()) * 1000))::float8 as "waitMs"
    from provider_connection where id = ${connectionId}`
  return other ?? { waitMs: undefined, busy: false }
}

/** Holds the lease for another while; false when it was lost or the connection is gone. */
export async function renewRun(sql: Sql | TransactionSql, { connectionId, runId }: Run): Promise<boolean> {
  const { count } = await sql`
    update provider_connection set run_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
    where id = ${connectionId} and run_id = ${runId}`
  return count === 1
}

/** Somebody else syncs the connection now, or it is gone: this run must not write anything more. */
export class RunLost extends Error {}

/** Called first and last in each transaction of a run: renews the lease, which nobody else can take before the end. Throws RunLost. */
export async function fence(tx: TransactionSql, run: Run): Promise<void> {
  if (!(await renewRun(tx, run))) throw new RunLost()
}

/** Gives a run back that was cut short: the next process starts it anew, at once. */
export const releaseRun = (sql: Sql, { connectionId, runId }: Run) => sql`
  update provider_connection set run_id = null, run_until = null, due_at = clock_timestamp()
  where id = ${connectionId} and run_id = ${runId}`

export const markLoaded = (tx: TransactionSql, { connectionId }: Run) => tx`
  update provider_connection set loaded_at = clock_timestamp() where id = ${connectionId}`

/** The pages of the last complete sync. */
export async function storedPages({ sql, secrets }: Stored, connectionId: number): Promise<Page[]> {
  const rows = await sql<(Omit<Page, 'url'> & { position: number; secrets: string })[]>`
    select position, secrets, etag, last_modified as "lastModified", body from provider_page
    where connection_id = ${connectionId} order by position`
  return Promise.all(
    rows.map(async ({ position, secrets: sealed, ...page }) => ({
      ...page,
      url: secrets.open('provider_page', `${connectionId}/${position}`, sealed).url,
      body: await unpack(page.body),
    })),
  )
}

/** Everything that the provider has told up to the last complete sync. */
export async function storedTold(sql: Sql, connectionId: number): Promise<Feed | undefined> {
  const [row] = await sql<{ told: Buffer | null }[]>`select told from provider_connection where id = ${connectionId}`
  return row?.told ? asFeed(JSON.parse((await unpack(row.told)).toString())) : undefined
}

// written by `finishRun` alone, from a checked feed
const asFeed = (told: unknown) => told as Feed

/** The pages that a run read, where they differ from those read before. */
export type Read = { pages: readonly Page[]; told: Feed }

/** Ends a run that took over everything. */
export async function finishRun(
  { sql, secrets }: Stored,
  run: Run,
  report: object,
  read: Read | undefined,
): Promise<void> {
  const packed = read && (await Promise.all(read.pages.map(async (page) => ({ ...page, body: await pack(page.body) }))))
  const told = read && (await pack(JSON.stringify(read.told)))
  await sql.begin(async (tx) => {
    await fence(tx, run)
    if (packed) {
      await tx`delete from provider_page where connection_id = ${run.connectionId}`
      for (const [position, { url, etag, lastModified, body }] of packed.entries())
        await tx`insert into provider_page (connection_id, position, secrets, etag, last_modified, body)
          values (${run.connectionId}, ${position},
            ${secrets.seal('provider_page', `${run.connectionId}/${position}`, { url })}, ${etag}, ${lastModified}, ${body})`
    }
    if (told) await tx`update provider_connection set told = ${told} where id = ${run.connectionId}`
    await tx`
      update provider_connection set run_id = null, run_until = null, failures = 0, last_error = null,
        last_finished_at = clock_timestamp(), last_success_at = clock_timestamp(),
        last_result = ${JSON.stringify(report)}::text::json
      where id = ${run.connectionId}`
  })
}

/** Ends a run that failed; the next comes soon, later each time, and never before the provider wants it. */
export async function failRun(sql: Sql, run: Run, report: { error: string }, retryAfterMs: number): Promise<void> {
  await sql`
    update provider_connection set run_id = null, run_until = null, failures = failures + 1,
      last_error = ${report.error}, last_finished_at = clock_timestamp(),
      last_result = ${JSON.stringify(report)}::text::json,
      due_at = case when ${retryAfterMs}::int > 0 then clock_timestamp() + make_interval(secs => ${retryAfterMs / 1000})
        else least(due_at, clock_timestamp() + make_interval(secs => ${FIRST_RETRY_SECONDS} * 2 ^ least(failures, 10))) end
    where id = ${run.connectionId} and run_id = ${run.runId}`
}
