import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Media } from '../../src/media/ports.ts'
import { observe } from '../../src/resources/streams/observe.commands.ts'
import { rescheduleStream } from '../../src/resources/streams/schedule.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import {
  createGround,
  FOOTBALL,
  type Ground,
  live,
  MINUTE,
  type Node,
  node,
  off,
  SOON,
  working,
} from './auto-stream-ground.ts'
import { type QueueUnderTest, queueTemplate } from './workers.ts'

/** What every queue must give Auto Stream. Each adapter's test calls it with its own store. */
export function autoStreamContract(title: string, queueUnderTest: () => QueueUnderTest) {
  type Stage = { database: TestDatabase; ground: Ground; newNode: (media?: Media) => Node }
  let template: Awaited<ReturnType<typeof queueTemplate>>
  // each on a stage of its own, all at the same time: what takes long is the time that is waited for
  const it = test.extend<{ stage: Stage }>({
    stage: async ({ onTestFinished }, use) => {
      const database = await testDatabase({ connections: 3 }, template.name)
      onTestFinished(() => database.drop())
      const ground = await createGround(database, queueUnderTest, onTestFinished)
      await use({ database, ground, newNode: (media) => node(database, onTestFinished, media) })
    },
  })

  describe.concurrent(title, () => {
    beforeAll(async () => {
      template = await queueTemplate(queueUnderTest())
    })
    afterAll(() => template?.drop())

    describe('[issue 5.5] Auto Stream', () => {
      it('[spec 14] starts at its time, goes live with every destination, and stops when the match is over', async ({
        stage: { ground, newNode },
      }) => {
        const on = newNode()
        const plannedAt = Date.now() + 1_500
        const made = await ground.production(MINUTE + 1_500, { pregame: 1 })
        ground.work(on)
        await rescheduleStream(on.context(ground.organizationId), made.streamId)
        await ground.reaches(on, made.streamId, live(made))
        expect(await ground.startedAt(made.streamId)).toBeGreaterThanOrEqual(plannedAt)
        await ground.destinationsAre(on, made, 'connecting')
        const at = new Date().toISOString()
        await ground.tellMatch(on, made.matchId, { type: 'update', at, state: 'abandoned' })
        await ground.reaches(on, made.streamId, { phase: 'stopped', error: null })
        await ground.destinationsAre(on, made, 'stopped')
        expect(await ground.startsOf(made.streamId)).toBe(1)
      })

      it('finds by itself what nobody told it: a start that is overdue runs at once, its stop in time', async ({
        stage: { ground, newNode },
      }) => {
        const on = newNode()
        const made = await ground.production(10_000 - FOOTBALL)
        ground.work(on)
        await ground.reaches(on, made.streamId, live(made))
        await ground.reaches(on, made.streamId, { phase: 'stopped', run: 1 })
      })

      it('does nothing about a match whose stop is overdue, too', async ({ stage: { ground, newNode } }) => {
        const on = newNode()
        const made = await ground.production(-1_000 - FOOTBALL)
        ground.work(on)
        await vi.waitFor(async () => expect((await ground.stateOf(on, made.streamId))?.automation).toBeTruthy(), SOON)
        await ground.roundIsOver()
        await ground.databasePasses(500)
        expect(await ground.stateOf(on, made.streamId)).toMatchObject({ phase: 'stopped', run: 0, error: null })
      })

      it('follows a kick-off that changes', async ({ stage: { ground, newNode } }) => {
        const on = newNode()
        const made = await ground.production(4_000)
        ground.work(on)
        await rescheduleStream(on.context(ground.organizationId), made.streamId)
        await ground.kickOff(on, made.matchId, 60 * MINUTE)
        await ground.databasePasses(4_500)
        expect(await ground.stateOf(on, made.streamId)).toMatchObject({ phase: 'stopped', run: 0 })
        await ground.kickOff(on, made.matchId, 500)
        await ground.reaches(on, made.streamId, live(made))
      })

      it('fires by what the match says now, also when nobody was told that it had changed', async ({
        stage: { database, ground, newNode },
      }) => {
        const on = newNode()
        const made = await ground.production(2_500)
        await rescheduleStream(on.context(ground.organizationId), made.streamId)
        // the reaction of this commit is lost with its node
        await ground.kickOff(on, made.matchId, 60 * MINUTE)
        await database.sql`delete from outbox`
        await ground.databasePasses(2_800)
        const { streams } = on
        // no round comes to its help
        ground.work(on, { schedules: { ...streams, rescheduleAll: async () => {} } })
        await vi.waitFor(async () => {
          const due = await database.sql`
            select from timer where ref = ${`stream/${made.streamId}`} and name = 'autoStart'
              and due_at > clock_timestamp() + interval '30 minutes'`
          expect(due).toHaveLength(1)
        }, SOON)
        expect(await ground.stateOf(on, made.streamId)).toMatchObject({ phase: 'stopped', run: 0 })
      })

      it('starts and stops in time although the queue lost every job', async ({
        stage: { database, ground, newNode },
      }) => {
        const on = newNode()
        const made = await ground.production(10_000 - FOOTBALL)
        const later = await ground.production(3_000)
        ground.work(on)
        await ground.reaches(on, made.streamId, live(made))
        await vi.waitFor(async () => expect((await ground.stateOf(on, later.streamId))?.automation).toBeTruthy(), SOON)
        await queueUnderTest().wipe(database)
        await ground.reaches(on, later.streamId, live(later))
        await ground.reaches(on, made.streamId, { phase: 'stopped', run: 1 })
      })

      it('takes a match on air and off again while the queue is away', async ({ stage: { ground, newNode } }) => {
        const on = newNode()
        const made = await ground.production(11_000 - FOOTBALL, { pregame: 114 })
        // nothing listens there
        ground.work(on, { queue: { redisUrl: 'redis://127.0.0.1:1' } })
        await ground.byHand(on, made.streamId, 'start')
        await ground.reaches(on, made.streamId, { phase: 'running', liveAt: null })
        await rescheduleStream(on.context(ground.organizationId), made.streamId)
        await ground.reaches(on, made.streamId, live(made))
        await ground.destinationsAre(on, made, 'connecting')
        await ground.reaches(on, made.streamId, { phase: 'stopped' })
        await ground.destinationsAre(on, made, 'stopped')
      })

      it('two workers never start a stream twice', async ({ stage: { ground, newNode } }) => {
        const on = newNode()
        const made = await ground.production(1_000)
        ground.work(on)
        ground.work(on)
        await rescheduleStream(on.context(ground.organizationId), made.streamId)
        await ground.reaches(on, made.streamId, live(made))
        await ground.roundIsOver()
        expect(await ground.startsOf(made.streamId)).toBe(1)
      })

      it('does not undo what was stopped by hand, not after a restart either', async ({
        stage: { database, ground, newNode },
      }) => {
        const on = newNode()
        const made = await ground.production(0)
        const first = ground.work(on)
        await ground.reaches(on, made.streamId, live(made))
        await ground.byHand(on, made.streamId, 'stop')
        await ground.reaches(on, made.streamId, { phase: 'stopped' })
        await first.close()
        const next = newNode()
        ground.work(next)
        await ground.roundIsOver()
        // before it was stopped
        await ground.kickOff(next, made.matchId, -MINUTE)
        await vi.waitFor(
          async () => expect(await database.sql`select from outbox where kind = 'reaction'`).toEqual([]),
          SOON,
        )
        await ground.databasePasses(300)
        expect(await ground.stateOf(next, made.streamId)).toMatchObject({ phase: 'stopped', run: 1 })
      })

      it('says why it cannot start, and starts once that is put right', async ({
        stage: { database, ground, newNode },
      }) => {
        const on = newNode()
        const made = await ground.production(0, { input: false })
        ground.work(on)
        await ground.reaches(on, made.streamId, { phase: 'stopped', run: 0, error: 'The stream has no input' })
        const [told] = await database.sql<{ principal: unknown }[]>`
          select principal from journal where ref = ${`stream/${made.streamId}`}
            and events::text like '%The stream has no input%' and events::text like '%stream.stopped%'`
        expect(told?.principal).toEqual({ type: 'system', name: 'timer' })
        await database.sql`update stream_settings set input_id = ${ground.inputId} where id = ${made.streamId}`
        await rescheduleStream(on.context(ground.organizationId), made.streamId)
        await ground.reaches(on, made.streamId, { ...live(made), error: null })
      })

      it('says so where no media runs at all', async ({ stage: { ground, newNode } }) => {
        const on = newNode({ ...working, off: off ?? '' })
        const made = await ground.production(0)
        ground.work(on)
        await ground.reaches(on, made.streamId, { phase: 'stopped', error: off })
      })

      it('takes a stream live that was started to be looked at', async ({ stage: { ground, newNode } }) => {
        const on = newNode()
        const made = await ground.production(4_000)
        ground.work(on)
        await ground.byHand(on, made.streamId, 'start')
        await ground.reaches(on, made.streamId, { phase: 'running', liveAt: null, publishing: [] })
        await ground.reaches(on, made.streamId, live(made))
        expect(await ground.startsOf(made.streamId)).toBe(1)
      })

      it('is switched off where a crash came between settings and schedule', async ({
        stage: { database, ground, newNode },
      }) => {
        const on = newNode()
        const made = await ground.production(60 * MINUTE)
        await rescheduleStream(on.context(ground.organizationId), made.streamId)
        expect((await ground.stateOf(on, made.streamId))?.automation).toBeTruthy()
        await database.sql`update stream_settings set auto_stream = false where id = ${made.streamId}`
        ground.work(on)
        await ground.reaches(on, made.streamId, { automation: null })
        expect(await database.sql`select from timer where ref = ${`stream/${made.streamId}`}`).toEqual([])
      })
    })

    describe('[issue 5.5] retries of destinations', () => {
      it.for([
        ['with its job', false],
        ['although the queue lost it', true],
      ])('the next try comes when it is due, %s', async ([_title, wiped], { stage: { database, ground, newNode } }) => {
        const on = newNode()
        const { destinationIds } = await ground.production(0, { autoStream: false })
        const id = destinationIds[0] ?? 0
        ground.work(on)
        const ctx = on.context(ground.organizationId)
        await on.actors.send(ctx, 'destination', id, {
          asked: { type: 'wish' },
          decide: () => ({ type: 'wish', wanted: true, wish: 1, now: false }),
          reply: () => undefined,
          refused: () => {
            throw new Error('refused')
          },
        })
        const retryInMs = 3_000
        const nextRetryDate = new Date(Date.now() + retryInMs).toISOString()
        const failed = { attempt: 1, error: 'refused', retryInMs, nextRetryDate }
        await observe(ctx, {
          type: 'destination.failed',
          organizationId: ground.organizationId,
          destinationId: id,
          ...failed,
        })
        expect((await on.actors.read('destination', id))?.context).toMatchObject({ phase: 'retrying', nextRetryDate })
        if (wiped) await queueUnderTest().wipe(database)
        await vi.waitFor(
          async () =>
            expect((await on.actors.read('destination', id))?.context).toMatchObject({
              phase: 'connecting',
              attempt: 2,
            }),
          SOON,
        )
        expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(nextRetryDate) - 5)
      })
    })
  })
}
