import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newKey } from '../support/app.ts'
import { type Production, produce, startProduction } from './support.ts'

let production: Production
let roomId: number

beforeAll(async () => {
  production = await startProduction()
})
afterAll(() => production.close())

const call: Production['call'] = (...asked) => production.call(...asked)
const at = (path = '') => `/v2/control-rooms/${roomId}${path}`

type Section = { id: string; name: string }
const namesOf = (sections: unknown) => (sections as Section[]).map(({ name }) => name)
const idsOf = (sections: unknown) => (sections as Section[]).map(({ id }) => id)

/** A room of the demo's theme with sections of these names. */
async function room(...names: string[]) {
  const sections = names.map((name) => ({ name }))
  const made = await call('POST', '/v2/control-rooms', { themeId: production.themeId, name: 'Second', sections })
  expect(made.status).toBe(201)
  roomId = Number(made.body.id)
  return made.body
}

const detail = async () => (await call('GET', at())).body

describe('[control rooms] a room', () => {
  it('is created with sections in order, listed, renamed and deleted', async () => {
    const made = await room('Before', 'During')
    expect(made).toEqual({
      id: roomId,
      themeId: production.themeId,
      name: 'Second',
      defaultMode: 'direct',
      sections: [
        { id: expect.any(String), name: 'Before' },
        { id: expect.any(String), name: 'During' },
      ],
      updatedAt: expect.stringMatching(/\.\d{6}Z$/),
    })
    const listed = await call('GET', `/v2/control-rooms?themeId=${production.themeId}`)
    expect(listed.body).toContainEqual(made)
    const renamed = await call('PATCH', at(), { name: 'Main', ifUnchangedSince: made.updatedAt })
    expect(renamed.body).toMatchObject({ name: 'Main', sections: made.sections })
    expect(String(renamed.body.updatedAt) > String(made.updatedAt)).toBe(true)
    expect(await detail()).toMatchObject({ name: 'Main', updatedAt: renamed.body.updatedAt, presets: [] })
    const refused = await call('DELETE', `${at()}?ifUnchangedSince=${made.updatedAt}`)
    expect([refused.status, refused.body.code]).toEqual([409, 'TARGET_CHANGED'])
    // show-control: Pictures
    const previews = await call('PATCH', at(), { defaultMode: 'preview', ifUnchangedSince: renamed.body.updatedAt })
    expect(previews.body).toMatchObject({ name: 'Main', defaultMode: 'preview' })
    expect(await detail()).toMatchObject({ defaultMode: 'preview' })
    expect((await call('PATCH', at(), { defaultMode: 'both' })).body.details).toHaveProperty('body.defaultMode')
    expect((await call('DELETE', `${at()}?ifUnchangedSince=${previews.body.updatedAt}`)).status).toBe(204)
    expect((await call('GET', at())).status).toBe(404)
  })

  it('[30] shows its overlays only to a key with overlays:read', async () => {
    roomId = production.controlRoomId
    const keyed = async (...scopes: string[]) => {
      const { key } = await newKey(production.server.database, production.organizationId, scopes)
      return (await production.server.call('GET', at(), { key })).body
    }
    expect(await keyed('themes:read')).not.toHaveProperty('overlays')
    const shown = await keyed('overlays:read')
    expect(shown.overlays).toEqual([
      {
        id: production.overlay.id,
        matchId: production.matchId,
        name: expect.any(String),
        monitoringUrl: expect.any(String),
      },
    ])
    const [{ monitoringUrl = '' } = {}] = shown.overlays as { monitoringUrl?: string }[]
    expect(new URL(monitoringUrl).pathname).toBe(new URL(production.overlay.monitoringUrl).pathname)
    expect(shown.theme).toMatchObject({ id: production.themeId, activeVersion: 1 })
    const { key } = await newKey(production.server.database, production.organizationId, ['overlays:write'])
    const refused = await production.server.call('PATCH', at(), { key, body: { name: 'No' } })
    expect([refused.status, refused.body.message]).toEqual([403, 'Missing scope: themes:write'])
  })

  it('is not deleted while the default of a profile or an overlay uses it', async () => {
    roomId = production.controlRoomId
    const refused = await call('DELETE', at())
    expect([refused.status, refused.body.details]).toEqual([
      400,
      {
        'path.roomId': {
          message: `default of theme profile ${production.themeProfileId}, used by overlay ${production.overlay.id}`,
          value: roomId,
        },
      },
    ])
    expect((await call('GET', at())).status).toBe(200)
  })

  it('deleted while overlays are put into it, is either gone or used, and nobody sees an error of the server', async () => {
    for (let each = 0; each < 5; each++) {
      await room()
      const overlay = { name: 'Racer', matchId: production.matchId, autoMode: true, controlRoomId: roomId }
      const [first, deleted, second] = await Promise.all([
        call('POST', '/v1/overlays', overlay),
        call('DELETE', at()),
        call('POST', '/v1/overlays', overlay),
      ])
      const used = [first, second].some(({ status }) => status === 200)
      expect([deleted.status, [first.status, second.status].every((status) => status === 200)]).toEqual(
        used ? [400, true] : [204, false],
      )
      if (!used) expect([first.status, second.status]).toEqual([404, 404])
    }
  })

  it('[auth.11] a theme of another organization is 403 in the body, a theme that is missing 404', async () => {
    const other = await produce(production.server)
    const make = (themeId: number) => call('POST', '/v2/control-rooms', { themeId, name: 'Mine' })
    expect((await make(other.themeId)).status).toBe(403)
    expect((await make(2_147_483_647)).status).toBe(404)
    expect((await call('GET', `/v2/control-rooms?themeId=${other.themeId}`)).status).toBe(404)
  })

  it('[concurrency] the creation of a room is compared with its theme', async () => {
    const { updatedAt } = (await call('GET', `/v2/themes/${production.themeId}/variables`)).body
    const make = (ifUnchangedSince: unknown) =>
      call('POST', '/v2/control-rooms', { themeId: production.themeId, name: 'Compared', ifUnchangedSince })
    expect((await make('2020-01-01T00:00:00.000000Z')).body.code).toBe('TARGET_CHANGED')
    const [theme] = await production.server.database.sql<{ exactly: string }[]>`
      select to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as exactly from theme
      where id = ${production.themeId}`
    expect(String(theme?.exactly).slice(0, 23)).toBe(String(updatedAt).slice(0, 23))
    expect((await make(theme?.exactly)).status).toBe(201)
  })
})

describe('[control rooms 31] sections', () => {
  it('are added where asked, renamed, coloured, moved and put in order', async () => {
    const made = await room('A', 'B')
    const added = await call('POST', at('/sections'), {
      name: 'C',
      colorKey: 'red',
      orderIndex: 1,
      ifUnchangedSince: made.updatedAt,
    })
    expect([added.status, added.body]).toEqual([
      201,
      { id: expect.any(String), name: 'C', colorKey: 'red', orderIndex: 1, updatedAt: expect.any(String) },
    ])
    expect(namesOf((await detail()).sections)).toEqual(['A', 'C', 'B'])
    expect((await detail()).updatedAt).toBe(added.body.updatedAt)
    const changed = await call('PATCH', at(`/sections/${added.body.id}`), {
      name: 'Z',
      colorKey: null,
      orderIndex: 99,
      ifUnchangedSince: added.body.updatedAt,
    })
    expect(changed.body).toEqual({ id: added.body.id, name: 'Z', orderIndex: 2, updatedAt: expect.any(String) })
    const listed = await call('GET', at('/sections'))
    expect(namesOf(listed.body)).toEqual(['A', 'B', 'Z'])
    const sectionIds = idsOf(listed.body).reverse()
    const ordered = await call('PATCH', at(), { sectionIds, ifUnchangedSince: changed.body.updatedAt })
    expect(namesOf(ordered.body.sections)).toEqual(['Z', 'B', 'A'])
    const stale = await call('PATCH', at(`/sections/${added.body.id}`), {
      name: 'Late',
      ifUnchangedSince: changed.body.updatedAt,
    })
    expect([stale.status, stale.body.code]).toEqual([409, 'TARGET_CHANGED'])
  })

  it('[decisions] an update of a room, section or preset that names nothing changes nothing, updatedAt too', async () => {
    const { updatedAt, sections } = await room('A')
    const [one = ''] = idsOf(sections)
    const { graphicId } = production.preset('Match partner')
    const { body: preset } = await call('POST', at('/presets'), { sectionId: one, graphicId, name: 'Kept' })
    const before = await detail()
    expect(before.updatedAt).not.toBe(updatedAt)
    expect((await call('PATCH', at(), {})).body).toMatchObject({ updatedAt: before.updatedAt })
    expect((await call('PATCH', at(`/sections/${one}`), {})).body).toMatchObject({
      id: one,
      updatedAt: before.updatedAt,
    })
    expect((await call('PATCH', at(`/presets/${preset.id}`), {})).body).toEqual(preset)
    expect((await call('PATCH', at(`/presets/${preset.id}`), { ifUnchangedSince: updatedAt })).status).toBe(409)
    expect(await detail()).toEqual(before)
  })

  it('an order that is not of all sections is refused with an entry per bad value', async () => {
    const [one = '', two = ''] = idsOf((await room('A', 'B')).sections)
    const refused = await call('PATCH', at(), { sectionIds: [one, 'x', one] })
    expect([refused.status, refused.body.details]).toEqual([
      400,
      {
        'body.sectionIds[1]': { message: 'not a section of the control room', value: 'x' },
        'body.sectionIds[2]': { message: 'named twice', value: one },
        'body.sectionIds': { message: `leaves out ${two}` },
      },
    ])
    expect(namesOf((await detail()).sections)).toEqual(['A', 'B'])
  })

  it('[concurrency] of 50 writers with the same updatedAt of the room one wins, and the others change nothing', async () => {
    const { sections, updatedAt } = await room('A', 'B')
    const [one = ''] = idsOf(sections)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, each) => {
        if (each % 3 === 0) return call('POST', at('/sections'), { name: `New ${each}`, ifUnchangedSince: updatedAt })
        if (each % 3 === 1) return call('DELETE', at(`/sections/${one}?ifUnchangedSince=${updatedAt}`))
        return call('PATCH', at(), { name: `Name ${each}`, ifUnchangedSince: updatedAt })
      }),
    )
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1)
    // a section that is gone is 404, whoever looks for it
    const lost = answers.filter(
      ({ status, body }, each) => body.code === 'TARGET_CHANGED' || (status === 404 && each % 3 === 1),
    )
    expect(lost).toHaveLength(49)
    const { name, sections: left } = (await detail()) as { name: string; sections: unknown[] }
    expect([name !== 'Second', left.length !== 2]).toContain(true)
    expect(name !== 'Second' && left.length !== 2).toBe(false)
  })

  it('with presets in it goes only when these shall go, too', async () => {
    const [one = '', two = ''] = idsOf((await room('A', 'B')).sections)
    const { graphicId } = production.preset('Match partner')
    const preset = await call('POST', at('/presets'), { sectionId: one, graphicId, name: 'In it' })
    const refused = await call('DELETE', at(`/sections/${one}`))
    expect(refused.status).toBe(400)
    expect(refused.body.details).toHaveProperty(['query.presets'])
    expect((await call('DELETE', at(`/sections/${one}?presets=delete`))).status).toBe(204)
    expect((await call('GET', at(`/presets/${preset.body.id}`))).status).toBe(404)
    expect(await detail()).toMatchObject({ sections: [{ id: two }], presets: [] })
    expect((await call('DELETE', at(`/sections/${two}`))).status).toBe(204)
    expect((await call('DELETE', at(`/sections/${two}`))).status).toBe(404)
  })
})
