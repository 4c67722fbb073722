import { readdirSync } from 'node:fs'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../src/store/migrate.ts'
import { takeNodeLock } from '../../src/store/node-lock.ts'
import { openOwnStore, openStore } from '../../src/store/open.ts'
import { testDatabaseOfOneTest } from '../support/database.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { toSchemaBefore } from '../support/older-schema.ts'
import { TEST_KEY, testKeys } from '../support/secrets.ts'

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

test('[24] nobody migrates under a node of an older version: not a second server, not the administration', async () => {
  const { sql, url } = await testDatabaseOfOneTest()
  const newest = files.at(-1) ?? ''
  await toSchemaBefore({ sql }, newest)
  const log = pino({ level: 'silent' })
  const serving = await takeNodeLock(url, log, () => {})
  onTestFinished(() => serving.release())
  const config = { databaseUrl: url, dataDir: temporaryDirectory(), databaseConnections: 3, secretsKey: TEST_KEY }
  const migrated = () => sql`select from migration where name = ${newest}`

  await expect(openOwnStore(config, log, () => {})).rejects.toThrow(
    /^Another Tally server runs on this database: stop it first/,
  )
  await expect(openStore(config, log)).rejects.toThrow(
    /^A Tally server of an older version runs on this database: stop it first/,
  )
  expect(await migrated()).toHaveLength(0)

  await serving.release()
  const store = await openOwnStore(config, log, () => {})
  expect(await migrated()).toHaveLength(1)
  // on the schema of its own version the administration works beside it
  await (await openStore(config, log)).close()
  await store.close()
  const next = await takeNodeLock(url, log, () => {})
  await next.release()
})

test('[cluster 9] a migration that waits for a table keeps nobody else from it', async () => {
  const { sql, url } = await testDatabaseOfOneTest()
  await toSchemaBefore({ sql }, '0037')
  // a backup that reads it
  const reading = await sql.reserve()
  await reading`begin`
  await reading`set local idle_in_transaction_session_timeout = 0`
  await reading`select from renderer_session`
  const migrating = migrate(url, { keys: testKeys() })
  const waits = async () => {
    const rows = await sql`
      select from pg_locks where relation = 'renderer_session'::regclass and not granted and database =
        (select oid from pg_database where datname = current_database())`
    return rows.length
  }
  await expect.poll(waits, { interval: 5 }).toBe(1)
  // it steps aside before the reader is done
  await sql`select from renderer_session`
  await expect.poll(waits, { interval: 5 }).toBe(0)
  await reading`commit`
  reading.release()
  expect((await migrating).applied).toEqual(files.filter((name) => name >= '0037'))
})
