import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newKey } from '../support/app.ts'
import { badFields, type Limit, shown, textLimits, wide } from './roster-support.ts'
import { type Production, produce, startProduction } from './support.ts'

let production: Production
let stranger: Omit<Production, 'close'>

beforeAll(async () => {
  production = await startProduction()
  stranger = await produce(production.server)
})
afterAll(() => production.close())

const path = (id: number) => `/v1/venues/${id}`
const create = (body: object) => production.call('POST', '/v1/venues', body)
const created = async (body: object = {}) => {
  const answer = await create({ name: 'Test Ground', ...body })
  expect(answer.status).toBe(201)
  return Number(answer.body.id)
}
const read = async (id: number) => (await production.call('GET', path(id))).body

const NULLABLE = ['gfxName', 'address', 'city', 'state', 'country', 'timezone', 'latitude', 'longitude']

const limits: Limit[] = [
  ...textLimits('name', 6, 39),
  ...textLimits('gfxName', 6, 19),
  ...['address', 'city', 'state', 'country'].flatMap((field) => textLimits(field, 0, 255)),
  ...NULLABLE.map((field): Limit => [field, null, true]),
  ['name', null, false],
  ['timezone', 'Europe/Oslo', true],
  ['timezone', 'UTC', true],
  ['timezone', 'America/Argentina/Buenos_Aires', true],
  ['timezone', 'Europe/Nowhere', false],
  ['timezone', '+01:00', false],
  ['timezone', '', false],
  ['timezone', 7, false],
  ['latitude', -90, true],
  ['latitude', 90, true],
  ['latitude', 62.4722, true],
  ['latitude', -90.0001, false],
  ['latitude', 90.0001, false],
  ['latitude', '62', false],
  ['longitude', -180, true],
  ['longitude', 180, true],
  ['longitude', -180.0001, false],
  ['longitude', 180.0001, false],
  ['longitude', '6', false],
  ['courts', [], true],
  ['courts', ['Centre Court', 'Court "2" {a,b}\\'], true],
  ['courts', [wide(64)], true],
  ['courts', Array.from({ length: 100 }, (_, index) => `Court ${index}`), true],
  ['courts', Array.from({ length: 101 }, (_, index) => `Court ${index}`), false],
  ['courts', 'Centre Court', false],
  ['courts', null, false],
]

const badCourts: [unknown, string][] = [
  [[''], 'body.courts[0]'],
  [['Court 1', 'x'.repeat(65)], 'body.courts[1]'],
  [['Court 1', 2], 'body.courts[1]'],
  [[null], 'body.courts[0]'],
  [['a\u0000b'], 'body.courts[0]'],
]

describe('creating a venue', () => {
  it('[domain 5.6] answers 201 with all of it; what was not said is null, and there are no courts', async () => {
    const full = {
      name: 'Rød Løper Arena',
      gfxName: 'Rød Arena',
      address: '2 Quay',
      city: 'Ålesund',
      state: 'Møre',
      country: 'Norway',
      timezone: 'Europe/Oslo',
      latitude: 62.47,
      longitude: -6.15,
      courts: ['Centre', '2'],
    }
    const answer = await create(full)
    expect([answer.status, answer.body]).toEqual([201, { id: expect.any(Number), ...full }])
    expect(await read(Number(answer.body.id))).toEqual(answer.body)
    expect(await read(await created())).toMatchObject({
      name: 'Test Ground',
      courts: [],
      ...Object.fromEntries(NULLABLE.map((field) => [field, null])),
    })
  })

  it.each(limits.map(shown))('[Limits] %s on creation', async (_, [field, value, accepted]) => {
    const answer = await create({ name: 'Test Ground', [field]: value })
    expect(badFields(answer)).toEqual(accepted ? [201, []] : [400, [`body.${field}`]])
    if (accepted) expect(answer.body[field]).toEqual(value)
  })

  it.each(badCourts)('[contract: details] courts %j names the court', async (courts, field) => {
    expect(badFields(await create({ name: 'Test Ground', courts }))).toEqual([400, [field]])
  })

  it('[contract: details] the name is required, and every bad field is named', async () => {
    expect(badFields(await create({}))).toEqual([400, ['body.name']])
    expect(badFields(await create({ name: 'Short', latitude: 91, timezone: 'x' }))).toEqual([
      400,
      ['body.name', 'body.timezone', 'body.latitude'],
    ])
  })

  it('[contract: Idempotency-Key] a repeated request makes one venue; another body under the key is 409', async () => {
    const headers = { 'Idempotency-Key': randomUUID() }
    const send = (name: string) =>
      production.server.call('POST', '/v1/venues', { key: production.apiKey, body: { name }, headers })
    const first = await send('Once Park')
    const second = await send('Once Park')
    expect([second.status, second.body]).toEqual([201, first.body])
    expect((await send('Twice Park')).status).toBe(409)
    expect((await production.call('GET', '/v1/venues?name=Once%20Park')).body.total).toBe(1)
  })
})

describe.each(['PATCH', 'POST'])('%s of a venue', (method) => {
  const change = (id: number, body: object) => production.call(method, path(id), body)

  it.each(limits.map(shown))('[Limits] %s on update', async (_, [field, value, accepted]) => {
    const id = await created({ city: 'Bergen', courts: ['1'] })
    const before = await read(id)
    const answer = await change(id, { [field]: value })
    expect(badFields(answer)).toEqual(accepted ? [200, []] : [400, [`body.${field}`]])
    expect(await read(id)).toEqual(accepted ? { ...before, [field]: value } : before)
  })

  it('[domain 5.6] what is left out keeps its value; courts are replaced whole', async () => {
    const id = await created({ city: 'Bergen', courts: ['1', '2'], latitude: 60.39 })
    const before = await read(id)
    expect((await change(id, {})).body).toEqual(before)
    expect((await change(id, { courts: ['3'] })).body).toEqual({ ...before, courts: ['3'] })
  })

  it('[Authentication 11] foreign 403 and unchanged, missing 404', async () => {
    const answer = await change(stranger.venueId, { name: 'Taken Over' })
    expect([answer.status, answer.body.code]).toEqual([403, 'FORBIDDEN'])
    expect((await stranger.call('GET', path(stranger.venueId))).body.name).toBe('Harbour Lane Stadium')
    expect((await change(2_147_483_647, { name: 'Taken Over' })).status).toBe(404)
  })
})

describe('reading venues', () => {
  it('[Authentication 11] foreign 403, missing 404', async () => {
    expect((await production.call('GET', path(stranger.venueId))).body.code).toBe('FORBIDDEN')
    expect((await production.call('GET', path(2_147_483_647))).status).toBe(404)
  })

  it('[Players 8] are listed by id with paging, the provider filters and a part of the name', async () => {
    const { sql } = production.server.database
    const [row] = await sql<{ id: number }[]>`
      insert into venue (organization_id, name, provider_name, provider_id)
      values (${production.organizationId}, 'Feed % Field', 'custom', 'v-1') returning id`
    const list = async (query: string) => {
      const { body } = await production.call('GET', `/v1/venues${query}`)
      return { total: body.total, ids: (body.venues as { id: number }[]).map(({ id }) => id) }
    }
    const { ids } = await list('?limit=1000')
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
    expect(ids[0]).toBe(production.venueId)
    expect(ids).not.toContain(stranger.venueId)
    expect(await list('?limit=1&offset=1')).toEqual({ total: ids.length, ids: [ids[1]] })
    const one = { total: 1, ids: [row?.id] }
    expect(await list('?providerName=custom')).toEqual(one)
    expect(await list('?providerName=custom&providerIds=v-1,v-2')).toEqual(one)
    expect(await list('?providerName=opta')).toEqual({ total: 0, ids: [] })
    expect(await list('?name=feed')).toEqual(one)
    expect(await list('?name=d%20%25%20f')).toEqual(one)
    expect(await list('?name=%25%25')).toEqual({ total: 0, ids: [] })
    expect((await production.call('GET', path(row?.id ?? 0))).body.dataProvider).toEqual({ name: 'custom', id: 'v-1' })
    expect(badFields(await production.call('GET', '/v1/venues?providerIds=v-1'))).toEqual([400, ['query.providerIds']])
  })

  it('[Authentication 4] venues:read reads, venues:write writes too', async () => {
    const status = async (scope: string, method: string, to: string, body?: object) => {
      const { key } = await newKey(production.server.database, production.organizationId, [scope])
      return (await production.server.call(method, to, { key, body })).status
    }
    const id = await created()
    expect(await status('venues:read', 'GET', '/v1/venues')).toBe(200)
    expect(await status('venues:read', 'POST', '/v1/venues', { name: 'Test Ground' })).toBe(403)
    expect(await status('venues:read', 'PATCH', path(id), {})).toBe(403)
    expect(await status('venues:write', 'PATCH', path(id), {})).toBe(200)
    expect(await status('teams:write', 'GET', path(id))).toBe(403)
  })
})
