import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newKey } from '../support/app.ts'
import { badFields, type Limit, shown, textLimits } from './roster-support.ts'
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

  it('[Authentication 5] need players:read, and players:write to be written', async () => {
    const call = async (scope: string, method: string, path: string, body?: object) => {
      const { key } = await newKey(production.server.database, production.organizationId, [scope])
      return (await production.server.call(method, path, { key, body })).status
    }
    const one = `/v1/officials/${supplied}`
    for (const path of ['/v1/officials', one]) {
      expect(await call('players:read', 'GET', path)).toBe(200)
      expect(await call('matches:write', 'GET', path)).toBe(403)
    }
    const body = { firstName: 'Scope', lastName: 'Keeper' }
    for (const scope of ['players:read', 'matches:write', 'teams:write']) {
      expect(await call(scope, 'POST', '/v1/officials', body)).toBe(403)
      expect(await call(scope, 'PATCH', one, body)).toBe(403)
      expect(await call(scope, 'DELETE', one)).toBe(403)
    }
    expect(await call('players:write', 'POST', '/v1/officials', body)).toBe(201)
  })
})

const create = (body: object) => production.call('POST', '/v1/officials', body)
const limits: Limit[] = [
  ...textLimits('firstName', 1, 35),
  ...textLimits('lastName', 1, 35),
  ...textLimits('gfxName', 1, 35),
  ...(['referee', 'umpire', 'timekeeper', null] as const).map((role): Limit => ['role', role, true]),
  ['role', 'coach', false],
  ['firstName', null, false],
  ['gfxName', null, true],
  ['id', 7, false],
]

describe('[show-control: Records] [issue 21.5] officials over REST', () => {
  it('are made with what was said, and changed by what is sent', async () => {
    const full = { firstName: 'Søren', lastName: 'Æble-Østergård', role: 'videoReferee', gfxName: 'S. Æble' }
    const made = await create(full)
    expect([made.status, made.body]).toEqual([201, { id: expect.any(Number), ...full }])
    const path = `/v1/officials/${made.body.id}`
    expect((await get(path)).body).toEqual(made.body)
    expect((await create({ firstName: 'Wren', lastName: 'Bare' })).body).toMatchObject({ role: null, gfxName: null })
    const changed = await production.call('PATCH', path, { lastName: 'Æble', gfxName: null })
    expect([changed.status, changed.body]).toEqual([200, { ...made.body, lastName: 'Æble', gfxName: null }])
    expect((await production.call('PATCH', path, {})).body).toEqual(changed.body)
    expect((await get('/v1/officials?name=%C3%B8ren%20%C3%86')).body.officials).toEqual([changed.body])
    expect((await get('/v1/officials?name=%25')).body.total).toBe(0)
  })

  it.each(limits.map(shown))('[Limits] %s', async (_, [field, value, accepted]) => {
    const given = { firstName: 'Kari', lastName: 'Nordmann', [field]: value }
    const bad = [400, [field === 'id' ? 'body.id' : `body.${field}`]]
    const made = await create(given)
    expect(badFields(made)).toEqual(accepted ? [201, []] : bad)
    const { body } = await create({ firstName: 'Kari', lastName: 'Nordmann' })
    const path = `/v1/officials/${body.id}`
    expect(badFields(await production.call('PATCH', path, { [field]: value }))).toEqual(accepted ? [200, []] : bad)
    expect((await get(path)).body).toEqual(accepted ? { ...body, [field]: value } : body)
  })

  it('[contract: Idempotency-Key] a repeated request makes one', async () => {
    const headers = { 'Idempotency-Key': randomUUID() }
    const send = () =>
      production.server.call('POST', '/v1/officials', {
        ...{ key: production.apiKey, headers, body: { firstName: 'Only', lastName: 'Onceborn' } },
      })
    expect((await send()).body).toEqual((await send()).body)
    expect((await get('/v1/officials?name=onceborn')).body.total).toBe(1)
  })

  it('[Authentication 11] foreign 403 and unchanged, missing 404', async () => {
    const path = `/v1/officials/${stranger.officialIds[0]}`
    expect((await production.call('PATCH', path, { firstName: 'Taken' })).body.code).toBe('FORBIDDEN')
    expect((await stranger.call('GET', path)).body.firstName).toBe('Ingrid')
    expect((await production.call('PATCH', '/v1/officials/2147483647', { firstName: 'A' })).status).toBe(404)
  })
})
