import { pino } from 'pino'
import { expect, it } from 'vitest'
import { openOutbox } from '../../src/store/outbox.ts'
import type { Work, WorkQueue } from '../../src/store/queue.ts'
import { startWorkers } from '../../workers/start.ts'
import { timerWorker } from '../../workers/timers.ts'
import { testDatabaseOfOneTest } from '../support/database.ts'

const log = pino({ level: 'silent' })
const away: WorkQueue = {
  ready: new Promise(() => {}),
  add: () => Promise.reject(new Error('away')),
  lacks: () => Promise.reject(new Error('away')),
  deliver: () => {},
  close: async () => {},
}

it('[P6] a timer that could not fire is tried again, even while the queue was never reached', async () => {
  const { sql } = await testDatabaseOfOneTest()
  await sql`insert into timer (ref, name, due_at, event)
    select 'lock/' || n, 'ttl', clock_timestamp() - interval '1 minute', '{}' from generate_series(1, 2) as n`
  const fired: string[] = []
  let failures = 1
  const fire = async (ref: string) => {
    if (ref === 'lock/1' && failures-- > 0) throw new Error('the database was away for a moment')
    fired.push(ref)
    await sql`delete from timer where ref = ${ref}`
  }
  const timers = timerWorker(sql, away, { fire, owns: () => true }, log)
  await timers.fireOverdue()
  expect(fired).toEqual(['lock/2'])
  // others go first for a while
  await timers.fireOverdue()
  expect(fired).toEqual(['lock/2'])
  await expect
    .poll(() => timers.fireOverdue().then(() => fired), { timeout: 30_000, interval: 100 })
    .toEqual(['lock/2', 'lock/1'])
})

it('[P6] a timer that is far away gets its job when it is near, however often it was set anew before', async () => {
  const { sql } = await testDatabaseOfOneTest()
  const added: Work[] = []
  const queue: WorkQueue = { ...away, add: async (work) => void added.push(...work) }
  const set = (minutes: number) => sql`
    with moved as (
      insert into timer (ref, name, due_at, event)
      values ('stream/1', 'autoStart', clock_timestamp() + make_interval(mins => ${minutes}), '{}')
      on conflict (ref, name) do update set due_at = excluded.due_at returning ref, name, due_at)
    insert into outbox (kind, payload)
    select 'timer', json_build_object('ref', ref, 'name', name, 'dueAt', due_at) from moved`
  const outbox = openOutbox(sql, queue, log)
  for (const minutes of [20_000, 20_001, 20_002]) await set(minutes)
  await outbox.drain()
  expect(added).toEqual([])
  // a match day that was moved to now
  await set(5)
  await outbox.drain()
  expect(added.map(({ name, data }) => ({ name, data }))).toEqual([
    { name: 'timer', data: { ref: 'stream/1', name: 'autoStart' } },
  ])
  expect(await sql`select from outbox`).toEqual([])
  // what only came near by waiting
  const timers = timerWorker(sql, queue, { fire: async () => {}, owns: () => true }, log)
  await timers.reconcile()
  expect(added.map(({ id }) => id)).toEqual([added[0]?.id, added[0]?.id])
  await outbox.close()
})

it('a round that always fails is in the log, once in half a minute', async () => {
  const { sql } = await testDatabaseOfOneTest()
  await sql`alter table timer rename to elsewhere`
  const told: string[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => void told.push(line) })
  const workers = startWorkers({
    queue: { redisUrl: 'redis://127.0.0.1:1' },
    sql,
    log,
    actors: { fire: async () => {}, react: async () => {} },
  })
  const failed = (level: number) =>
    told.map((line) => JSON.parse(line)).filter((line) => line.level === level && /round/.test(line.msg))
  await expect.poll(() => failed(20).length, { timeout: 30_000 }).toBeGreaterThan(1)
  expect(failed(40)).toMatchObject([{ err: { message: 'relation "timer" does not exist' } }])
  await workers.close()
})
