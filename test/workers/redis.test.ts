import { afterAll, beforeAll, describe } from 'vitest'
import { workersContract } from '../contract/workers.ts'
import { redisIsInstalled, startRedis, type TestRedis } from '../support/redis.ts'

describe.skipIf(!redisIsInstalled)('cluster mode', () => {
  let redis: TestRedis
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis.stop())

  workersContract('workers on the queue in Redis', () => ({
    connection: () => ({ redisUrl: redis.url }),
    wipe: () => redis.wipe(),
  }))
})
