import { afterAll, beforeAll, describe } from 'vitest'
import { providerSyncContract } from '../contract/provider-sync.ts'
import { redisIsInstalled, startRedis, type TestRedis } from '../support/redis.ts'

providerSyncContract('provider syncs on the queue in PostgreSQL', () => ({
  connection: ({ url }) => ({ databaseUrl: url }),
  wipe: async ({ sql }) => {
    await sql`truncate bullmq.job cascade`
  },
}))

describe.skipIf(!redisIsInstalled)('cluster mode', () => {
  let redis: TestRedis
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis.stop())

  providerSyncContract('provider syncs on the queue in Redis', () => ({
    connection: ({ url }) => ({ redisUrl: redis.of(url).url }),
    wipe: ({ url }) => redis.of(url).wipe(),
  }))
})
