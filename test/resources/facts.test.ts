import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Production, produce, startProduction } from './support.ts'

let production: Production
let stranger: Omit<Production, 'close'>
let matchId: number
let home: number
let away: number
let homePlayers: number[]
let awayPlayers: number[]

type Body = Record<string, unknown>
const post = (path: string, body: unknown) => production.call('POST', path, body)
const get = (path: string) => production.call('GET', path)
const facts = () => `/v2/matches/${matchId}/facts`
const record = (body: Body) => post(facts(), body)
const badFields = ({ status, body }: { status: number; body: Body }) => [status, Object.keys(body.details ?? {})]
const match = async () => (await get(`/v2/matches/${matchId}`)).body
const newMatch = async (body: Body = {}) => {
  const asked = {
    competitionId: production.competitionId,
    date: '2027-03-01T18:00:00Z',
    homeTeamId: home,
    awayTeamId: away,
  }
  return Number((await post('/v2/matches', { ...asked, ...body })).body.id)
}
/** Minutes after the kick-off. */
const at = (minutes: number) => new Date(Date.UTC(2027, 2, 1, 18, minutes)).toISOString()
const recorded = async (body: Body) => {
  const answer = await record(body)
  expect([answer.status, answer.body.message]).toEqual([201, undefined])
  return answer.body
}
const kickOff = () => recorded({ type: 'periodStart', timestamp: at(0) })
const goal = (teamId: number, minutes: number, more: Body = {}) =>
  recorded({ type: 'goal', teamId, timestamp: at(minutes), ...more })

beforeAll(async () => {
  production = await startProduction()
  stranger = await produce(production.server)
  ;[home = 0, away = 0] = production.teamIds
  homePlayers = production.playerIds[String(home)] ?? []
  awayPlayers = production.playerIds[String(away)] ?? []
})
afterAll(() => production.close())
beforeEach(async () => {
  matchId = await newMatch()
})

describe('recording facts', () => {
  it('[domain 5.4] answers 201 with the fact as it is read later; what is left out comes from the state of play', async () => {
    await kickOff()
    const answer = await record({
      type: 'goal',
      teamId: home,
      playerId: homePlayers[9],
      timestamp: at(12),
      details: { foot: 'left' },
    })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      id: expect.any(Number),
      matchId,
      type: 'goal',
      teamId: home,
      playerId: homePlayers[9],
      secondaryPlayerId: null,
      period: 1,
      periodType: 'half',
      clockMs: 720_000,
      minute: expect.any(Number),
      addedMinute: null,
      points: 1,
      value: null,
      details: { foot: 'left' },
      timestamp: at(12),
      source: 'api',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect((await get(`${facts()}/${answer.body.id}`)).body).toEqual(answer.body)
    expect((await match()).score).toMatchObject({ home: 1, away: 0, periods: [{ number: 1, home: 1, away: 0 }] })
  })

  it('[domain 5.4] a timestamp is now unless given, in any offset, and facts are listed in match order with paging', async () => {
    const before = Date.now()
    const started = await recorded({ type: 'periodStart' })
    expect(Date.parse(String(started.timestamp))).toBeGreaterThanOrEqual(before)
    const earlier = await record({ type: 'foul', teamId: home, timestamp: '2020-01-01T00:00:00+02:00' })
    expect(earlier.body.timestamp).toBe('2019-12-31T22:00:00.000Z')
    const list = await get(facts())
    expect(list.body).toMatchObject({ total: 2, returned: 2, facts: [{ type: 'foul' }, { type: 'periodStart' }] })
    expect((await get(`${facts()}?limit=1&offset=1`)).body).toMatchObject({
      total: 2,
      returned: 1,
      facts: [{ id: started.id }],
    })
    expect(badFields(await get(`${facts()}?limit=0`))).toEqual([400, ['query.limit']])
  })

  it('[domain 5.4] a type of another sport, a team that does not play, a score before the start are 400 and change nothing', async () => {
    expect(badFields(await record({ type: 'goal', teamId: home }))).toEqual([400, ['body.type']])
    await kickOff()
    const foreign = await record({ type: 'try', teamId: home })
    expect(badFields(foreign)).toEqual([400, ['body.type']])
    expect(foreign.body.details).toMatchObject({ 'body.type': { message: expect.stringContaining('penaltyGoal') } })
    const { sql } = production.server.database
    const [other] = await sql<{ id: number }[]>`
      insert into team (organization_id, name, sport) values (${production.organizationId}, 'Idle Team', 'football') returning id`
    expect(badFields(await record({ type: 'goal', teamId: other?.id }))).toEqual([400, ['body.teamId']])
    expect(badFields(await record({ type: 'periodStart' }))).toEqual([400, [expect.stringMatching(/^body/)]])
    expect(badFields(await record({ type: 'goal', teamId: home, points: 3 }))).toEqual([400, ['body.points']])
    expect((await get(facts())).body.total).toBe(1)
    expect((await match()).score).toMatchObject({ home: 0, away: 0 })
  })

  it('[contract] ids of others are 403, missing ones 404, bad ones 400 by their path', async () => {
    await kickOff()
    expect((await record({ type: 'goal', teamId: stranger.teamIds[0] })).status).toBe(403)
    const foreign = stranger.playerIds[String(stranger.teamIds[0])]?.[0]
    expect((await record({ type: 'goal', teamId: home, playerId: foreign })).status).toBe(403)
    expect((await record({ type: 'goal', teamId: home, secondaryPlayerId: foreign })).status).toBe(403)
    expect((await record({ type: 'goal', teamId: 2_000_000_000 })).status).toBe(404)
    expect((await post(`/v2/matches/${stranger.matchId}/facts`, { type: 'matchStart' })).status).toBe(403)
    expect((await post(`/v2/matches/2000000000/facts`, { type: 'matchStart' })).status).toBe(404)
    const bad = await record({ type: '', teamId: 0, period: -1, clockMs: 2 ** 31, timestamp: 'soon', source: 'radio' })
    expect(badFields(bad)).toEqual(
      [400, ['body.clockMs', 'body.period', 'body.source', 'body.teamId', 'body.timestamp', 'body.type'].sort()].map(
        (one) => (Array.isArray(one) ? expect.arrayContaining(one) : one),
      ),
    )
  })

  it('[domain 5.4] a player is on the roster, or in the line-up once there is one; his team is taken from it', async () => {
    await kickOff()
    expect((await goal(home, 1, { teamId: undefined, playerId: awayPlayers[3] })).teamId).toBe(away)
    const refused = { 'body.playerId': { message: 'not on the roster of the team', value: awayPlayers[0] } }
    const opponent = await record({ type: 'goal', teamId: home, playerId: awayPlayers[0] })
    expect(opponent).toMatchObject({ status: 400, body: { details: refused } })
    const [starter, substitute] = homePlayers
    const { sql } = production.server.database
    await sql`insert into lineup (match_id, team_id) values (${matchId}, ${home})`
    await sql`insert into lineup_player (match_id, team_id, player_id, position_order, starting)
      values (${matchId}, ${home}, ${starter ?? 0}, 0, true)`
    expect((await goal(home, 2, { playerId: starter })).playerId).toBe(starter)
    expect(await record({ type: 'goal', teamId: home, playerId: substitute })).toMatchObject({
      status: 400,
      body: { details: { 'body.playerId': { message: 'not in the line-up of the team', value: substitute } } },
    })
    expect(await record({ type: 'goal', playerId: substitute })).toMatchObject({
      status: 400,
      body: { details: { 'body.playerId': { message: expect.stringContaining('in neither line-up') } } },
    })
    const assisted = { type: 'goal', teamId: home, playerId: starter, secondaryPlayerId: substitute, timestamp: at(3) }
    expect(badFields(await record(assisted))).toEqual([400, ['body.secondaryPlayerId']])
    expect((await record({ ...assisted, secondaryPlayerId: awayPlayers[1] })).status).toBe(201)
  })

  it('[domain 5.4] clientFactId sent again answers the first fact with 200, also 20 times at once', async () => {
    await kickOff()
    const clientFactId = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => record({ type: 'goal', teamId: home, timestamp: at(1), clientFactId })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(answers[0]?.body.clientFactId).toBe(clientFactId)
    expect((await get(facts())).body.total).toBe(2)
    expect((await match()).score).toMatchObject({ home: 1 })
  })

  it('[contract: Idempotency-Key] the same request again answers 201 with the same fact, and is recorded once', async () => {
    await kickOff()
    const send = () =>
      production.server.call('POST', facts(), {
        key: production.apiKey,
        body: { type: 'goal', teamId: away, timestamp: at(1) },
        headers: { 'Idempotency-Key': `goal-${matchId}` },
      })
    const [first, second] = await Promise.all([send(), send()])
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body).toEqual(first.body)
    expect((await match()).score).toMatchObject({ away: 1 })
  })

  it('[live-path 3] many facts at once are all there, each counted', async () => {
    await kickOff()
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        record({ type: 'goal', teamId: index % 3 === 0 ? away : home, timestamp: at(index) }),
      ),
    )
    expect(answers.every(({ status }) => status === 201)).toBe(true)
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(30)
    expect((await match()).score).toMatchObject({ home: 20, away: 10 })
  })

  it('[issue 5] of two that cannot both be, one is', async () => {
    const answers = await Promise.all([record({ type: 'matchStart' }), record({ type: 'matchStart' })])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400])
    expect((await get(facts())).body.total).toBe(1)
  })
})

describe('correcting facts', () => {
  it('[issue 5] the score is the fold of the facts: an edit, another side and a deletion recompute it', async () => {
    await kickOff()
    const first = await goal(home, 10)
    const second = await goal(home, 20)
    const corrected = await post(`${facts()}/${second.id}`, { teamId: away, details: { var: true } })
    expect(corrected.status).toBe(200)
    expect(corrected.body).toMatchObject({ id: second.id, teamId: away, timestamp: at(20), details: { var: true } })
    expect(corrected.body.createdAt).toBe(second.createdAt)
    expect((await match()).score).toMatchObject({ home: 1, away: 1 })
    const deleted = await production.call('DELETE', `${facts()}/${first.id}`)
    expect([deleted.status, deleted.body.id]).toEqual([200, first.id])
    expect((await match()).score).toMatchObject({ home: 0, away: 1 })
    expect((await get(`${facts()}/${first.id}`)).status).toBe(404)
    expect((await production.call('DELETE', `${facts()}/${first.id}`)).status).toBe(404)
    expect((await get(facts())).body.total).toBe(2)
  })

  it('[domain 5.4] an own goal credits the other side; so does a goal that becomes one', async () => {
    await kickOff()
    await recorded({ type: 'ownGoal', teamId: home, timestamp: at(5) })
    const second = await goal(home, 6)
    expect((await match()).score).toMatchObject({ home: 1, away: 1 })
    await post(`${facts()}/${second.id}`, { type: 'ownGoal' })
    expect((await match()).score).toMatchObject({ home: 0, away: 2 })
  })

  it('[issue 5] facts may come out of order; what they make impossible is refused and changes nothing', async () => {
    const started = await kickOff()
    await recorded({ type: 'periodEnd', timestamp: at(46) })
    expect(await match()).toMatchObject({ state: 'break' })
    await recorded({ type: 'periodStart', timestamp: at(60) })
    const late = await goal(away, 30)
    expect(late).toMatchObject({ period: 1, clockMs: 1_800_000 })
    expect((await match()).score).toMatchObject({ periods: [{ away: 1 }, { away: 0 }] })
    const before = await match()
    const undone = await production.call('DELETE', `${facts()}/${started.id}`)
    expect([undone.status, typeof undone.body.details]).toEqual([400, 'object'])
    expect(badFields(await post(`${facts()}/${late.id}`, { timestamp: '2020-01-01T00:00:00Z' }))[0]).toBe(400)
    expect(badFields(await post(`${facts()}/${late.id}`, { type: 'try' }))).toEqual([400, ['body.type']])
    expect(await match()).toEqual(before)
    expect((await get(facts())).body.total).toBe(4)
  })

  it('[domain 3.3] a correction after full time counts, a new goal does not', async () => {
    await kickOff()
    const scored = await goal(home, 10)
    for (const [type, minutes] of [
      ['periodEnd', 45],
      ['periodStart', 60],
      ['periodEnd', 105],
      ['matchEnd', 106],
    ] as const)
      await recorded({ type, timestamp: at(minutes) })
    expect(await match()).toMatchObject({ state: 'finished', clock: { running: false }, score: { home: 1 } })
    expect(badFields(await record({ type: 'goal', teamId: home, timestamp: at(110) }))).toEqual([400, ['body.type']])
    await post(`${facts()}/${scored.id}`, { teamId: away })
    expect(await match()).toMatchObject({ state: 'finished', score: { home: 0, away: 1 } })
    expect((await record({ type: 'goal', teamId: home, timestamp: at(80) })).status).toBe(201)
    const summary = await get(`/v1/matches/${matchId}/summary`)
    expect(summary.body).toMatchObject({
      matchId,
      state: 'finished',
      score: { home: 1, away: 1 },
      periods: [
        { number: 1, type: 'half', home: 0, away: 1 },
        { number: 2, type: 'half', home: 1, away: 0 },
      ],
      teamStats: { home: { goals: 1 }, away: { goals: 1 } },
    })
    expect(summary.body.facts).toHaveLength(7)
    expect((await get(`/v2/matches/${matchId}/summary`)).body).toEqual(summary.body)
  })

  it('[spec: Errors] a fact of another match is 404 and unchanged', async () => {
    await kickOff()
    const mine = await goal(home, 10)
    const other = await newMatch()
    const path = `/v2/matches/${other}/facts/${mine.id}`
    const answers = [await get(path), await post(path, { teamId: away }), await production.call('DELETE', path)]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    expect((await get(`${facts()}/${mine.id}`)).body).toEqual(mine)
    const foreign = `/v2/matches/${stranger.matchId}/facts/${mine.id}`
    expect((await production.call('DELETE', foreign)).status).toBe(403)
  })

  it('[domain 5.4] a corrected player is checked like a new one, and keeps his team unless it is named', async () => {
    await kickOff()
    const scored = await goal(home, 10, { playerId: homePlayers[9] })
    const path = `${facts()}/${scored.id}`
    expect((await post(path, { playerId: homePlayers[10] })).body).toMatchObject({
      playerId: homePlayers[10],
      teamId: home,
    })
    expect(badFields(await post(path, { playerId: awayPlayers[9] }))).toEqual([400, ['body.playerId']])
    expect(badFields(await post(path, { teamId: away }))).toEqual([400, ['body.playerId']])
    expect((await post(path, { teamId: away, playerId: awayPlayers[9] })).body).toMatchObject({ teamId: away })
    expect((await post(path, { playerId: null })).body).toMatchObject({ playerId: null, teamId: away })
    expect((await post(path, { playerId: stranger.playerIds[String(stranger.teamIds[0])]?.[0] })).status).toBe(403)
  })
})

describe('limits of facts', () => {
  const json = (characters: number) => ({ k: 'x'.repeat(characters - '{"k":""}'.length) })
  it.each<[string, unknown, unknown]>([
    ['type', 'foul', 'x'.repeat(65)],
    ['clientFactId', 'x', ''],
    ['clientFactId', '\u{1f3c9}'.repeat(255), 'x'.repeat(256)],
    ['value', 'x'.repeat(255), 'x'.repeat(256)],
    ['value', false, []],
    ['details', json(4096), json(4097)],
    ['details', { [`${'k'.repeat(64)}`]: 1 }, { [`${'k'.repeat(65)}`]: 1 }],
    ['details', {}, 'text'],
    ['clockMs', 2 ** 31 - 1, 2 ** 31],
    ['clockMs', 0, -1],
    ['minute', 0, 1.5],
    ['addedMinute', 2 ** 31 - 1, -1],
    ['points', 0, 10_000],
    ['period', 1, 1000],
    ['playerId', null, 2 ** 31],
    ['timestamp', '9999-12-31T23:59:59.999Z', '9999-12-31T23:00:00-02:00'],
    ['source', 'provider', 'radio'],
    ['type', 'foul', 'a\u0000b'],
    ['value', 'ok', '\ud800'],
  ])('[spec: Limits] %s', async (field, good, bad) => {
    await kickOff()
    const foul = { type: 'foul', teamId: home, timestamp: at(1) }
    const accepted = await record({ ...foul, [field]: good })
    expect([accepted.status, accepted.body.message]).toEqual([201, undefined])
    if (field !== 'timestamp') expect(accepted.body[field]).toEqual(good)
    const refused = await record({ ...foul, [field]: bad })
    expect(refused.status).toBe(400)
    expect(Object.keys(refused.body.details ?? {}).every((path) => path.startsWith(`body.${field}`))).toBe(true)
    if (field !== 'clientFactId') {
      const corrected = await post(`${facts()}/${accepted.body.id}`, { [field]: bad })
      expect(corrected.status).toBe(400)
    }
    expect((await get(`${facts()}/${accepted.body.id}`)).body).toEqual(accepted.body)
    expect((await get(facts())).body.total).toBe(2)
  })
})
