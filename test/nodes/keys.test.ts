import { createHash } from 'node:crypto'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createApiKeyStore } from '../../src/store/api-keys.ts'
import { openListener } from '../../src/store/listen.ts'
import { newKey, newOrganization, startApp, type TestApp } from '../support/app.ts'
import { testDatabaseOfOneTest } from '../support/database.ts'
import { proxyTo } from '../support/proxy.ts'
import { redisIsInstalled, startRedis } from '../support/redis.ts'

const log = pino({ level: 'silent' })
const WITHIN_MS = 50
const KEYS = 7

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

test('[issue 17.4] a node that hears no notifications reads each key from the database', async () => {
  const database = await testDatabaseOfOneTest()
  const way = await proxyTo(database.url)
  const storeBy = async (url: string) => {
    const listener = await openListener(url, log)
    onTestFinished(() => listener.close())
    const store = await createApiKeyStore({ sql: database.sql, listener, log })
    onTestFinished(() => store.close())
    return { store, listener }
  }
  const [hearing, deaf] = [await storeBy(database.url), await storeBy(way.url)]
  const organization = await newOrganization(database)
  const fresh = async () => {
    const { key, keyId } = await newKey(database, organization.id, ['teams:read'])
    const hash = createHash('sha256').update(key).digest('hex')
    for (const { store } of [hearing, deaf]) {
      expect(await store.find(hash)).toMatchObject({ id: keyId })
      expect(await store.find(hash)).toMatchObject({ id: keyId })
    }
    return { hash, keyId }
  }
  const remove = async ({ keyId }: { keyId: number }) =>
    void (await database.sql`delete from api_key where id = ${keyId}`)

  const before = await fresh()
  way.freeze()
  way.cut()
  await expect.poll(() => deaf.listener.isUp(), { interval: 1 }).toBe(false)
  await remove(before)
  // at the next request, not some time later
  expect(await deaf.store.find(before.hash)).toBeUndefined()
  await expect.poll(() => hearing.store.find(before.hash), { interval: 1 }).toBeUndefined()
  const meanwhile = await fresh()
  await remove(meanwhile)
  expect(await deaf.store.find(meanwhile.hash)).toBeUndefined()
})

test.runIf(redisIsInstalled)(
  '[issue 17.4] a deleted key opens nothing on any node 50 ms later, also while Redis is away',
  async () => {
    const redis = await startRedis()
    onTestFinished(() => redis.stop())
    const one = await startApp({ REDIS_URL: redis.url })
    onTestFinished(() => one.close())
    // the database goes with the first
    const other = await startApp({ REDIS_URL: redis.url }, undefined, log, { ...one.database, drop: async () => {} })
    onTestFinished(() => other.close())
    const apps = [one, other]
    const organization = await newOrganization(one.database)
    const statusAt = async (app: TestApp, key: string) => (await app.call('GET', '/v1/teams', { key })).status

    /** How long each node took a key that was deleted. */
    const deletion = async () => {
      const { key, keyId } = await newKey(one.database, organization.id, ['teams:read'])
      for (const app of [...apps, ...apps]) expect(await statusAt(app, key)).toBe(200)
      await one.database.sql`delete from api_key where id = ${keyId}`
      const deletedAt = performance.now()
      return Promise.all(
        apps.map(async (app) => {
          for (;;) {
            const askedAt = performance.now()
            if ((await statusAt(app, key)) === 401) return askedAt - deletedAt
            expect(askedAt - deletedAt).toBeLessThan(5_000)
          }
        }),
      )
    }
    const slower = async () => {
      const took: number[] = []
      for (let n = 0; n < KEYS; n++) took.push(Math.max(...(await deletion())))
      return median(took)
    }
    expect(await slower()).toBeLessThan(WITHIN_MS)
    await redis.die()
    expect(await slower()).toBeLessThan(WITHIN_MS)

    // what each tells of itself
    const metrics = await (await fetch(`${other.origin}/metrics`)).text()
    expect(metrics).toMatch(/^tally_slots_owned \d+$/m)
    await expect
      .poll(async () => (await fetch(`${other.origin}/readyz`)).json(), { timeout: 10_000 })
      // each test server has a DATA_DIR of its own
      .toMatchObject({ ready: true, checks: { owner: true }, files: { unreadOf: [expect.any(String)] } })
  },
  60_000,
)
