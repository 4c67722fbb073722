import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { characters, competition, complaints, type League, NOBODY, startLeagues, team } from './league.ts'

let league: League
let stranger: League
let close: () => Promise<void>

beforeAll(async () => {
  const started = await startLeagues()
  league = started.league
  stranger = started.stranger
  close = () => started.server.close()
})
afterAll(() => close())

const create = (body: object) => league.call('POST', '/v1/competitions', { ...competition, ...body })

describe('creating a competition', () => {
  it('[Competition] answers 201 with id, name, gfxName (null when not given) and sport, nothing else', async () => {
    const answer = await create({})
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({ id: expect.any(Number), name: 'Harbour League', gfxName: null, sport: 'football' })
    expect((await create({ gfxName: 'Harbour' })).body.gfxName).toBe('Harbour')
  })

  it.each([
    ['name', 6, 39],
    ['gfxName', 6, 19],
  ])('[Limits] %s takes %i to %i characters and nothing beyond', async (field, min, max) => {
    for (const length of [min, max]) expect((await create({ [field]: characters(length) })).status).toBe(201)
    for (const length of [min - 1, max + 1])
      expect(complaints(await create({ [field]: characters(length) }))).toEqual([400, [`body.${field}`]])
  })

  it('[Competition] has no additional properties, and names every missing and every wrong field', async () => {
    expect(complaints(await create({ matchTier: 'gold' }))).toEqual([400, ['body.matchTier']])
    expect(complaints(await league.call('POST', '/v1/competitions', {}))).toEqual([
      400,
      ['body.age', 'body.gender', 'body.gradeId', 'body.name', 'body.sport'],
    ])
    const wrong = { name: 7, gfxName: null, sport: 'chess', age: 'U99', gender: 'male', gradeId: '1' }
    expect(complaints(await create(wrong))).toEqual([
      400,
      Object.keys(wrong)
        .map((name) => `body.${name}`)
        .sort(),
    ])
  })

  it('[contract] an unknown gradeId answers 400, one beyond int32 too', async () => {
    expect(complaints(await create({ gradeId: NOBODY }))).toEqual([400, ['body.gradeId']])
    for (const gradeId of [0, -1, 2_147_483_648, 1.5])
      expect(complaints(await create({ gradeId }))).toEqual([400, ['body.gradeId']])
  })

  it('refuses text that the database cannot hold', async () => {
    for (const name of ['Harbour\0League', 'Harbour\ud800League'])
      expect(complaints(await create({ name }))).toEqual([400, ['body.name']])
  })
})

describe('finding competitions', () => {
  it('[Competition] searches by part of the name and sport, with total and returned', async () => {
    await create({ name: 'Searched 100% Cup', sport: 'netball' })
    const last = await create({ name: 'Searched Shield', sport: 'netball' })
    const search = (query: string) => league.call('GET', `/v1/competitions?${query}`)
    expect((await search('name=searched&sport=netball')).body).toMatchObject({ total: 2, returned: 2 })
    expect((await search('name=100%25')).body).toMatchObject({ total: 1 })
    expect((await search('name=searched&sport=tennis')).body).toEqual({ competitions: [], total: 0, returned: 0 })
    expect((await search('name=searched&limit=1&offset=1')).body).toEqual({
      competitions: [last.body],
      total: 2,
      returned: 1,
    })
    expect((await stranger.call('GET', '/v1/competitions?name=searched')).body.total).toBe(0)
  })

  it('[Players 8] filters by provider, and wants the name of the provider with ids', async () => {
    const id = await league.create('/v1/competitions', { ...competition, name: 'Provided League' })
    await league.server.database.sql`
      update competition set provider_name = 'opta', provider_id = 'c-9' where id = ${id}`
    const { body } = await league.call('GET', '/v1/competitions?providerName=opta&providerIds=c-9,c-10')
    expect(body.competitions).toMatchObject([{ id, dataProvider: { name: 'opta', id: 'c-9' } }])
    expect(complaints(await league.call('GET', '/v1/competitions?providerIds=c-9'))).toEqual([
      400,
      ['query.providerIds'],
    ])
    expect((await league.call('GET', '/v1/competitions?providerName=nobody')).status).toBe(400)
  })

  it('[Competitions 9] lists grades', async () => {
    const { status, body } = await league.call('GET', '/v1/competitions/grades')
    expect(status).toBe(200)
    expect(body).toContainEqual({ id: 1, name: 'Premier' })
  })

  it('[auth.11] a foreign competition answers 403, a missing one 404', async () => {
    const foreign = await stranger.create('/v1/competitions', competition)
    for (const [id, status] of [
      [foreign, 403],
      [NOBODY, 404],
    ]) {
      for (const path of [`/v1/competitions/${id}`, `/v1/competitions/${id}/teams`])
        expect((await league.call('GET', path)).status).toBe(status)
      expect((await league.call('PATCH', `/v1/competitions/${id}`, { name: 'Renamed' })).status).toBe(status)
    }
  })

  it('[auth.5] competitions:read reads and does not write', async () => {
    const call = await league.withScopes(['competitions:read'])
    expect((await call('GET', '/v1/competitions')).status).toBe(200)
    expect((await call('POST', '/v1/competitions', competition)).body.code).toBe('INSUFFICIENT_SCOPE')
    const teamsOnly = await league.withScopes(['teams:write'])
    expect((await teamsOnly('GET', '/v1/competitions')).status).toBe(403)
  })
})

describe('changing a competition', () => {
  it('keeps what is left out; gfxName null takes it away; the sport and unknown keys are refused', async () => {
    const path = `/v1/competitions/${await league.create('/v1/competitions', { ...competition, gfxName: 'Harbour' })}`
    expect((await league.call('PATCH', path, { name: 'Harbour Shield' })).body).toMatchObject({
      name: 'Harbour Shield',
      gfxName: 'Harbour',
    })
    const answer = await league.call('PATCH', path, { gfxName: null, age: 'U19', gender: 'Female', gradeId: 2 })
    expect(answer.body).toMatchObject({ name: 'Harbour Shield', gfxName: null })
    expect((await league.call('PATCH', path, {})).body).toEqual(answer.body)
    expect((await league.call('GET', path)).body).toEqual(answer.body)
    expect(complaints(await league.call('PATCH', path, { sport: 'tennis', name: null, nonsense: 1 }))).toEqual([
      400,
      ['body.name', 'body.nonsense', 'body.sport'],
    ])
    expect(complaints(await league.call('PATCH', path, { gradeId: NOBODY }))).toEqual([400, ['body.gradeId']])
  })
})

describe('teams of a competition', () => {
  it('are assigned once, listed with their count, included with t, and taken out again', async () => {
    const path = `/v1/competitions/${await league.create('/v1/competitions', competition)}`
    const teamId = await league.create('/v1/teams', team)
    for (const _ of ['first', 'again']) {
      const answer = await league.call('PUT', `${path}/teams/${teamId}`)
      expect([answer.status, answer.body.count]).toEqual([200, 1])
    }
    const { body } = await league.call('GET', `${path}/teams`)
    expect(body).toMatchObject({ count: 1, teams: [{ id: teamId, name: 'Harbour Town' }] })
    expect((await league.call('GET', `${path}?include=t`)).body.teams).toEqual(body.teams)
    expect('teams' in (await league.call('GET', path)).body).toBe(false)
    expect((await league.call('GET', `${path}?include=x`)).status).toBe(400)
    expect((await league.call('DELETE', `${path}/teams/${teamId}`)).status).toBe(204)
    expect((await league.call('GET', `${path}/teams`)).body).toEqual({ count: 0, teams: [] })
    expect((await league.call('DELETE', `${path}/teams/${teamId}`)).status).toBe(404)
  })

  it('must be of the organization', async () => {
    const path = `/v1/competitions/${await league.create('/v1/competitions', competition)}/teams`
    const foreign = await stranger.create('/v1/teams', team)
    for (const method of ['PUT', 'DELETE']) {
      expect((await league.call(method, `${path}/${foreign}`)).status).toBe(403)
      expect((await league.call(method, `${path}/${NOBODY}`)).status).toBe(404)
    }
  })

  it('that are being taken out cannot be drawn into a match meanwhile', async () => {
    const competitionId = await league.create('/v1/competitions', competition)
    const home = await league.create('/v1/teams', { ...team, competitionIds: [competitionId] })
    const away = await league.create('/v1/teams', { ...team, competitionIds: [competitionId] })
    const match = { competitionId, homeTeamId: home, awayTeamId: away, date: '2027-03-01T18:00:00Z' }
    const { sql } = league.server.database
    const creating = await sql.begin(async (tx) => {
      await tx`delete from competition_team where competition_id = ${competitionId} and team_id = ${away}`
      const answer = league.call('POST', '/v2/matches', match)
      await vi.waitFor(
        async () =>
          expect(
            await sql`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%for share%'
          and datname = current_database()`,
          ).toHaveLength(1),
        30_000,
      )
      // not awaited in here: it waits for the end of this transaction
      return { answer }
    })
    expect(complaints(await creating.answer)).toEqual([400, ['body.awayTeamId']])
  })

  it('stay while they play a match in it, and the refusal changes nothing', async () => {
    const competitionId = await league.create('/v1/competitions', competition)
    const home = await league.create('/v1/teams', { ...team, competitionIds: [competitionId] })
    const away = await league.create('/v1/teams', { ...team, competitionIds: [competitionId, competitionId] })
    const match = { competitionId, homeTeamId: home, awayTeamId: away, date: '2027-03-01T18:00:00Z' }
    expect((await league.call('POST', '/v2/matches', match)).status).toBe(200)
    const path = `/v1/competitions/${competitionId}/teams`
    expect(complaints(await league.call('DELETE', `${path}/${home}`))).toEqual([400, ['path.teamId']])
    expect((await league.call('GET', path)).body.count).toBe(2)
  })
})
