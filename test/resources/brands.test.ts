import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Upload } from '../../src/resources/uploads.ts'
import { png, sha256 } from '../support/images.ts'
import { badFields, type Limit, textLimits } from './roster-support.ts'
import { type Production, produce, startProduction } from './support.ts'

let production: Production
let stranger: Omit<Production, 'close'>
beforeAll(async () => {
  production = await startProduction()
  stranger = await produce(production.server)
})
afterAll(() => production.close())

const at = (id: unknown) => `/v2/brands/${id}`
const create = async (body: object = {}) => {
  const answer = await production.call('POST', '/v2/brands', { name: 'Lakeside Coffee', ...body })
  expect(answer.status).toBe(201)
  return answer.body
}
const profileOf = async () => {
  const { body } = await production.call('GET', `/v2/overlays/${production.overlay.id}`)
  return `/v2/competitions/${production.competitionId}/theme-profiles/${body.competitionThemeSettingId}`
}

describe('[issue 18.7] brands', () => {
  it('[game-plan: Brands] are made with what was said, and with what is usual for the rest', async () => {
    const made = await create()
    expect(made).toEqual({
      ...{ id: expect.any(Number), name: 'Lakeside Coffee', logoUrl: null, tagline: null, from: null, to: null },
      ...{ primaryColor: '#000000', textColor: '#ffffff', active: true, house: false },
      updatedAt: expect.stringMatching(/\.\d{6}Z$/),
    })
    const full = {
      ...{ name: 'K', primaryColor: '#0a5', textColor: 'white', tagline: 'Out there', active: false, house: true },
      ...{ from: '2027-01-01T00:00:00.000Z', to: '2027-12-31T23:00:00.000Z' },
    }
    const other = await create(full)
    expect(other).toMatchObject(full)
    expect((await production.call('GET', at(other.id))).body).toEqual(other)
    const { body } = await production.call('GET', '/v2/brands?name=lakes')
    expect(body).toEqual({ brands: [made], total: 1, returned: 1 })
  })

  const limits: Limit[] = [
    ...textLimits('name', 1, 60),
    ...textLimits('tagline', 0, 120),
    ['primaryColor', '', false],
    ['tagline', null, true],
    ['name', null, false],
    ['active', 'yes', false],
    ['house', true, true],
    ['from', '2027-01-01', false],
    ['from', null, true],
    ['id', 7, true],
  ]
  it.each(limits)('%s %j is allowed: %s', async (field, value, allowed) => {
    const answer = await production.call('POST', '/v2/brands', { name: 'Limits', [field]: value })
    expect([answer.status, ...(allowed ? [] : [badFields(answer)[1]])]).toEqual(
      allowed ? [201] : [400, [`body.${field}`]],
    )
  })

  it('a term ends after it begins, whichever end is changed', async () => {
    const [first, last] = ['2027-03-01T00:00:00.000Z', '2027-04-01T00:00:00.000Z']
    expect(badFields(await production.call('POST', '/v2/brands', { name: '', from: last, to: first }))).toEqual([
      400,
      ['body.name', 'body.to'],
    ])
    const { id } = await create({ from: first, to: last })
    expect(badFields(await production.call('PATCH', at(id), { to: first }))).toEqual([400, ['body.to']])
    expect(badFields(await production.call('PATCH', at(id), { from: last }))).toEqual([400, ['body.from']])
    const { body } = await production.call('PATCH', at(id), { from: null, to: first })
    expect(body).toMatchObject({ from: null, to: first })
  })

  it('change what was sent, and nothing that somebody else changed meanwhile', async () => {
    const { id, updatedAt } = await create({ tagline: 'Roasted at sea' })
    const changed = await production.call('PATCH', at(id), { name: 'Fjordline', ifUnchangedSince: updatedAt })
    expect(changed.body).toMatchObject({ name: 'Fjordline', tagline: 'Roasted at sea' })
    const late = await production.call('PATCH', at(id), { name: 'Late', ifUnchangedSince: updatedAt })
    expect([late.status, late.body.code]).toEqual([409, 'TARGET_CHANGED'])
    expect((await production.call('GET', at(id))).body).toEqual(changed.body)
  })

  it('are of one organization', async () => {
    const { id } = await create()
    for (const [method, path, body] of [
      ['GET', at(id)],
      ['PATCH', at(id), { name: 'Theirs' }],
      ['DELETE', at(id)],
      ['DELETE', `${at(id)}/logo`],
    ] as const)
      expect([method, (await stranger.call(method, path, body)).status]).toEqual([method, 403])
    const theirs = (await stranger.call('GET', '/v2/brands')).body.brands as { id: number }[]
    expect(theirs.map((brand) => brand.id)).not.toContain(id)
    expect((await production.call('GET', at(2_000_000_000))).status).toBe(404)
  })

  it('[Teams 3] have a logo from a signed upload, as teams have', async () => {
    const { id } = await create()
    const bytes = Buffer.from(Uint8Array.from(png(32, 20)).buffer)
    const declared = { contentType: 'image/png', size: bytes.length, sha256: sha256(bytes) }
    const opened = await production.call('POST', `${at(id)}/logo/uploads`, declared)
    expect(opened.status).toBe(201)
    const { url, headers, uploadId } = Upload.parse(opened.body)
    expect((await fetch(url, { method: 'PUT', headers, body: bytes })).status).toBe(200)
    const { status, body } = await production.call('PUT', `${at(id)}/logo`, { uploadId })
    expect([status, body]).toMatchObject([200, { id }])
    expect(Buffer.from(await (await fetch(String(body.logoUrl))).arrayBuffer())).toEqual(bytes)
    expect(badFields(await production.call('PUT', `${at(id)}/logo`, { uploadId }))).toEqual([400, ['body.uploadId']])
    expect((await production.call('DELETE', `${at(id)}/logo`)).body.logoUrl).toBeNull()
  })

  it('that something uses stay, and are told what does; others are gone, and are journaled', async () => {
    const { id } = await create({ name: 'Kestrel' })
    const slots = `${await profileOf()}/sponsor-slots`
    await production.call('PUT', slots, {
      slots: [{ id: 'breaks', name: 'Breaks', brands: [{ brandId: id, share: 1 }] }],
    })
    const refused = await production.call('DELETE', at(id))
    expect([refused.status, refused.body]).toEqual([
      409,
      { message: expect.stringContaining('Breaks'), code: 'IN_USE', uses: [expect.stringContaining('“Breaks”')] },
    ])
    await production.call('PUT', slots, { slots: [] })
    expect((await production.call('DELETE', at(id))).status).toBe(204)
    for (const method of ['GET', 'DELETE']) expect((await production.call(method, at(id))).status).toBe(404)
    const events = await production.server.database
      .sql`select events from journal where ref = ${`brand/${id}`} order by seq`
    expect(events.flatMap((row) => row.events.map(({ type }: { type: string }) => type))).toEqual([
      'brand.created',
      'brand.deleted',
    ])
  })
})

describe('[issue 18.7] the sponsor slots of a theme profile', () => {
  it('are none at first; those that are put are all of them, with ids that stay', async () => {
    const [one, other] = [await create({ name: 'One' }), await create({ name: 'Other' })]
    const path = `${await profileOf()}/sponsor-slots`
    const before = (await production.call('PUT', path, { slots: [] })).body
    expect(before.slots).toEqual([])
    const brands = [
      { brandId: one.id, share: 60 },
      { brandId: other.id, share: 40, side: 'home' },
    ]
    const slots = [
      { name: 'Goals', brands },
      { id: 'breaks', name: 'Breaks', brands: [] },
    ]
    const put = await production.call('PUT', path, { slots, ifUnchangedSince: before.updatedAt })
    expect(put.body).toEqual({
      competitionThemeSettingId: expect.any(Number),
      slots: [{ id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: 'Goals', brands }, slots[1]],
      updatedAt: expect.any(String),
    })
    expect((await production.call('GET', path)).body).toEqual(put.body)
    const late = await production.call('PUT', path, { slots: [], ifUnchangedSince: before.updatedAt })
    expect([late.status, late.body.code]).toEqual([409, 'TARGET_CHANGED'])
    expect((await stranger.call('GET', path)).status).toBe(403)
  })

  it('name every bad field, and change nothing', async () => {
    const { id } = await create()
    const foreign = Number((await stranger.call('POST', '/v2/brands', { name: 'Theirs' })).body.id)
    const path = `${await profileOf()}/sponsor-slots`
    const before = (await production.call('GET', path)).body
    const share = (brandId: unknown) => ({ brandId, share: 1 })
    const shape = await production.call('PUT', path, {
      slots: [
        { name: '', brands: [{ brandId: id, share: 0, side: 'left' }] },
        { name: 'x', brands: [], more: 1 },
      ],
    })
    expect(badFields(shape)).toEqual([
      400,
      ['body.slots[0].name', 'body.slots[0].brands[0].share', 'body.slots[0].brands[0].side', 'body.slots[1].more'],
    ])
    const slots = [
      { id: 'a', name: 'A', brands: [share(id), share(id), share(foreign)] },
      { id: 'a', name: 'A', brands: [share(2_000_000_000)] },
    ]
    expect(badFields(await production.call('PUT', path, { slots }))).toEqual([
      400,
      [1, 2]
        .map((place) => `body.slots[0].brands[${place}].brandId`)
        .concat('body.slots[1].id', 'body.slots[1].brands[0].brandId'),
    ])
    expect((await production.call('GET', path)).body).toEqual(before)
  })
})
