import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newKey } from '../support/app.ts'
import { type Production, produce, startProduction } from './support.ts'
import { makeTheme, namesOf, updatedAtOf } from './themes-support.ts'

let production: Production

beforeAll(async () => {
  production = await startProduction()
})
afterAll(() => production.close())

type Profile = { id: number; isDefault: boolean }
const list = () => `/v2/competitions/${production.competitionId}/theme-profiles`
const listed = async () => (await production.call('GET', list())).body as unknown as Profile[]
const create = (fields: object = {}) =>
  production.call('POST', list(), {
    themeId: production.themeId,
    name: 'Scores only',
    defaultControlRoomId: production.controlRoomId,
    ...fields,
  })
const path = ({ id }: Record<string, unknown>) => `${list()}/${id}`

describe('creating', () => {
  it('[op.10] has the shape of the list, and the values that were given', async () => {
    const themeVariableValues = [{ variableId: 'accentColor', value: '#123456' }]
    const { status, body } = await create({ themeVariableValues })
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(Number),
        competitionId: production.competitionId,
        themeId: production.themeId,
        name: 'Scores only',
        defaultControlRoomId: production.controlRoomId,
        isDefault: false,
        themeVariableValues,
        updatedAt: expect.stringMatching(/\.\d{6}Z$/),
      },
    ])
    expect((await production.call('GET', path(body))).body).toEqual(body)
    expect(await listed()).toContainEqual(body)
  })

  it('[decisions] the first of a competition is its default, later ones when they say so, and then only they', async () => {
    const { body: competition } = await production.call('POST', '/v1/competitions', {
      name: 'Second League',
      sport: 'football',
      age: 'Senior',
      gender: 'Male',
      gradeId: production.gradeId,
    })
    const own = `/v2/competitions/${competition.id}/theme-profiles`
    const body = { themeId: production.themeId, name: 'One', defaultControlRoomId: production.controlRoomId }
    const first = await production.call('POST', own, body)
    const second = await production.call('POST', own, body)
    expect([first.body.isDefault, second.body.isDefault]).toEqual([true, false])
    const defaults = async () =>
      ((await production.call('GET', own)).body as unknown as Profile[]).filter(({ isDefault }) => isDefault)
    const third = await production.call('POST', own, { ...body, isDefault: true })
    expect(await defaults()).toEqual([third.body])
    await Promise.all(
      [first, second, third, first, second].map(({ body: { id } }) =>
        production.call('PATCH', `${own}/${id}`, { isDefault: true }),
      ),
    )
    expect(await defaults()).toHaveLength(1)
    const [last] = await defaults()
    await production.call('PATCH', `${own}/${last?.id}`, { isDefault: false })
    expect(await defaults()).toEqual([])
  })

  it('names bad values by their place', async () => {
    await production.call('POST', `/v2/themes/${production.themeId}/variables`, { name: 'size', type: 'number' })
    const answer = await create({
      themeVariableValues: [
        { variableId: 'nothing', value: 'x' },
        { variableId: 'size', value: 'large' },
        { variableId: 'accentColor', value: '#000' },
        { variableId: 'accentColor', value: '#fff' },
      ],
    })
    expect(namesOf(answer)).toEqual([
      400,
      [
        'body.themeVariableValues[0].variableId',
        'body.themeVariableValues[1].value',
        'body.themeVariableValues[3].variableId',
      ],
    ])
  })

  it('[contract] foreign theme and room 403, missing 404, a room of another theme 400', async () => {
    const stranger = await produce(production.server)
    const statusOf = async (fields: object) => (await create(fields)).status
    expect(await statusOf({ themeId: stranger.themeId })).toBe(403)
    expect(await statusOf({ defaultControlRoomId: stranger.controlRoomId })).toBe(403)
    expect(await statusOf({ themeId: 2_000_000_000 })).toBe(404)
    expect(await statusOf({ defaultControlRoomId: 2_000_000_000 })).toBe(404)
    expect(namesOf(await create({ themeId: await makeTheme(production) }))).toEqual([
      400,
      ['body.defaultControlRoomId'],
    ])
  })

  it('[Optimistic concurrency] compares with the theme', async () => {
    const theme = `/v2/themes/${production.themeId}`
    const before = await updatedAtOf(production, theme)
    expect((await create({ ifUnchangedSince: before })).status).toBe(201)
    await production.call('PATCH', theme, { name: 'Renamed' })
    expect((await create({ ifUnchangedSince: before })).body.code).toBe('TARGET_CHANGED')
  })

  it('[auth.5] belongs to the scope of competitions', async () => {
    const { key } = await newKey(production.server.database, production.organizationId, ['themes:write'])
    expect((await production.server.call('POST', list(), { key, body: {} })).body.message).toBe(
      'Missing scope: competitions:write',
    )
  })
})

describe('changing', () => {
  it('only what is named changes, also of the values; null goes back to the default', async () => {
    await production.call('POST', `/v2/themes/${production.themeId}/variables`, { name: 'motto', type: 'string' })
    const { body } = await create({ themeVariableValues: [{ variableId: 'accentColor', value: '#111111' }] })
    const patch = async (fields: object) => (await production.call('PATCH', path(body), fields)).body
    expect(await patch({ name: 'Renamed' })).toMatchObject({
      name: 'Renamed',
      themeVariableValues: body.themeVariableValues,
    })
    expect(await patch({ themeVariableValues: [{ variableId: 'motto', value: 'Ahead' }] })).toMatchObject({
      themeVariableValues: [
        { variableId: 'accentColor', value: '#111111' },
        { variableId: 'motto', value: 'Ahead' },
      ],
    })
    expect(await patch({ themeVariableValues: [{ variableId: 'accentColor', value: null }] })).toMatchObject({
      name: 'Renamed',
      themeVariableValues: [{ variableId: 'motto', value: 'Ahead' }],
    })
    const whole = [{ variableId: 'accentColor', value: '#222222' }]
    const replaced = await production.call('PUT', `${path(body)}/variable-values`, { themeVariableValues: whole })
    expect([replaced.status, replaced.body.themeVariableValues]).toEqual([200, whole])
    const bad = { themeVariableValues: [{ variableId: 'nothing', value: 'x' }] }
    expect(namesOf(await production.call('PUT', `${path(body)}/variable-values`, bad))).toEqual([
      400,
      ['body.themeVariableValues[0].variableId'],
    ])
    expect((await production.call('GET', path(body))).body).toEqual(replaced.body)
  })

  it('the journal names the values that were set, not what they are', async () => {
    const { body } = await create()
    const themeVariableValues = [{ variableId: 'accentColor', value: '#abcdef' }]
    await production.call('PATCH', path(body), { themeVariableValues })
    await production.call('PUT', `${path(body)}/variable-values`, { themeVariableValues })
    const rows = await production.server.database.sql<{ text: string }[]>`
      select command::text || events::text as text from journal where ref = ${`theme-profile/${body.id}`} order by seq`
    expect(rows.map(({ text }) => [text.includes('accentColor'), text.includes('#abcdef')])).toEqual([
      [false, false],
      [true, false],
      [true, false],
    ])
  })

  it('[Optimistic concurrency] compares with the profile on every write', async () => {
    const { body } = await create()
    const ifUnchangedSince = body.updatedAt
    const { body: after } = await production.call('PATCH', path(body), { name: 'Newer', ifUnchangedSince })
    expect(String(after.updatedAt) > String(ifUnchangedSince)).toBe(true)
    const since = encodeURIComponent(String(ifUnchangedSince))
    for (const stale of [
      await production.call('PATCH', path(body), { name: 'Stale', ifUnchangedSince }),
      await production.call('PUT', `${path(body)}/variable-values`, { themeVariableValues: [], ifUnchangedSince }),
      await production.call('DELETE', `${path(body)}?ifUnchangedSince=${since}`),
    ])
      expect([stale.status, stale.body.code]).toEqual([409, 'TARGET_CHANGED'])
    expect((await production.call('GET', path(body))).body).toEqual(after)
  })
})

describe('archiving', () => {
  it('[op.10] an archived profile is in no list and chosen by no new overlay; the overlay that has it keeps it', async () => {
    const own = await produce(production.server)
    const profile = `/v2/competitions/${own.competitionId}/theme-profiles/${own.themeProfileId}`
    expect((await own.call('DELETE', profile)).status).toBe(204)
    for (const method of ['GET', 'PATCH', 'DELETE'])
      expect((await own.call(method, profile, method === 'PATCH' ? {} : undefined)).status).toBe(404)
    expect((await own.call('GET', `/v2/competitions/${own.competitionId}/theme-profiles`)).body).toEqual([])
    const overlay = `/v2/overlays/${own.overlay.id}`
    expect((await own.call('GET', overlay)).body).toMatchObject({ competitionThemeSettingId: own.themeProfileId })
    expect((await own.fire('show', 'Score bug')).status).toBe(200)
    const refused = await own.call('POST', '/v1/overlays', {
      name: 'Another output',
      matchId: own.matchId,
      competitionThemeSettingId: own.themeProfileId,
    })
    expect(namesOf(refused)).toEqual([400, ['body.competitionThemeSettingId']])
    const plain = await own.call('POST', '/v1/overlays', { name: 'Plain output', matchId: own.matchId })
    const { body } = await own.call('GET', `/v1/overlays/${plain.body.id}`)
    expect(body.competitionThemeSettingId).toBeNull()
    expect(
      (
        await own.call('POST', `/v2/competitions/${own.competitionId}/theme-profiles`, {
          themeId: own.themeId,
          name: 'Next',
          defaultControlRoomId: own.controlRoomId,
        })
      ).body.isDefault,
    ).toBe(true)
  })

  it('[decisions] an archived profile does not keep its control room', async () => {
    const own = await produce(production.server)
    const room = `/v2/control-rooms/${own.controlRoomId}`
    const overlay = `/v1/overlays/${own.overlay.id}`
    const deleted = async () => (await own.call('DELETE', room)).status
    await own.call('PATCH', overlay, { controlRoomId: null })
    expect(await deleted()).toBe(400)
    await own.call('DELETE', `/v2/competitions/${own.competitionId}/theme-profiles/${own.themeProfileId}`)
    expect(await deleted()).toBe(204)
    expect((await own.call('PATCH', overlay, { name: 'Still there' })).body).toMatchObject({
      competitionThemeSettingId: own.themeProfileId,
      controlRoomId: null,
    })
  })
})
