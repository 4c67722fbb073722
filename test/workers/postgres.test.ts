import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { openBullQueue } from '../../src/store/bull-queue.ts'
import { QUEUES } from '../../src/store/queue.ts'
import { workersContract } from '../contract/workers.ts'
import { testDatabase } from '../support/database.ts'
import { proxyTo } from '../support/proxy.ts'
import { held } from '../support/studio.ts'

workersContract('workers on the queue in PostgreSQL', () => ({
  connection: ({ url }) => ({ databaseUrl: url }),
  wipe: async ({ sql }) => {
    await sql`truncate bullmq.job cascade`
  },
}))

test('[P8] work goes on when the far end of the connections is gone without a word', async () => {
  const database = await testDatabase()
  onTestFinished(() => database.drop())
  const proxy = await proxyTo(database.url)
  const queue = openBullQueue({ databaseUrl: proxy.url }, pino({ level: 'silent' }), 1_000)
  onTestFinished(() => queue.close())
  const begun: string[] = []
  const hung = held()
  queue.deliver('actors', 1, async ({ name }) => {
    begun.push(name)
    if (name === 'first') await hung.promise
    return undefined
  })
  const work = (name: string) => ({ queue: 'actors', id: name, name, data: {}, delayMs: 0, attempts: 20 }) as const
  await queue.ready
  await queue.add([work('first'), work('second')])
  await expect.poll(() => begun).toEqual(['first'])
  proxy.hang()
  hung.release()
  await expect.poll(() => begun).toContain('second')
})

test('all queues of a process hear of work on one connection, and go on hearing when it is lost', async () => {
  const database = await testDatabase()
  onTestFinished(() => database.drop())
  const queue = openBullQueue({ databaseUrl: database.url }, pino({ level: 'silent' }))
  onTestFinished(() => queue.close())
  const done: string[] = []
  for (const name of QUEUES)
    queue.deliver(name, 1, async (delivery) => {
      done.push(delivery.id)
      return undefined
    })
  await queue.ready
  const work = (round: string) =>
    QUEUES.map((name) => ({ queue: name, id: `${round}-${name}`, name, data: {}, delayMs: 0, attempts: 20 }))
  const idsOf = (round: string) => QUEUES.map((name) => `${round}-${name}`).sort()
  const listening = () => database.sql<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database() and query ilike '%listen bullmq_jobs%' and pid <> pg_backend_pid()`
  await queue.add(work('first'))
  await expect.poll(() => [...done].sort()).toEqual(idsOf('first'))
  await expect.poll(async () => (await listening()).length).toBe(1)
  const [before] = await listening()
  await database.sql`select pg_terminate_backend(${before?.pid ?? 0})`
  done.length = 0
  await expect.poll(async () => (await listening()).map(({ pid }) => pid !== before?.pid)).toEqual([true])
  await queue.add(work('second'))
  await expect.poll(() => [...done].sort()).toEqual(idsOf('second'))
})
