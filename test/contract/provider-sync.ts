import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, type TestContext, test, vi } from 'vitest'
import { requestSync } from '../../src/resources/providers/commands.ts'
import { startWorkers } from '../../workers/start.ts'
import { feedServer, json, league } from '../providers/feed-server.ts'
import { connected, localConnector, syncing } from '../providers/rig.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { fireInSql, type QueueUnderTest, queueTemplate } from './workers.ts'

const SOON = { timeout: 30_000, interval: 50 }

/** What every queue must give the schedule of provider syncs. Each adapter's test calls it with its own store. */
export function providerSyncContract(title: string, queueUnderTest: () => QueueUnderTest) {
  let template: Awaited<ReturnType<typeof queueTemplate>>
  const it = test.extend<{ stage: ReturnType<typeof open> }>({
    stage: async ({ onTestFinished }, use) => {
      const database = await testDatabase({ connections: 3 }, template.name)
      onTestFinished(() => database.drop())
      await use(open(database, onTestFinished))
    },
  })

  const open = (database: TestDatabase, onTestFinished: TestContext['onTestFinished']) => ({
    database,
    newFeed: () => feedServer({ onTestFinished }),
    start() {
      const { sync } = syncing(database, localConnector(), undefined, { onTestFinished })
      const workers = startWorkers({
        queue: queueUnderTest().connection(database),
        sql: database.sql,
        log: pino({ level: 'silent' }),
        actors: { fire: fireInSql(database.sql), react: async () => {}, sync },
      })
      onTestFinished(() => workers.close())
    },
    every: (id: number, seconds: number) =>
      database.sql`update provider_connection set interval_seconds = ${seconds} where id = ${id}`,
    ended: (id: number) =>
      vi.waitFor(async () => {
        const [row] = await database.sql`
          select last_error, last_result from provider_connection where id = ${id} and run_id is null`
        expect(row?.last_result).toBeTruthy()
        expect(row?.last_error).toBeNull()
      }, SOON),
  })

  // each on a stage of its own, all at the same time: what takes long is the time that is waited for
  describe.concurrent(title, () => {
    beforeAll(async () => {
      template = await queueTemplate(queueUnderTest())
    })
    afterAll(() => template?.drop())

    it('loads a new connection at once and then again each interval', async ({
      stage: { database, newFeed, start, every, ended },
    }) => {
      const feed = await newFeed()
      feed.serve(league())
      const { id } = await connected(database, feed.url)
      await every(id, 1)
      start()
      await vi.waitFor(() => expect(feed.requests.length).toBeGreaterThanOrEqual(3), { ...SOON, timeout: 40_000 })
      await every(id, 3_600)
      await ended(id)
    })

    it('syncs on demand long before the next round is due', async ({ stage: { database, newFeed, start, ended } }) => {
      const feed = await newFeed()
      feed.serve(league())
      const { id } = await connected(database, feed.url)
      start()
      await ended(id)
      expect(feed.requests).toHaveLength(1)
      await requestSync(database.db, id)
      await vi.waitFor(() => expect(feed.requests).toHaveLength(2), SOON)
      await ended(id)
    })

    it('makes the schedule anew from the connections when the queue and every job are lost', async ({
      stage: { database, newFeed, start, ended },
    }) => {
      const feed = await newFeed()
      feed.serve(league())
      const { id } = await connected(database, feed.url)
      start()
      await ended(id)
      // the round that ended asks for the next one, which belongs to what is lost
      const asked = () => database.sql`
        select from outbox where payload ->> 'name' = 'provider-sync' and handed_at is not null
          and payload -> 'data' ->> 'connectionId' = ${String(id)} and (payload ->> 'delayMs')::bigint > 0`
      await vi.waitFor(async () => expect(await asked()).toHaveLength(1), SOON)
      await queueUnderTest().wipe(database)
      // at once: a look between the two would ask for what was due before
      await database.sql.begin(async (tx) => {
        await tx`update provider_connection set due_at = clock_timestamp() where id = ${id}`
        await tx`delete from outbox where payload ->> 'name' = 'provider-sync'`
      })
      // the schedule is looked at every ten seconds
      await vi.waitFor(() => expect(feed.requests).toHaveLength(2), { ...SOON, timeout: 40_000 })
      await ended(id)
    })

    it('never syncs a connection twice at once, however many workers and requests there are', async ({
      stage: { database, newFeed, start, ended },
    }) => {
      const feed = await newFeed()
      let under = 0
      let most = 0
      const held: (() => void)[] = []
      feed.answer((_request, response) => {
        most = Math.max(most, ++under)
        held.push(() => {
          under--
          response.writeHead(200, json).end(JSON.stringify(league()))
        })
      })
      const { id } = await connected(database, feed.url)
      start()
      start()
      await vi.waitFor(() => expect(held).toHaveLength(1), SOON)
      for (let request = 0; request < 5; request++) await requestSync(database.db, id)
      // every job of these requests has been looked at once
      await vi.waitFor(
        async () =>
          expect(
            await database.sql`select from outbox where handed_at is null and payload ->> 'name' = 'provider-sync'`,
          ).toEqual([]),
        SOON,
      )
      held.shift()?.()
      // what was asked for while one was under way is done afterwards
      await vi.waitFor(() => expect(held).toHaveLength(1), SOON)
      held.shift()?.()
      await ended(id)
      expect(most).toBe(1)
    })

    it('takes up what a killed node left: its lease ends and the connection is synced', async ({
      stage: { database, newFeed, start, ended },
    }) => {
      const feed = await newFeed()
      feed.serve(league())
      const { id } = await connected(database, feed.url)
      await database.sql`update provider_connection set run_id = gen_random_uuid(), last_started_at = clock_timestamp(),
        run_until = clock_timestamp() + interval '2 seconds', due_at = clock_timestamp() + interval '1 hour' where id = ${id}`
      start()
      await ended(id)
      expect(feed.requests).toHaveLength(1)
    })
  })
}
