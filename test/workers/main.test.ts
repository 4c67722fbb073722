import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { migrate } from '../../src/store/migrate.ts'
import { testDatabaseOfOneTest } from '../support/database.ts'
import { toSchemaBefore } from '../support/older-schema.ts'
import { built, start } from '../support/process.ts'

const newest =
  readdirSync(new URL('../../src/store/migrations/', import.meta.url))
    .sort()
    .at(-1) ?? ''

const worker = (environment: Record<string, string>) =>
  start([built('run/worker.js')], { LOG_LEVEL: 'info', ...environment })
const saying = (running: ReturnType<typeof worker>, msg: string) =>
  running.line((line) => (JSON.parse(line).msg.includes(msg) ? true : undefined))

test('a worker without a database ends with one line that names it, without its password', async () => {
  const lost = worker({ DATABASE_URL: 'postgres://tally:secret@127.0.0.1:9/tally' })
  expect(await lost.ended).toBe(1)
  expect(lost.stdout()).toBe('')
  expect(lost.stderr()).toMatch(/^DATABASE_URL: cannot connect to postgres:\/\/tally@127\.0\.0\.1:9\/tally: [^\n]+\n$/)
})

test('a worker that is there before its server says so, waits for the schema, and leaves on SIGTERM', async () => {
  const { sql, url } = await testDatabaseOfOneTest()
  await toSchemaBefore({ sql }, newest)
  const early = worker({ DATABASE_URL: url })
  await saying(early, 'waiting for its server')
  const other = worker({ DATABASE_URL: url })
  await saying(other, 'waiting for its server')
  other.kill('SIGTERM')
  expect(await other.ended).toBe(0)
  expect(early.stdout()).not.toContain('working jobs')
  await migrate(url)
  await saying(early, 'working jobs')
  early.kill('SIGTERM')
  expect(await early.ended).toBe(0)
})

test('a worker of an older version than its database ends with one line', async () => {
  const { sql, url } = await testDatabaseOfOneTest()
  await sql`insert into migration (name) values ('9999_from_the_future.sql')`
  const old = worker({ DATABASE_URL: url })
  expect(await old.ended).toBe(1)
  expect(old.stderr()).toMatch(/^The database is newer than this version of Tally: [^\n]+\n$/)
})
