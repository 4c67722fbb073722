import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { characters, complaints, type League, NOBODY, startLeagues, team } from './league.ts'

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

const create = (body: object) => league.call('POST', '/v1/teams/clubs', { name: 'Harbour Club', ...body })

describe('clubs', () => {
  it('are created, read, listed by id and changed; null takes a value away', async () => {
    const created = await create({ primaryBackgroundColor: '#123456' })
    expect(created.status).toBe(201)
    const id = Number(created.body.id)
    expect(created.body).toEqual({ id, name: 'Harbour Club', primaryBackgroundColor: '#123456' })
    const path = `/v1/teams/clubs/${id}`
    const changed = await league.call('PATCH', path, { name: 'Harbour Union', primaryTextColor: '#fff' })
    expect(changed.body).toEqual({ ...created.body, name: 'Harbour Union', primaryTextColor: '#fff' })
    expect((await league.call('PATCH', path, { primaryBackgroundColor: null })).body).toEqual({
      id,
      name: 'Harbour Union',
      primaryTextColor: '#fff',
    })
    const { body } = await league.call('GET', '/v1/teams/clubs?name=union')
    expect(body).toEqual({ clubs: [(await league.call('GET', path)).body], total: 1, returned: 1 })
  })

  it('[Limits] have a Name of 6 to 39 characters, and take no unknown keys', async () => {
    for (const length of [6, 39]) expect((await create({ name: characters(length) })).status).toBe(201)
    for (const length of [5, 40])
      expect(complaints(await create({ name: characters(length) }))).toEqual([400, ['body.name']])
    expect(complaints(await create({ logoUrl: 'x' }))).toEqual([400, ['body.logoUrl']])
  })

  it('[auth.11] of others answer 403, missing ones 404, and need the scope of teams', async () => {
    const foreign = await stranger.create('/v1/teams/clubs', { name: 'Foreign Club' })
    for (const [id, status] of [
      [foreign, 403],
      [NOBODY, 404],
    ]) {
      expect((await league.call('GET', `/v1/teams/clubs/${id}`)).status).toBe(status)
      expect((await league.call('PATCH', `/v1/teams/clubs/${id}`, { name: 'Taken Over' })).status).toBe(status)
    }
    const call = await league.withScopes(['teams:read'])
    expect((await call('GET', '/v1/teams/clubs')).status).toBe(200)
    expect((await call('POST', '/v1/teams/clubs', { name: 'Harbour Club' })).status).toBe(403)
  })

  it('[contract] have a default venue of the organization, which their teams share', async () => {
    const venue = async (by: League) => {
      const [row] = await by.server.database.sql<{ id: number }[]>`
        insert into venue (organization_id, name) values (${by.id}, 'Harbour Ground') returning id`
      return row?.id
    }
    const defaultVenueId = await venue(league)
    expect((await create({ defaultVenueId: await venue(stranger) })).status).toBe(403)
    expect((await create({ defaultVenueId: NOBODY })).status).toBe(404)
    const { body } = await create({ defaultVenueId })
    const teamOfClub = await league.call('POST', '/v1/teams', { ...team, clubId: body.id })
    expect(teamOfClub.body.defaultVenueId).toBe(defaultVenueId)
    const path = `/v1/teams/clubs/${body.id}`
    expect((await league.call('PATCH', path, { defaultVenueId: await venue(stranger) })).status).toBe(403)
    expect('defaultVenueId' in (await league.call('PATCH', path, { defaultVenueId: null })).body).toBe(false)
  })

  it('[domain 1.1] give their colours to teams that have none of their own, and changes flow to them', async () => {
    const clubId = await league.create('/v1/teams/clubs', {
      name: 'Colour Club',
      primaryBackgroundColor: '#111111',
      secondaryTextColor: '#222222',
    })
    const path = `/v1/teams/${await league.create('/v1/teams', { ...team, clubId, primaryTextColor: '#eeeeee' })}`
    expect((await league.call('GET', path)).body).toMatchObject({
      clubId,
      primaryBackgroundColor: '#111111',
      primaryTextColor: '#eeeeee',
      secondaryTextColor: '#222222',
    })
    await league.call('PATCH', `/v1/teams/clubs/${clubId}`, {
      primaryBackgroundColor: '#333333',
      primaryTextColor: '#444444',
    })
    expect((await league.call('GET', path)).body).toMatchObject({
      primaryBackgroundColor: '#333333',
      primaryTextColor: '#eeeeee',
    })
    const left = await league.call('PATCH', path, { clubId: null })
    expect(left.body).toMatchObject({ primaryBackgroundColor: '#000000', primaryTextColor: '#eeeeee' })
    expect(['clubId' in left.body, 'secondaryTextColor' in left.body]).toEqual([false, false])
  })
})
