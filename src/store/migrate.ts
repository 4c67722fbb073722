import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Sql, TransactionSql } from 'postgres'
import type { KeySource } from '../secrets/open.ts'
import { postgres } from './driver.ts'
import { isNodeRunning } from './node-lock.ts'
import { sealPlain } from './secrets/seal-plain.ts'

const folder = new URL('./migrations/', import.meta.url)
/** Held while migrating, so that two starts do not race. */
const MIGRATION_LOCK = 7_225_001

/** Every migration of this code, in order. */
export const migrationFiles = async () => (await readdir(folder)).filter((name) => /^\d{4}_.*\.sql$/.test(name)).sort()

let known: string[] | undefined

/** Whether the schema is the one of this code, and whether the database takes writes; rejects when it does not answer. */
export async function databaseState(sql: Sql): Promise<{ migrated: boolean; writable: boolean }> {
  known ??= await migrationFiles()
  // a primary that became a standby, or one that a full disk made read-only, answers every read
  const [row] = await sql<{ newest: string | null; writable: boolean }[]>`
    select max(name) as newest, current_setting('transaction_read_only') = 'off' as writable from migration`
  // a neighbouring version may have gone ahead; the older one says itself when it cannot follow
  return { migrated: row?.newest != null && row.newest >= (known.at(-1) ?? ''), writable: row?.writable ?? false }
}

/** Makes the table that tells which migrations a database has. */
export const createMigrationTable = (sql: Sql | TransactionSql) => sql`
  create table if not exists migration (
    name text primary key, applied_at timestamptz not null default clock_timestamp())`

/** The migrations that a database with their table lacks. Throws one clear line when it is newer than the code. */
async function missingMigrations(sql: Sql, mayBeNewer = false): Promise<string[]> {
  const files = await migrationFiles()
  const done = new Set((await sql<{ name: string }[]>`select name from migration`).map((row) => row.name))
  const unknown = [...done].filter((name) => !files.includes(name)).sort()
  if (unknown.length > 0 && !mayBeNewer)
    throw new Error(
      `The database is newer than this version of Tally: it has ${unknown.at(-1)}, the newest known is ${files.at(-1)}. Start the newer version.`,
    )
  return files.filter((name) => !done.has(name))
}

/** Whether the server has brought the schema up to this code. Throws one clear line when it is newer. */
export async function isMigrated(sql: Sql): Promise<boolean> {
  const [table] = await sql<{ there: boolean }[]>`select to_regclass('public.migration') is not null as there`
  return table?.there === true && (await missingMigrations(sql)).length === 0
}

/** Steps of a migration that SQL cannot do, after its file. */
const afterwards: Readonly<Record<string, (tx: TransactionSql, keys: KeySource | undefined) => Promise<void>>> = {
  '0038_secrets.sql': sealPlain,
}

/** Runs one migration, with its version, in the transaction; `keys` are needed where there are secrets to seal. */
export async function applyMigration(tx: TransactionSql, name: string, keys?: KeySource): Promise<void> {
  await tx.unsafe(await readFile(new URL(name, folder), 'utf8'))
  await afterwards[name]?.(tx, keys)
  await tx`insert into migration (name) values (${name})`
}

/** Behind a migration that waits for a table everybody waits: shorter than PostgreSQL takes to call two who wait a deadlock, and end one. */
const LOCK_WAIT_MS = 700
/** In between commands go on. */
const LOCK_PAUSE_MS = 500
const LOCKED_WITHIN_MS = 120_000

/** Tries again while a backup, say, holds a table, without being in anybody's way. Throws one line when it goes on to. */
async function patiently(run: () => Promise<unknown>): Promise<void> {
  for (const until = performance.now() + LOCKED_WITHIN_MS; ; await pause(LOCK_PAUSE_MS)) {
    try {
      await run()
      return
    } catch (error) {
      if (!(error instanceof postgres.PostgresError && error.code === '55P03')) throw error
      if (performance.now() > until)
        throw new Error(
          'The database cannot be migrated: another program, such as a backup, uses its tables all the time',
        )
    }
  }
}

const SERVES = 'A Tally server of an older version runs on this database: stop it first, or use its version'

/**
 * Brings the schema up to this code: forward only, each file with its version in its own transaction. `alone`: the caller
 * holds the node lock. `mayBeNewer`: it was found that this code can serve on a newer schema. Throws one clear line when the database is newer than the code, or older and another node serves on it,
 * or the key of its secrets is missing.
 */
export async function migrate(
  url: string,
  { alone = false, mayBeNewer = false, keys }: { alone?: boolean; mayBeNewer?: boolean; keys?: KeySource } = {},
): Promise<{ applied: string[] }> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {}, fetch_types: false })
  try {
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`
    await createMigrationTable(sql)
    const missing = await missingMigrations(sql, mayBeNewer)
    // it would serve on a schema that it does not know, and is not ready any more
    if (missing.length > 0 && !alone && (await isNodeRunning(sql))) throw new Error(SERVES)
    for (const name of missing)
      await patiently(() =>
        sql.begin(async (tx) => {
          await tx.unsafe(`set local lock_timeout = ${LOCK_WAIT_MS}`)
          await applyMigration(tx, name, keys)
        }),
      )
    return { applied: missing }
  } finally {
    await sql.end({ timeout: 2 })
  }
}
