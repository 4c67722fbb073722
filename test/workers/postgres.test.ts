import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { openBullQueue } from '../../src/store/bull-queue.ts'
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
