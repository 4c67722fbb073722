import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { openSession } from '../../src/store/session.ts'
import { testDatabaseOfOneTest } from '../support/database.ts'
import { proxyTo } from '../support/proxy.ts'

test('[P8] a server that freezes while a session is set up is not waited for', async () => {
  const database = await testDatabaseOfOneTest()
  let setUps = 0
  const session = await openSession({
    url: database.url,
    applicationName: 'freezing',
    log: pino({ level: 'silent' }),
    setUpWithinMs: 1_000,
    async setUp(client) {
      setUps += 1
      if (setUps === 2) await client.query('select pg_sleep(60)')
    },
  })
  onTestFinished(() => session.close())
  await database.sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'freezing'`
  await expect.poll(() => setUps).toBeGreaterThanOrEqual(3)
  await expect.poll(session.isUp).toBe(true)
})

test('the first connection may take its time, for a whole machine may be starting', async () => {
  const { url } = await testDatabaseOfOneTest()
  const slow = await proxyTo(url, 200)
  const startedAt = performance.now()
  const session = await openSession({
    url: slow.url,
    applicationName: 'slow',
    log: pino({ level: 'silent' }),
    async setUp() {},
  })
  onTestFinished(() => session.close())
  expect(session.isUp()).toBe(true)
  // longer than any connection after it
  expect(performance.now() - startedAt).toBeGreaterThan(2_000)
})
