import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { migrate } from '../../src/store/migrate.ts'
import { testDatabaseOfOneTest } from '../support/database.ts'

const files = readdirSync(new URL('../../src/store/migrations/', import.meta.url)).sort()

test('each migration is recorded once, and a second run applies nothing', async () => {
  const { sql, url } = await testDatabaseOfOneTest()
  expect((await sql`select name from migration order by name`).map((row) => row.name)).toEqual(files)
  expect(await migrate(url)).toEqual({ applied: [] })
})

test('a migration that was not recorded is applied, alone', async () => {
  const { sql, url } = await testDatabaseOfOneTest()
  const last = files.at(-1) ?? ''
  await sql`drop schema public cascade`
  await sql`create schema public`
  expect(await migrate(url)).toEqual({ applied: files })
  await sql`delete from migration where name = ${last}`
  // what it makes is there, what it drops is not: it fails, and leaves no record of itself
  await expect(migrate(url)).rejects.toThrow(/already exists|does not exist/)
  expect(await sql`select from migration where name = ${last}`).toHaveLength(0)
})

test('two migrations at the same moment wait for each other', async () => {
  const { sql, url } = await testDatabaseOfOneTest()
  await sql`drop schema public cascade`
  await sql`create schema public`
  const runs = await Promise.all([migrate(url), migrate(url)])
  expect(runs.map(({ applied }) => applied.length).sort((a, b) => a - b)).toEqual([0, files.length])
})

test('a database that is newer than the code refuses to start, in one line', async () => {
  const { sql, url } = await testDatabaseOfOneTest()
  await sql`insert into migration (name) values ('9999_from_the_future.sql')`
  await expect(migrate(url)).rejects.toThrow(
    /^The database is newer than this version of Tally: it has 9999_from_the_future.sql/,
  )
})
