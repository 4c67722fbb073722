import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { OperatorChoices, OperatorRoom } from '../../src/resources/control-page/schema.ts'
import { type Production, produce, startProduction } from './support.ts'
import { makeGraphic } from './themes-support.ts'

let production: Production
let stranger: Omit<Production, 'close'>

beforeAll(async () => {
  production = await startProduction()
  stranger = await produce(production.server)
})
afterAll(() => production.close())
beforeEach(async () => {
  await send('POST', '/graphics/commands', { body: { action: 'hideAll' } })
})

async function send(
  method: string,
  path: string,
  { body, key, page = production.overlay.controlRoomUrl }: { body?: unknown; key?: string; page?: string } = {},
) {
  const response = await fetch(`${page}/rest${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(key && { 'Idempotency-Key': key }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer: Record<string, unknown> = JSON.parse(await response.text())
  return { status: response.status, headers: response.headers, body: answer }
}

const room = async () => OperatorRoom.parse((await send('GET', '/room')).body)
const preset = async (name: string) => (await room()).presets.find((one) => one.name === name)

describe('what the page of a control room asks for', () => {
  it('[issue 6.1] its room: sections in order with their colours, presets with what operators may set', async () => {
    const { overlay, room: found, sections, presets } = await room()
    expect(overlay).toEqual({
      id: production.overlay.id,
      name: expect.any(String),
      matchId: production.matchId,
      encodingDelay: 0,
      autoMode: false,
    })
    expect(found).toMatchObject({ id: production.controlRoomId, name: 'Match day', themeVersion: 1 })
    expect(sections.map(({ name, colorKey }) => [name, colorKey])).toEqual([
      ['In play', 'green'],
      ['Line-ups', 'blue'],
      ['Full time', 'red'],
      ['Sponsors', 'yellow'],
    ])
    expect(presets.map(({ id }) => id)).toEqual(production.presets.map(({ id }) => id))
    expect(await preset('Head coach')).toEqual({
      id: production.preset('Head coach').id,
      name: 'Head coach',
      sectionId: sections[0]?.id,
      graphicId: production.preset('Head coach').graphicId,
      graphicName: 'Lower third',
      problem: null,
      variableValues: { about: 'homeCoach' },
      leftOut: [],
      variables: [
        { name: 'name', label: 'Name', type: 'string', defaultValue: null, description: expect.any(String) },
        { name: 'title', label: 'Title', type: 'string', defaultValue: null, description: expect.any(String) },
        {
          name: 'team',
          label: 'Team',
          type: 'enum',
          options: ['auto', 'home', 'away', 'neutral'],
          defaultValue: 'auto',
          description: expect.any(String),
        },
      ],
    })
    expect((await preset('Score bug'))?.variables[0]?.label).toBe('Home score')
  })

  it('[issue 6.1] what is to be chosen in the match: players by team, teams, facts newest first', async () => {
    const { body } = await send('GET', '/choices')
    const { choices } = OperatorChoices.parse(body)
    expect(choices.team?.map(({ label }) => label)).toEqual(['Norrvik Athletic', 'Port Selwyn Rovers'])
    expect(choices.player).toHaveLength(36)
    expect(choices.player).toContainEqual({
      value: expect.any(Number),
      label: '10  Mateus Conceição',
      group: 'Norrvik Athletic',
    })
    for (const type of ['match', 'fact', 'period', 'set', 'round', 'court', 'stat', 'teamStat'])
      expect(choices[type], type).toBeInstanceOf(Array)
  })

  it('[issue 6.1] a preset that cannot be shown says why, and refuses', async () => {
    const { themeId, controlRoomId, sectionIds } = production
    const graphicId = await makeGraphic(production, themeId, { name: 'Weather' })
    const body = { sectionId: sectionIds[0], graphicId, name: 'Weather' }
    const made = await production.call('POST', `/v2/control-rooms/${controlRoomId}/presets`, body)
    expect(made.status).toBe(201)
    const problem = '“Weather” is not in version 1 of the theme'
    expect(await preset('Weather')).toMatchObject({ problem, graphicName: 'Weather', variables: [] })
    const show = { action: 'show', presetId: made.body.id }
    expect((await send('POST', '/graphics/commands', { body: show })).status).toBe(400)
    await production.call('DELETE', `/v2/control-rooms/${controlRoomId}/presets/${made.body.id}`)
    expect(await preset('Weather')).toBeUndefined()
  })

  it('[issue 6.1] show, update, hide and hideAll act on the overlay of the page, and the journal says that it was its page', async () => {
    const presetId = production.preset('Head coach').id
    const command = async (body: object) => {
      const answer = await send('POST', '/graphics/commands', { body })
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
      return answer.body.manualGraphicState
    }
    expect(await command({ action: 'show', presetId, variableValues: { title: 'Manager' } })).toEqual({
      'Lower third': { _service_presetId: presetId, variableValues: { about: 'homeCoach', title: 'Manager' } },
    })
    await command({ action: 'update', presetId, variableValues: { title: 'Coach' } })
    expect(await command({ action: 'hide', presetId })).toEqual({})
    const rows = await production.call('GET', `/v2/overlays/${production.overlay.id}/as-run?limit=1000`)
    expect(JSON.stringify(rows.body)).toContain('link')
    expect(JSON.stringify(rows.body)).not.toContain(production.overlay.controlRoomUrl.split('/').at(-1))
  })

  it('[issue 6.1] a command that is sent twice with its key is done once', async () => {
    const body = { action: 'show', presetId: production.preset('Score bug').id }
    const asRun = async () => (await production.call('GET', `/v2/overlays/${production.overlay.id}/as-run`)).body.total
    const before = Number(await asRun())
    const answers = await Promise.all([1, 2, 3].map(() => send('POST', '/graphics/commands', { body, key: 'press-1' })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true')).toHaveLength(2)
    expect(await asRun()).toBe(before + 1)
  })

  it('[issue 6.1] bad values and presets of others are refused by name, and nothing changes', async () => {
    const presetId = production.preset('Score bug').id
    const bad = await send('POST', '/graphics/commands', {
      body: { action: 'show', presetId, variableValues: { homeScore: 'three', colour: 'red' } },
    })
    expect(bad.status).toBe(400)
    expect(Object.keys(bad.body.details as object)).toEqual([
      'body.variableValues.homeScore',
      'body.variableValues.colour',
    ])
    const foreign = { action: 'show', presetId: stranger.preset('Score bug').id }
    expect((await send('POST', '/graphics/commands', { body: foreign })).status).toBe(400)
    const overlay = await production.call('GET', `/v2/overlays/${production.overlay.id}`)
    expect(overlay.body.manualGraphicState).toEqual({})
  })

  it('[issue 6.1] an overlay without a control room has an empty one', async () => {
    const made = await production.call('POST', '/v1/overlays', {
      name: 'Bare overlay',
      matchId: production.matchId,
      autoMode: false,
      adType: 'noBrands',
      controlRoomId: null,
    })
    expect(made.status).toBe(200)
    const answer = await send('GET', '/room', { page: String(made.body.controlRoomUrl) })
    expect(OperatorRoom.parse(answer.body)).toMatchObject({ room: null, sections: [], presets: [] })
  })

  it('[issue 6] another secret opens nothing', async () => {
    const { monitoringUrl, key } = production.overlay
    for (const secret of [monitoringUrl.split('/').at(-1), key, production.apiKey, 'x'])
      for (const path of ['/room', '/choices'])
        expect((await send('GET', path, { page: `${production.server.origin}/control/${secret}` })).status).toBe(404)
  })
})
