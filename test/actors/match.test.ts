import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newMatch, UNSAID } from '../../machines/match.ts'
import type { MatchCommand } from '../../machines/match-model.ts'
import type { Unstamped } from '../../machines/transition.ts'
import type { Ask } from '../../src/actors/ask.ts'
import { ActorHost } from '../../src/actors/host.ts'
import { CommitUnknown, type Journal } from '../../src/actors/journal.ts'
import { newActor } from '../../src/actors/rows.ts'
import { invalid } from '../../src/errors.ts'
import { createPostgresJournal } from '../../src/store/journal-postgres.ts'
import { matchProjection } from '../../src/store/match-projection.ts'
import { connectDatabase } from '../../src/store/postgres.ts'
import { testContext } from '../support/context.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

const AT = '2027-03-01T18:00:00.000Z'

describe('a match as an actor that is also a record', () => {
  let database: TestDatabase
  let organizationId: number
  let teamIds: number[]
  let journal: ReturnType<typeof createPostgresJournal>
  let commit: Journal['commit']
  let host: ActorHost

  const newHost = () =>
    new ActorHost({ journal, publish: () => {}, log: { warn: () => {}, error: () => {} }, idleMs: 60_000 })
  const send = (id: number, command: Unstamped<MatchCommand>) => {
    const ask: Ask<'match', { home: number; facts: number }> = {
      asked: { type: command.type },
      decide: () => command,
      reply: ({ play, facts }) => ({ home: play.score.home, facts: facts.length }),
      refused: () => invalid({}),
    }
    return host.send(testContext(organizationId), 'match', id, ask)
  }
  const record = (id: number, factId: number, type: string, teamId?: number) =>
    send(id, { type: 'record', id: factId, at: AT, fact: { type, ...(teamId !== undefined && { teamId }) } })
  const row = async (id: number) =>
    (
      await database.sql`
        select state, play->'score' as score, updated_at as "updatedAt" from match where id = ${id}`
    )[0]
  const reactions = (id: number) => database.sql<{ payload: { event: string } }[]>`
    select payload from outbox where kind = 'reaction' and payload->>'ref' = ${`match/${id}`} order by id`

  const newMatchId = async () => {
    const { sql } = database
    const [match] = await sql<{ id: number }[]>`
      insert into match (organization_id, competition_id, sport, starts_at)
      select ${organizationId}, id, 'football', ${AT} from competition limit 1 returning id`
    const id = match?.id ?? 0
    const made = newMatch({
      sport: 'football',
      config: {},
      settings: { ...UNSAID, date: AT },
      competitors: teamIds.map((teamId, index) => ({
        entityType: 'team',
        teamId,
        playerId: null,
        isHome: index === 0,
      })),
      at: AT,
    })
    const { machineVersion, snapshot } = newActor('match', made)
    await journal.create(`match/${id}`, organizationId, machineVersion, snapshot)
    return id
  }

  beforeAll(async () => {
    database = await testDatabase()
    const { sql } = database
    const [organization] = await sql<{ id: number }[]>`insert into organization (name) values ('League') returning id`
    organizationId = organization?.id ?? 0
    await sql`insert into competition (organization_id, name, sport) values (${organizationId}, 'Premier', 'football')`
    const teams = await sql<{ id: number }[]>`
      insert into team (organization_id, name, sport)
      values (${organizationId}, 'Home Team', 'football'), (${organizationId}, 'Away Team', 'football') returning id`
    teamIds = teams.map(({ id }) => id)
    journal = createPostgresJournal({
      connect: () => connectDatabase(database.url, { connections: 1 }).sql,
      sql,
      secrets: database.db.secrets,
      projections: [matchProjection],
    })
    commit = journal.commit
    host = newHost()
  })
  afterAll(async () => {
    await host.close()
    await journal.close()
    await database.drop()
  })

  it('[live-path 3] facts of one turn share a commit: each has its journal row, the record the last state, one reaction speaks', async () => {
    const id = await newMatchId()
    await record(id, 1, 'periodStart')
    const answers = await Promise.all([2, 3, 4].map((factId) => record(id, factId, 'goal', teamIds[0])))
    expect(answers).toEqual([2, 3, 4].map((facts) => ({ home: facts - 1, facts })))
    expect(await row(id)).toEqual({
      state: 'live',
      score: expect.objectContaining({ home: 3, away: 0 }),
      updatedAt: new Date(AT),
    })
    expect(await database.sql`select seq from journal where ref = ${`match/${id}`} order by seq`).toHaveLength(4)
    expect((await reactions(id)).map(({ payload }) => payload.event)).toEqual([
      'match.fact.recorded',
      'match.fact.recorded',
    ])
  })

  it('[issue 5] a command that is refused changes neither snapshot nor record', async () => {
    const id = await newMatchId()
    await expect(record(id, 1, 'goal', teamIds[0])).rejects.toMatchObject({ status: 400 })
    expect(await row(id)).toMatchObject({ state: 'scheduled' })
    expect(await host.read('match', id)).toMatchObject({ seq: 0 })
    expect(await reactions(id)).toEqual([])
  })

  it.each([
    ['happened', true],
    ['did not happen', false],
  ])(
    '[live-path 5] a commit whose answer was lost and that %s leaves record and snapshot alike',
    async (_, happened) => {
      const id = await newMatchId()
      await record(id, 1, 'periodStart')
      journal.commit = async (changes) => {
        journal.commit = commit
        if (happened) await commit(changes)
        throw new CommitUnknown('cut')
      }
      expect(await record(id, 2, 'goal', teamIds[0])).toEqual({ home: 1, facts: 2 })
      expect(await row(id)).toMatchObject({ state: 'live', score: { home: 1 } })
      expect(await host.read('match', id)).toMatchObject({ seq: 2 })
      expect(await reactions(id)).toHaveLength(2)
    },
  )

  it('[live-path 4] a record that the database refuses hurts only its own command', async () => {
    const [good, bad] = [await newMatchId(), await newMatchId()]
    await Promise.all([record(good, 1, 'periodStart'), send(bad, { type: 'update', at: AT, state: 'delayed' })])
    const [a, b] = await Promise.allSettled([
      record(good, 2, 'goal', teamIds[1]),
      // there is no such venue: the row cannot hold it
      send(bad, { type: 'update', at: AT, settings: { venueId: 2_000_000_000 } }),
    ])
    expect([a.status, b]).toMatchObject(['fulfilled', { status: 'rejected', reason: { status: 404 } }])
    expect(await row(good)).toMatchObject({ score: { away: 1 } })
    expect(await send(bad, { type: 'update', at: AT, state: 'scheduled' })).toEqual({ home: 0, facts: 0 })
    expect((await host.read('match', bad))?.context.settings.venueId).toBeNull()
  })

  it('[live-path 1] an owner that lost its match writes no record', async () => {
    const id = await newMatchId()
    await record(id, 1, 'periodStart')
    await journal.claim(`match/${id}`)
    await database.sql`update actor set seq = seq + 1 where ref = ${`match/${id}`}`
    expect(await record(id, 2, 'goal', teamIds[0])).toEqual({ home: 1, facts: 2 })
    expect(await host.read('match', id)).toMatchObject({ seq: 3 })
  })

  it('a reaction names the match to whoever shows it', async () => {
    const id = await newMatchId()
    await send(id, { type: 'update', at: AT, settings: { name: randomUUID() } })
    expect((await reactions(id)).map(({ payload }) => payload)).toEqual([
      { event: 'match.updated', ref: `match/${id}` },
    ])
  })
})
