import { Client } from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { isAlive } from '../../src/store/embedded/postmaster.ts'
import { takeNodeLock } from '../../src/store/node-lock.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { built, start } from '../support/process.ts'

const log = pino({ level: 'silent' })
let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const take = async (onTaken: (message: string) => void = () => {}) => {
  const lock = await takeNodeLock(database.url, log, onTaken)
  onTestFinished(() => lock.release())
  return lock
}

const cut = () => database.sql`
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and application_name like '%:node'`

test('[24] a second node on one database is refused with a clear line, and may come when the first has left', async () => {
  const first = await take()
  expect(first.isHeld()).toBe(true)
  await expect(take()).rejects.toThrow('Another Tally server runs on this database')
  await first.release()
  expect((await take()).isHeld()).toBe(true)
})

test('[24] two databases of one server have a node each', async () => {
  const other = await testDatabase()
  onTestFinished(() => other.drop())
  const one = await take()
  const two = await takeNodeLock(other.url, log, () => {})
  expect([one.isHeld(), two.isHeld()]).toEqual([true, true])
  await two.release()
})

test('[24] when the connection is lost the lock is taken again', async () => {
  const lock = await take()
  await cut()
  await expect.poll(() => lock.isHeld(), { interval: 5 }).toBe(false)
  await expect.poll(() => lock.isHeld()).toBe(true)
})

test('[24] when another node was faster after the loss, this one is told to stop', async () => {
  const told = new Promise<string>((resolve) => void take(resolve))
  await expect
    .poll(() =>
      database.sql`select from pg_locks where locktype = 'advisory' and granted and database =
      (select oid from pg_database where datname = current_database())`.then((rows) => rows.length),
    )
    .toBe(1)
  const [held] = await database.sql<{ key: number }[]>`
    select objid::int8 as key from pg_locks where locktype = 'advisory' and database =
      (select oid from pg_database where datname = current_database())`
  const rival = new Client({ connectionString: database.url })
  await rival.connect()
  onTestFinished(() => rival.end())
  const won = rival.query('select pg_advisory_lock($1)', [held?.key])
  await expect
    .poll(() =>
      database.sql`select from pg_locks where locktype = 'advisory' and not granted`.then((rows) => rows.length),
    )
    .toBe(1)
  await cut()
  await won
  const lostAt = performance.now()
  expect(await told).toContain('Another Tally server runs on this database')
  // it still answers commands: the patience of a start is not for it
  expect(performance.now() - lostAt).toBeLessThan(1_500)
})

test('[24] a node that is frozen or cut off loses its database to the next one, and stops when it comes back', async () => {
  const frozen = start([
    '--input-type=module',
    '-e',
    `import { pino } from ${JSON.stringify(import.meta.resolve('pino'))}
    import { takeNodeLock } from ${JSON.stringify(built('src/store/node-lock.js'))}
    await takeNodeLock(${JSON.stringify(database.url)}, pino({ level: 'silent' }), (message) => {
      console.log(message)
      process.exit(1)
    })
    console.log('held')
    setInterval(() => {}, 1_000)`,
  ])
  await frozen.line((line) => line === 'held' || undefined)
  frozen.kill('SIGSTOP')
  onTestFinished(() => frozen.kill('SIGCONT'))
  await expect(take()).rejects.toThrow('Another Tally server runs on this database')
  // twice what it may be silent
  await expect.poll(() => take().catch(() => undefined)).toBeDefined()
  frozen.kill('SIGCONT')
  expect(await frozen.ended).toBe(1)
  expect(frozen.stdout()).toContain('Another Tally server runs on this database')
})

test('[24] a connection of its own that is frozen does not count as another node', async () => {
  const told: string[] = []
  const attempts: unknown[] = []
  const noting = pino({ level: 'debug' }, { write: (line) => void attempts.push(JSON.parse(line).err?.message) })
  const lock = await takeNodeLock(database.url, noting, (message) => told.push(message))
  onTestFinished(() => lock.release())
  const [holder] = await database.sql<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database() and application_name like '%:node'`
  const pid = holder?.pid ?? 0
  process.kill(pid, 'SIGSTOP')
  onTestFinished(() => void (isAlive(pid) && process.kill(pid, 'SIGCONT')))
  await expect.poll(() => attempts).toContain('the lost connection of this node still holds the node lock')
  process.kill(pid, 'SIGCONT')
  await expect.poll(() => lock.isHeld()).toBe(true)
  expect(told).toEqual([])
})
