import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { Renderer } from '../support/renderer.ts'
import { type Production, produce, startProduction } from './support.ts'

let production: Production
let roomId: number
let one: string
let two: string

beforeAll(async () => {
  production = await startProduction()
})
afterAll(() => production.close())

beforeEach(async () => {
  const sections = [{ name: 'One' }, { name: 'Two' }]
  const made = await call('POST', '/v2/control-rooms', { themeId: production.themeId, name: 'Presets', sections })
  roomId = Number(made.body.id)
  ;[one = '', two = ''] = (made.body.sections as { id: string }[]).map(({ id }) => id)
})

const call: Production['call'] = (...asked) => production.call(...asked)
const at = (path = '') => `/v2/control-rooms/${roomId}/presets${path}`
const graphicIdOf = (presetName: string) => production.preset(presetName).graphicId

/** Adds a preset of the sponsor card. */
const add = (name: string, more: object = {}) =>
  call('POST', at(), { sectionId: one, graphicId: graphicIdOf('Match partner'), name, ...more })

/** A graphic of the theme that was never published. */
async function draft(name: string, controlVariables: { id: string; name: string; type: string }[]) {
  const { sql } = production.server.database
  await sql`insert into graphic (id, theme_id, kind, name) values (${name}, ${production.themeId}, 'code', ${name})`
  await sql`insert into graphic_draft (graphic_id, version, sports, state_machine)
    values (${name}, 1, '{football}', ${sql.json({ controlVariables })})`
  return name
}

type Listed = { id: number; name: string; sectionId: string; orderIndex: number }

async function order() {
  const { body } = await call('GET', at())
  const presets = body as unknown as Listed[]
  for (const sectionId of [one, two]) {
    const indexes = presets.filter((preset) => preset.sectionId === sectionId).map(({ orderIndex }) => orderIndex)
    expect(indexes).toEqual(indexes.map((_, index) => index))
  }
  return presets.map(({ name, sectionId }) => `${sectionId === one ? 'one' : 'two'} ${name}`)
}

describe('[control rooms 32] presets', () => {
  it('are created, read, changed and deleted', async () => {
    const made = await add('Partner', { variableValues: { sponsor: 'Acme' }, exposedVariables: ['tagline'] })
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: expect.any(Number),
        controlRoomId: roomId,
        sectionId: one,
        graphicId: graphicIdOf('Match partner'),
        graphicName: 'Sponsor card',
        name: 'Partner',
        orderIndex: 0,
        variableValues: { sponsor: 'Acme' },
        exposedVariables: ['tagline'],
        updatedAt: expect.stringMatching(/\.\d{6}Z$/),
      },
    ])
    const url = at(`/${made.body.id}`)
    expect((await call('GET', url)).body).toEqual(made.body)
    const changed = await call('PATCH', url, { name: 'New', variableValues: { tagline: 'Fast' } })
    expect(changed.body).toEqual({
      ...made.body,
      name: 'New',
      variableValues: { tagline: 'Fast' },
      updatedAt: expect.any(String),
    })
    expect(changed.body.updatedAt).not.toBe(made.body.updatedAt)
    expect((await call('DELETE', url)).status).toBe(204)
    expect((await call('GET', url)).status).toBe(404)
    expect((await call('DELETE', url)).status).toBe(404)
  })

  it('expose every control variable of their graphic unless said', async () => {
    expect((await add('All')).body.exposedVariables).toEqual(['brand', 'sponsor', 'tagline'])
    expect((await add('None', { exposedVariables: [] })).body.exposedVariables).toEqual([])
  })

  it('values and exposed variables that the active version does not know are named one by one', async () => {
    const bad = {
      sectionId: 'x',
      graphicId: graphicIdOf('Full-time result'),
      name: 'Bad',
      variableValues: { homeScore: 'two', headline: 5, nonsense: 1, awayScore: null },
      exposedVariables: ['headline', 'nonsense', 'headline'],
    }
    const refused = await call('POST', at(), bad)
    expect([refused.status, refused.body.details]).toEqual([
      400,
      {
        'body.sectionId': { message: 'not a section of the control room', value: 'x' },
        'body.variableValues.homeScore': { message: 'expected a finite number', value: 'two' },
        'body.variableValues.headline': { message: 'expected a string', value: 5 },
        'body.variableValues.nonsense': { message: 'the graphic has no such variable', value: 1 },
        'body.exposedVariables[1]': { message: 'the graphic has no such variable', value: 'nonsense' },
        'body.exposedVariables[2]': { message: 'named twice', value: 'headline' },
      },
    ])
    const nested = { graphicId: graphicIdOf('Full-time result'), variableValues: { headline: ['Full time'] } }
    expect((await add('Nested', nested)).body.details).toEqual({
      'body.variableValues.headline': { message: 'expected a string', value: ['Full time'] },
    })
    const enumerated = { graphicId: graphicIdOf('Home line-up'), variableValues: { team: 'left' } }
    expect((await add('Enum', enumerated)).body.details).toEqual({
      'body.variableValues.team': { message: 'expected one of home, away', value: 'left' },
    })
    expect(await order()).toEqual([])
  })

  it('a graphic of another theme or organization is a bad value, and a preset keeps its graphic', async () => {
    const other = await produce(production.server)
    const refused = await add('Foreign', { graphicId: other.presets[0]?.graphicId })
    expect(refused.status).toBe(400)
    expect(refused.body.details).toHaveProperty(['body.graphicId'])
    const { body } = await add('Mine')
    const swapped = await call('PATCH', at(`/${body.id}`), { graphicId: graphicIdOf('Full-time result') })
    expect(swapped.body.details).toHaveProperty(['body.graphicId', 'message'], 'a preset keeps its graphic')
    expect((await call('PATCH', at(`/${body.id}`), { graphicId: body.graphicId })).status).toBe(200)
  })

  it('a graphic outside the active version is checked against its latest published one, else its working copy', async () => {
    const graphicId = await draft('Fresh', [{ id: 'v', name: 'caption', type: 'string' }])
    expect((await add('Draft', { graphicId, variableValues: { caption: 'Hi' } })).status).toBe(201)
    expect((await add('Draft', { graphicId, variableValues: { count: 1 } })).status).toBe(400)
    await production.server.database.sql`
      insert into graphic_version (graphic_id, version, sports, state_machine)
      values (${graphicId}, 1, '{football}', '{"controlVariables":[{"id":"c","name":"count","type":"number"}]}')`
    expect((await add('Published', { graphicId, variableValues: { caption: 'Hi' } })).status).toBe(400)
    expect((await add('Published', { graphicId, variableValues: { count: 1 } })).status).toBe(201)
  })

  it('stay readable and can be renamed when their graphic is deleted, and no new one is made of it', async () => {
    const graphicId = await draft('Doomed', [{ id: 'v', name: 'caption', type: 'string' }])
    const made = await add('Orphan', { graphicId, variableValues: { caption: 'Hi' } })
    const deleted = await call('DELETE', `/v2/themes/${production.themeId}/code-graphics/${graphicId}`)
    expect(deleted.status).toBe(204)
    const url = at(`/${made.body.id}`)
    expect((await call('GET', url)).body).toEqual(made.body)
    expect((await call('PATCH', url, { name: 'Still here', variableValues: {} })).body.name).toBe('Still here')
    const refused = await call('PATCH', url, { variableValues: { text: 'x' } })
    expect(refused.body.details).toHaveProperty(['body.variableValues.text'])
    expect((await add('New', { graphicId })).body.details).toHaveProperty(['body.graphicId'])
    expect((await call('DELETE', url)).status).toBe(204)
  })

  it('are made of a deleted graphic while the active version of the theme has it', async () => {
    const { sql } = production.server.database
    const graphicId = graphicIdOf('Match partner')
    await sql`update graphic set deleted_at = now() where id = ${graphicId}`
    expect((await add('Pinned')).status).toBe(201)
    await sql`update graphic set deleted_at = null where id = ${graphicId}`
  })

  it('have no name of a graphic that is not there at all', async () => {
    const graphicId = await draft('Erased', [])
    const made = await add('Orphan', { graphicId })
    await production.server.database.sql`delete from graphic where id = ${graphicId}`
    expect((await call('GET', at(`/${made.body.id}`))).body).toMatchObject({ name: 'Orphan', graphicName: '' })
  })
})

describe('the order of presets', () => {
  it('follows orderIndex within a section and across sections, without gaps', async () => {
    const ids: unknown[] = []
    for (const name of ['A', 'B', 'C']) ids.push((await add(name)).body.id)
    await add('D', { sectionId: two })
    await add('E', { orderIndex: 1 })
    expect(await order()).toEqual(['one A', 'one E', 'one B', 'one C', 'two D'])
    await call('PATCH', at(`/${ids[2]}`), { orderIndex: 0 })
    expect(await order()).toEqual(['one C', 'one A', 'one E', 'one B', 'two D'])
    await call('PATCH', at(`/${ids[0]}`), { sectionId: two, orderIndex: 0 })
    expect(await order()).toEqual(['one C', 'one E', 'one B', 'two A', 'two D'])
    await call('PATCH', at(`/${ids[1]}`), { sectionId: two })
    expect(await order()).toEqual(['one C', 'one E', 'two A', 'two D', 'two B'])
    await call('DELETE', at(`/${ids[2]}`))
    expect(await order()).toEqual(['one E', 'two A', 'two D', 'two B'])
  })

  it('stays without gaps while many move, make and delete presets at once', async () => {
    const ids: number[] = []
    for (let each = 0; each < 8; each++) ids.push(Number((await add(`P${each}`)).body.id))
    const moves = Array.from({ length: 24 }, (_, each) => {
      const id = ids[each % ids.length]
      if (each % 12 === 11) return call('DELETE', at(`/${id}`))
      if (each % 6 === 5) return add(`New ${each}`, { orderIndex: each % 4, sectionId: each % 4 < 2 ? one : two })
      return call('PATCH', at(`/${id}`), { orderIndex: (each * 7) % 9, sectionId: each % 3 === 0 ? two : one })
    })
    const statuses = (await Promise.all(moves)).map(({ status }) => status)
    expect(statuses.filter((status) => status >= 500)).toEqual([])
    expect(await order()).toHaveLength(8 + 2 - 2)
  })
})

describe('[concurrency] ifUnchangedSince', () => {
  it('of 50 writers with the same updatedAt one wins, and the others change nothing', async () => {
    const made = await add('Raced', { variableValues: { sponsor: 'Nobody' } })
    const url = at(`/${made.body.id}`)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, each) =>
        call('PATCH', url, { variableValues: { sponsor: `W${each}` }, ifUnchangedSince: made.body.updatedAt }),
      ),
    )
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'TARGET_CHANGED')).toHaveLength(49)
    expect((await call('GET', url)).body).toEqual(won[0]?.body)
  })

  it('is that of the room for a new preset, whose updatedAt is then also that of the room', async () => {
    const room = () => call('GET', `/v2/control-rooms/${roomId}`)
    const before = (await room()).body.updatedAt
    const made = await add('First', { ifUnchangedSince: before })
    expect((await room()).body.updatedAt).toBe(made.body.updatedAt)
    expect((await add('Late', { ifUnchangedSince: before })).body.code).toBe('TARGET_CHANGED')
    const second = await add('Second', { ifUnchangedSince: made.body.updatedAt })
    expect(second.status).toBe(201)
    const renamed = await call('PATCH', at(`/${made.body.id}`), { name: 'F', ifUnchangedSince: made.body.updatedAt })
    expect(renamed.status).toBe(200)
    expect((await room()).body.updatedAt).toBe(second.body.updatedAt)
    const url = at(`/${made.body.id}?ifUnchangedSince=`)
    expect((await call('DELETE', `${url}${made.body.updatedAt}`)).body.code).toBe('TARGET_CHANGED')
    expect((await call('DELETE', `${url}${renamed.body.updatedAt}`)).status).toBe(204)
  })
})

describe('[live-path 11] other nodes', () => {
  it('are told of every write of a room with its commit', async () => {
    const { sql } = production.server.database
    const told: unknown[] = []
    const { unlisten } = await sql.listen('catalog', (payload) => void told.push(JSON.parse(payload)))
    onTestFinished(unlisten)
    const roomUrl = `/v2/control-rooms/${roomId}`
    const { id } = (await add('Told')).body
    const writes = [
      () => call('PATCH', at(`/${id}`), { name: 'Renamed' }),
      () => call('PATCH', `${roomUrl}/sections/${one}`, { orderIndex: 1 }),
      () => call('DELETE', at(`/${id}`)),
      () => call('DELETE', `${roomUrl}/sections/${two}`),
      () => call('PATCH', roomUrl, { name: 'Renamed' }),
      () => call('DELETE', roomUrl),
    ]
    await expect.poll(() => told).toEqual([{ room: roomId }])
    for (const [index, write] of writes.entries()) {
      expect((await write()).status).toBeLessThan(300)
      await expect.poll(() => told).toHaveLength(index + 2)
    }
    expect(told).toEqual(Array.from({ length: 7 }, () => ({ room: roomId })))
    expect((await call('PATCH', roomUrl, { name: 'Gone' })).status).toBe(404)
    expect(told).toHaveLength(7)
  })
})

describe('on air', () => {
  /** The demo's overlay in the room of the test, with one renderer. */
  async function overlay() {
    const moved = await call('PATCH', `/v1/overlays/${production.overlay.id}`, { controlRoomId: roomId })
    expect(moved.status).toBe(200)
    const { key } = production.overlay
    const renderer = new Renderer({ url: `ws://127.0.0.1:${production.server.port}/overlay/${key}/socket` })
    onTestFinished(() => renderer.close())
    const fire = (action: string, presetId: unknown, variableValues?: object) =>
      call('POST', `/v2/overlays/${production.overlay.id}/control-room/graphics`, {
        action,
        presetId,
        ...(variableValues && { variableValues }),
      })
    return { renderer, fire, shown: () => renderer.shows().get(graphicIdOf('Match partner')) }
  }

  it('[live-path 11] the next show and update use what was just written, and a renderer sees it', async () => {
    const { renderer, fire, shown } = await overlay()
    const made = await add('Live', { variableValues: { sponsor: 'Acme' } })
    expect((await fire('show', made.body.id)).status).toBe(200)
    await renderer.waitFor(() => shown()?.variableValues.sponsor === 'Acme')
    for (const sponsor of ['Bolt', 'Cogs']) {
      await call('PATCH', at(`/${made.body.id}`), { variableValues: { sponsor, tagline: 'Yes' } })
      const answer = await fire(sponsor === 'Bolt' ? 'show' : 'update', made.body.id)
      expect(answer.body.manualGraphicState).toMatchObject({ 'Sponsor card': { variableValues: { sponsor } } })
      await renderer.waitFor(() => shown()?.variableValues.sponsor === sponsor)
    }
    expect((await fire('hide', made.body.id)).body.manualGraphicState).toEqual({})
  })

  it('[live-path 12] a preset that is deleted while on air can be hidden, and no longer shown', async () => {
    const { renderer, fire, shown } = await overlay()
    const made = await add('Short-lived', { variableValues: { sponsor: 'Acme' } })
    await fire('show', made.body.id)
    await renderer.waitFor(() => shown() !== undefined)
    expect((await call('DELETE', at(`/${made.body.id}`))).status).toBe(204)
    expect((await fire('show', made.body.id)).status).toBe(400)
    expect((await fire('hide', made.body.id)).body.manualGraphicState).toEqual({})
    await renderer.waitFor(() => shown() === undefined)
  })

  it('[live-path 12] what a deleted section or room had on air can be hidden', async () => {
    const { fire } = await overlay()
    const made = await add('Of a section', { sectionId: two })
    await fire('show', made.body.id)
    const section = `/v2/control-rooms/${roomId}/sections/${two}?presets=delete`
    expect((await call('DELETE', section)).status).toBe(204)
    expect((await fire('hide', made.body.id)).body.manualGraphicState).toEqual({})
    const other = await add('Of a room')
    await fire('show', other.body.id)
    await call('PATCH', `/v1/overlays/${production.overlay.id}`, { controlRoomId: production.controlRoomId })
    expect((await call('DELETE', `/v2/control-rooms/${roomId}`)).status).toBe(204)
    expect((await fire('hide', other.body.id)).body.manualGraphicState).toEqual({})
  })
})
