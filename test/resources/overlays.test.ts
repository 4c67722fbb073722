import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import WebSocket from 'ws'
import { liveData } from '../../src/resources/matches/live-data.ts'
import { newKey, newOrganization } from '../support/app.ts'
import { type Production, produce, startProduction } from './support.ts'

let production: Production
let stranger: Omit<Production, 'close'>

beforeAll(async () => {
  production = await startProduction()
  stranger = await produce(production.server)
})
afterAll(() => production.close())

const create = (body: object = {}) =>
  production.call('POST', '/v1/overlays', { name: 'Second output', matchId: production.matchId, ...body })
const created = async (body: object = {}) => {
  const answer = await create(body)
  expect(answer.status).toBe(200)
  return Number(answer.body.id)
}
const read = (id: number) => production.call('GET', `/v2/overlays/${id}`)
const patch = (id: number, body: object) => production.call('PATCH', `/v1/overlays/${id}`, body)
const badFields = (answer: { status: number; body: { details?: unknown } }) => [
  answer.status,
  Object.keys((answer.body.details ?? {}) as object),
]
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('creating an overlay', () => {
  it('[op.11] answers 200 with key, id and the two pages behind tokens of their own', async () => {
    const answer = await create()
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.body).sort()).toEqual(['controlRoomUrl', 'id', 'key', 'monitoringUrl'])
    expect(answer.body.key).toMatch(UUID)
    const origin = `http://localhost:${production.server.port}`
    expect(answer.body.controlRoomUrl).toMatch(new RegExp(`^${origin}/control/[\\w-]{43}$`))
    expect(answer.body.monitoringUrl).toMatch(new RegExp(`^${origin}/monitor/[\\w-]{43}$`))
    expect(JSON.stringify([answer.body.controlRoomUrl, answer.body.monitoringUrl])).not.toContain(answer.body.key)
  })

  it('[domain 5.8] defaults: auto mode, no delay, the default profile of the competition and its room', async () => {
    const answer = await read(await created())
    expect(answer.body).toMatchObject({
      autoMode: true,
      adType: null,
      encodingDelay: 0,
      competitionThemeSettingId: production.themeProfileId,
      controlRoomId: production.controlRoomId,
      themeId: production.themeId,
      activeThemeVersion: 1,
      active: false,
      manualGraphicState: {},
    })
  })

  it('[op.11] controlRoomId null means no control room', async () => {
    expect((await read(await created({ controlRoomId: null }))).body.controlRoomId).toBeNull()
  })

  it.each([
    ['name of 4 characters', { name: 'Four' }, 'body.name'],
    ['name of 43 characters', { name: 'x'.repeat(43) }, 'body.name'],
    ['encodingDelay above 60', { encodingDelay: 61 }, 'body.encodingDelay'],
    ['negative encodingDelay', { encodingDelay: -1 }, 'body.encodingDelay'],
    ['autoMode false without adType', { autoMode: false }, 'body.adType'],
    ['autoMode false with adType free', { autoMode: false, adType: 'free' }, 'body.adType'],
    ['controlRoomId 0', { controlRoomId: 0 }, 'body.controlRoomId'],
  ])('[op.11] %s answers 400 naming the field', async (_, body, field) => {
    expect(badFields(await create(body))).toEqual([400, [field]])
  })

  it('[contract] details name every bad field, also those of rules over several fields', async () => {
    const body = { name: 'Four', encodingDelay: 61, autoMode: false }
    expect(badFields(await create(body))).toEqual([400, ['body.name', 'body.encodingDelay', 'body.adType']])
  })

  it('[contract: lengths] a name of 42 code points outside the BMP is accepted', async () => {
    expect((await create({ name: '⚽'.repeat(2) + '🏟'.repeat(40) })).status).toBe(200)
  })

  it('[domain 5.8] a missing match, profile or room answers 404, a foreign one 403', async () => {
    expect((await create({ matchId: 2_000_000_000 })).status).toBe(404)
    expect((await create({ matchId: stranger.matchId })).status).toBe(403)
    expect((await create({ competitionThemeSettingId: 2_000_000_000 })).status).toBe(404)
    expect((await create({ competitionThemeSettingId: stranger.themeProfileId })).status).toBe(403)
    expect((await create({ controlRoomId: 2_000_000_000 })).status).toBe(404)
    expect((await create({ controlRoomId: stranger.controlRoomId })).status).toBe(403)
  })

  it('[domain 5.8, 5.16] a profile of another competition and a room of another theme answer 400, after ownership', async () => {
    const { sql } = production.server.database
    const organizationId = production.organizationId
    const [competition] = await sql<{ id: number }[]>`
      insert into competition (organization_id, name, sport) values (${organizationId}, 'Other League', 'football') returning id`
    const [theme] = await sql<{ id: number }[]>`
      insert into theme (organization_id, name, sports) values (${organizationId}, 'Other', '{football}') returning id`
    const [room] = await sql<{ id: number }[]>`
      insert into control_room (organization_id, theme_id, name) values (${organizationId}, ${theme?.id ?? 0}, 'Other') returning id`
    const [profile] = await sql<{ id: number }[]>`
      insert into theme_profile (organization_id, competition_id, theme_id, name, default_control_room_id)
      values (${organizationId}, ${competition?.id ?? 0}, ${theme?.id ?? 0}, 'Other', ${room?.id ?? 0}) returning id`
    expect(badFields(await create({ competitionThemeSettingId: profile?.id }))).toEqual([
      400,
      ['body.competitionThemeSettingId'],
    ])
    expect(badFields(await create({ controlRoomId: room?.id }))).toEqual([400, ['body.controlRoomId']])
    const foreign = { competitionThemeSettingId: profile?.id, controlRoomId: stranger.controlRoomId }
    expect((await create(foreign)).status).toBe(403)
  })

  it('[journal] leaves one journal row and an actor that takes commands at once', async () => {
    const id = await created()
    const { sql } = production.server.database
    const rows = await sql`select events from journal where ref = ${`overlay-settings/${id}`}`
    expect(rows).toMatchObject([{ events: [{ type: 'overlay.created', overlayId: id }] }])
    const shown = await production.call('POST', `/v2/overlays/${id}/control-room/graphics`, {
      action: 'show',
      presetId: production.preset('Score bug').id,
    })
    expect(shown.status).toBe(200)
  })

  it('an overlay without a control room says so when a preset is asked for', async () => {
    const id = await created({ controlRoomId: null })
    const shown = await production.call('POST', `/v2/overlays/${id}/control-room/graphics`, {
      action: 'show',
      presetId: production.preset('Score bug').id,
    })
    expect(shown).toMatchObject({
      status: 400,
      body: { details: { 'body.presetId': { message: expect.stringContaining('has no control room') } } },
    })
  })

  it('[contract: Idempotency-Key] the same key makes one overlay', async () => {
    const send = () =>
      production.server.call('POST', '/v1/overlays', {
        key: production.apiKey,
        headers: { 'Idempotency-Key': 'one-overlay' },
        body: { name: 'Only once', matchId: production.matchId },
      })
    const [first, second] = [await send(), await send()]
    expect(second.body).toEqual(first.body)
  })
})

describe('changing an overlay', () => {
  it('[domain 5.8] PATCH and POST change what is named, under v1 and v2, and keep the rest', async () => {
    const id = await created()
    for (const [index, [method, version]] of (
      [
        ['PATCH', 'v1'],
        ['POST', 'v1'],
        ['PATCH', 'v2'],
        ['POST', 'v2'],
      ] as const
    ).entries()) {
      const name = `Renamed ${index}`
      const answer = await production.call(method, `/${version}/overlays/${id}`, { name })
      expect(answer.status).toBe(200)
      expect(answer.body).toMatchObject({ name, autoMode: true, encodingDelay: 0 })
      expect('themeId' in answer.body).toBe(version === 'v2')
    }
  })

  it('[domain 5.8] autoMode false needs a fitting adType, the stored one included', async () => {
    const id = await created()
    expect(badFields(await patch(id, { autoMode: false }))).toEqual([400, ['body.adType']])
    expect((await patch(id, { autoMode: false, adType: 'brands' })).status).toBe(200)
    expect(badFields(await patch(id, { adType: 'free' }))).toEqual([400, ['body.adType']])
    expect((await patch(id, { autoMode: true, adType: 'free' })).status).toBe(200)
    expect((await read(id)).body).toMatchObject({ autoMode: true, adType: 'free' })
  })

  it('[domain 5.16] whose room it is is judged before the rule on autoMode', async () => {
    const id = await created()
    expect((await patch(id, { autoMode: false, controlRoomId: stranger.controlRoomId })).status).toBe(403)
  })

  it('an overlay keeps a profile that was archived, and another cannot take it', async () => {
    const id = await created()
    const { sql } = production.server.database
    await sql`update theme_profile set archived_at = now() where id = ${production.themeProfileId}`
    onTestFinished(async () => {
      await sql`update theme_profile set archived_at = null where id = ${production.themeProfileId}`
    })
    expect((await patch(id, { controlRoomId: null })).status).toBe(200)
    expect((await patch(id, { controlRoomId: production.controlRoomId })).status).toBe(200)
    const taken = await create({ competitionThemeSettingId: production.themeProfileId })
    expect(badFields(taken)).toEqual([400, ['body.competitionThemeSettingId']])
  })

  it('[domain 5.8] switching the mode clears nothing on air', async () => {
    const id = await created()
    await production.call('POST', `/v2/overlays/${id}/graphics/commands`, { action: 'show', graphicName: 'Score bug' })
    const answer = await patch(id, { autoMode: false, adType: 'noBrands' })
    expect(Object.keys(answer.body.manualGraphicState as object)).toEqual(['Score bug'])
  })

  it('[live-path 22] raising the delay freezes the view at what the old delay has reached', async () => {
    const id = await created()
    const floor = async () => {
      const { sql } = production.server.database
      const [row] = await sql`select delay_floor_seq as floor from overlay where id = ${id}`
      return row?.floor
    }
    const commands = `/v2/overlays/${id}/graphics/commands`
    // with something on air another delay is announced, which takes a seq
    const fire = async () => {
      await production.call('POST', commands, { action: 'show', graphicName: 'Score bug' })
      await production.call('POST', commands, { action: 'hideAll' })
    }
    await fire()
    await patch(id, { encodingDelay: 30 })
    expect(await floor()).toBe(2)
    await fire()
    await patch(id, { encodingDelay: 60 })
    expect(await floor()).toBe(2)
    await patch(id, { encodingDelay: 0 })
    expect(await floor()).toBe(2)
    // an announcement of a change above may have taken a seq: the view freezes where the overlay is
    const { sql } = production.server.database
    await vi.waitFor(async () => {
      const [waiting] = await sql`select from outbox where payload->>'ref' = ${`overlay-settings/${id}`}`
      expect(waiting).toBeUndefined()
    }, 30_000)
    const [actor] = await sql<{ seq: number }[]>`select seq from actor where ref = ${`overlay/${id}`}`
    await patch(id, { encodingDelay: 5 })
    expect(await floor()).toBe(actor?.seq)
  })

  it('[live-path 14] another profile refreshes the theme values of what is on air', async () => {
    const id = await created()
    await production.call('POST', `/v2/overlays/${id}/graphics/commands`, { action: 'show', graphicName: 'Score bug' })
    const { sql } = production.server.database
    const [profile] = await sql<{ id: number }[]>`
      insert into theme_profile (organization_id, competition_id, theme_id, name, default_control_room_id)
      values (${production.organizationId}, ${production.competitionId}, ${production.themeId}, 'Second',
        ${production.controlRoomId}) returning id`
    expect((await patch(id, { competitionThemeSettingId: profile?.id })).status).toBe(200)
    const refreshes = () => sql`
      select from journal where ref = ${`overlay/${id}`} and events->0->>'type' = 'data.refreshed'`
    await expect.poll(async () => (await refreshes()).length, { timeout: 10_000 }).toBe(1)
    expect((await patch(id, { name: 'Only renamed' })).status).toBe(200)
    expect((await liveData(sql, production.server.origin, id)).themeVariables).toMatchObject({ accentColor: '#d4ff3a' })
    expect(await refreshes()).toHaveLength(1)
  })

  it('[auth.11] a foreign overlay answers 403 and a missing one 404, for read, change and deletion', async () => {
    for (const [method, body] of [['GET'], ['PATCH', {}], ['POST', {}], ['DELETE']] as const)
      for (const version of ['v1', 'v2']) {
        const at = (id: number) => production.call(method, `/${version}/overlays/${id}`, body)
        expect((await at(stranger.overlay.id)).status).toBe(403)
        expect((await at(2_000_000_000)).status).toBe(404)
      }
    expect((await stranger.call('GET', `/v1/overlays/${stranger.overlay.id}`)).body.name).toBe('Main output')
  })
})

describe('listing overlays', () => {
  it('[auth.11] lists the own ones by id, paged and narrowed to a match, under v1 and v2', async () => {
    const all = await production.call('GET', '/v1/overlays')
    const ids = (all.body.overlays as { id: number }[]).map(({ id }) => id)
    expect(ids).toEqual([...ids].sort((one, other) => one - other))
    expect(ids).not.toContain(stranger.overlay.id)
    const page = await production.call('GET', '/v2/overlays?limit=1&offset=1')
    expect(page.body).toMatchObject({
      total: ids.length,
      returned: 1,
      overlays: [{ id: ids[1], themeId: production.themeId }],
    })
    const none = await production.call('GET', `/v1/overlays?matchId=${stranger.matchId}`)
    expect(none.body).toEqual({ overlays: [], total: 0, returned: 0 })
  })
})

describe('deleting an overlay', () => {
  it('[live-path 15] answers 204, hides everything, closes sockets with 1008, and the overlay is gone', async () => {
    const id = await created()
    const { key } = (await read(id)).body
    await production.call('POST', `/v2/overlays/${id}/graphics/commands`, { action: 'show', graphicName: 'Score bug' })
    const socket = new WebSocket(`${production.server.origin.replace('http', 'ws')}/overlay/${key}/socket`)
    const frames: { type: string; payload: { onAir?: boolean } }[] = []
    const closed = new Promise<number>((resolve) => socket.once('close', resolve))
    const loaded = new Promise<void>((resolve) => {
      socket.on('message', (data) => {
        const frame = JSON.parse(String(data))
        frames.push(frame)
        if (frame.type === 'HELLO') socket.send(JSON.stringify({ type: 'READY', payload: { showing: [] } }))
        if (frame.type === 'LOAD_GRAPHIC') resolve()
      })
    })
    await loaded
    expect((await read(id)).body.active).toBe(true)
    const answer = await production.call('DELETE', `/v1/overlays/${id}`)
    expect(answer.status).toBe(204)
    expect(await closed).toBe(1008)
    expect(frames.at(-1)).toMatchObject({ type: 'GRAPHIC_UPDATE', payload: { onAir: false } })
    expect((await read(id)).status).toBe(404)
    const after = await production.call('POST', `/v2/overlays/${id}/graphics/commands`, { action: 'hideAll' })
    expect(after.status).toBe(404)
    const { sql } = production.server.database
    expect(await sql`select from actor where ref = ${`overlay/${id}`}`).toHaveLength(0)
    expect(await sql`select from journal where ref = ${`overlay/${id}`}`).not.toHaveLength(0)
  })
})

describe('scopes', () => {
  it('[auth.4] overlays:read reads and may not write; another resource may do neither', async () => {
    const { database } = production.server
    const reader = await newKey(database, production.organizationId, ['overlays:read'])
    const path = `/v1/overlays/${production.overlay.id}`
    const as = (key: string, method: string, body?: object) => production.server.call(method, path, { key, body })
    expect((await as(reader.key, 'GET')).status).toBe(200)
    const refused = await as(reader.key, 'PATCH', {})
    expect([refused.status, refused.body.message]).toEqual([403, 'Missing scope: overlays:write'])
    const other = await newOrganization(database, ['themes:write'])
    expect((await as(other.key, 'GET')).body.message).toBe('Missing scope: overlays:read')
  })
})
