import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newKey } from '../support/app.ts'
import { type Production, produce, startProduction } from './support.ts'

let production: Production
let stranger: Omit<Production, 'close'>

beforeAll(async () => {
  production = await startProduction()
  stranger = await produce(production.server)
})
afterAll(() => production.close())

type Body = Record<string, unknown>
const creation = (): Body => ({
  competitionId: production.competitionId,
  date: '2027-03-01T18:00:00+01:00',
  homeTeamId: production.teamIds[0],
  awayTeamId: production.teamIds[1],
})
const post = (path: string, body: unknown) => production.call('POST', path, body)
const get = (path: string) => production.call('GET', path)
const newMatch = async (body: Body = {}) => Number((await post('/v2/matches', { ...creation(), ...body })).body.id)
const fact = (matchId: number, body: Body) => post(`/v2/matches/${matchId}/facts`, body)
const kickOff = async (matchId: number) => {
  for (const type of ['matchStart', 'periodStart']) expect((await fact(matchId, { type })).status).toBe(201)
}
const newTeam = async (competing = true) => {
  const { sql } = production.server.database
  const [team] = await sql<{ id: number }[]>`
    insert into team (organization_id, name, sport)
    values (${production.organizationId}, ${`Team ${randomUUID().slice(0, 8)}`}, 'football') returning id`
  const id = team?.id ?? 0
  if (competing)
    await sql`insert into competition_team (competition_id, team_id) values (${production.competitionId}, ${id})`
  return id
}
const badFields = ({ status, body }: { status: number; body: Body }) => [status, Object.keys(body.details ?? {})]

describe('creating a match', () => {
  it('[domain 5.3] v1 answers the two teams, v2 who competes; both read it as it was answered', async () => {
    const v1 = await post('/v1/matches', { ...creation(), matchTier: 'gold' })
    expect(v1.status).toBe(200)
    expect(v1.body).toMatchObject({
      homeTeam: { id: production.teamIds[0], isHome: true },
      awayTeam: { id: production.teamIds[1], isHome: false },
      state: 'scheduled',
      period: null,
      score: { home: 0, away: 0 },
      date: '2027-03-01T17:00:00.000Z',
    })
    expect('competitors' in v1.body).toBe(false)
    expect((await get(`/v1/matches/${v1.body.id}`)).body).toEqual(v1.body)
    const v2 = await post('/v2/matches', creation())
    expect(v2.status).toBe(200)
    expect((await get(`/v2/matches/${v2.body.id}`)).body).toEqual(v2.body)
  })

  it('a date without an offset is told what it needs', async () => {
    expect(await post('/v2/matches', { ...creation(), date: '2027-03-01T18:00:00' })).toMatchObject({
      status: 400,
      body: { details: { 'body.date': { message: expect.stringContaining('2027-03-01T18:00:00+01:00') } } },
    })
  })

  it('[spec: Enumerations] singles, doubles and group list players and teams; a player may play for a team', async () => {
    const [a = 0, b = 0, c = 0, d = 0] = production.playerIds[String(production.teamIds[0])] ?? []
    const player = (entityId: number, more: Body = {}) => ({ entityType: 'player', entityId, ...more })
    const { homeTeamId: _, awayTeamId: __, ...unnamed } = creation()
    const doubles = await post('/v2/matches', {
      ...unnamed,
      competitorsType: 'doubles',
      competitors: [player(a, { teamId: production.teamIds[0] }), player(b), player(c), player(d)],
    })
    expect(doubles.body).toMatchObject({
      competitorsType: 'doubles',
      homeTeamId: null,
      competitors: [
        {
          entityType: 'player',
          entityId: a,
          playerId: a,
          teamId: production.teamIds[0],
          order: 0,
          isHome: true,
          score: 0,
        },
        { entityId: b, isHome: true },
        { entityId: c, isHome: false },
        { entityId: d, isHome: false },
      ],
    })
    const singles = await post('/v2/matches', {
      ...unnamed,
      competitorsType: 'singles',
      competitors: [player(a), player(b, { isHome: false })],
    })
    expect(singles.body).toMatchObject({ competitors: [{ isHome: true }, { isHome: false }] })
    const twice = await post('/v2/matches', {
      ...unnamed,
      competitorsType: 'singles',
      competitors: [player(a), player(a)],
    })
    expect(badFields(twice)).toEqual([400, ['body.competitors[1].entityId']])
    const foreign = stranger.playerIds[String(stranger.teamIds[0])]?.[0] ?? 0
    expect((await post('/v2/matches', { ...unnamed, competitors: [player(a), player(foreign)] })).status).toBe(403)
  })

  it('[spec: Limits] text has 1 to 255 characters, officials are named once and are the own ones', async () => {
    expect(badFields(await post('/v2/matches', { ...creation(), name: '' }))).toEqual([400, ['body.name']])
    expect((await post('/v2/matches', { ...creation(), name: 'x'.repeat(255) })).status).toBe(200)
    expect(badFields(await post('/v2/matches', { ...creation(), name: 'x'.repeat(256) }))).toEqual([400, ['body.name']])
    const [official] = production.officialIds
    const twice = [
      { id: official, role: 'referee' },
      { id: official, role: 'umpire' },
    ]
    expect(badFields(await post('/v2/matches', { ...creation(), officials: twice }))).toEqual([
      400,
      ['body.officials[1].id'],
    ])
    const foreign = [{ id: stranger.officialIds[0], role: 'referee' }]
    expect((await post('/v2/matches', { ...creation(), officials: foreign })).status).toBe(403)
    expect((await post('/v2/matches', { ...creation(), venueId: 2_000_000_000 })).status).toBe(404)
  })

  it('[contract: Idempotency-Key] the same request again answers the first match', async () => {
    const key = { 'Idempotency-Key': randomUUID() }
    const send = () =>
      production.server.call('POST', '/v1/matches', { key: production.apiKey, body: creation(), headers: key })
    const [first, second] = [await send(), await send()]
    expect(second.body).toEqual(first.body)
  })
})

it('a match that names no time zone is in that of its venue; its summary and both shapes tell the situation', async () => {
  const ground = await post('/v1/venues', { name: 'Ground of a zone', timezone: 'Pacific/Auckland' })
  const at = async (more: object) => (await post('/v2/matches', { ...creation(), ...more })).body
  const there = await at({ venueId: ground.body.id, timezone: undefined })
  expect(there).toMatchObject({ timezone: 'Pacific/Auckland', situation: null })
  expect(await at({ venueId: ground.body.id, timezone: 'Asia/Tokyo' })).toMatchObject({ timezone: 'Asia/Tokyo' })
  expect(await at({ venueId: undefined, timezone: undefined })).toMatchObject({ timezone: 'UTC' })
  expect((await get(`/v1/matches/${there.id}/summary`)).body).toMatchObject({ situation: null })
})

describe('changing a match', () => {
  it('[domain 5.3] any subset, all or nothing; the answer, a read and the row in lists agree', async () => {
    const id = await newMatch({ round: 'Round 1', pregameAutomationTime: 10 })
    const changed = await post(`/v2/matches/${id}`, {
      name: 'Derby',
      round: null,
      date: '2027-04-01T12:00:00Z',
      timezone: 'Europe/Oslo',
      venueId: production.venueId,
      officials: [{ id: production.officialIds[1], role: 'umpire' }],
      config: { periodLength: 30, extraTime: true },
      postgameAutomationTime: 5,
      matchTier: 'x',
    })
    expect(changed.status).toBe(200)
    expect(changed.body).toMatchObject({
      id,
      name: 'Derby',
      round: null,
      date: '2027-04-01T12:00:00.000Z',
      timezone: 'Europe/Oslo',
      venueId: production.venueId,
      officials: [{ id: production.officialIds[1], role: 'umpire' }],
      config: { periodLength: 30, periodCount: 2, extraTime: true },
      pregameAutomationTime: 10,
      postgameAutomationTime: 5,
    })
    expect((await get(`/v2/matches/${id}`)).body).toEqual(changed.body)
    const list = await get(`/v2/matches?dateFrom=2027-04-01T12:00:00Z&dateTo=2027-04-01T12:00:00Z`)
    expect(list.body).toMatchObject({ total: 1, matches: [changed.body] })
    const v1 = await post(`/v1/matches/${id}`, { venueId: null })
    expect(v1.body).toMatchObject({ name: 'Derby', venueId: null, homeTeam: { id: production.teamIds[0] } })
    expect((await get(`/v1/matches/${id}`)).body).toEqual(v1.body)
    expect((await post(`/v2/matches/${id}`, {})).body).toMatchObject({ name: 'Derby', venueId: null })
    const refused = await post(`/v2/matches/${id}`, { name: 'Other', awayTeamId: production.teamIds[0] })
    expect(badFields(refused)).toEqual([400, ['body.awayTeamId']])
    expect((await get(`/v2/matches/${id}`)).body).toMatchObject({ name: 'Derby' })
  })

  it('[issue 3.4] a request that names nothing, or only matchTier, changes nothing, updatedAt neither', async () => {
    const path = `/v2/matches/${await newMatch()}`
    const { body } = await get(path)
    for (const nothing of [{}, { matchTier: 'gold' }]) expect((await post(path, nothing)).body).toEqual(body)
    expect((await get(path)).body).toEqual(body)
  })

  it('[domain 5.3] a match as it is read can be written, teams and competitors together when they agree', async () => {
    const [home, away] = production.teamIds
    const listed = [home, away].map((entityId) => ({ entityType: 'team', entityId }))
    const made = await post('/v2/matches', { ...creation(), competitors: listed })
    expect([made.status, made.body.homeTeamId, made.body.awayTeamId]).toEqual([200, home, away])
    const again = await post(`/v2/matches/${made.body.id}`, made.body)
    expect([again.status, again.body]).toEqual([200, { ...made.body, updatedAt: again.body.updatedAt }])
    await kickOff(Number(made.body.id))
    expect((await fact(Number(made.body.id), { type: 'goal', teamId: home })).status).toBe(201)
    expect((await get(`/v1/matches/${made.body.id}`)).body.score).toMatchObject({ home: 1, away: 0 })
    for (const competitors of [[...listed].reverse(), listed.slice(0, 1), [null], 7])
      expect((await post('/v2/matches', { ...creation(), competitors })).status).toBe(400)
  })

  it('[domain 5.3] competitors: own ones, of the competition, each once; a side may be named alone', async () => {
    const id = await newMatch()
    const [home = 0, away = 0] = production.teamIds
    const third = await newTeam()
    expect((await post(`/v2/matches/${id}`, { homeTeamId: stranger.teamIds[0] })).status).toBe(403)
    expect((await post(`/v2/matches/${id}`, { homeTeamId: 2_000_000_000 })).status).toBe(404)
    expect(badFields(await post(`/v2/matches/${id}`, { homeTeamId: await newTeam(false) }))).toEqual([
      400,
      ['body.homeTeamId'],
    ])
    expect(badFields(await post(`/v2/matches/${id}`, { homeTeamId: away }))).toEqual([400, ['body.homeTeamId']])
    const both = { homeTeamId: home, competitors: [{ entityType: 'team', entityId: away }] }
    expect(badFields(await post(`/v2/matches/${id}`, both))).toEqual([400, ['body.competitors']])
    expect((await post(`/v2/matches/${id}`, { awayTeamId: third })).body).toMatchObject({
      homeTeamId: home,
      awayTeamId: third,
    })
    expect((await get(`/v2/matches?teamId=${third}`)).body).toMatchObject({ total: 1, matches: [{ id }] })
    const swapped = await post(`/v2/matches/${id}`, { homeTeamId: third, awayTeamId: home })
    expect(swapped.body).toMatchObject({ homeTeamId: third, awayTeamId: home })
    const listed = [third, away, home].map((entityId) => ({ entityType: 'team', entityId }))
    const group = await post(`/v2/matches/${id}`, { competitorsType: 'group', competitors: listed })
    expect(group.body).toMatchObject({ competitors: [{ entityId: third }, { entityId: away }, { entityId: home }] })
    const fewer = await post(`/v2/matches/${id}`, { competitors: listed.slice(0, 1) })
    expect(fewer.body.competitors).toHaveLength(1)
    expect((await get(`/v2/matches/${id}`)).body).toEqual(fewer.body)
  })

  it('[domain 5.3] configuration and competitors are locked once the match has started, settings are not', async () => {
    const id = await newMatch()
    await kickOff(id)
    const third = await newTeam()
    expect(badFields(await post(`/v2/matches/${id}`, { config: { periodLength: 30 } }))).toEqual([
      400,
      [expect.stringMatching(/^body\.config/)],
    ])
    expect(badFields(await post(`/v2/matches/${id}`, { awayTeamId: third }))).toEqual([400, ['body.awayTeamId']])
    const competitors = [{ entityType: 'team', entityId: third }]
    expect(badFields(await post(`/v2/matches/${id}`, { competitors }))).toEqual([400, ['body.competitors']])
    expect((await post(`/v2/matches/${id}`, { name: 'Live', pregameAutomationTime: 3 })).body).toMatchObject({
      state: 'live',
      name: 'Live',
      pregameAutomationTime: 3,
      homeTeamId: production.teamIds[0],
    })
  })

  it('[issue 4] a state may be said by hand, the score too; null takes the score back', async () => {
    const id = await newMatch()
    expect((await post(`/v2/matches/${id}`, { state: 'postponed' })).body).toMatchObject({ state: 'postponed' })
    expect((await get('/v2/matches?state=postponed')).body).toMatchObject({ total: 1, matches: [{ id }] })
    expect((await post(`/v2/matches/${id}`, { state: 'scheduled' })).body).toMatchObject({ state: 'scheduled' })
    await kickOff(id)
    const said = await post(`/v2/matches/${id}`, { score: { home: 3, away: 1 } })
    expect(said.body).toMatchObject({ score: { home: 3, away: 1 }, competitors: [{ score: 3 }, { score: 1 }] })
    expect((await get(`/v1/matches/${id}/summary`)).body).toMatchObject({ score: { home: 3, away: 1 } })
    expect((await post(`/v2/matches/${id}`, { score: null })).body).toMatchObject({ score: { home: 0, away: 0 } })
    expect(badFields(await post(`/v2/matches/${id}`, { score: { home: -1, away: 0 } }))).toEqual([
      400,
      ['body.score.home'],
    ])
    expect(badFields(await post(`/v2/matches/${id}`, { state: 'paused' }))).toEqual([400, ['body.state']])
  })

  it('[auth.11] a foreign match is 403, a missing one 404, another competition 400', async () => {
    for (const version of ['v1', 'v2']) {
      expect((await post(`/${version}/matches/${stranger.matchId}`, { name: 'x' })).status).toBe(403)
      expect((await post(`/${version}/matches/2000000000`, { name: 'x' })).status).toBe(404)
    }
    const id = await newMatch()
    expect((await post(`/v2/matches/${id}`, { competitionId: production.competitionId })).status).toBe(200)
    expect((await post(`/v2/matches/${id}`, { competitionId: stranger.competitionId })).status).toBe(403)
  })

  it('changes of many at once all hold', async () => {
    const id = await newMatch()
    const fields = [{ name: 'A' }, { round: 'B' }, { venueId: production.venueId }, { postgameAutomationTime: 9 }]
    const answers = await Promise.all(fields.map((field) => post(`/v2/matches/${id}`, field)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await get(`/v2/matches/${id}`)).body).toMatchObject(Object.assign({}, ...fields))
  })
})

describe('limits of a match', () => {
  it('[spec: Limits] dates of the years 1 to 99 are read in those years', async () => {
    for (const date of ['0001-01-01T00:00:00.000Z', '0099-12-31T23:59:59.123Z']) {
      const { status, body } = await post('/v2/matches', { ...creation(), date })
      expect([status, body.date]).toEqual([200, date])
      expect((await get(`/v1/matches/${body.id}`)).body.date).toBe(date)
    }
  })

  it.each<[string, Body, Body]>([
    ['name', { name: 'x' }, { name: '' }],
    ['round', { round: 'x'.repeat(255) }, { round: 'x'.repeat(256) }],
    ['timezone', { timezone: 'Pacific/Auckland' }, { timezone: '+01:00' }],
    ['date', { date: '9999-12-31T23:59:59Z' }, { date: '10000-01-01T00:00:00Z' }],
    ['competitorsType', { competitorsType: 'group' }, { competitorsType: 'pairs' }],
    ['pregameAutomationTime', { pregameAutomationTime: 2 ** 31 - 1 }, { pregameAutomationTime: 2 ** 31 }],
    ['postgameAutomationTime', { postgameAutomationTime: 0 }, { postgameAutomationTime: -1 }],
    ['config.periodCount', { config: { periodCount: 99 } }, { config: { periodCount: 100 } }],
    ['config.periodCount', { config: { periodCount: 1 } }, { config: { periodCount: 0 } }],
    ['config.periodLength', { config: { periodLength: 600 } }, { config: { periodLength: 601 } }],
    ['config.breakLength', { config: { breakLength: 0 } }, { config: { breakLength: -1 } }],
    ['config.startingSize', { config: { startingSize: 1 } }, { config: { startingSize: 0 } }],
    ['config.benchSize', { config: { benchSize: 99 } }, { config: { benchSize: 100 } }],
    ['config.endBehaviour', { config: { endBehaviour: 'stopAtLength' } }, { config: { endBehaviour: 'never' } }],
    ['score.away', { score: { home: 0, away: 9999 } }, { score: { home: 0, away: 10_000 } }],
    ['venueId', { venueId: null }, { venueId: 0 }],
    ['name', { name: '\u{1f3c9}'.repeat(255) }, { name: 'a\u0000' }],
  ])('[spec: Limits] %s', async (field, good, bad) => {
    const id = await newMatch()
    const changed = await post(`/v2/matches/${id}`, good)
    expect([changed.status, changed.body.message]).toEqual([200, undefined])
    expect(changed.body).toMatchObject('date' in good ? { date: '9999-12-31T23:59:59.000Z' } : good)
    expect(badFields(await post(`/v1/matches/${id}`, bad))).toEqual([400, [`body.${field}`]])
    expect((await get(`/v2/matches/${id}`)).body).toEqual(changed.body)
  })

  it('[spec: Limits] lists of a match: 1 to 100 competitors, at most 20 officials', async () => {
    const id = await newMatch()
    const competitors = (count: number) => Array.from({ length: count }, () => ({ entityType: 'team', entityId: 1 }))
    for (const count of [0, 101])
      expect(badFields(await post(`/v2/matches/${id}`, { competitors: competitors(count) }))).toEqual([
        400,
        ['body.competitors'],
      ])
    const officials = Array.from({ length: 21 }, () => ({ id: 1, role: 'referee' }))
    expect(badFields(await post(`/v2/matches/${id}`, { officials }))).toEqual([400, ['body.officials']])
  })
})

describe('lists and includes', () => {
  it('[domain 5.3] matches come by id with their number; every filter narrows', async () => {
    const third = await newTeam()
    const ids = [
      await newMatch({ awayTeamId: third }),
      await newMatch({ awayTeamId: third }),
      await newMatch({ awayTeamId: third }),
    ]
    const list = await get(`/v2/matches?teamId=${third}&limit=2`)
    expect(list.body).toMatchObject({ total: 3, returned: 2, matches: [{ id: ids[0] }, { id: ids[1] }] })
    const rest = await get(`/v1/matches?teamId=${third}&offset=2&competitionId=${production.competitionId}`)
    expect(rest.body).toMatchObject({ total: 3, returned: 1, matches: [{ id: ids[2], awayTeam: { id: third } }] })
    await kickOff(ids[1] ?? 0)
    expect((await get(`/v2/matches?teamId=${third}&state=live`)).body).toMatchObject({
      total: 1,
      matches: [{ id: ids[1] }],
    })
    const { sql } = production.server.database
    await sql`update match set provider_name = 'opta', provider_id = 'm-7' where id = ${ids[2] ?? 0}`
    const supplied = await get('/v1/matches?providerName=opta&providerIds=x,m-7')
    expect(supplied.body).toMatchObject({
      total: 1,
      matches: [{ id: ids[2], dataProvider: { name: 'opta', id: 'm-7' } }],
    })
    expect(badFields(await get('/v2/matches?state=over&include=x'))).toEqual([400, ['query.state', 'query.include']])
  })

  it('[domain 5.3] include brings facts, line-ups, players and streams, the latter with streams:read only', async () => {
    const id = await newMatch()
    await kickOff(id)
    const all = await get(`/v2/matches/${id}?include=t,o,c,v,s,f,l,p`)
    expect(all.body).toMatchObject({
      teams: [{ id: production.teamIds[0] }, { id: production.teamIds[1] }],
      overlays: [],
      competition: { id: production.competitionId },
      venue: null,
      streams: [],
      facts: [{ type: 'matchStart', matchId: id }, { type: 'periodStart' }],
      lineups: [{ teamId: production.teamIds[0] }, { teamId: production.teamIds[1] }],
    })
    expect(all.body.players).toHaveLength(36)
    const demo = await get(`/v1/matches?include=s&teamId=${production.teamIds[0]}&limit=1`)
    expect(demo.body).toMatchObject({ matches: [{ streams: [{ id: production.streamSettingsId }] }] })
    const { key } = await newKey(production.server.database, production.organizationId, ['matches:read'])
    const narrow = await production.server.call('GET', `/v2/matches/${production.matchId}?include=s,o`, { key })
    expect(['streams' in narrow.body, 'overlays' in narrow.body]).toEqual([false, false])
  })
})

describe('deleting a match', () => {
  it('[contract] answers 204; its overlays, actor and rows are gone, its journal stays', async () => {
    const id = await newMatch()
    await kickOff(id)
    const overlay = await post('/v1/overlays', { name: 'Of the match', matchId: id })
    expect((await production.call('DELETE', `/v2/matches/${id}`)).status).toBe(204)
    expect((await get(`/v2/matches/${id}`)).status).toBe(404)
    expect((await get(`/v2/matches/${id}/facts`)).status).toBe(404)
    expect((await fact(id, { type: 'periodEnd' })).status).toBe(404)
    expect((await post(`/v2/matches/${id}`, { name: 'x' })).status).toBe(404)
    expect((await get(`/v1/overlays/${overlay.body.id}`)).status).toBe(404)
    expect((await production.call('DELETE', `/v1/matches/${id}`)).status).toBe(404)
    const { sql } = production.server.database
    expect(
      await sql`select 1 from actor where ref in (${`match/${id}`}, ${`overlay/${String(overlay.body.id)}`})`,
    ).toEqual([])
    expect((await sql`select 1 from journal where ref = ${`match/${id}`}`).length).toBe(3)
    expect((await production.call('DELETE', `/v1/matches/${stranger.matchId}`)).status).toBe(403)
  })
})

describe('a match outlives its server', () => {
  it('[live-path 4] a restart keeps its state; the fold of its journal is its snapshot; a repair brings the row along', async () => {
    const id = await newMatch({ name: 'Before' })
    await post(`/v2/matches/${id}`, { name: 'After', config: { periodLength: 30 } })
    await kickOff(id)
    await fact(id, { type: 'goal', teamId: production.teamIds[0] })
    const before = (await get(`/v2/matches/${id}`)).body
    const facts = (await get(`/v2/matches/${id}/facts`)).body
    await production.server.restart()
    expect((await get(`/v2/matches/${id}`)).body).toEqual(before)
    expect((await get(`/v2/matches/${id}/facts`)).body).toEqual(facts)
    const { repairActors } = await import('../../src/actors/repair.ts')
    const { createPostgresJournal } = await import('../../src/store/journal-postgres.ts')
    const { matchProjection } = await import('../../src/store/match-projection.ts')
    const { connectDatabase } = await import('../../src/store/postgres.ts')
    const { database } = production.server
    const [stored] = await database.sql`select snapshot from actor where ref = ${`match/${id}`}`
    await database.sql`update actor set snapshot = '{}' where ref = ${`match/${id}`}`
    await database.sql`update match set name = 'Lost', state = 'scheduled' where id = ${id}`
    const journal = createPostgresJournal({
      connect: () => connectDatabase(database.url, { connections: 1 }).sql,
      sql: database.sql,
      secrets: database.db.secrets,
      projections: [matchProjection],
    })
    expect(await repairActors(journal)).toMatchObject({ repaired: [`match/${id}`], failed: [] })
    await journal.close()
    expect(await database.sql`select snapshot from actor where ref = ${`match/${id}`}`).toEqual([stored])
    const { updatedAt: _, ...repaired } = (await get(`/v2/matches/${id}`)).body
    expect(before).toMatchObject(repaired)
    expect((await fact(id, { type: 'goal', teamId: production.teamIds[1] })).status).toBe(201)
    expect((await get(`/v2/matches/${id}`)).body).toMatchObject({ name: 'After', score: { home: 1, away: 1 } })
  })
})
