import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Production, startProduction } from './support.ts'
import { makeTheme, namesOf, updatedAtOf } from './themes-support.ts'

let production: Production
let themeId: number
let made = 0

beforeAll(async () => {
  production = await startProduction()
  themeId = await makeTheme(production, 'Variables')
})
afterAll(() => production.close())

const list = () => `/v2/themes/${themeId}/variables`
const one = (id: string) => `${list()}/${encodeURIComponent(id)}`
/** Creates a variable with a name of its own; answers its path and body. */
async function create(fields: object) {
  const name = `variable ${++made}`
  const { status, body } = await production.call('POST', list(), { name, ...fields })
  expect([status, body.id, body.name]).toEqual([201, name, name])
  return { path: one(name), body }
}
const patch = (path: string, body: object) => production.call('PATCH', path, body)

describe('creating', () => {
  it('[Theme variable] every field is there, the id is the name, and the time is the theme’s', async () => {
    const sent = { name: 'home/kit', type: 'enum', defaultValue: 'red', enumOptions: ['red', 'blue'], isStyle: true }
    const { status, body } = await production.call('POST', list(), { ...sent, description: 'Shirts' })
    expect([status, body]).toEqual([
      201,
      {
        id: 'home/kit',
        ...sent,
        description: 'Shirts',
        updatedAt: await updatedAtOf(production, `/v2/themes/${themeId}`),
      },
    ])
    expect((await production.call('GET', one('home/kit'))).body).toEqual(body)
    const { updatedAt, ...variable } = body
    const all = await production.call('GET', list())
    expect(all.body.updatedAt).toBe(updatedAt)
    expect(all.body.variables).toContainEqual(variable)
  })

  it('[Theme variable] what is left out is null, and not a style', async () => {
    expect((await create({ type: 'string' })).body).toMatchObject({
      defaultValue: null,
      description: null,
      enumOptions: null,
      isStyle: false,
    })
  })

  it('[domain 5.11] a name is taken once', async () => {
    const { body } = await create({ type: 'string' })
    const again = await production.call('POST', list(), { name: body.name, type: 'number' })
    expect(namesOf(again)).toEqual([400, ['body.name']])
    // the last two would be segments that no client sends in a path
    for (const name of ['__proto__', 'constructor', '.', '..'])
      expect(namesOf(await production.call('POST', list(), { name, type: 'number' }))).toEqual([400, ['body.name']])
  })

  it.each([
    ['an enum without options', { type: 'enum' }, 'body.enumOptions'],
    ['an enum with no option', { type: 'enum', enumOptions: [] }, 'body.enumOptions'],
    ['an option twice', { type: 'enum', enumOptions: ['a', 'a'] }, 'body.enumOptions'],
    ['options of a string', { type: 'string', enumOptions: ['a'] }, 'body.enumOptions'],
    ['a default that is not an option', { type: 'enum', enumOptions: ['a'], defaultValue: 'b' }, 'body.defaultValue'],
    ['a default that is no number', { type: 'number', defaultValue: 'ten' }, 'body.defaultValue'],
    ['an empty number', { type: 'number', defaultValue: '' }, 'body.defaultValue'],
    ['a number with spaces', { type: 'number', defaultValue: ' 1' }, 'body.defaultValue'],
    ['an infinite number', { type: 'number', defaultValue: 'Infinity' }, 'body.defaultValue'],
    ['a default that is no boolean', { type: 'boolean', defaultValue: 'yes' }, 'body.defaultValue'],
    ['a default that is not text', { type: 'number', defaultValue: 1 }, 'body.defaultValue'],
    ['a type that there is not', { type: 'colour' }, 'body.type'],
  ])('[op.18] %s is refused and named', async (_, fields, name) => {
    expect(namesOf(await production.call('POST', list(), { name: 'refused', ...fields }))).toEqual([400, [name]])
    expect((await production.call('GET', one('refused'))).status).toBe(404)
  })

  it.each([
    ['number', '-1.5'],
    ['number', '1e3'],
    ['boolean', 'false'],
    ['string', ''],
  ])('[op.18] a %s takes the default %j', async (type, defaultValue) => {
    expect((await create({ type, defaultValue })).body.defaultValue).toBe(defaultValue)
  })
})

describe('changing', () => {
  it('[op.18] only named keys change, and the name never does', async () => {
    const { path, body } = await create({ type: 'string', defaultValue: 'a', description: 'b', isStyle: true })
    const { updatedAt: _, ...before } = body
    for (const change of [{ defaultValue: 'c' }, { description: null }, { isStyle: false }, { defaultValue: null }]) {
      Object.assign(before, change)
      const answer = await patch(path, { ...change, name: 'renamed' })
      expect([answer.status, answer.body]).toEqual([200, { ...before, updatedAt: expect.any(String) }])
    }
    expect((await production.call('GET', one('renamed'))).status).toBe(404)
  })

  it('[op.18] another type re-validates the default and drops options that it does not have', async () => {
    const { path } = await create({ type: 'enum', enumOptions: ['1', 'x'], defaultValue: '1' })
    expect((await patch(path, { type: 'number' })).body).toMatchObject({
      type: 'number',
      enumOptions: null,
      defaultValue: '1',
    })
    expect(namesOf(await patch(path, { type: 'boolean' }))).toEqual([400, ['body.defaultValue']])
    expect(namesOf(await patch(path, { type: 'enum' }))).toEqual([400, ['body.enumOptions']])
    expect(namesOf(await patch(path, { enumOptions: ['1'] }))).toEqual([400, ['body.enumOptions']])
    expect((await patch(path, { type: 'boolean', defaultValue: 'true' })).body).toMatchObject({
      type: 'boolean',
      defaultValue: 'true',
    })
    expect((await patch(path, { type: 'enum', enumOptions: ['true', 'false'] })).status).toBe(200)
    expect(namesOf(await patch(path, { enumOptions: ['false'] }))).toEqual([400, ['body.defaultValue']])
    expect(namesOf(await patch(path, { enumOptions: null }))).toEqual([400, ['body.enumOptions']])
    expect((await production.call('GET', path)).body).toMatchObject({ type: 'enum', enumOptions: ['true', 'false'] })
  })

  it('[decisions] a value of a profile that would not fit refuses the change', async () => {
    const { themeId: worn, competitionId, themeProfileId } = production
    const path = `/v2/themes/${worn}/variables/accentColor`
    expect(namesOf(await patch(path, { type: 'number', defaultValue: '1' }))).toEqual([400, ['body.type']])
    const options = { type: 'enum', enumOptions: ['#000000'], defaultValue: '#000000' }
    expect(namesOf(await patch(path, options))).toEqual([400, ['body.enumOptions']])
    expect((await production.call('GET', path)).body.type).toBe('string')
    const profile = `/v2/competitions/${competitionId}/theme-profiles/${themeProfileId}`
    await production.call('PATCH', profile, { themeVariableValues: [{ variableId: 'accentColor', value: '#000000' }] })
    expect((await patch(path, options)).status).toBe(200)
    const outside = { themeVariableValues: [{ variableId: 'accentColor', value: '#ffffff' }] }
    expect(namesOf(await production.call('PATCH', profile, outside))).toEqual([
      400,
      ['body.themeVariableValues[0].value'],
    ])
  })

  it('[Optimistic concurrency] compares with the theme, and answers its new time', async () => {
    const { path, body } = await create({ type: 'string' })
    const { body: after } = await patch(path, { defaultValue: 'x', ifUnchangedSince: body.updatedAt })
    expect(String(after.updatedAt) > String(body.updatedAt)).toBe(true)
    const stale = await patch(path, { defaultValue: 'y', ifUnchangedSince: body.updatedAt })
    expect([stale.status, stale.body.code]).toEqual([409, 'TARGET_CHANGED'])
    expect(namesOf(await patch(path, { ifUnchangedSince: 'now' }))).toEqual([400, ['body.ifUnchangedSince']])
    expect((await production.call('GET', path)).body.defaultValue).toBe('x')
  })
})

describe('deleting', () => {
  it('answers 204 and takes the values of profiles along, which then have a new time', async () => {
    const { themeId: worn, competitionId, themeProfileId } = production
    const profile = `/v2/competitions/${competitionId}/theme-profiles/${themeProfileId}`
    const variables = `/v2/themes/${worn}/variables`
    await production.call('POST', variables, { name: 'gone', type: 'string' })
    const { body: before } = await production.call('PATCH', profile, {
      themeVariableValues: [{ variableId: 'gone', value: 'x' }],
    })
    const stale = encodeURIComponent('2026-01-01T00:00:00Z')
    expect((await production.call('DELETE', `${variables}/gone?ifUnchangedSince=${stale}`)).status).toBe(409)
    const now = encodeURIComponent(await updatedAtOf(production, variables))
    expect((await production.call('DELETE', `${variables}/gone?ifUnchangedSince=${now}`)).status).toBe(204)
    expect((await production.call('DELETE', `${variables}/gone`)).status).toBe(404)
    // what is not there comes before what has changed
    expect((await production.call('DELETE', `${variables}/gone?ifUnchangedSince=${stale}`)).status).toBe(404)
    expect((await production.call('PATCH', `${variables}/gone`, { ifUnchangedSince: before.updatedAt })).status).toBe(
      404,
    )
    const { body: after } = await production.call('GET', profile)
    expect(after.themeVariableValues).not.toContainEqual(expect.objectContaining({ variableId: 'gone' }))
    expect(String(after.updatedAt) > String(before.updatedAt)).toBe(true)
  })

  it('[op.18] deleting and creating again renames', async () => {
    const { path, body } = await create({ type: 'string' })
    expect((await production.call('DELETE', path)).status).toBe(204)
    expect((await production.call('POST', list(), { name: body.name, type: 'boolean' })).status).toBe(201)
  })
})
