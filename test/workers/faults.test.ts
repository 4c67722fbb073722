import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import type { Sql } from 'postgres'
import { describe, expect, it, onTestFinished, type TestContext, vi } from 'vitest'
import { startEmbedded } from '../../src/store/embedded/open.ts'
import { connectDatabase } from '../../src/store/postgres.ts'
import { startWorkers } from '../../workers/start.ts'
import { fireInSql } from '../contract/workers.ts'
import { usedDataDirectory } from '../support/data-dir.ts'
import { testDatabaseOfOneTest } from '../support/database.ts'

const log = pino({ level: 'silent' })
const createEffects = async (sql: Sql) => {
  await sql`create table effect (id int generated always as identity, what text, at timestamptz default clock_timestamp())`
  await sql`create table started (works_since timestamptz default clock_timestamp())`
}

const setTimer = async (sql: Sql, ref: string, inMs: number) => {
  await sql.begin(async (tx) => {
    await tx`insert into timer (ref, name, due_at, event)
      values (${ref}, 'ttl', clock_timestamp() + make_interval(secs => ${inMs / 1000}), '{}')`
    await tx`insert into outbox (kind, payload)
      select 'timer', json_build_object('ref', ref, 'name', name, 'dueAt', due_at) from timer where ref = ${ref}`
  })
}
const reached = (sql: Sql, condition: () => Promise<readonly unknown[]>) =>
  vi.waitFor(async () => expect(await condition()).toHaveLength(1), { timeout: 30_000, interval: 20 }).then(() => sql)
/** How many ms after it was due, or after the last node began to work where that was later, the only effect came. */
const lateness = async (sql: Sql, due: Date) => {
  const [late] = await sql<{ ms: number }[]>`
    select extract(epoch from at - greatest(${due}::timestamptz, (select max(works_since) from started)))::float8 * 1000 as ms
    from effect`
  return late?.ms
}
const effects = (sql: Sql) => sql<{ what: string }[]>`select what from effect order by id`

/** Starts a node that works timers; `kill` ends it without a chance to clean up. */
function node(url: string, { onTestFinished }: Pick<TestContext, 'onTestFinished'>, skewMs = 0) {
  const script = fileURLToPath(new URL('./half-time.mjs', import.meta.url))
  const child: ChildProcess = spawn(process.execPath, [script, url, String(skewMs)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const kill = () =>
    new Promise<void>((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve()
      child.once('exit', () => resolve())
      child.kill('SIGKILL')
    })
  onTestFinished(kill)
  return { kill }
}

// what takes long is the time that is waited for
describe.concurrent('[P6] timers and the death of the node', () => {
  it.for([0, 3_600_000, -3_600_000])(
    'a timer of a node killed at half time fires once after the next start, its clock off by %i ms',
    async (skewMs, test) => {
      const { sql, url } = await testDatabaseOfOneTest({}, test)
      await createEffects(sql)
      const first = node(url, test)
      // its time begins once it works
      await setTimer(sql, 'lock/0', 0)
      await reached(sql, () => effects(sql))
      await sql`delete from effect`
      await setTimer(sql, 'lock/1', 4_000)
      // handed to the queue, and there is time to be killed in
      await reached(
        sql,
        () =>
          sql`select from timer where due_at < clock_timestamp() + interval '3 seconds' and not exists (select from outbox where kind = 'timer')`,
      )
      await first.kill()
      await reached(sql, () => sql`select from timer where due_at < clock_timestamp()`)
      expect(await effects(sql)).toEqual([])
      const [timer] = await sql<{ due: Date }[]>`select due_at as due from timer`
      node(url, test, skewMs)
      await reached(sql, () => effects(sql))
      expect(await lateness(sql, timer?.due ?? new Date())).toBeLessThan(3_000)
      await reached(sql, () => sql`select from effect where at < clock_timestamp() - interval '1500 ms'`)
      expect(await effects(sql)).toEqual([{ what: 'lock/1' }])
    },
  )

  it('a timer that is still to come when the node starts again fires in its time', async (test) => {
    const { sql, url } = await testDatabaseOfOneTest({}, test)
    await createEffects(sql)
    await setTimer(sql, 'lock/1', 3_000)
    await node(url, test).kill()
    node(url, test)
    const [timer] = await sql<{ due: Date }[]>`select due_at as due from timer`
    await reached(sql, () => effects(sql))
    const late = await lateness(sql, timer?.due ?? new Date())
    // a Date has whole milliseconds
    expect(late).toBeGreaterThanOrEqual(0)
    expect(late).toBeLessThan(1_500)
  })
})

describe('[P8] a restart of PostgreSQL', () => {
  it('workers resume within 2 s of its return, nothing is lost and no error escapes', async () => {
    const postgres = await startEmbedded(usedDataDirectory(), log)
    const { sql, ...db } = connectDatabase(postgres.url)
    const escaped: unknown[] = []
    const note = (error: unknown) => escaped.push(error)
    process.on('uncaughtException', note)
    process.on('unhandledRejection', note)
    const workers = startWorkers({
      queue: { databaseUrl: postgres.url },
      sql,
      log,
      actors: { fire: fireInSql(sql), react: async () => {} },
      jobs: {
        note: async (tx, data) => {
          await tx`insert into effect (what) values (${String(data)})`
        },
      },
    })
    onTestFinished(async () => {
      process.off('uncaughtException', note)
      process.off('unhandledRejection', note)
      await workers.close()
      await db.close(1)
      await postgres.leave()
    })
    await createEffects(sql)
    const job = (what: string, delayMs = 0) =>
      sql`insert into outbox (kind, payload) values ('job', ${JSON.stringify({ name: 'note', data: what, delayMs })}::text::json)`
    const done = (what: string) => reached(sql, () => sql`select from effect where what = ${what}`)
    await job('before')
    await done('before')
    await job('across', 1_500)
    await setTimer(sql, 'lock/across', 1_500)
    workers.drainSoon()
    await reached(sql, () => sql`select from outbox where handed_at is not null and payload ->> 'data' = 'across'`)

    const pid = postgres.pid()
    if (!pid) throw new Error('no postmaster')
    process.kill(pid, 'SIGINT')
    await vi.waitFor(() => expect(postgres.pid()).not.toBe(pid), { timeout: 30_000, interval: 10 })
    await vi.waitFor(() => job('after'), { timeout: 30_000, interval: 20 })
    const back = performance.now()
    await done('after')
    expect(performance.now() - back).toBeLessThan(2_000)
    await done('across')
    await done('lock/across')
    expect((await effects(sql)).map(({ what }) => what).sort()).toEqual(['across', 'after', 'before', 'lock/across'])
    expect(escaped).toEqual([])
  })
})
