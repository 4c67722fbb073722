import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Production, produce, startProduction } from './support.ts'

let production: Production
let stranger: Omit<Production, 'close'>

beforeAll(async () => {
  production = await startProduction()
  stranger = await produce(production.server)
})
afterAll(() => production.close())
beforeEach(async () => {
  await command({ action: 'hideAll' })
})

const command = (body: unknown) =>
  production.call('POST', `/v2/overlays/${production.overlay.id}/graphics/commands`, body)
const stateOf = async () =>
  (await production.call('GET', `/v2/overlays/${production.overlay.id}`)).body.manualGraphicState
const details = (path: string) => ({ [path]: { message: expect.any(String), value: expect.anything() } })

describe('control-room graphics', () => {
  it('[op.12] show puts the graphic on air with the values of the preset and the given ones over them', async () => {
    const answer = await production.fire('show', 'Head coach', { title: 'Manager' })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      overlayId: production.overlay.id,
      manualGraphicState: {
        'Lower third': {
          _service_presetId: production.preset('Head coach').id,
          variableValues: { about: 'homeCoach', title: 'Manager' },
        },
      },
    })
    expect(await stateOf()).toEqual(answer.body.manualGraphicState)
  })

  it('[contract: show] a graphic on air gets the new preset and values instead of its own', async () => {
    await production.fire('show', 'Head coach', { title: 'Manager' })
    const answer = await production.fire('show', 'Commentator')
    expect(answer.body.manualGraphicState).toEqual({
      'Lower third': {
        _service_presetId: production.preset('Commentator').id,
        variableValues: { name: 'Mairéad Kinsellagh', title: 'Commentary', team: 'neutral' },
      },
    })
  })

  it('[op.12] every answer carries the whole state', async () => {
    await production.fire('show', 'Score bug')
    const answer = await production.fire('show', 'Home line-up')
    expect(Object.keys(answer.body.manualGraphicState as object).sort()).toEqual(['Line-up card', 'Score bug'])
  })

  it('[decision: details] however much is wrong, the answer names 1,000 values and repeats 200 characters of each', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`v${index}`, 1]))
    const many = await production.fire('show', 'Goal scorer', unknown)
    expect(many.status).toBe(400)
    expect(Object.keys(many.body.details as object)).toHaveLength(1_000)
    const long = await production.fire('show', 'Goal scorer', { player: 'x'.repeat(100_000) })
    expect(long.body.details).toHaveProperty(['body.variableValues.player', 'value'], 'x'.repeat(200))
    expect(await stateOf()).toEqual({})
  })

  it('[States] update takes the values of the preset plus the given ones and drops earlier overrides', async () => {
    await production.fire('show', 'Score bug', { homeScore: 7 })
    const answer = await production.fire('update', 'Score bug', { awayScore: 3 })
    expect(answer.body.manualGraphicState).toMatchObject({
      'Score bug': { variableValues: { showClock: true, awayScore: 3 } },
    })
    expect(JSON.stringify(answer.body)).not.toContain('homeScore')
  })

  it('[contract: update] another preset of the same graphic acts on it and becomes its preset', async () => {
    await production.fire('show', 'Head coach')
    const answer = await production.fire('update', 'Goal scorer')
    expect(answer.body.manualGraphicState).toMatchObject({
      'Lower third': {
        _service_presetId: production.preset('Goal scorer').id,
        variableValues: { about: 'lastGoal' },
      },
    })
    expect((await production.fire('hide', 'Commentator')).body.manualGraphicState).toEqual({})
  })

  it('[States] update of a graphic that is not on air answers 400 and changes nothing', async () => {
    const answer = await production.fire('update', 'Score bug')
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({ message: 'The graphic is not on air', details: details('body.presetId') })
    expect(await stateOf()).toEqual({})
  })

  it('[contract: hide] hide of a graphic that is not on air answers 200 and changes nothing', async () => {
    await production.fire('show', 'Score bug')
    const answer = await production.fire('hide', 'Head coach')
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.body.manualGraphicState as object)).toEqual(['Score bug'])
  })

  it.each([
    ['an unknown variable', { nickname: 'x' }, 'body.variableValues.nickname'],
    ['a number for a string', { name: 7 }, 'body.variableValues.name'],
    ['a value that is not an option', { team: 'referee' }, 'body.variableValues.team'],
  ])('[contract: values] %s answers 400 naming it, and nothing changes', async (_, values, path) => {
    const answer = await production.fire('show', 'Head coach', values)
    expect(answer.status).toBe(400)
    expect(answer.body.details).toEqual(details(path))
    await production.fire('show', 'Head coach')
    const before = await stateOf()
    expect((await production.fire('update', 'Head coach', values)).body.details).toEqual(details(path))
    expect(await stateOf()).toEqual(before)
  })

  it('[contract: values] every bad value is named at once', async () => {
    const answer = await production.fire('show', 'Score bug', { homeScore: '2', showClock: 1, foo: true })
    expect(Object.keys(answer.body.details as object).sort()).toEqual([
      'body.variableValues.foo',
      'body.variableValues.homeScore',
      'body.variableValues.showClock',
    ])
  })

  it('[domain 5.9] null clears a variable to its default, and to nothing where it has none', async () => {
    const answer = await production.fire('show', 'Head coach', { team: null, title: null })
    expect(answer.body.manualGraphicState).toMatchObject({
      'Lower third': { variableValues: { about: 'homeCoach', team: 'auto' } },
    })
    expect(JSON.stringify(answer.body)).not.toContain('title')
  })

  it('[contract: values] variableValues null answers 400', async () => {
    const answer = await production.fire('show', 'Head coach', null)
    expect([answer.status, Object.keys(answer.body.details as object)]).toEqual([400, ['body.variableValues']])
  })

  it('[contract: show] a preset of another organization, or none, answers 400 with details', async () => {
    const url = `/v2/overlays/${production.overlay.id}/control-room/graphics`
    for (const presetId of [stranger.preset('Score bug').id, 2_000_000_000])
      for (const action of ['show', 'update', 'hide']) {
        const answer = await production.call('POST', url, { action, presetId })
        expect([answer.status, answer.body.details]).toEqual([400, details('body.presetId')])
      }
  })

  it('[auth.11] an overlay of another organization answers 403, a missing one 404', async () => {
    const body = { action: 'show', presetId: production.preset('Score bug').id }
    const foreign = await production.call('POST', `/v2/overlays/${stranger.overlay.id}/control-room/graphics`, body)
    expect([foreign.status, foreign.body.code]).toEqual([403, 'FORBIDDEN'])
    expect((await production.call('POST', '/v2/overlays/2000000000/control-room/graphics', body)).status).toBe(404)
    expect((await production.call('POST', '/v2/overlays/0/control-room/graphics', body)).status).toBe(400)
  })

  it('[journal] a command is journaled once with its key and what was asked; a refused one and a no-op are not', async () => {
    const { sql } = production.server.database
    const ref = `overlay/${production.overlay.id}`
    const count = async () => (await sql`select from journal where ref = ${ref}`).length
    const before = await count()
    await production.fire('show', 'Score bug', { homeScore: 9 })
    await production.fire('show', 'Score bug', { homeScore: 'x' })
    await production.fire('hide', 'Head coach')
    expect(await count()).toBe(before + 1)
    const [row] = await sql`select command, principal, events from journal where ref = ${ref} order by seq desc limit 1`
    expect(row).toMatchObject({
      command: { type: 'show', presetId: production.preset('Score bug').id, variableValues: { homeScore: 9 } },
      principal: { type: 'key' },
      events: [{ type: 'graphic.shown' }],
    })
  })
})

describe('what is on air outlives its preset, room and version', () => {
  it('[live-path 12] a preset that was deleted can be updated and hidden', async () => {
    const { sql } = production.server.database
    const { sectionId, graphicId } = production.preset('Match partner')
    const [copy] = await sql<{ id: number }[]>`
      insert into preset (control_room_id, section_id, graphic_id, name, order_index, variable_values)
      values (${production.controlRoomId}, ${sectionId}, ${graphicId}, 'Short-lived', 99, '{"sponsor":"Acme"}') returning id`
    await sql`select pg_notify('catalog', ${JSON.stringify({ room: production.controlRoomId })})`
    const url = `/v2/overlays/${production.overlay.id}/control-room/graphics`
    const fire = (action: string, variableValues?: object) =>
      production.call('POST', url, { action, presetId: copy?.id, ...(variableValues && { variableValues }) })
    expect((await fire('show')).status).toBe(200)
    await sql`delete from preset where id = ${copy?.id ?? 0}`
    await sql`select pg_notify('catalog', ${JSON.stringify({ room: production.controlRoomId })})`
    await expect.poll(async () => (await fire('show')).status).toBe(400)
    expect((await fire('update', { tagline: 'Now' })).body.manualGraphicState).toMatchObject({
      'Sponsor card': { variableValues: { sponsor: 'Acme', tagline: 'Now' } },
    })
    expect((await fire('hide')).body.manualGraphicState).toEqual({})
    expect((await fire('hide')).status).toBe(400)
  })

  it('[live-path 12] a graphic that was renamed on air goes by its old name and by its new one', async () => {
    const { graphicId, id: presetId } = production.preset('Match partner')
    const rename = (name: string) =>
      production.call('PATCH', `/v2/themes/${production.themeId}/code-graphics/${graphicId}`, { name })
    await production.fire('show', 'Match partner')
    expect((await rename('Partner card')).status).toBe(200)
    const update = (graphicName: string, tagline: string) =>
      command({ action: 'update', graphicName, variableValues: { tagline } })
    for (const name of ['Sponsor card', 'Partner card'])
      expect((await update(name, name)).body.manualGraphicState).toMatchObject({
        'Sponsor card': { variableValues: { tagline: name } },
      })
    expect((await command({ action: 'hide', presetId, graphicName: 'Score bug' })).status).toBe(400)
    const both = await command({ action: 'update', presetId, graphicName: 'Partner card' })
    expect([both.status, Object.keys(both.body.manualGraphicState as object)]).toEqual([200, ['Sponsor card']])
    const hidden = await command({ action: 'hide', graphicName: 'Partner card' })
    expect([hidden.status, hidden.body.manualGraphicState]).toEqual([200, {}])
    expect((await rename('Sponsor card')).status).toBe(200)
  })

  it('[live-path 12] an overlay without a room refuses show and still updates and hides', async () => {
    await production.fire('show', 'Score bug')
    const settings = `/v1/overlays/${production.overlay.id}`
    expect((await production.call('PATCH', settings, { controlRoomId: null })).status).toBe(200)
    const refused = await production.fire('show', 'Home line-up')
    expect([refused.status, refused.body.details]).toEqual([400, details('body.presetId')])
    expect((await production.fire('update', 'Score bug', { homeScore: 5 })).status).toBe(200)
    expect((await production.fire('hide', 'Score bug')).body.manualGraphicState).toEqual({})
    await production.call('PATCH', settings, { controlRoomId: production.controlRoomId })
    expect((await production.fire('show', 'Home line-up')).status).toBe(200)
  })
})

describe('graphics commands', () => {
  it('[contract: commands] a graphic named by name is shown with its first preset, updated and hidden', async () => {
    const shown = await command({ action: 'show', graphicName: 'Lower third', variableValues: { title: 'Hat-trick' } })
    expect(shown.body.manualGraphicState).toMatchObject({
      'Lower third': {
        _service_presetId: production.preset('Goal scorer').id,
        variableValues: { about: 'lastGoal', title: 'Hat-trick' },
      },
    })
    const updated = await command({ action: 'update', graphicName: 'Lower third', variableValues: { name: 'Finn' } })
    expect(updated.body.manualGraphicState).toMatchObject({
      'Lower third': { variableValues: { about: 'lastGoal', name: 'Finn' } },
    })
    expect((await command({ action: 'hide', graphicName: 'Lower third' })).body.manualGraphicState).toEqual({})
  })

  it('[contract: commands] works under v1, and by graphicId and presetId', async () => {
    const { graphicId, id } = production.preset('Away line-up')
    const url = `/v1/overlays/${production.overlay.id}/graphics/commands`
    expect((await production.call('POST', url, { action: 'show', graphicId })).status).toBe(200)
    expect(
      (await production.call('POST', url, { action: 'update', presetId: id })).body.manualGraphicState,
    ).toMatchObject({ 'Line-up card': { _service_presetId: id } })
  })

  it('[domain 5.9] a graphic that the theme does not have is 404 for every action', async () => {
    for (const action of ['show', 'update', 'hide'])
      expect((await command({ action, graphicName: 'Weather' })).status).toBe(404)
  })

  it('[contract: commands] a known graphic off air: update 400, hide 200', async () => {
    expect((await command({ action: 'update', graphicName: 'Score bug' })).status).toBe(400)
    const hidden = await command({ action: 'hide', graphicName: 'Score bug' })
    expect([hidden.status, hidden.body.manualGraphicState]).toEqual([200, {}])
  })

  it('[contract: commands] a preset with the name of another graphic answers 400 naming it', async () => {
    const answer = await command({
      action: 'show',
      presetId: production.preset('Score bug').id,
      graphicName: 'Lower third',
    })
    expect([answer.status, answer.body.details]).toEqual([400, details('body.graphicName')])
  })

  it('[contract: commands] anything but hideAll needs a target', async () => {
    const answer = await command({ action: 'show' })
    expect([answer.status, Object.keys(answer.body.details as object)]).toEqual([400, ['body.graphicName']])
  })

  it('[contract: hideAll] empties the state, one section when it is named, and works on an empty overlay', async () => {
    await production.fire('show', 'Score bug')
    await production.fire('show', 'Home line-up')
    const narrowed = await command({ action: 'hideAll', sectionId: production.preset('Home line-up').sectionId })
    expect(Object.keys(narrowed.body.manualGraphicState as object)).toEqual(['Score bug'])
    expect((await command({ action: 'hideAll' })).body).toEqual({
      overlayId: production.overlay.id,
      manualGraphicState: {},
      previewState: {},
      scheduled: [],
    })
    expect((await command({ action: 'hideAll' })).status).toBe(200)
  })
})
