import { pino } from 'pino'
import type { Sql, TransactionSql } from 'postgres'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { JobRequest, Reaction } from '../../src/jobs.ts'
import { openQueue } from '../../src/store/open-queue.ts'
import { jobIdOf, openOutbox } from '../../src/store/outbox.ts'
import type { QueueConnection, WorkQueue } from '../../src/store/queue.ts'
import { jobRunner, reactionsLost } from '../../workers/jobs.ts'
import { reactionWorker } from '../../workers/reactions.ts'
import { startWorkers, type WorkerParts } from '../../workers/start.ts'
import { type TestDatabase, templateDatabase, testDatabase } from '../support/database.ts'

const log = pino({ level: 'silent' })
const SOON = { timeout: 30_000, interval: 20 }

export type QueueUnderTest = {
  /** Where the queue of this database is. */
  connection(database: TestDatabase): QueueConnection
  /** Loses every job, as a wiped or restored store does. */
  wipe(database: TestDatabase): Promise<void>
}

/** A database for copies, in which the queue has made its tables. */
export const queueTemplate = ({ connection }: QueueUnderTest) =>
  templateDatabase(async (database) => {
    const queue = openQueue(connection(database), log)
    await queue.ready
    await queue.close()
  })

/** Counts what was done, where the doing commits with its row. */
const note = (sql: Sql | TransactionSql, what: string) => sql`insert into effect (what) values (${what})`

/** Does what the host does with a due timer: event and row in one commit, nothing when the row is gone or not due. */
export const fireInSql = (sql: Sql) => async (ref: string, name: string) => {
  await sql`
    with fired as (
      delete from timer where ref = ${ref} and name = ${name} and due_at <= clock_timestamp() returning ref)
    insert into effect (what) select ref from fired`
}

/** What every queue must give the workers. Each adapter's test calls it with its own store. */
export function workersContract(title: string, queueUnderTest: () => QueueUnderTest) {
  describe(title, () => {
    let database: TestDatabase
    let sql: Sql

    beforeAll(async () => {
      database = await testDatabase()
      sql = database.sql
      await sql`create table effect (
        id int generated always as identity, what text not null, at timestamptz not null default clock_timestamp())`
    })
    afterAll(() => database.drop())
    afterEach(async () => {
      vi.useRealTimers()
      await sql`truncate effect, timer, outbox`
    })

    const handlers: WorkerParts['jobs'] = {
      note: async (tx, data) => void (await note(tx, String(data))),
    }
    const start = (parts: Partial<WorkerParts> = {}) => {
      const workers = startWorkers({
        queue: queueUnderTest().connection(database),
        sql,
        log,
        actors: { fire: fireInSql(sql), react: async () => {} },
        jobs: handlers,
        ...parts,
      })
      onTestFinished(() => workers.close())
      return workers
    }
    const openQueueOnly = async () => {
      const queue = openQueue(queueUnderTest().connection(database), log)
      onTestFinished(() => queue.close())
      await queue.ready
      return queue
    }
    const write = async (kind: string, payload: unknown) => {
      const [row] = await sql<{ id: number }[]>`
        insert into outbox (kind, payload) values (${kind}, ${JSON.stringify(payload)}::text::json)
        returning id::float8 as id`
      if (!row) throw new Error('no outbox row')
      return row.id
    }
    const job = (data: string, rest: Partial<JobRequest> = {}) => write('job', { name: 'note', data, ...rest })
    const effects = async () =>
      (await sql<{ what: string }[]>`select what from effect order by id`).map(({ what }) => what)
    const pending = async () => (await sql`select from outbox where payload ->> 'name' is distinct from 'prune'`).length
    const settled = () => vi.waitFor(async () => expect(await pending()).toBe(0), SOON)
    const setTimer = async (ref: string, inMs: number) => {
      const [row] = await sql<{ due: number; notice: unknown }[]>`
        insert into timer (ref, name, due_at, event)
        values (${ref}, 'xstate.after.ttl', clock_timestamp() + make_interval(secs => ${inMs / 1000}), '{}')
        on conflict (ref, name) do update set due_at = excluded.due_at
        returning (extract(epoch from due_at) * 1000)::float8 as due,
          json_build_object('ref', ref, 'name', name, 'dueAt', due_at) as notice`
      if (!row) throw new Error('no timer row')
      await write('timer', row.notice)
      return row.due
    }
    const firedAt = (ref: string) =>
      vi.waitFor(async () => {
        const rows = await sql<{ at: number }[]>`
            select (extract(epoch from at) * 1000)::float8 as at from effect where what = ${ref}`
        expect(rows).toHaveLength(1)
        return rows[0]?.at ?? 0
      }, SOON)
    const databaseTime = async () => {
      const [row] = await sql<{ now: number }[]>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`
      return row?.now ?? 0
    }
    const databaseClockPasses = (time: number) =>
      vi.waitFor(async () => expect(await databaseTime()).toBeGreaterThan(time), SOON)

    describe('[live-path 8] the outbox', () => {
      it('runs a job right after the commit that asked for it, once, and keeps nothing', async () => {
        const workers = start()
        await job('a')
        workers.drainSoon()
        await settled()
        expect(await effects()).toEqual(['a'])
        await vi.waitFor(async () => expect(await workers.outboxAgeSeconds()).toBe(0), SOON)
      })

      it('finds rows that nobody announced, within seconds', async () => {
        start()
        await job('unannounced')
        await settled()
        expect(await effects()).toEqual(['unannounced'])
      })

      it('keeps the rows while there is no worker and tells how old they are', async () => {
        await job('early')
        const age = () => vi.waitFor(async () => expect(await quiet.outboxAgeSeconds()).toBeGreaterThan(0), SOON)
        // nothing listens there, so nothing is handed over
        const quiet = start({ queue: { redisUrl: 'redis://127.0.0.1:1' } })
        await age()
        await quiet.close()
        expect(await pending()).toBe(1)
        start()
        await settled()
        expect(await effects()).toEqual(['early'])
      })

      it('leaves to the node what only the node works, in a process that only works jobs', async () => {
        const reaction = await write('reaction', { event: 'match.updated', ref: 'match/5' })
        const sync = await write('job', { name: 'provider-sync', data: { connectionId: 1 } })
        const workers = startWorkers({ queue: queueUnderTest().connection(database), sql, log, jobs: handlers })
        onTestFinished(() => workers.close())
        await job('mine')
        await vi.waitFor(async () => expect(await effects()).toEqual(['mine']), SOON)
        const left = await sql<{ id: number }[]>`
          select id::float8 as id from outbox where handed_at is null and id in ${sql([reaction, sync])} order by outbox.id`
        expect(left.map(({ id }) => id)).toEqual([reaction, sync])
      })

      it('waits for the delay of a delayed job and not much longer', async () => {
        const workers = start()
        const before = await databaseTime()
        await job('later', { delayMs: 700 })
        workers.drainSoon()
        const at = await firedAt('later')
        expect(at - before).toBeGreaterThanOrEqual(690)
        expect(at - before).toBeLessThan(3_000)
      })

      it('tries a failing job again with backoff until it succeeds, and nothing of the failed tries remains', async () => {
        const times: number[] = []
        start({
          jobs: {
            note: async (tx, data) => {
              times.push(performance.now())
              await note(tx, String(data))
              if (times.length < 3) throw new Error('not yet')
            },
          },
        })
        await job('third time')
        await settled()
        expect(times).toHaveLength(3)
        expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(150)
        expect((times[2] ?? 0) - (times[1] ?? 0)).toBeGreaterThan(300)
        expect(await effects()).toEqual(['third time'])
      })

      it('gives a job up after its last attempt', async () => {
        let attempts = 0
        start({
          jobs: {
            note: async () => {
              attempts++
              throw new Error('never')
            },
          },
        })
        await job('hopeless', { attempts: 2 })
        await settled()
        expect(attempts).toBe(2)
      })

      it('drops a row that nobody understands and goes on with the next', async () => {
        start()
        await write('carrier-pigeon', {})
        await job('next')
        await settled()
        expect(await effects()).toEqual(['next'])
      })

      it('[P7] a crash between hand-over and mark does not run the job twice', async () => {
        const queue = await openQueueOnly()
        const crashing: WorkQueue = {
          ...queue,
          add: async (work) => {
            await queue.add(work)
            throw new Error('killed here: the transaction never commits')
          },
        }
        await job('once')
        await openOutbox(sql, crashing, log).drain()
        const [row] = await sql<
          { handed: boolean }[]
        >`select handed_at is not null as handed from outbox where payload ->> 'name' = 'note'`
        expect(row).toEqual({ handed: false })
        start()
        await settled()
        await job('after')
        await settled()
        expect(await effects()).toEqual(['once', 'after'])
      })

      it('[P7] a job delivered to two workers at once takes effect once', async () => {
        const outboxId = await job('fenced')
        const run = jobRunner(sql, handlers ?? {}, log)
        const delivery = { id: 'x', name: 'note', data: { outboxId }, last: false }
        await Promise.all([run(delivery), run(delivery), run(delivery)])
        await run(delivery)
        expect(await effects()).toEqual(['fenced'])
      })

      it('[P10] a queue that lost everything gets the unfinished rows again', async () => {
        const queue = await openQueueOnly()
        const outbox = openOutbox(sql, queue, log)
        await job('survivor')
        await outbox.drain()
        await queueUnderTest().wipe(database)
        await sql`update outbox set handed_at = handed_at - interval '1 minute'`
        await outbox.handOverAgain()
        start()
        await settled()
        expect(await effects()).toEqual(['survivor'])
      })

      it('runs a reaction until it succeeds, then never again', async () => {
        const seen: Reaction[] = []
        const workers = start({
          actors: {
            fire: fireInSql(sql),
            react: async (reaction) => {
              seen.push(reaction)
              if (seen.length === 1) throw new Error('the actor is away')
            },
          },
        })
        await write('reaction', { event: 'match.updated', ref: 'match/5' })
        workers.drainSoon()
        await settled()
        expect(seen).toEqual(Array(2).fill({ event: 'match.updated', ref: 'match/5' }))
      })
    })

    describe('[P10] reactions while the queue is away', () => {
      it('are carried out by the node itself, each once, and one that fails keeps no other waiting', async () => {
        const seen: string[] = []
        start({
          // nothing listens there, so nothing is handed over
          queue: { redisUrl: 'redis://127.0.0.1:1' },
          actors: {
            fire: fireInSql(sql),
            react: async ({ ref }) => {
              seen.push(ref)
              if (ref === 'match/1' && seen.filter((one) => one === ref).length < 3)
                throw new Error('the actor is away')
            },
          },
        })
        const before = performance.now()
        await write('reaction', { event: 'match.updated', ref: 'match/1' })
        await write('reaction', { event: 'match.updated', ref: 'match/2' })
        await vi.waitFor(() => expect(seen).toContain('match/2'), SOON)
        expect(performance.now() - before).toBeLessThan(2_500)
        await settled()
        expect(seen.sort()).toEqual(['match/1', 'match/1', 'match/1', 'match/2'])
      })

      it('wait for no hand-over of other rows that gets no answer', async () => {
        let offered = 0
        let giveUp = () => {}
        const silent: WorkQueue = {
          ready: Promise.resolve(),
          add: () =>
            ++offered > 1
              ? Promise.reject(new Error('away'))
              : new Promise((_, reject) => {
                  giveUp = () => reject(new Error('no answer'))
                }),
          lacks: async () => [],
          deliver: () => {},
          close: async () => {},
        }
        const seen: string[] = []
        const outbox = openOutbox(sql, silent, log)
        const react = async ({ ref }: Reaction) => void seen.push(ref)
        const worker = reactionWorker(sql, silent, { react, othersWait: outbox.drainSoon }, log)
        await job('held')
        for (const ref of ['match/3', 'match/4']) {
          await write('reaction', { event: 'match.updated', ref })
          await worker.take()
          await vi.waitFor(() => expect([offered, seen.at(-1)]).toEqual([1, ref]), SOON)
        }
        await worker.close()
        expect(await sql`select from outbox where kind = 'reaction'`).toEqual([])
        giveUp()
        await outbox.close()
      })
    })

    describe('[live-path 8] a reaction is carried out where it is found', () => {
      const never: Pick<WorkQueue, 'add'> = { add: () => Promise.reject(new Error('not needed')) }

      it('at once and once, by one of several that look at the same time', async () => {
        const seen: string[] = []
        const worker = () =>
          reactionWorker(sql, never, { react: async ({ ref }) => void seen.push(ref), othersWait: () => {} }, log)
        const workers = [worker(), worker(), worker()]
        const refs = Array.from({ length: 120 }, (_, index) => `match/${index}`)
        for (const ref of refs) await write('reaction', { event: 'match.updated', ref })
        await Promise.all(workers.map(({ take }) => take()))
        await settled()
        expect(seen.sort()).toEqual(refs.sort())
        await Promise.all(workers.map(({ close }) => close()))
      })

      it('not too many at once, and those that follow as soon as there is room', async () => {
        const ends: (() => void)[] = []
        let most = 0
        let running = 0
        const react = async () => {
          most = Math.max(most, ++running)
          await new Promise<void>((resolve) => ends.push(resolve))
          running--
        }
        const worker = reactionWorker(sql, never, { react, othersWait: () => {} }, log)
        for (let index = 0; index < 70; index++)
          await write('reaction', { event: 'match.updated', ref: `match/${index}` })
        await worker.take()
        expect(worker.underWay()).toHaveLength(50)
        await worker.take()
        for (const end of ends.splice(0)) end()
        await vi.waitFor(() => expect(ends).toHaveLength(20), SOON)
        for (const end of ends.splice(0)) end()
        await settled()
        expect(most).toBe(50)
        await worker.close()
      })

      it('[P7] by another process when its own is killed in the middle', async () => {
        const killed = reactionWorker(sql, never, { react: () => new Promise(() => {}), othersWait: () => {} }, log)
        await write('reaction', { event: 'match.updated', ref: 'match/9' })
        await killed.take()
        expect(killed.underWay()).toHaveLength(1)
        const seen: string[] = []
        start({ actors: { fire: fireInSql(sql), react: async ({ ref }) => void seen.push(ref) } })
        await settled()
        expect(seen).toEqual(['match/9'])
      })
    })

    it('[P10] a reaction that the queue has lost is carried out at once, one that it holds is left to it', async () => {
      const queue = await openQueueOnly()
      const [held, lost, kept] = [
        await write('reaction', { event: 'match.updated', ref: 'match/1' }),
        await write('reaction', { event: 'match.updated', ref: 'match/2' }),
        await write('reaction', { event: 'overlay.behind', ref: 'overlay/3' }),
      ]
      await queue.add([
        {
          queue: 'actors',
          id: `outbox-${held}`,
          name: 'reaction',
          data: { outboxId: held },
          delayMs: 60_000,
          attempts: 20,
        },
      ])
      await sql`update outbox set handed_at = clock_timestamp() - interval '2 s'`
      const seen: string[] = []
      const round = (of: WorkQueue) =>
        reactionsLost(sql, of, { react: async ({ ref }) => void seen.push(ref), owns: () => true }, log)()
      const left = async () =>
        (await sql<{ id: number }[]>`select id::float8 as id from outbox order by outbox.id`).map(({ id }) => id)
      await round(queue)
      expect(seen).toEqual(['match/2'])
      expect(await left()).toEqual([held, kept])
      expect(await queue.lacks('actors', [held, lost].map(jobIdOf))).toEqual([jobIdOf(lost)])
      await round({ ...queue, lacks: () => Promise.reject(new Error('away')) })
      expect(seen.sort()).toEqual(['match/1', 'match/2', 'overlay/3'])
      expect(await left()).toEqual([])
    })

    describe('[P6] timers', () => {
      it('fire once, not before their time and at most a second late', async () => {
        const workers = start()
        const due = await Promise.all([300, 600, 600, 900].map((ms, index) => setTimer(`lock/${index}`, ms)))
        workers.drainSoon()
        for (const [index, at] of due.entries()) {
          const late = (await firedAt(`lock/${index}`)) - at
          expect(late).toBeGreaterThanOrEqual(0)
          expect(late).toBeLessThan(1_000)
        }
        await databaseClockPasses(Math.max(...due) + 1_000)
        expect(await effects()).toHaveLength(4)
      })

      it('do not fire when cancelled, nor at the old time when set anew', async () => {
        const workers = start()
        await setTimer('lock/cancelled', 2_000)
        const first = await setTimer('lock/renewed', 2_000)
        workers.drainSoon()
        await sql`delete from timer where ref = 'lock/cancelled'`
        const second = await setTimer('lock/renewed', 4_000)
        workers.drainSoon()
        await databaseClockPasses(first + 500)
        const late = (await firedAt('lock/renewed')) - second
        expect(late).toBeGreaterThanOrEqual(0)
        expect(late).toBeLessThan(1_000)
        expect(await effects()).toEqual(['lock/renewed'])
      })

      it('are tried again when the actor is away', async () => {
        let tries = 0
        start({
          actors: {
            fire: async (ref, name) => {
              if (++tries < 2) throw new Error('the actor is away')
              await fireInSql(sql)(ref, name)
            },
            react: async () => {},
          },
        })
        const due = await setTimer('lock/away', 200)
        expect((await firedAt('lock/away')) - due).toBeLessThan(2_000)
      })

      it('fire in time after the queue lost every job', async () => {
        const workers = start()
        const due = await setTimer('lock/wiped', 1_500)
        workers.drainSoon()
        await vi.waitFor(async () => expect(await pending()).toBe(0), SOON)
        await queueUnderTest().wipe(database)
        const late = (await firedAt('lock/wiped')) - due
        expect(late).toBeGreaterThanOrEqual(0)
        expect(late).toBeLessThan(1_000)
      })

      it.each([
        ['an hour fast', 3_600_000],
        ['an hour slow', -3_600_000],
      ])('follow the clock of the database when the node is %s', async (_title, skew) => {
        const workers = start()
        const due = await setTimer('lock/skewed', 1_200)
        workers.drainSoon()
        await vi.waitFor(async () => expect(await pending()).toBe(0), SOON)
        vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + skew })
        const late = (await firedAt('lock/skewed')) - due
        expect(late).toBeGreaterThanOrEqual(0)
        expect(late).toBeLessThan(1_000)
        await databaseClockPasses(due + 1_000)
        expect(await effects()).toEqual(['lock/skewed'])
      })
    })
  })
}
