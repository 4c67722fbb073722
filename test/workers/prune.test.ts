import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import { ensurePruning, prune } from '../../workers/prune.ts'
import { startWorkers } from '../../workers/start.ts'
import { testDatabaseOfOneTest } from '../support/database.ts'

it('[live-path 27] idempotency rows are kept 24 h and then deleted, and the next round is asked for', async () => {
  const { sql, url } = await testDatabaseOfOneTest()
  const add = (key: string, age: string) => sql`
    insert into idempotency (organization_id, key, method, path, body_hash, status, body, created_at)
    values (1, ${key}, 'POST', '/x', '', 200, '{}', clock_timestamp() - ${age}::interval)`
  await add('young', '23 hours 59 minutes')
  await add('old', '24 hours 1 minute')
  const workers = startWorkers({ queue: { databaseUrl: url }, sql, log: pino({ level: 'silent' }) })
  onTestFinished(() => workers.close())
  const keys = async () => (await sql<{ key: string }[]>`select key from idempotency`).map(({ key }) => key)
  await vi.waitFor(async () => expect(await keys()).toEqual(['young']), { timeout: 8_000, interval: 50 })
  const rounds = await sql<{ delay: number }[]>`
    select (payload ->> 'delayMs')::int as delay from outbox where payload ->> 'name' = 'prune'`
  expect(rounds).toEqual([{ delay: 600_000 }])
})

it('rounds never multiply, however often they are asked for', async () => {
  const { sql } = await testDatabaseOfOneTest()
  await ensurePruning(sql, 0)
  await ensurePruning(sql, 0)
  await sql.begin(async (tx) => {
    await tx`delete from outbox`
    await prune(tx)
    await prune(tx)
  })
  expect(await sql`select from outbox`).toHaveLength(1)
})
