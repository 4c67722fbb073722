import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newKey } from '../support/app.ts'
import { badFields } from './roster-support.ts'
import { type Production, produce, startProduction } from './support.ts'

let production: Production
let stranger: Omit<Production, 'close'>
let supplied: number

beforeAll(async () => {
  production = await startProduction()
  stranger = await produce(production.server)
  const [row] = await production.server.database.sql<{ id: number }[]>`
    insert into official (organization_id, first_name, last_name, provider_name, provider_id)
    values (${production.organizationId}, 'Wren', 'Castellan', 'playHq', 'ref-9') returning id`
  supplied = row?.id ?? 0
})
afterAll(() => production.close())

const get = (path: string) => production.call('GET', path)

describe('officials', () => {
  it('[domain 5.6] are listed by id, the provider’s with dataProvider', async () => {
    const { body } = await get('/v1/officials')
    expect([body.total, body.returned]).toEqual([5, 5])
    const officials = body.officials as { id: number }[]
    expect(officials.map(({ id }) => id)).toEqual([...production.officialIds, supplied])
    expect(officials[0]).toEqual({
      id: production.officialIds[0],
      firstName: 'Ingrid',
      lastName: 'Solbakken',
      role: 'referee',
      gfxName: 'I. Solbakken',
    })
    expect(officials[4]).toEqual({
      id: supplied,
      firstName: 'Wren',
      lastName: 'Castellan',
      role: null,
      gfxName: null,
      dataProvider: { name: 'playHq', id: 'ref-9' },
    })
  })

  it('[Players 8] take paging and the provider filters', async () => {
    expect((await get('/v1/officials?limit=1&offset=4')).body).toMatchObject({
      total: 5,
      officials: [{ id: supplied }],
    })
    expect((await get('/v1/officials?providerName=playHq')).body.total).toBe(1)
    expect((await get('/v1/officials?providerName=playHq&providerIds=ref-9,x')).body.total).toBe(1)
    expect((await get('/v1/officials?providerName=opta')).body.officials).toEqual([])
    expect(badFields(await get('/v1/officials?providerIds=ref-9'))).toEqual([400, ['query.providerIds']])
    expect(badFields(await get('/v1/officials?providerName=PlayHQ'))).toEqual([400, ['query.providerName']])
  })

  it('[Authentication 11] one is read by id; foreign 403, missing 404', async () => {
    expect((await get(`/v1/officials/${supplied}`)).body).toMatchObject({ id: supplied, lastName: 'Castellan' })
    expect((await get(`/v1/officials/${stranger.officialIds[0]}`)).body.code).toBe('FORBIDDEN')
    expect((await get('/v1/officials/2147483647')).status).toBe(404)
  })

  it('[Authentication 5] need players:read, and cannot be written over REST', async () => {
    const call = async (scope: string, method: string, path: string) => {
      const { key } = await newKey(production.server.database, production.organizationId, [scope])
      return (await production.server.call(method, path, { key })).status
    }
    for (const path of ['/v1/officials', `/v1/officials/${supplied}`]) {
      expect(await call('players:read', 'GET', path)).toBe(200)
      expect(await call('matches:write', 'GET', path)).toBe(403)
      expect(await call('players:write', 'POST', path)).toBe(405)
    }
  })
})
