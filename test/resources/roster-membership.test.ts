import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newKey } from '../support/app.ts'
import { badFields, NOBODY, newRoster, newTeam, type Roster } from './roster-support.ts'
import { type Production, produce, startProduction } from './support.ts'

let production: Production
let stranger: Omit<Production, 'close'>
let rovers: Roster

beforeAll(async () => {
  production = await startProduction()
  stranger = await produce(production.server)
  rovers = await newRoster(production, 'Roster Rovers')
})
afterAll(() => production.close())

describe('a player of two teams', () => {
  it('[DECISIONS: rosters] PUT adds an existing player, and again replaces all that the team says', async () => {
    const second = await newTeam(production, 'Loan Lions')
    const id = await rovers.created({ number: '3' })
    const added = await production.call('PUT', rovers.one(id, second), {
      number: '33',
      captain: true,
      gfxLastName: 'L.',
    })
    expect(added.status).toBe(200)
    expect(added.body).toMatchObject({ id, firstName: 'Ada', number: '33', captain: true, gfxLastName: 'L.' })
    const again = await production.call('PUT', rovers.one(id, second), { position: 'GK' })
    expect(again.body).toMatchObject({ number: '', captain: false, gfxLastName: null, position: 'GK' })
    expect((await rovers.read(id)).body).toMatchObject({ number: '3', position: null })
    expect((await production.call('GET', rovers.path(second))).body.total).toBe(1)
  })

  it('[DECISIONS: rosters] PUT of a foreign or missing player or team is 404', async () => {
    const [foreignTeam = 0] = stranger.teamIds
    const [foreignPlayer = 0] = stranger.playerIds[foreignTeam] ?? []
    const id = await rovers.created()
    for (const path of [
      rovers.one(foreignPlayer),
      rovers.one(id, foreignTeam),
      rovers.one(NOBODY),
      rovers.one(id, NOBODY),
    ])
      expect((await production.call('PUT', path, {})).status).toBe(404)
    expect(badFields(await production.call('PUT', rovers.one(id), { gfxFirstName: 'x'.repeat(17) }))).toEqual([
      400,
      ['body.gfxFirstName'],
    ])
  })

  it('[DECISIONS: rosters] DELETE answers 204, takes the player off this team alone, and a second time is 404', async () => {
    const second = await newTeam(production, 'Former Falcons')
    const id = await rovers.created()
    await production.call('PUT', rovers.one(id, second), {})
    const answer = await production.call('DELETE', rovers.one(id, second))
    expect([answer.status, answer.body]).toEqual([204, {}])
    expect((await production.call('DELETE', rovers.one(id, second))).status).toBe(404)
    expect((await rovers.read(id)).status).toBe(200)
    expect((await production.call('GET', `/v1/players/${id}`)).status).toBe(200)
  })
})

describe('reading a roster', () => {
  it('[Teams 7] players come by id with total and returned, in pages', async () => {
    const team = await newTeam(production, 'Paged Panthers')
    const ids = [
      await rovers.created({ number: '9' }, team),
      await rovers.created({ number: '1' }, team),
      await rovers.created({}, team),
    ]
    const { body } = await production.call('GET', rovers.path(team))
    expect((body.players as { id: number }[]).map(({ id }) => id)).toEqual(ids)
    expect([body.total, body.returned]).toEqual([3, 3])
    const second = await production.call('GET', `${rovers.path(team)}?limit=1&offset=1`)
    expect(second.body).toMatchObject({ total: 3, returned: 1, players: [{ id: ids[1], number: '1' }] })
    expect((await production.call('GET', `${rovers.path(team)}?offset=9`)).body).toEqual({
      players: [],
      total: 3,
      returned: 0,
    })
  })

  it('[Authentication 11] the roster of a foreign team is 403, of a missing one 404', async () => {
    expect((await production.call('GET', rovers.path(stranger.teamIds[0]))).body.code).toBe('FORBIDDEN')
    expect((await production.call('GET', rovers.path(NOBODY))).status).toBe(404)
  })

  it('[Authentication 4] rosters are read with teams:read and written with teams:write, never players:write', async () => {
    const id = await rovers.created()
    const keyFor = async (scope: string) =>
      (await newKey(production.server.database, production.organizationId, [scope])).key
    const status = async (method: string, path: string, scope: string, body?: object) =>
      (await production.server.call(method, path, { key: await keyFor(scope), body })).status
    expect(await status('GET', rovers.path(), 'teams:read')).toBe(200)
    expect(await status('GET', rovers.path(), 'players:write')).toBe(403)
    for (const [method, path, body] of [
      ['POST', rovers.path(), { firstName: 'A', lastName: 'B' }],
      ['PATCH', rovers.one(id), { number: '1' }],
      ['PUT', rovers.one(id), {}],
      ['DELETE', rovers.one(id), undefined],
    ] as const) {
      expect(await status(method, path, 'teams:read', body)).toBe(403)
      expect(await status(method, path, 'players:write', body)).toBe(403)
      expect(await status(method, path, 'teams:write', body)).toBeLessThan(300)
    }
  })
})
