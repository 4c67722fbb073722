import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, type TestContext, vi } from 'vitest'
import { type NewMatch, newMatch, UNSAID } from '../../machines/match.ts'
import type { MatchCommand } from '../../machines/match-model.ts'
import { ActorHost } from '../../src/actors/host.ts'
import { newActor } from '../../src/actors/rows.ts'
import type { Context } from '../../src/context.ts'
import { mediaOff } from '../../src/media/off.ts'
import type { Media } from '../../src/media/ports.ts'
import { createReactions } from '../../src/reactions.ts'
import { askMatch } from '../../src/resources/matches/ask-match.ts'
import { observe } from '../../src/resources/streams/observe.commands.ts'
import { createStreamReactions, type StreamReactions } from '../../src/resources/streams/react.commands.ts'
import { createPostgresJournal } from '../../src/store/journal-postgres.ts'
import { matchProjection } from '../../src/store/match-projection.ts'
import { connectDatabase } from '../../src/store/postgres.ts'
import type { QueueConnection } from '../../src/store/queue.ts'
import { startWorkers } from '../../workers/start.ts'
import { newOrganization } from '../support/app.ts'
import { testContext } from '../support/context.ts'
import type { TestDatabase } from '../support/database.ts'
import { sealedRow } from '../support/secrets.ts'
import type { QueueUnderTest } from './workers.ts'

const log = pino({ level: 'silent' })
/** Many tests wait at the same time, and none for what is measured. */
export const SOON = { timeout: 30_000, interval: 100 }
export const MINUTE = 60_000
/** From kick-off to the nominal end of a football match with its stop at once. */
export const FOOTBALL = 115 * MINUTE

export const { off, ...working } = mediaOff('localhost', () => true)

/** Tests that run at the same time have a hook each. */
type Finished = TestContext['onTestFinished']

/** The actors of a node, and a media plane in which everything works at once. */
export function node({ db, sql, url }: TestDatabase, onTestFinished: Finished, media: Media = working) {
  const connect = () => connectDatabase(url, { connections: 1 }).sql
  // a busy machine takes longer than callers wait
  const patience = { commitWithinMs: 30_000, answerWithinMs: 30_000 }
  const journal = createPostgresJournal({
    connect,
    sql,
    secrets: db.secrets,
    projections: [matchProjection],
    ...patience,
  })
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
    ...patience,
  })
  onTestFinished(async () => {
    await actors.close()
    await journal.close()
  })
  return { actors, context, streams: createStreamReactions({ sql, systemContext: context }) }
}

export type Node = ReturnType<typeof node>
type Working = { schedules: StreamReactions; queue: QueueConnection }

/** An organization with a league and an input, and all that a test of Auto Stream does with it. */
export async function createGround(
  database: TestDatabase,
  queueUnderTest: () => QueueUnderTest,
  onTestFinished: Finished,
) {
  const { sql } = database
  const idOf = async (inserted: PromiseLike<readonly Record<string, unknown>[]>) => Number((await inserted)[0]?.id)

  const work = (
    { actors, context, streams }: Node,
    { schedules = streams, queue = queueUnderTest().connection(database) }: Partial<Working> = {},
  ) => {
    const workers = startWorkers({
      queue,
      sql,
      log,
      actors: {
        fire: (ref, name) => actors.fire(ref, name),
        react: createReactions({
          sql,
          actors,
          systemContext: context,
          announced: () => {},
          streams,
          plans: { react: async () => {} },
        }),
        schedules,
      },
    })
    onTestFinished(() => workers.close())
    return workers
  }

  /** A football match that kicks off so many ms from now, with a stream and two destinations. */
  async function production(kickOffInMs: number, { pregame = 0, autoStream = true, input = true } = {}) {
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
    for (const name of ['One', 'Two']) {
      const where = { url: 'rtmp://localhost/live', streamKey: '', pullToken: null }
      const { id, secrets } = await sealedRow(sql, 'stream_destination', where)
      await sql`
        insert into stream_destination (id, organization_id, stream_settings_id, name, type, secrets)
        overriding system value values (${id}, ${organizationId}, ${streamId}, ${name}, 'rtmp', ${secrets})`
      destinationIds.push(id)
    }
    return { matchId, streamId, destinationIds }
  }

  const stateOf = async ({ actors }: Node, streamId: number) => (await actors.read('stream', streamId))?.context
  const reaches = (on: Node, streamId: number, state: object) =>
    vi.waitFor(async () => expect(await stateOf(on, streamId)).toMatchObject(state), SOON)
  const startsOf = async (streamId: number) => {
    const rows = await sql<{ events: { type: string }[] }[]>`
      select events from journal where ref = ${`stream/${streamId}`} order by seq`
    return rows.flatMap(({ events }) => events).filter(({ type }) => type === 'stream.starting').length
  }
  /** When its first start was journaled, in ms since 1970. */
  const startedAt = async (streamId: number) => {
    const [row] = await sql<{ at: Date }[]>`
      select at from journal where ref = ${`stream/${streamId}`} and events::text like '%stream.starting%' order by seq limit 1`
    return row?.at.getTime() ?? 0
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
    const [row] = await sql<{ until: Date }[]>`
      select clock_timestamp() + make_interval(secs => ${ms / 1000}) as until`
    await pause(ms)
    await vi.waitFor(
      async () =>
        expect(await sql`select where clock_timestamp() > ${row?.until ?? null}::timestamptz`).toHaveLength(1),
      SOON,
    )
  }
  const roundIsOver = () =>
    vi.waitFor(async () => {
      const rows = await sql<{ delayMs: number }[]>`
        select (payload ->> 'delayMs')::int as "delayMs" from outbox where payload ->> 'name' = 'auto-stream'`
      expect(rows).toEqual([{ delayMs: 60_000 }])
    }, SOON)

  const organizationId = (await newOrganization(database)).id
  const competitionId = await idOf(sql`
    insert into competition (organization_id, name, sport) values (${organizationId}, 'League', 'football') returning id`)
  const { id: inputId, secrets } = await sealedRow(sql, 'stream_input', { streamKey: 'key', sourceUrl: '' })
  await sql`
    insert into stream_input (id, organization_id, name, secrets) overriding system value
    values (${inputId}, ${organizationId}, 'Camera', ${secrets})`
  return {
    organizationId,
    inputId,
    work,
    production,
    stateOf,
    reaches,
    startsOf,
    startedAt,
    tellMatch,
    kickOff,
    byHand,
    destinationsAre,
    databasePasses,
    roundIsOver,
  }
}

export type Ground = Awaited<ReturnType<typeof createGround>>

/** How a stream is that Auto Stream has taken live. */
export const live = ({ destinationIds }: { destinationIds: number[] }) => ({
  phase: 'running',
  publishing: destinationIds,
})
