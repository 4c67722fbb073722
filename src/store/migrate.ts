import { readdir, readFile } from 'node:fs/promises'
import type { Sql } from 'postgres'
import { postgres } from './driver.ts'

const folder = new URL('./migrations/', import.meta.url)
/** Held while migrating, so that two starts do not race. */
const MIGRATION_LOCK = 7_225_001

const migrationFiles = async () => (await readdir(folder)).filter((name) => /^\d{4}_.*\.sql$/.test(name)).sort()

let known: string[] | undefined

/** Whether the schema is the one of this code; rejects when the database does not answer. */
export async function isMigrated(sql: Sql): Promise<boolean> {
  known ??= await migrationFiles()
  const rows = await sql<{ name: string }[]>`select name from migration order by name desc limit 1`
  return rows[0]?.name === known.at(-1)
}

/**
 * Brings the schema up to this code: forward only, each file with its version in its own transaction.
 * Throws one clear line when the database is newer than the code.
 */
export async function migrate(url: string): Promise<{ applied: string[] }> {
  const files = await migrationFiles()
  const newest = files.at(-1) ?? ''
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {}, fetch_types: false })
  try {
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`
    await sql`create table if not exists migration (
      name text primary key, applied_at timestamptz not null default clock_timestamp())`
    const done = new Set((await sql<{ name: string }[]>`select name from migration`).map((row) => row.name))
    const unknown = [...done].filter((name) => !files.includes(name)).sort()
    if (unknown.length > 0)
      throw new Error(
        `The database is newer than this version of Tally: it has ${unknown.at(-1)}, the newest known is ${newest}. Start the newer version.`,
      )
    const missing = files.filter((name) => !done.has(name))
    for (const name of missing) {
      const text = await readFile(new URL(name, folder), 'utf8')
      await sql.begin(async (tx) => {
        await tx.unsafe(text)
        await tx`insert into migration (name) values (${name})`
      })
    }
    return { applied: missing }
  } finally {
    await sql.end({ timeout: 2 })
  }
}
