import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { correctFact, eraseFact, recordFact } from '../../src/resources/matches/facts.commands.ts'
import { getMatch } from '../../src/resources/matches/queries.ts'
import { replaceStatistics } from '../../src/resources/matches/statistics.commands.ts'
import { getStatistics } from '../../src/resources/matches/statistics.queries.ts'
import { updateMatchV2 } from '../../src/resources/matches/update.commands.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { type FeedServer, feedServer, league } from './feed-server.ts'
import { connected, syncing } from './rig.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

type Fact = Record<string, unknown> & { id: string; type: string; timestamp: string }
const at = (minute: number) => new Date(Date.parse('2026-11-28T15:00:00Z') + minute * 60_000).toISOString()
const kickOff: Fact = { id: 'f1', type: 'matchStart', timestamp: at(0) }
const firstHalf: Fact = { id: 'f2', type: 'periodStart', timestamp: at(0.001) }
const goal: Fact = { id: 'f3', type: 'goal', teamId: 't1', playerId: 'p1', timestamp: at(12) }
const second: Fact = { id: 'f4', type: 'goal', teamId: 't2', playerId: 'p3', timestamp: at(30) }

const game = (facts: readonly Fact[] | undefined, rest: object = {}) => {
  const feed = league()
  Object.assign(feed.matches[0] ?? {}, { ...(facts && { facts }), ...rest })
  return feed
}

async function start(feed: FeedServer, facts?: readonly Fact[]) {
  feed.serve(game(facts))
  const connection = await connected(database, feed.url)
  const run = syncing(database)
  const report = await run.done(connection.id)
  const { sql } = database
  const [row] = await sql<{ id: number }[]>`
    select id from match where organization_id = ${connection.organization.id} and provider_id = 'm1'`
  const matchId = row?.id ?? 0
  const ctx = () => run.context(connection.organization.id)
  return {
    ...connection,
    run,
    report,
    matchId,
    ctx,
    match: () => getMatch(ctx(), matchId),
    facts: async () => (await ctx().actors.read('match', matchId))?.context.facts ?? [],
    journaled: async () =>
      (await sql`select from journal where organization_id = ${connection.organization.id}`).length,
  }
}

describe('fixtures', () => {
  it('become matches of the competition with teams, venue, officials and provider, once', async () => {
    const { report, match, run, id, journaled } = await start(await feedServer())
    expect(report.counts.matches).toEqual({ created: 1, updated: 0, unchanged: 0, skipped: 0 })
    const made = await match()
    expect(made).toMatchObject({
      sport: 'football',
      date: '2026-11-28T15:00:00.000Z',
      timezone: 'Europe/London',
      round: 'Round 1',
      state: 'scheduled',
      officials: [{ id: expect.any(Number), role: 'referee' }],
      dataProvider: { name: 'custom', id: 'm1' },
    })
    expect(made.competitors).toMatchObject([{ isHome: true }, { isHome: false }])
    const rows = await journaled()
    expect((await run.done(id)).counts.matches).toEqual({ created: 0, updated: 0, unchanged: 1, skipped: 0 })
    expect(await journaled()).toBe(rows)
  })

  it('follow what the provider changes, but not over an edit by hand', async () => {
    const feed = await feedServer()
    const { match, run, id, matchId, ctx } = await start(feed)
    await updateMatchV2(ctx(), matchId, { date: '2026-11-29T19:45:00Z' })
    feed.serve(
      game(undefined, { date: '2026-11-28T17:30:00Z', round: 'Round 2', venueId: undefined, state: 'postponed' }),
    )
    expect((await run.done(id)).counts.matches.updated).toBe(1)
    expect(await match()).toMatchObject({
      date: '2026-11-29T19:45:00.000Z',
      round: 'Round 2',
      venueId: null,
      state: 'postponed',
    })
  })

  it('that were deleted by hand stay deleted', async () => {
    const feed = await feedServer()
    const { run, id, matchId, organization } = await start(feed)
    await database.sql`delete from actor where ref = ${`match/${matchId}`}`
    await database.sql`delete from match where id = ${matchId}`
    feed.serve(game(undefined, { round: 'Round 9' }))
    expect((await run.done(id)).counts.matches).toEqual({ created: 0, updated: 0, unchanged: 0, skipped: 1 })
    expect(await database.sql`select from match where organization_id = ${organization.id}`).toEqual([])
  })
})

describe('facts', () => {
  it('go through the match, with source, provider and id, and make its state and score', async () => {
    const { report, match, facts } = await start(await feedServer(), [goal, second, firstHalf, kickOff])
    expect(report.problems).toEqual([])
    expect(report.counts.facts.created).toBe(4)
    expect(await match()).toMatchObject({ state: 'live', score: { home: 1, away: 1 } })
    expect((await facts()).map((fact) => [fact.source, fact.dataProvider, fact.timestamp])).toEqual([
      ['provider', { name: 'custom', id: 'f1' }, kickOff.timestamp],
      ['provider', { name: 'custom', id: 'f2' }, firstHalf.timestamp],
      ['provider', { name: 'custom', id: 'f3' }, goal.timestamp],
      ['provider', { name: 'custom', id: 'f4' }, second.timestamp],
    ])
  })

  it('are matched by id: corrected and erased as the provider does, facts of others stay', async () => {
    const feed = await feedServer()
    const { match, facts, run, id, matchId, ctx } = await start(feed, [kickOff, firstHalf, goal, second])
    await recordFact(ctx(), matchId, { type: 'yellowCard', teamId: await teamId(matchId, 0), timestamp: at(20) })
    const [, , before] = await facts()
    feed.serve(game([kickOff, firstHalf, { ...goal, teamId: 't1', playerId: 'p2', timestamp: at(13) }]))
    const { counts } = await run.done(id)
    expect(counts.facts).toEqual({ created: 0, updated: 2, unchanged: 2, skipped: 0 })
    expect(await match()).toMatchObject({ score: { home: 1, away: 0 } })
    const now = await facts()
    expect(now.map(({ type }) => type)).toEqual(['matchStart', 'periodStart', 'goal', 'yellowCard'])
    expect(now[2]).toMatchObject({ id: before?.id, timestamp: at(13), source: 'provider' })
    expect(now[2]?.playerId).not.toBe(before?.playerId)
  })

  it('that did not change are left as they were edited by hand, and not journaled again', async () => {
    const feed = await feedServer()
    const { facts, run, id, matchId, ctx, journaled } = await start(feed, [kickOff, firstHalf, goal, second])
    const [, , third, fourth] = await facts()
    await correctFact(ctx(), matchId, third?.id ?? 0, { timestamp: at(11) })
    await eraseFact(ctx(), matchId, fourth?.id ?? 0)
    const rows = await journaled()
    expect((await run.done(id)).counts.facts.unchanged).toBe(4)
    expect(await journaled()).toBe(rows)
    // nor does a feed in between that leaves the match out
    feed.serve({ version: 1 })
    await run.done(id)
    const late: Fact = { id: 'f5', type: 'corner', teamId: 't1', timestamp: at(40) }
    feed.serve(game([kickOff, firstHalf, goal, second, late]))
    expect((await run.done(id)).counts.facts).toMatchObject({ created: 1, updated: 0 })
    expect((await facts()).map(({ type, timestamp }) => [type, timestamp]).slice(2)).toEqual([
      ['goal', at(11)],
      ['corner', at(40)],
    ])
  })

  it('that the match refuses are told with their ids, the others are taken, and they are tried again', async () => {
    const feed = await feedServer()
    const unknown: Fact = { id: 'f9', type: 'touchdown', teamId: 't1', timestamp: at(5) }
    const { report, match, run, id } = await start(feed, [kickOff, firstHalf, unknown, goal])
    expect(report.counts.facts).toMatchObject({ created: 3, skipped: 1 })
    expect(report.problems).toEqual([expect.stringMatching(/^fact "f9" of match "m1": body\.type /)])
    expect(await match()).toMatchObject({ score: { home: 1, away: 0 } })
    expect((await run.done(id)).counts.facts).toMatchObject({ created: 0, unchanged: 3, skipped: 1 })
  })
})

describe('line-ups', () => {
  const lineup = (players: object[]) => ({ lineups: [{ teamId: 't1', formation: '4-4-2', players }] })
  const stored = (matchId: number) => database.sql`
    select p.provider_id as player, l.starting, l.captain, l.number from lineup_player l join player p on p.id = l.player_id
    where match_id = ${matchId} order by position_order`

  it('replace those of the teams they name, and again only when the provider changes them', async () => {
    const feed = await feedServer()
    const { run, id, matchId, journaled } = await start(feed)
    feed.serve(game(undefined, lineup([{ playerId: 'p1', starting: true, captain: true, number: '9' }])))
    expect((await run.done(id)).counts.lineups.updated).toBe(1)
    expect(await stored(matchId)).toEqual([{ player: 'p1', starting: true, captain: true, number: '9' }])
    const rows = await journaled()
    await database.sql`update lineup_player set number = '10' where match_id = ${matchId}`
    expect((await run.done(id)).counts.lineups.unchanged).toBe(1)
    expect(await journaled()).toBe(rows)
    expect(await stored(matchId)).toMatchObject([{ number: '10' }])
    feed.serve(game(undefined, lineup([{ playerId: 'p2', starting: false }])))
    await run.done(id)
    expect(await stored(matchId)).toMatchObject([{ player: 'p2', starting: false }])
  })

  it('with a player of another team are told and not taken, and are taken once the roster has him', async () => {
    const feed = await feedServer()
    const { run, id, matchId } = await start(feed)
    feed.serve(game(undefined, lineup([{ playerId: 'p3', starting: true }])))
    const report = await run.done(id)
    expect(report.counts.lineups.skipped).toBe(1)
    expect(report.problems).toEqual([expect.stringMatching(/^line-up of match "m1": body\.teams\[0\]/)])
    await database.sql`insert into roster_entry (team_id, player_id, number)
      select t.id, p.id, '3' from team t join player p using (organization_id)
      where t.id = ${await teamId(matchId, 0)} and p.provider_id = 'p3'`
    feed.serve({ ...game(undefined, lineup([{ playerId: 'p3', starting: true }])), teams: [] })
    expect((await run.done(id)).problems).toEqual([])
    expect(await stored(matchId)).toMatchObject([{ player: 'p3', starting: true }])
  })
})

async function teamId(matchId: number, position: number): Promise<number> {
  const [row] = await database.sql<{ id: number }[]>`
    select team_id as id from match_competitor where match_id = ${matchId} and position = ${position}`
  return row?.id ?? 0
}

describe('statistics', () => {
  it('[show-control] follow what the provider changes; what facts of the match count is left out', async () => {
    const feed = await feedServer()
    const { run, id, matchId, ctx } = await start(feed, [kickOff, firstHalf, goal])
    const sync = async (home: object) => {
      const statistics = {
        teams: [{ teamId: 't1', values: home }],
        players: [{ playerId: 'p1', values: { distance: 9.1 } }],
      }
      feed.serve(game([kickOff, firstHalf, goal], { statistics }))
      expect((await run.done(id)).problems).toEqual([])
      return getStatistics(ctx(), matchId)
    }
    const first = await sync({ possession: 48, goals: 7 })
    expect(first.teams[0]?.values).toEqual({ possession: 48, goals: 1 })
    expect(first.players[0]?.values).toMatchObject({ goals: 1, distance: 9.1 })
    await replaceStatistics(ctx(), matchId, {
      teams: [{ teamId: first.teams[0]?.teamId ?? 0, values: { possession: 50 } }],
      players: [],
    })
    // unchanged at the provider: the edit by hand stays
    expect((await sync({ possession: 48, goals: 7 })).teams[0]?.values).toEqual({ possession: 50, goals: 1 })
    expect((await sync({ possession: 53 })).teams[0]?.values).toEqual({ possession: 53, goals: 1 })
  })
})
