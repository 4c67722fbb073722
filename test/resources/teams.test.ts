import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { characters, competition, complaints, type League, NOBODY, newLeague, startLeagues, team } from './league.ts'

let league: League
let stranger: League
let close: () => Promise<void>
let venueId: number
let foreignVenueId: number

const newVenue = async ({ id, server }: League) => {
  const [venue] = await server.database.sql<{ id: number }[]>`
    insert into venue (organization_id, name) values (${id}, 'Harbour Ground') returning id`
  return venue?.id ?? 0
}

beforeAll(async () => {
  const started = await startLeagues()
  league = started.league
  stranger = started.stranger
  close = () => started.server.close()
  venueId = await newVenue(league)
  foreignVenueId = await newVenue(stranger)
})
afterAll(() => close())

const create = (body: object) => league.call('POST', '/v1/teams', { ...team, ...body })
const staff = (role: string) => ({ firstName: 'Ana', lastName: 'Ruiz', role })

/** Every field that both writes take, with a good value. */
const everything = () => ({
  name: 'Harbour City',
  gfxName: 'Harbour',
  gfxFullName: 'Harbour City FC',
  abbreviation: 'HCFC',
  primaryBackgroundColor: '#102030',
  primaryTextColor: '#fff',
  secondaryBackgroundColor: 'rebeccapurple',
  secondaryTextColor: '#ffffff80',
  defaultVenueId: venueId,
  nonPlayerStaff: [staff('assistantManager'), staff('manager')],
})

describe('creating a team', () => {
  it('[Teams 1] answers 201 for name and sport alone; what is not set is absent, colours are black and white', async () => {
    const answer = await create({})
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      id: expect.any(Number),
      name: 'Harbour Town',
      sport: 'football',
      primaryBackgroundColor: '#000000',
      primaryTextColor: '#ffffff',
    })
    expect((await league.call('GET', `/v1/teams/${answer.body.id}`)).body).toEqual(answer.body)
  })

  it('[Teams 1] takes every field, and the team is in the competitions that were named', async () => {
    const competitionId = await league.create('/v1/competitions', competition)
    const asked = everything()
    const answer = await create({ ...asked, age: 'U19', gender: 'Female', gradeId: 1, competitionIds: [competitionId] })
    expect(answer.body).toEqual({ id: expect.any(Number), sport: 'football', ...asked })
    const { body } = await league.call('GET', `/v1/competitions/${competitionId}/teams`)
    expect(body).toEqual({ count: 1, teams: [answer.body] })
  })

  it.each([
    ['name', 6, 39],
    ['gfxName', 6, 19],
    ['gfxFullName', 6, 35],
    ['abbreviation', 2, 4],
  ])('[Limits] %s takes %i to %i characters and nothing beyond, on create and update', async (field, min, max) => {
    const path = `/v1/teams/${await league.create('/v1/teams', team)}`
    for (const length of [min, max]) {
      expect((await create({ [field]: characters(length) })).body[field]).toBe(characters(length))
      expect((await league.call('PATCH', path, { [field]: characters(length) })).body[field]).toBe(characters(length))
    }
    for (const length of [min - 1, max + 1]) {
      expect(complaints(await create({ [field]: characters(length) }))).toEqual([400, [`body.${field}`]])
      const update = await league.call('PATCH', path, { [field]: characters(length) })
      expect(complaints(update)).toEqual([400, [`body.${field}`]])
    }
  })

  it('[decisions] takes 100 staff with names of 255 characters, 1,000 competitions and colours of 64 characters', async () => {
    const named = (length: number) => ({ ...staff('manager'), firstName: characters(length) })
    const colour = 'secondaryTextColor'
    const most = { nonPlayerStaff: Array.from({ length: 100 }, () => named(255)), [colour]: characters(64) }
    expect((await create(most)).body).toMatchObject(most)
    const competitionId = await league.create('/v1/competitions', competition)
    expect((await create({ competitionIds: Array(1_000).fill(competitionId) })).status).toBe(201)
    const beyond = {
      nonPlayerStaff: Array.from({ length: 101 }, () => named(1)),
      competitionIds: Array(1_001).fill(competitionId),
      [colour]: characters(65),
    }
    expect(complaints(await create(beyond))).toEqual([
      400,
      Object.keys(beyond)
        .map((name) => `body.${name}`)
        .sort(),
    ])
    expect(complaints(await create({ nonPlayerStaff: [named(256)] }))).toEqual([
      400,
      ['body.nonPlayerStaff[0].firstName'],
    ])
  })

  it('names every field of a wrong type, null included, on create and update', async () => {
    const wrong = {
      name: 1,
      gfxName: null,
      gfxFullName: null,
      abbreviation: null,
      age: 'U99',
      gender: null,
      gradeId: 'x',
      defaultVenueId: null,
      primaryBackgroundColor: null,
      primaryTextColor: 3,
      secondaryBackgroundColor: null,
      secondaryTextColor: characters(65),
      nonPlayerStaff: null,
    }
    const fields = Object.keys(wrong).map((name) => `body.${name}`)
    expect(complaints(await create({ ...wrong, sport: 'chess', competitionIds: 3 }))).toEqual([
      400,
      [...fields, 'body.competitionIds', 'body.sport'].sort(),
    ])
    const path = `/v1/teams/${await league.create('/v1/teams', team)}`
    expect(complaints(await league.call('PATCH', path, wrong))).toEqual([400, fields.sort()])
    expect(complaints(await league.call('POST', '/v1/teams', {}))).toEqual([400, ['body.name', 'body.sport']])
    const halfStaff = [{ firstName: 'Ana', role: 'coach' }]
    expect(complaints(await create({ nonPlayerStaff: halfStaff }))).toEqual([
      400,
      ['body.nonPlayerStaff[0].lastName', 'body.nonPlayerStaff[0].role'],
    ])
  })

  it('[contract] foreign ids in the body answer 403, missing ones 404, an unknown grade 400; nothing is made', async () => {
    const foreignClub = await stranger.create('/v1/teams/clubs', { name: 'Foreign Club' })
    const foreignCompetition = await stranger.create('/v1/competitions', competition)
    const count = async () => (await league.call('GET', '/v1/teams?limit=1')).body.total
    const before = await count()
    for (const [body, status] of [
      [{ defaultVenueId: foreignVenueId }, 403],
      [{ clubId: foreignClub }, 403],
      [{ competitionIds: [foreignCompetition] }, 403],
      [{ defaultVenueId: NOBODY }, 404],
      [{ clubId: NOBODY }, 404],
      [{ competitionIds: [NOBODY] }, 404],
      [{ gradeId: NOBODY }, 400],
    ] as const)
      expect([body, (await create(body)).status]).toEqual([body, status])
    expect(await count()).toBe(before)
  })
})

describe('changing a team', () => {
  it('[Teams 2] omitted fields keep their value, an empty body changes nothing', async () => {
    const { body: before } = await create(everything())
    const path = `/v1/teams/${before.id}`
    const answer = await league.call('PATCH', path, { abbreviation: 'HRB' })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ ...before, abbreviation: 'HRB' })
    expect((await league.call('PATCH', path, {})).body).toEqual(answer.body)
    expect((await league.call('GET', path)).body).toEqual(answer.body)
  })

  it('[Teams 2] takes every field at once', async () => {
    const path = `/v1/teams/${await league.create('/v1/teams', team)}`
    const asked = everything()
    const answer = await league.call('PATCH', path, { ...asked, age: 'Senior', gender: 'Mixed', gradeId: 2 })
    expect(answer.body).toMatchObject(asked)
  })

  it('[Teams 2] nonPlayerStaff replaces the whole list, an empty array removes all', async () => {
    const path = `/v1/teams/${await league.create('/v1/teams', { ...team, nonPlayerStaff: [staff('manager')] })}`
    const replaced = await league.call('PATCH', path, { nonPlayerStaff: [staff('assistantManager')] })
    expect(replaced.body.nonPlayerStaff).toEqual([staff('assistantManager')])
    expect('nonPlayerStaff' in (await league.call('PATCH', path, { nonPlayerStaff: [] })).body).toBe(false)
  })

  it('[Teams 2] the default venue must be of the organization; the team stays as it is', async () => {
    const path = `/v1/teams/${await league.create('/v1/teams', team)}`
    for (const [defaultVenueId, status] of [
      [foreignVenueId, 403],
      [NOBODY, 404],
    ])
      expect((await league.call('PATCH', path, { name: 'Renamed Town', defaultVenueId })).status).toBe(status)
    expect((await league.call('GET', path)).body.name).toBe('Harbour Town')
  })

  it('[auth.11] a foreign team answers 403, a missing one 404; [auth.5] teams:read does not write', async () => {
    const foreign = await stranger.create('/v1/teams', team)
    for (const [id, status] of [
      [foreign, 403],
      [NOBODY, 404],
    ]) {
      expect((await league.call('GET', `/v1/teams/${id}`)).status).toBe(status)
      expect((await league.call('PATCH', `/v1/teams/${id}`, { name: 'Taken Over' })).status).toBe(status)
    }
    const call = await league.withScopes(['teams:read'])
    expect((await call('GET', '/v1/teams')).status).toBe(200)
    expect((await call('POST', '/v1/teams', team)).body.code).toBe('INSUFFICIENT_SCOPE')
  })

  it('[Team] a team of a provider carries dataProvider, and an edit keeps it', async () => {
    const id = await league.create('/v1/teams', team)
    await league.server.database.sql`
      update team set provider_name = 'opta', provider_id = 't-1' where id = ${id}`
    const answer = await league.call('PATCH', `/v1/teams/${id}`, { name: 'Edited Town' })
    expect(answer.body).toMatchObject({ name: 'Edited Town', dataProvider: { name: 'opta', id: 't-1' } })
    const { body } = await league.call('GET', '/v1/teams?providerName=opta&providerIds=t-1')
    expect(body).toEqual({ teams: [answer.body], total: 1, returned: 1 })
  })
})

describe('listing teams', () => {
  it('[Teams 7] sorts by id and filters by name, sport, competition and club, page by page', async () => {
    const own = await newLeagueWithTeams()
    const list = async (query: string) => {
      const { body } = await own.league.call('GET', `/v1/teams?${query}`)
      return [(body.teams as { id: number }[]).map(({ id }) => id), body.total, body.returned]
    }
    const [a, b, c] = own.ids
    expect(await list('')).toEqual([[a, b, c], 3, 3])
    expect(await list('limit=2')).toEqual([[a, b], 3, 2])
    expect(await list('limit=2&offset=2')).toEqual([[c], 3, 1])
    expect(await list('offset=3')).toEqual([[], 3, 0])
    expect(await list('name=TOWN')).toEqual([[a, b], 2, 2])
    expect(await list('sport=tennis')).toEqual([[c], 1, 1])
    expect(await list(`competitionId=${own.competitionId}`)).toEqual([[b], 1, 1])
    expect(await list(`clubId=${own.clubId}&name=city`)).toEqual([[c], 1, 1])
    expect(await list(`competitionId=${NOBODY}`)).toEqual([[], 0, 0])
  })

  async function newLeagueWithTeams() {
    const own = await newLeague(league.server)
    const competitionId = await own.create('/v1/competitions', competition)
    const clubId = await own.create('/v1/teams/clubs', { name: 'City Club' })
    const ids = [
      await own.create('/v1/teams', { ...team, name: 'First Town' }),
      await own.create('/v1/teams', { ...team, name: 'Second Town', competitionIds: [competitionId] }),
      await own.create('/v1/teams', { name: 'Third City', sport: 'tennis', clubId }),
    ]
    return { league: own, ids, competitionId, clubId }
  }
})
