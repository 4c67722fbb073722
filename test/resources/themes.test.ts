import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SPORTS } from '../../src/schema/sport.ts'
import { newKey } from '../support/app.ts'
import { digester } from '../support/digest.ts'
import { type Production, produce, startProduction } from './support.ts'
import { makeGraphic, makeTheme, namesOf, updatedAtOf } from './themes-support.ts'

let production: Production

beforeAll(async () => {
  production = await startProduction()
})
afterAll(() => production.close())

const MICROSECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

describe('themes', () => {
  it('[op.16] one is created with the shape of the specification, empty and inactive', async () => {
    const made = await production.call('POST', '/v2/themes', {
      name: 'Night',
      sports: ['tennis', 'football', 'tennis'],
    })
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: expect.any(Number),
        name: 'Night',
        sports: ['tennis', 'football'],
        activeVersion: null,
        versions: [],
        graphics: [],
        updatedAt: expect.stringMatching(MICROSECONDS),
      },
    ])
    expect((await production.call('GET', `/v2/themes/${made.body.id}`)).body).toEqual(made.body)
    const { body } = await production.call('GET', '/v2/themes?limit=1&offset=1')
    expect([body.total, (body.themes as object[])[0]]).toEqual([2, made.body])
  })

  it('[op.16] a bad name or sport is named', async () => {
    const bad = await production.call('POST', '/v2/themes', { name: '', sports: ['chess'] })
    expect(namesOf(bad)).toEqual([400, ['body.name', 'body.sports[0]']])
    expect(namesOf(await production.call('POST', '/v2/themes', { name: 'No sport', sports: [] }))).toEqual([
      400,
      ['body.sports'],
    ])
  })

  it('[decisions] one that names no sports is for all of them, and so are its graphics', async () => {
    const { status, body } = await production.call('POST', '/v2/themes', { name: 'Any sport' })
    expect([status, body.sports]).toEqual([201, [...SPORTS]])
    const graphic = await production.call('POST', `/v2/themes/${body.id}/code-graphics`, { name: 'Any' })
    expect([graphic.status, graphic.body.sports]).toEqual([201, [...SPORTS]])
  })

  it('[Optimistic concurrency] an update changes what was sent, answers the new updatedAt, and nothing when nothing was sent', async () => {
    const themeId = await makeTheme(production, 'Before')
    const path = `/v2/themes/${themeId}`
    const before = await updatedAtOf(production, path)
    const { body } = await production.call('PATCH', path, { name: 'After', ifUnchangedSince: before })
    expect(body).toMatchObject({ name: 'After', sports: ['football'] })
    expect(String(body.updatedAt) > before).toBe(true)
    const refused = await production.call('PATCH', path, { sports: ['tennis'], ifUnchangedSince: before })
    expect([refused.status, refused.body.code]).toEqual([409, 'TARGET_CHANGED'])
    const digest = await digester(production.server.database)
    const same = await digest()
    expect((await production.call('PATCH', path, {})).body).toEqual(body)
    expect((await production.call('PATCH', path, { ifUnchangedSince: before })).status).toBe(409)
    expect(await digest()).toBe(same)
  })

  it.each(['yesterday', '2026-11-20', '2026-11-20T10:00:00', '', 5, null])(
    '[errors] ifUnchangedSince %j answers 400 and names it',
    async (ifUnchangedSince) => {
      const answer = await production.call('PATCH', `/v2/themes/${production.themeId}`, { ifUnchangedSince })
      expect(namesOf(answer)).toEqual([400, ['body.ifUnchangedSince']])
    },
  )

  it('deletion takes graphics, versions, variables and rooms along, and compares', async () => {
    const themeId = await makeTheme(production, 'Short-lived')
    const path = `/v2/themes/${themeId}`
    await makeGraphic(production, themeId)
    await production.call('POST', `${path}/variables`, { name: 'colour', type: 'string' })
    await production.call('POST', `${path}/versions`, { activate: true })
    const stale = encodeURIComponent('2026-01-01T00:00:00.000000Z')
    expect((await production.call('DELETE', `${path}?ifUnchangedSince=${stale}`)).status).toBe(409)
    expect(namesOf(await production.call('DELETE', `${path}?ifUnchangedSince=soon`))).toEqual([
      400,
      ['query.ifUnchangedSince'],
    ])
    const now = encodeURIComponent(await updatedAtOf(production, path))
    expect((await production.call('DELETE', `${path}?ifUnchangedSince=${now}`)).status).toBe(204)
    expect((await production.call('GET', path)).status).toBe(404)
    expect((await production.call('DELETE', path)).status).toBe(404)
    const { sql } = production.server.database
    const [left] = await sql`select count(*)::int as rows from graphic where theme_id = ${themeId}`
    expect(left?.rows).toBe(0)
  })

  it('[decisions] a theme that a profile or an overlay uses, or of which something is on air, is kept', async () => {
    const own = await produce(production.server)
    const path = `/v2/themes/${own.themeId}`
    const refusal = async () => {
      const { status, body } = await own.call('DELETE', path)
      return [status, body.message]
    }
    await own.fire('show', 'Score bug')
    expect(await refusal()).toEqual([
      400,
      `The theme is in use: theme profile ${own.themeProfileId}, overlay ${own.overlay.id}, graphics on air on overlay ${own.overlay.id}`,
    ])
    await own.call('PATCH', `/v1/overlays/${own.overlay.id}`, { controlRoomId: null })
    const profile = `/v2/competitions/${own.competitionId}/theme-profiles/${own.themeProfileId}`
    expect((await own.call('DELETE', profile)).status).toBe(204)
    // an archived profile is still worn by the overlay that has it
    expect((await refusal())[1]).toBe(
      `The theme is in use: overlay ${own.overlay.id}, graphics on air on overlay ${own.overlay.id}`,
    )
    expect((await own.call('DELETE', `/v1/overlays/${own.overlay.id}`)).status).toBe(204)
    expect((await own.call('DELETE', path)).status).toBe(204)
    expect((await own.call('GET', `/v2/control-rooms/${own.controlRoomId}`)).status).toBe(404)
  })

  it('deleted while overlays get one of its rooms, it is gone or used, and nobody sees an error of the server', async () => {
    const own = await produce(production.server)
    // an overlay without a profile may have a room of any theme
    const profile = `/v2/competitions/${own.competitionId}/theme-profiles/${own.themeProfileId}`
    expect((await own.call('PATCH', profile, { isDefault: false })).status).toBe(200)
    for (let each = 0; each < 5; each++) {
      const themeId = await makeTheme(own, 'Raced')
      const room = await own.call('POST', '/v2/control-rooms', { themeId, name: 'Raced' })
      const place = () =>
        own.call('POST', '/v1/overlays', { name: 'Racer', matchId: own.matchId, controlRoomId: room.body.id })
      const answers = await Promise.all([place(), own.call('DELETE', `/v2/themes/${themeId}`), place()])
      const [first, deleted, second] = answers.map(({ status }) => status)
      const used = first === 200 || second === 200
      expect([first, deleted, second]).toEqual(used ? [200, 400, 200] : [404, 204, 404])
    }
  })

  it('deleted while everything in it is written, it waits for these writes, and all the others find it gone', async () => {
    const { competitionId } = production
    for (let each = 0; each < 5; each++) {
      const themeId = await makeTheme(production, 'Busy')
      const theme = `/v2/themes/${themeId}`
      const graphic = `${theme}/code-graphics/${await makeGraphic(production, themeId)}`
      const room = await production.call('POST', '/v2/control-rooms', { themeId, name: 'Busy' })
      const table = { alias: 'busy', sourceType: 'csv', shape: 'rows', sample: 'a\n1' }
      await production.call('POST', `${theme}/data-source-templates`, table)
      const profiles = `/v2/competitions/${competitionId}/theme-profiles`
      const worn = { themeId, name: 'Busy', defaultControlRoomId: room.body.id, isDefault: false }
      const { body: profile } = await production.call('POST', profiles, worn)
      // what an archived profile shows may still be pushed
      await production.call('DELETE', `${profiles}/${profile.id}`)
      const writes = () => [
        production.call('PATCH', `/v2/control-rooms/${room.body.id}`, { name: 'Busier' }),
        production.call('POST', `/v2/control-rooms/${room.body.id}/sections`, { name: 'Busier' }),
        production.call('POST', `/v2/data-sources/${profile.id}/busy`, { rows: [{ a: 2 }] }),
        production.call('PATCH', graphic, { sports: ['tennis'] }),
        production.call('PATCH', theme, { name: 'Busier' }),
      ]
      const [deleted, ...written] = await Promise.all([production.call('DELETE', theme), ...writes(), ...writes()])
      expect(deleted.status).toBe(204)
      expect(written.filter(({ status }) => ![200, 201, 404].includes(status))).toEqual([])
    }
  })

  it('[errors] a graphic that somebody else has open keeps its theme: 409 LOCKED; the own lock goes with it', async () => {
    const themeId = await makeTheme(production, 'Open')
    const graphicId = await makeGraphic(production, themeId)
    const lock = `/v2/themes/${themeId}/code-graphics/${graphicId}/lock`
    const { key } = await newKey(production.server.database, production.organizationId, ['themes:write'])
    expect((await production.server.call('PUT', lock, { key })).status).toBe(200)
    const refused = await production.call('DELETE', `/v2/themes/${themeId}`)
    expect([refused.status, refused.body]).toEqual([
      409,
      { message: expect.any(String), code: 'LOCKED', holder: { userName: 'API key test' } },
    ])
    expect((await production.call('GET', `/v2/themes/${themeId}`)).status).toBe(200)
    expect((await production.server.call('DELETE', `/v2/themes/${themeId}`, { key })).status).toBe(204)
    const { sql } = production.server.database
    const ref = `graphic-lock/${graphicId}`
    expect(await sql`select from actor where ref = ${ref} union all select from timer where ref = ${ref}`).toHaveLength(
      0,
    )
    expect((await production.server.call('PUT', lock, { key })).status).toBe(404)
  })
})
