import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { inject, onTestFinished, type TestContext } from 'vitest'
import { type ConnectedDatabase, type ConnectOptions, connectDatabase } from '../../src/store/postgres.ts'
import { testKeys } from './secrets.ts'
import { TEMPLATE } from './template.ts'

export type TestDatabase = {
  /** For a server or a second connection. */
  readonly url: string
  readonly db: ConnectedDatabase
  readonly sql: ConnectedDatabase['sql']
  /** A folder with the files that its rows name: a server begins with a copy of them. */
  readonly files?: string
  /** Closes the pool and drops the database, whoever is connected. */
  drop(): Promise<void>
}

/** A machine that does five tests at once may be busy for longer than a server may wait for its database. */
export const CONNECT_WITHIN_SECONDS = 60

const administer = async (statement: string) => {
  const client = new Client({ connectionString: inject('clusterUrl') })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/**
 * A freshly migrated, empty database of its own, or a copy of another one that nobody is connected to. Call in `beforeAll`, and
 * `drop` in `afterAll`.
 */
export async function testDatabase(options: ConnectOptions = {}, template = TEMPLATE): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // files are copied, and not page by page through the log: half the work, and a run that loses power is done again
  await administer(`create database ${name} template ${template} strategy file_copy`)
  const url = new URL(inject('clusterUrl'))
  url.pathname = `/${name}`
  const db = connectDatabase(url.href, {
    connectWithinSeconds: CONNECT_WITHIN_SECONDS,
    secrets: testKeys().ring,
    ...options,
  })
  return {
    url: url.href,
    db,
    sql: db.sql,
    async drop() {
      await db.close(1)
      await administer(`drop database ${name} with (force)`)
    },
  }
}

/** A database that is prepared once, for `testDatabase` to copy: nobody is connected to it any more. */
export async function templateDatabase(
  prepare: (database: TestDatabase) => Promise<void>,
): Promise<{ readonly name: string; drop(): Promise<void> }> {
  const database = await testDatabase({ connections: 1 })
  await prepare(database)
  await database.db.close(1)
  return { name: new URL(database.url).pathname.slice(1), drop: () => database.drop() }
}

/** The same for a single test, which says itself which one it is where tests run at the same time; dropped when it finishes. */
export async function testDatabaseOfOneTest(
  options: ConnectOptions = {},
  test: Pick<TestContext, 'onTestFinished'> = { onTestFinished },
): Promise<TestDatabase> {
  const database = await testDatabase(options)
  test.onTestFinished(() => database.drop())
  return database
}
