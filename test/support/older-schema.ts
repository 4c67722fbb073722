import { readdirSync, readFileSync } from 'node:fs'
import type { TestDatabase } from './database.ts'

const folder = new URL('../../src/store/migrations/', import.meta.url)

/** Empties a database and brings it to the schema before a migration: `0007`. */
export async function toSchemaBefore({ sql }: Pick<TestDatabase, 'sql'>, number: string): Promise<void> {
  await sql`drop schema public cascade`
  await sql`create schema public`
  await sql`create table migration (name text primary key, applied_at timestamptz not null default clock_timestamp())`
  const older = readdirSync(folder)
    .sort()
    .filter((name) => name < number)
  for (const name of older) {
    await sql.unsafe(readFileSync(new URL(name, folder), 'utf8'))
    await sql`insert into migration (name) values (${name})`
  }
}
