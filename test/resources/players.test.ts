import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newKey } from '../support/app.ts'
import { badFields } from './roster-support.ts'
import { type Production, produce, startProduction } from './support.ts'

let production: Production
let stranger: Omit<Production, 'close'>
let supplied: number[]

beforeAll(async () => {
  production = await startProduction()
  stranger = await produce(production.server)
  supplied = []
  for (const [organizationId, name, id] of [
    [production.organizationId, 'opta', 'p1'],
    [production.organizationId, 'opta', 'p2'],
    [production.organizationId, 'custom', 'p1'],
    [stranger.organizationId, 'opta', 'p3'],
  ] as const) {
    const [row] = await production.server.database.sql<{ id: number }[]>`
      insert into player (organization_id, first_name, last_name, provider_name, provider_id)
      values (${organizationId}, 'Pro', ${`${name} ${id}`}, ${name}, ${id}) returning id`
    supplied.push(row?.id ?? 0)
  }
})
afterAll(() => production.close())

const list = async (query = '') => {
  const { body } = await production.call('GET', `/v1/players${query}`)
  return { ...body, ids: (body.players as { id: number }[]).map(({ id }) => id) } as {
    ids: number[]
    total: number
    returned: number
    players: object[]
  }
}
const own = () => [...Object.values(production.playerIds).flat(), ...supplied.slice(0, 3)]

describe('[Players 8] GET /v1/players', () => {
  it('lists the organization’s players by id, with total and returned and no other field', async () => {
    const { ids, total, returned, players } = await list()
    expect(ids).toEqual(own().sort((a, b) => a - b))
    expect([total, returned]).toEqual([39, 39])
    expect(players[0]).toEqual({ id: ids[0], firstName: 'Matthías', lastName: 'Þórðarson' })
  })

  it('[Provider] dataProvider is there exactly where a provider supplied the player', async () => {
    const { players } = await list('?limit=1000')
    expect(players.filter((player) => 'dataProvider' in player)).toEqual([
      { id: supplied[0], firstName: 'Pro', lastName: 'opta p1', dataProvider: { name: 'opta', id: 'p1' } },
      { id: supplied[1], firstName: 'Pro', lastName: 'opta p2', dataProvider: { name: 'opta', id: 'p2' } },
      { id: supplied[2], firstName: 'Pro', lastName: 'custom p1', dataProvider: { name: 'custom', id: 'p1' } },
    ])
  })

  it('limit returns at most that many, offset skips, total counts all', async () => {
    const all = (await list()).ids
    expect(await list('?limit=2&offset=3')).toMatchObject({ ids: all.slice(3, 5), total: 39, returned: 2 })
    expect(await list('?limit=1000&offset=38')).toMatchObject({ ids: all.slice(38), total: 39, returned: 1 })
    expect(await list('?offset=2147483647')).toMatchObject({ ids: [], total: 39, returned: 0 })
  })

  it('providerName alone lists all of that provider, providerIds those ids; an unknown or foreign id is absent', async () => {
    expect((await list('?providerName=opta')).ids).toEqual(supplied.slice(0, 2))
    expect(await list('?providerName=opta&providerIds=p2,p3,nobody')).toMatchObject({ ids: [supplied[1]], total: 1 })
    expect(await list('?providerName=opta&providerIds=p3')).toMatchObject({ players: [], total: 0, returned: 0 })
    expect((await list('?providerName=sportradar')).total).toBe(0)
  })

  it('[Limits: providerIds] 100 ids are accepted, 101 are not', async () => {
    const ids = (count: number) => Array.from({ length: count }, (_, index) => `p${index}`).join(',')
    expect((await list(`?providerName=opta&providerIds=${ids(100)}`)).ids).toEqual(supplied.slice(0, 2))
    const answer = await production.call('GET', `/v1/players?providerName=opta&providerIds=${ids(101)}`)
    expect(badFields(answer)).toEqual([400, ['query.providerIds']])
  })

  it.each([
    ['providerIds=p1', 'query.providerIds'],
    ['providerName=nobody', 'query.providerName'],
    ['limit=0', 'query.limit'],
    ['limit=1001', 'query.limit'],
    ['limit=1.5', 'query.limit'],
    ['offset=-1', 'query.offset'],
    ['offset=2147483648', 'query.offset'],
    ['providerName=opta&providerIds=a%00b', 'query.providerIds'],
  ])('%s is refused', async (query, field) => {
    expect(badFields(await production.call('GET', `/v1/players?${query}`))).toEqual([400, [field]])
  })
})

describe('one player', () => {
  it('[DECISIONS: players] reads as in the list; foreign 403, missing 404', async () => {
    expect((await production.call('GET', `/v1/players/${supplied[0]}`)).body).toEqual({
      id: supplied[0],
      firstName: 'Pro',
      lastName: 'opta p1',
      dataProvider: { name: 'opta', id: 'p1' },
    })
    expect((await production.call('GET', `/v1/players/${supplied[3]}`)).body.code).toBe('FORBIDDEN')
    expect((await production.call('GET', '/v1/players/2147483647')).status).toBe(404)
  })

  it('[Authentication 6] players:read opens them; they are made on a roster', async () => {
    const { key } = await newKey(production.server.database, production.organizationId, ['players:read'])
    const status = async (method: string, path: string) => (await production.server.call(method, path, { key })).status
    expect(await status('GET', '/v1/players')).toBe(200)
    expect(await status('GET', `/v1/players/${supplied[0]}`)).toBe(200)
    expect(await status('POST', '/v1/players')).toBe(405)
    const { key: teamsOnly } = await newKey(production.server.database, production.organizationId, ['teams:write'])
    expect((await production.server.call('GET', '/v1/players', { key: teamsOnly })).status).toBe(403)
  })
})
