import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type NewMatch, newMatch, UNSAID } from '../../machines/match.ts'
import type { MatchCommand } from '../../machines/match-model.ts'
import { newActor } from '../../src/actors/effects.ts'
import { ActorHost } from '../../src/actors/host.ts'
import type { Context } from '../../src/context.ts'
import { mediaOff } from '../../src/media/off.ts'
import type { Media } from '../../src/media/ports.ts'
import { createReactions } from '../../src/reactions.ts'
import { askMatch } from '../../src/resources/matches/ask-match.ts'
import { observe } from '../../src/resources/streams/observe.commands.ts'
import { createStreamReactions, type StreamReactions } from '../../src/resources/streams/react.commands.ts'
import { rescheduleStream } from '../../src/resources/streams/schedule.ts'
import { createPostgresJournal } from '../../src/store/journal-postgres.ts'
import { matchProjection } from '../../src/store/match-projection.ts'
import { connectDatabase } from '../../src/store/postgres.ts'
import type { QueueConnection } from '../../src/store/queue.ts'
import { startWorkers } from '../../workers/start.ts'
import { newOrganization } from '../support/app.ts'
import { testContext } from '../support/context.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import type { QueueUnderTest } from './workers.ts'

const log = pino({ level: 'silent' })
const SOON = { timeout: 15_000, interval: 20 }
const MINUTE = 60_000
/** From kick-off to the nominal end of a football match with its stop at once. */
const FOOTBALL = 115 * MINUTE

const { off, ...working } = mediaOff('localhost', () => true)

/** The actors of a node, and a media plane in which everything works at once. */
function node({ db, sql, url }: TestDatabase, media: Media = working) {
  const connect = () => connectDatabase(url, { connections: 1 }).sql
  const journal = createPostgresJournal({ connect, sql, projections: [matchProjection] })
  const context = (organizationId: number, name = 'test'): Context =>
    testContext(organizationId, { db, actors, media, actor: { type: 'system', name } })
  const follow = async (streamId: number) => {
    const [row] = await sql<{ id: number }[]>`
      select organization_id as id from stream_settings where id = ${streamId}`
    const stream = await actors.read('stream', streamId)
    if (!row || !stream) return
    const { phase, run } = stream.context
    const of = { organizationId: row.id, streamId, run }
    const ctx = context(row.id, 'media')
    if (phase === 'starting') await observe(ctx, { type: 'stream.started', ...of, at: new Date().toISOString() })
    if (phase === 'stopping') await observe(ctx, { type: 'stream.stopped', ...of })
  }
  const actors = new ActorHost({
    journal,
    publish: (ref) => {
      if (ref.startsWith('stream/')) void follow(Number(ref.slice('stream/'.length))).catch(() => {})
    },
    log,
    idleMs: 60_000,
  })
  onTestFinished(async () => {
    await actors.close()
    await journal.close()
  })
  return { actors, context, streams: createStreamReactions({ sql, systemContext: context }) }
}

type Node = ReturnType<typeof node>
type Working = { schedules: StreamReactions; queue: QueueConnection }

/** What every queue must give Auto Stream. Each adapter's test calls it with its own store. */
export function autoStreamContract(title: string, queueUnderTest: () => QueueUnderTest) {
  describe(title, () => {
    let database: TestDatabase
    let organizationId: number
    let competitionId: number
    let inputId: number
    beforeAll(async () => {
      database = await testDatabase()
      organizationId = (await newOrganization(database)).id
      const { sql } = database
      competitionId = await idOf(sql`
        insert into competition (organization_id, name, sport) values (${organizationId}, 'League', 'football') returning id`)
      inputId = await idOf(sql`
        insert into stream_input (organization_id, name, stream_key) values (${organizationId}, 'Camera', 'key') returning id`)
    })
    afterAll(() => database.drop())

    const idOf = async (inserted: PromiseLike<readonly Record<string, unknown>[]>) => Number((await inserted)[0]?.id)

    const work = (
      { actors, context, streams }: Node,
      { schedules = streams, queue = queueUnderTest().connection(database) }: Partial<Working> = {},
    ) => {
      const { sql } = database
      const workers = startWorkers({
        queue,
        sql,
        log,
        actors: {
          fire: (ref, name) => actors.fire(ref, name),
          react: createReactions({ sql, actors, systemContext: context, announced: () => {}, streams }),
          schedules,
        },
      })
      onTestFinished(() => workers.close())
      return workers
    }

    /** A football match that kicks off so many ms from now, with a stream and two destinations. */
    async function production(kickOffInMs: number, { pregame = 0, autoStream = true, input = true } = {}) {
      const { sql } = database
      const date = new Date(Date.now() + kickOffInMs).toISOString()
      const times = { pregameAutomationTime: pregame, postgameAutomationTime: 0 }
      const at = new Date().toISOString()
      const made: NewMatch = {
        sport: 'football',
        settings: { ...UNSAID, ...times, date },
        config: {},
        competitors: [],
        at,
      }
      const matchId = await idOf(sql`
        insert into match (organization_id, competition_id, sport, starts_at)
        values (${organizationId}, ${competitionId}, 'football', ${date}) returning id`)
      const actor = newActor('match', newMatch(made))
      await sql`insert into actor (ref, organization_id, machine_version, snapshot)
        values (${`match/${matchId}`}, ${organizationId}, ${actor.machineVersion}, ${actor.snapshot}::text::json)`
      const streamId = await idOf(sql`
        insert into stream_settings (organization_id, match_id, name, input_id, auto_stream)
        values (${organizationId}, ${matchId}, 'Main', ${input ? inputId : null}, ${autoStream}) returning id`)
      const destinationIds: number[] = []
      for (const name of ['One', 'Two'])
        destinationIds.push(
          await idOf(sql`
            insert into stream_destination (organization_id, stream_settings_id, name, type, url)
            values (${organizationId}, ${streamId}, ${name}, 'rtmp', 'rtmp://localhost/live') returning id`),
        )
      return { matchId, streamId, destinationIds }
    }

    const stateOf = async ({ actors }: Node, streamId: number) => (await actors.read('stream', streamId))?.context
    const reaches = (on: Node, streamId: number, state: object) =>
      vi.waitFor(async () => expect(await stateOf(on, streamId)).toMatchObject(state), SOON)
    const startsOf = async (streamId: number) => {
      const rows = await database.sql<{ events: { type: string }[] }[]>`
        select events from journal where ref = ${`stream/${streamId}`} order by seq`
      return rows.flatMap(({ events }) => events).filter(({ type }) => type === 'stream.starting').length
    }
    const tellMatch = ({ context }: Node, matchId: number, command: Omit<MatchCommand & { type: 'update' }, 'seq'>) =>
      askMatch(context(organizationId), matchId, {
        asked: { type: 'update' },
        decide: () => command,
        reply: () => undefined,
      })
    const kickOff = (on: Node, matchId: number, inMs: number) => {
      const at = new Date()
      const date = new Date(at.getTime() + inMs).toISOString()
      return tellMatch(on, matchId, { type: 'update', at: at.toISOString(), settings: { date } })
    }
    const byHand = ({ actors, context }: Node, streamId: number, type: 'start' | 'stop') =>
      actors.send(context(organizationId), 'stream', streamId, {
        asked: { type },
        decide: () => ({ type, at: new Date().toISOString() }),
        reply: () => undefined,
        refused: () => {
          throw new Error(`no ${type} now`)
        },
      })
    const destinationsAre = async (on: Node, { destinationIds }: { destinationIds: number[] }, phase: string) => {
      for (const id of destinationIds)
        await vi.waitFor(async () => expect((await on.actors.read('destination', id))?.context.phase).toBe(phase), SOON)
    }
    const databasePasses = async (ms: number) => {
      const [row] = await database.sql<{ until: Date }[]>`
        select clock_timestamp() + make_interval(secs => ${ms / 1000}) as until`
      await vi.waitFor(
        async () =>
          expect(await database.sql`select where clock_timestamp() > ${row?.until ?? null}::timestamptz`).toHaveLength(
            1,
          ),
        SOON,
      )
    }
    const roundIsOver = () =>
      vi.waitFor(async () => {
        const rows = await database.sql<{ delayMs: number }[]>`
          select (payload ->> 'delayMs')::int as "delayMs" from outbox where payload ->> 'name' = 'auto-stream'`
        expect(rows).toEqual([{ delayMs: 60_000 }])
      }, SOON)
    const live = ({ destinationIds }: { destinationIds: number[] }) => ({
      phase: 'running',
      publishing: destinationIds,
    })

    describe('[issue 5.5] Auto Stream', () => {
      it('[spec 14] starts at its time, goes live with every destination, and stops when the match is over', async () => {
        const on = node(database)
        const made = await production(MINUTE + 2_500, { pregame: 1 })
        work(on)
        await rescheduleStream(on.context(organizationId), made.streamId)
        await databasePasses(700)
        expect(await stateOf(on, made.streamId)).toMatchObject({ phase: 'stopped', run: 0 })
        await reaches(on, made.streamId, live(made))
        await destinationsAre(on, made, 'connecting')
        const at = new Date().toISOString()
        await tellMatch(on, made.matchId, { type: 'update', at, state: 'abandoned' })
        await reaches(on, made.streamId, { phase: 'stopped', error: null })
        await destinationsAre(on, made, 'stopped')
        expect(await startsOf(made.streamId)).toBe(1)
      })

      it('finds by itself what nobody told it: a start that is overdue runs at once, its stop in time', async () => {
        const on = node(database)
        const made = await production(2_500 - FOOTBALL)
        work(on)
        await reaches(on, made.streamId, live(made))
        await reaches(on, made.streamId, { phase: 'stopped', run: 1 })
      })

      it('does nothing about a match whose stop is overdue, too', async () => {
        const on = node(database)
        const made = await production(-1_000 - FOOTBALL)
        work(on)
        await vi.waitFor(async () => expect((await stateOf(on, made.streamId))?.automation).toBeTruthy(), SOON)
        await roundIsOver()
        await databasePasses(500)
        expect(await stateOf(on, made.streamId)).toMatchObject({ phase: 'stopped', run: 0, error: null })
      })

      it('follows a kick-off that changes', async () => {
        const on = node(database)
        const made = await production(2_500)
        work(on)
        await rescheduleStream(on.context(organizationId), made.streamId)
        await kickOff(on, made.matchId, 60 * MINUTE)
        await databasePasses(3_000)
        expect(await stateOf(on, made.streamId)).toMatchObject({ phase: 'stopped', run: 0 })
        await kickOff(on, made.matchId, 500)
        await reaches(on, made.streamId, live(made))
      })

      it('fires by what the match says now, also when nobody was told that it had changed', async () => {
        const on = node(database)
        const made = await production(1_200)
        await rescheduleStream(on.context(organizationId), made.streamId)
        // the reaction of this commit is lost with its node
        await kickOff(on, made.matchId, 60 * MINUTE)
        await database.sql`delete from outbox`
        await databasePasses(1_500)
        const { streams } = on
        // no round comes to its help
        work(on, { schedules: { ...streams, rescheduleAll: async () => {} } })
        await vi.waitFor(async () => {
          const due = await database.sql`
            select from timer where ref = ${`stream/${made.streamId}`} and name = 'autoStart'
              and due_at > clock_timestamp() + interval '30 minutes'`
          expect(due).toHaveLength(1)
        }, SOON)
        expect(await stateOf(on, made.streamId)).toMatchObject({ phase: 'stopped', run: 0 })
      })

      it('starts and stops in time although the queue lost every job', async () => {
        const on = node(database)
        const made = await production(3_500 - FOOTBALL)
        const later = await production(1_500)
        work(on)
        await reaches(on, made.streamId, live(made))
        await vi.waitFor(async () => expect((await stateOf(on, later.streamId))?.automation).toBeTruthy(), SOON)
        await queueUnderTest().wipe(database)
        await reaches(on, later.streamId, live(later))
        await reaches(on, made.streamId, { phase: 'stopped', run: 1 })
      })

      it('takes a match on air and off again while the queue is away', async () => {
        const on = node(database)
        const made = await production(4_000 - FOOTBALL, { pregame: 114 })
        // nothing listens there
        work(on, { queue: { redisUrl: 'redis://127.0.0.1:1' } })
        await byHand(on, made.streamId, 'start')
        await reaches(on, made.streamId, { phase: 'running', liveAt: null })
        await rescheduleStream(on.context(organizationId), made.streamId)
        await reaches(on, made.streamId, live(made))
        await destinationsAre(on, made, 'connecting')
        await reaches(on, made.streamId, { phase: 'stopped' })
        await destinationsAre(on, made, 'stopped')
      })

      it('two workers never start a stream twice', async () => {
        const on = node(database)
        const made = await production(1_000)
        work(on)
        work(on)
        await rescheduleStream(on.context(organizationId), made.streamId)
        await reaches(on, made.streamId, live(made))
        await roundIsOver()
        expect(await startsOf(made.streamId)).toBe(1)
      })

      it('does not undo what was stopped by hand, not after a restart either', async () => {
        const on = node(database)
        const made = await production(0)
        const first = work(on)
        await reaches(on, made.streamId, live(made))
        await byHand(on, made.streamId, 'stop')
        await reaches(on, made.streamId, { phase: 'stopped' })
        await first.close()
        const next = node(database)
        work(next)
        await roundIsOver()
        await kickOff(next, made.matchId, -500)
        await vi.waitFor(
          async () => expect(await database.sql`select from outbox where kind = 'reaction'`).toEqual([]),
          SOON,
        )
        await databasePasses(300)
        expect(await stateOf(next, made.streamId)).toMatchObject({ phase: 'stopped', run: 1 })
      })

      it('says why it cannot start, and starts once that is put right', async () => {
        const on = node(database)
        const made = await production(0, { input: false })
        work(on)
        await reaches(on, made.streamId, { phase: 'stopped', run: 0, error: 'The stream has no input' })
        const [told] = await database.sql<{ principal: unknown }[]>`
          select principal from journal where ref = ${`stream/${made.streamId}`}
            and events::text like '%The stream has no input%' and events::text like '%stream.stopped%'`
        expect(told?.principal).toEqual({ type: 'system', name: 'timer' })
        await database.sql`update stream_settings set input_id = ${inputId} where id = ${made.streamId}`
        await rescheduleStream(on.context(organizationId), made.streamId)
        await reaches(on, made.streamId, { ...live(made), error: null })
      })

      it('says so where no media runs at all', async () => {
        const on = node(database, { ...working, off: off ?? '' })
        const made = await production(0)
        work(on)
        await reaches(on, made.streamId, { phase: 'stopped', error: off })
      })

      it('takes a stream live that was started to be looked at', async () => {
        const on = node(database)
        const made = await production(2_000)
        work(on)
        await byHand(on, made.streamId, 'start')
        await reaches(on, made.streamId, { phase: 'running', liveAt: null, publishing: [] })
        await reaches(on, made.streamId, live(made))
        expect(await startsOf(made.streamId)).toBe(1)
      })

      it('is switched off where a crash came between settings and schedule', async () => {
        const on = node(database)
        const made = await production(60 * MINUTE)
        await rescheduleStream(on.context(organizationId), made.streamId)
        expect((await stateOf(on, made.streamId))?.automation).toBeTruthy()
        await database.sql`update stream_settings set auto_stream = false where id = ${made.streamId}`
        work(on)
        await reaches(on, made.streamId, { automation: null })
        expect(await database.sql`select from timer where ref = ${`stream/${made.streamId}`}`).toEqual([])
      })
    })

    describe('[issue 5.5] retries of destinations', () => {
      it.each([
        ['with its job', false],
        ['although the queue lost it', true],
      ])('the next try comes when it is due, %s', async (_title, wiped) => {
        const on = node(database)
        const { destinationIds } = await production(0, { autoStream: false })
        const id = destinationIds[0] ?? 0
        work(on)
        const ctx = on.context(organizationId)
        await on.actors.send(ctx, 'destination', id, {
          asked: { type: 'wish' },
          decide: () => ({ type: 'wish', wanted: true, wish: 1, now: false }),
          reply: () => undefined,
          refused: () => {
            throw new Error('refused')
          },
        })
        const retryInMs = 1_500
        const nextRetryDate = new Date(Date.now() + retryInMs).toISOString()
        const failed = { attempt: 1, error: 'refused', retryInMs, nextRetryDate }
        await observe(ctx, { type: 'destination.failed', organizationId, destinationId: id, ...failed })
        expect((await on.actors.read('destination', id))?.context).toMatchObject({ phase: 'retrying', nextRetryDate })
        if (wiped) await queueUnderTest().wipe(database)
        await databasePasses(1_000)
        expect((await on.actors.read('destination', id))?.context.phase).toBe('retrying')
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
