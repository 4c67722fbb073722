import { pino } from 'pino'
import { expect, it } from 'vitest'
import type { WorkQueue } from '../../src/store/queue.ts'
import { timerWorker } from '../../workers/timers.ts'
import { testDatabaseOfOneTest } from '../support/database.ts'

const log = pino({ level: 'silent' })
const away: WorkQueue = {
  ready: new Promise(() => {}),
  add: () => Promise.reject(new Error('away')),
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
  const timers = timerWorker(sql, away, fire, log)
  await timers.fireOverdue()
  expect(fired).toEqual(['lock/2'])
  // others go first for a while
  await timers.fireOverdue()
  expect(fired).toEqual(['lock/2'])
  await expect
    .poll(() => timers.fireOverdue().then(() => fired), { timeout: 5_000, interval: 100 })
    .toEqual(['lock/2', 'lock/1'])
})
