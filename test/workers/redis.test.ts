import { createServer } from 'node:net'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openBullQueue } from '../../src/store/bull-queue.ts'
import { QUEUES } from '../../src/store/queue.ts'
import { startWorkers } from '../../workers/start.ts'
import { fireInSql, workersContract } from '../contract/workers.ts'
import { testDatabaseOfOneTest } from '../support/database.ts'
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

  it('[P10] a Redis that dies and comes back empty loses nothing, and workers resume within 2 s', async () => {
    const { sql } = await testDatabaseOfOneTest()
    await sql`create table effect (id int generated always as identity, what text, at timestamptz default clock_timestamp())`
    const workers = startWorkers({
      queue: { redisUrl: redis.url },
      sql,
      log: pino({ level: 'silent' }),
      actors: { fire: fireInSql(sql), react: async () => {} },
      jobs: {
        note: async (tx, data) => {
          await tx`insert into effect (what) values (${String(data)})`
        },
      },
    })
    onTestFinished(() => workers.close())
    const job = (what: string, delayMs = 0) => sql`
      insert into outbox (kind, payload) values ('job', ${JSON.stringify({ name: 'note', data: what, delayMs })}::text::json)`
    const done = (what: string) =>
      vi.waitFor(async () => expect(await sql`select from effect where what = ${what}`).toHaveLength(1), {
        timeout: 30_000,
        interval: 20,
      })
    await job('before')
    await done('before')
    await job('delayed', 1_000)
    await sql`insert into timer (ref, name, due_at, event)
      values ('lock/1', 'ttl', clock_timestamp() + interval '1500 ms', '{}')`
    const waiting = async () => expect(await sql`select from outbox where handed_at is null`).toHaveLength(0)
    await vi.waitFor(waiting, { timeout: 30_000, interval: 20 })

    await redis.restart()
    await job('after')
    const back = performance.now()
    await done('after')
    expect(performance.now() - back).toBeLessThan(2_000)
    await done('lock/1')
    // its job is gone with the old Redis; the row is offered again once it is overdue
    await sql`update outbox set handed_at = handed_at - interval '1 minute'`
    await done('delayed')
    const what = (await sql<{ what: string }[]>`select what from effect`).map((row) => row.what).sort()
    expect(what).toEqual(['after', 'before', 'delayed', 'lock/1'])
  })

  it('[P10] a reaction that was handed to Redis just before it died is carried out by the node, once', async () => {
    const { sql } = await testDatabaseOfOneTest()
    const dying = await startRedis()
    let alive = true
    let letGo = () => {}
    const over = new Promise<void>((done) => {
      letGo = done
    })
    const seen: string[] = []
    let started = () => {}
    const worked = new Promise<void>((resolve) => {
      started = resolve
    })
    const workers = startWorkers({
      queue: { redisUrl: dying.url },
      sql,
      log: pino({ level: 'silent' }),
      actors: {
        fire: fireInSql(sql),
        react: async ({ ref }) => {
          seen.push(ref)
          started()
          // the first one: under way when Redis goes
          if (alive) await over
        },
      },
    })
    onTestFinished(async () => {
      // it closes at once where it is reached
      await dying.restart()
      await workers.close()
      await dying.stop()
    })
    const write = (ref: string) =>
      sql`insert into outbox (kind, payload) values ('reaction', ${sql.json({ event: 'match.updated', ref })}::json)`
    await write('match/0')
    await worked
    alive = false
    await dying.die()
    await write('match/1')
    // as it was left when the queue had taken it
    await sql`update outbox set handed_at = clock_timestamp()`
    const since = performance.now()
    await vi.waitFor(() => expect(seen).toContain('match/1'), { timeout: 30_000, interval: 20 })
    expect(performance.now() - since).toBeLessThan(5_000)
    letGo()
    await vi.waitFor(async () => expect(await sql`select from outbox where kind = 'reaction'`).toHaveLength(0), {
      timeout: 30_000,
      interval: 20,
    })
    // the one that was under way needed no queue, and was not begun anew
    expect(seen.sort()).toEqual(['match/0', 'match/1'])
  })

  it.each([
    ['alone', []],
    ['with workers', QUEUES],
  ])('[P10] a queue that is closed while Redis is away, %s, asks for it no more', async (_, worked) => {
    const dying = await startRedis()
    onTestFinished(() => dying.stop())
    const queue = openBullQueue({ redisUrl: dying.url }, pino({ level: 'silent' }))
    await queue.ready
    for (const name of worked) queue.deliver(name, 1, async () => undefined)
    const complained = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => complained.mockRestore())
    // with the connection that the test itself has
    await dying.stop()
    await queue.close()

    // a pause between two tries is half a second at most: whoever has one under way ends after it
    const pause = () => new Promise((resolve) => setTimeout(resolve, 600))
    await pause()
    let asked = 0
    const inItsPlace = createServer((socket) => {
      asked++
      socket.destroy()
    })
    await new Promise<void>((resolve) => inItsPlace.listen(Number(new URL(dying.url).port), '127.0.0.1', resolve))
    onTestFinished(() => void inItsPlace.close())
    await pause()
    expect({ asked, complaints: complained.mock.calls.length }).toEqual({ asked: 0, complaints: 0 })
  })

  it('[P10] a queue that is closed before Redis was ever there, between two tries, says so', async () => {
    const never = await startRedis()
    await never.stop()
    let lines = 0
    const queue = openBullQueue({ redisUrl: never.url }, pino({ level: 'warn' }, { write: () => void lines++ }))
    queue.deliver('jobs', 1, async () => undefined)
    // the first try has failed, and the next one is a while away
    await vi.waitFor(() => expect(lines).toBe(1), { interval: 5 })
    await queue.close()
    await expect(queue.ready).rejects.toThrow('the queue was closed')
    await expect(
      queue.add([{ queue: 'jobs', id: '1', name: 'x', data: null, delayMs: 0, attempts: 1 }]),
    ).rejects.toThrow('the queue was closed')
    // it ends quietly: nobody asks for those who worked it
    expect(lines).toBe(1)
  })
})
