import { onTestFinished } from 'vitest'
import { freePort } from '../../bench/free-port.ts'
import { startServer } from '../../bench/server.ts'
import { slotOf } from '../../src/nodes/slots.ts'
import { testDatabaseOfOneTest } from './database.ts'
import { temporaryDirectory } from './directory.ts'
import { startRedis } from './redis.ts'
import { TEST_KEY } from './secrets.ts'

/** A database and a Redis for one test, and what starts a built node on them; `settings` are of all nodes. */
export async function nodeService(settings: Readonly<Record<string, string>> = {}) {
  const database = await testDatabaseOfOneTest()
  const redis = await startRedis()
  onTestFinished(() => redis.stop())
  const dataDir = temporaryDirectory()
  const start = async () => {
    const nodePort = String(await freePort())
    const nodeUrl = `127.0.0.1:${nodePort}`
    const server = await startServer(dataDir, {
      settings: {
        ...{ DATABASE_URL: database.url, REDIS_URL: redis.url, SECRETS_KEY: TEST_KEY, MEDIA_ENGINE: 'off' },
        ...{ NODE_PORT: nodePort, NODE_URL: nodeUrl, ...settings },
      },
    })
    onTestFinished(() => server.stop())
    return { ...server, nodeUrl }
  }
  const ownerOf = async (ref: string) => {
    const [slot] = await database.sql<{ node: string }[]>`select node from slot where id = ${slotOf(ref)}`
    return slot?.node
  }
  return { database, redis, start, ownerOf }
}
