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

  describe('[issue 15.9] values by the link', () => {
    const air = async () =>
      (await production.call('GET', `/v2/overlays/${production.overlay.id}`)).body.manualGraphicState
    const valuesOnAir = async () => {
      const { variableValues } = Object.values((await air()) as Record<string, { variableValues: unknown }>)[0] ?? {}
      return variableValues
    }
    const press = async (action: string, variableValues: object, named: object = {}) => {
      const { id: presetId } = production.preset('Head coach')
      return send('POST', '/graphics/commands', { body: { action, presetId, variableValues, ...named } })
    }
    const refusal = (names: Record<string, unknown>) => ({
      status: 400,
      body: {
        message: expect.any(String),
        details: Object.fromEntries(
          Object.entries(names).map(([name, value]) => [
            `body.variableValues.${name}`,
            { message: 'the preset does not expose it', value },
          ]),
        ),
      },
    })
    const edit = async (body: object) => {
      const { id } = production.preset('Head coach')
      const path = `/v2/control-rooms/${production.controlRoomId}/presets/${id}`
      expect((await production.call('PATCH', path, body)).status).toBe(200)
    }

    it.each([
      ['show', {}],
      ['update', {}],
      ['show', { presetId: undefined, graphicName: 'Lower third' }],
      ['update', { presetId: undefined, graphicName: 'Lower third' }],
    ])(
      '%s %j: what the preset does not expose is refused by name, all of it, and nothing changes',
      async (action, named) => {
        if (action === 'update') await press('show', {})
        const before = await air()
        const player = production.playerIds[production.teamIds[0] ?? 0]?.[0]
        const values = { about: 'awayCoach', player, title: 'Manager' }
        const exposes = 'graphicName' in named && action === 'show'
        // by its graphic the first preset of the room that shows it is meant, which exposes another set
        const refused = exposes ? { about: 'awayCoach' } : { about: 'awayCoach', player }
        expect(await press(action, values, named)).toMatchObject(refusal(refused))
        expect(await air()).toEqual(before)
        const wrong = await press(action, { about: 'awayCoach', title: 5, colour: 'red' }, named)
        expect(Object.keys(wrong.body.details as object)).toEqual(
          ['about', 'title', 'colour'].map((name) => `body.variableValues.${name}`),
        )
      },
    )

    it('what the preset stores may be sent again, and so may on an update what is on air', async () => {
      expect(await press('show', { about: 'homeCoach', title: 'Manager' })).toMatchObject({ status: 200 })
      expect(await valuesOnAir()).toEqual({ about: 'homeCoach', title: 'Manager' })
      // by API key everything may be set
      expect((await production.fire('update', 'Head coach', { about: 'awayCoach' })).status).toBe(200)
      expect(await press('update', { about: 'awayCoach', title: 'Coach' })).toMatchObject({ status: 200 })
      expect(await valuesOnAir()).toEqual({ about: 'awayCoach', title: 'Coach' })
      expect(await press('update', { about: 'homeCoach' })).toMatchObject({ status: 200 })
      expect(await press('update', { about: 'awayCoach' })).toMatchObject(refusal({ about: 'awayCoach' }))
      expect(await press('show', { about: 'awayCoach' })).toMatchObject(refusal({ about: 'awayCoach' }))
      expect(await valuesOnAir()).toEqual({ about: 'homeCoach' })
    })

    it('null is what the variable is without a value: sent again it is no change', async () => {
      await press('show', {})
      expect((await production.fire('update', 'Head coach', { about: null })).status).toBe(200)
      const cleared = await valuesOnAir()
      expect(await press('update', { about: null, title: 'Coach' })).toMatchObject({ status: 200 })
      expect(await valuesOnAir()).toEqual({ ...(cleared as object), title: 'Coach' })
      expect(await press('show', { about: null })).toMatchObject(refusal({ about: null }))
    })

    it('a preset that was edited meanwhile counts as it is now', async () => {
      const { exposedVariables } = production.preset('Head coach')
      await press('show', { title: 'Manager' })
      await edit({ exposedVariables: ['name'], variableValues: { about: 'awayCoach' } })
      try {
        expect(await press('update', { title: 'Coach' })).toMatchObject(refusal({ title: 'Coach' }))
        // what it shows of before stays where it is
        expect(await press('update', { about: 'homeCoach', title: 'Manager', name: 'Ida' })).toMatchObject({
          status: 200,
        })
        expect(await valuesOnAir()).toEqual({ about: 'homeCoach', title: 'Manager', name: 'Ida' })
        expect(await press('update', { about: 'awayCoach', name: 'Ida' })).toMatchObject({ status: 200 })
        expect(await press('show', { title: 'Manager' })).toMatchObject(refusal({ title: 'Manager' }))
      } finally {
        await edit({ exposedVariables, variableValues: { about: 'homeCoach' } })
      }
      expect(await press('show', { title: 'Manager' })).toMatchObject({ status: 200 })
    })

    it('a preset that is gone exposes nothing, and what it shows can be hidden', async () => {
      const { graphicId, sectionId } = production.preset('Head coach')
      const path = `/v2/control-rooms/${production.controlRoomId}/presets`
      const body = { sectionId, graphicId, name: 'For a moment', variableValues: { about: 'homeCoach' } }
      const made = await production.call('POST', path, body)
      const named = { presetId: made.body.id }
      expect(await press('show', { title: 'Manager' }, named)).toMatchObject({ status: 200 })
      expect((await production.call('DELETE', `${path}/${made.body.id}`)).status).toBe(204)
      expect(await press('update', { title: 'Coach' }, named)).toMatchObject(refusal({ title: 'Coach' }))
      expect(await press('update', { title: 'Manager' }, named)).toMatchObject({ status: 200 })
      expect(await press('hide', {}, named)).toMatchObject({ status: 200, body: { manualGraphicState: {} } })
    })
  })

  describe('[issue 18.4] the game plan by the link', () => {
    const planOf = async ({ call, overlay, competitionId }: Omit<Production, 'close'>, rules: object[]) => {
      const { body } = await call('GET', `/v2/overlays/${overlay.id}`)
      const path = `/v2/competitions/${competitionId}/theme-profiles/${body.competitionThemeSettingId}/game-plan`
      expect(await call('PUT', path, { rules })).toMatchObject({ status: 200 })
    }
    const rule = (id: string, presetId: number, more: object = {}) => ({
      ...{ id, name: `Rule ${id}`, trigger: { type: 'fact', factTypes: ['goal'] }, presetId, end: { afterSeconds: 8 } },
      ...more,
    })
    const played = async (method: string, path: string, body?: unknown) => {
      const answer = await send(method, path, { body })
      expect([answer.status, answer.body]).toEqual([200, answer.body])
      return answer.body
    }

    it('rules stand in the room with the layer of each; all that an operator says to the plan works, and is by the page', async () => {
      const [bug, coach] = [production.preset('Score bug'), production.preset('Head coach')]
      const { body: made } = await production.call('POST', `/v2/control-rooms/${production.controlRoomId}/presets`, {
        ...{ sectionId: bug.sectionId, graphicId: bug.graphicId, name: 'Short-lived' },
      })
      const condition = 'score.home >= 0'
      await planOf(production, [
        rule('goal', coach.id, { layer: 'third', condition }),
        rule('bug', bug.id, { enabled: false }),
        rule('gone', Number(made.id)),
      ])
      await production.call('DELETE', `/v2/control-rooms/${production.controlRoomId}/presets/${made.id}`)
      const gone = { layer: '', problem: 'Its preset is not in this control room', condition: null }
      expect((await room()).rules).toEqual([
        { id: 'goal', name: 'Rule goal', enabled: true, presetId: coach.id, layer: 'third', problem: null, condition },
        {
          id: 'bug',
          name: 'Rule bug',
          enabled: false,
          presetId: bug.id,
          layer: bug.graphicId,
          problem: null,
          condition: null,
        },
        { id: 'gone', name: 'Rule gone', enabled: true, presetId: made.id, ...gone },
      ])
      expect(await send('POST', '/game-plan/pause')).toMatchObject({ status: 409, body: { code: 'NOT_AUTOMATIC' } })
      expect(await played('POST', '/automatic', { autoMode: true })).toEqual({ autoMode: true })
      expect((await room()).overlay.autoMode).toBe(true)
      const looked = async () => (await send('POST', '/game-plan/pause')).status
      await expect.poll(looked, { timeout: 10_000, interval: 20 }).toBe(200)
      expect(await played('POST', '/game-plan/hold', { layer: 'third' })).toMatchObject({
        paused: true,
        layers: [{ layer: 'third', heldBy: 'Control room' }],
      })
      expect(await played('POST', '/game-plan/release', { layer: 'third' })).toMatchObject({ layers: [] })
      expect(await played('POST', '/game-plan/resume')).toMatchObject({ paused: false })
      expect(await played('POST', '/game-plan/fire', { ruleId: 'goal' })).toMatchObject({
        layers: [{ layer: 'third', running: { ruleId: 'goal' } }],
      })
      const rows = await production.server.database.sql`
        select distinct principal ->> 'type' as type from journal where ref = ${`game-plan/${production.overlay.id}`}
          and command ->> 'type' in ('pause', 'resume', 'hold', 'release', 'fire')`
      expect(rows).toEqual([{ type: 'link' }])
      expect(await send('POST', '/game-plan/fire', { body: { ruleId: 'nobody' } })).toMatchObject({ status: 400 })
      expect(await played('POST', '/automatic', { autoMode: false })).toEqual({ autoMode: false })
      const { body } = await production.call('GET', `/v2/overlays/${production.overlay.id}`)
      expect(body).toMatchObject({ autoMode: false, name: (await room()).overlay.name })
    })

    it('of the settings only the switch is open to the page', async () => {
      const { body: before } = await production.call('GET', `/v2/overlays/${production.overlay.id}`)
      await send('POST', '/automatic', { body: { autoMode: before.autoMode, name: 'Renamed', encodingDelay: 9 } })
      const { body: after } = await production.call('GET', `/v2/overlays/${production.overlay.id}`)
      expect(after).toMatchObject({ name: before.name, encodingDelay: before.encodingDelay })
      expect((await send('POST', '/automatic', { body: { autoMode: 'yes' } })).status).toBe(400)
    })
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

  it('[issue 19.4] a scheduled command is taken off the schedule of its own overlay alone', async () => {
    const at = new Date(Date.now() + 3_600_000).toISOString()
    const { id: presetId } = production.preset('Score bug')
    const schedule = { action: 'show', presetId, at }
    const made = await send('POST', '/graphics/commands', { body: schedule })
    const [{ id } = { id: 0 }] = made.body.scheduled as { id: number }[]
    const remove = async (page: string) => (await fetch(`${page}/rest/scheduled/${id}`, { method: 'DELETE' })).status
    expect(await remove(stranger.overlay.controlRoomUrl)).toBe(404)
    expect(await remove(production.overlay.controlRoomUrl)).toBe(204)
    expect(await remove(production.overlay.controlRoomUrl)).toBe(404)
    expect((await production.call('GET', `/v2/overlays/${production.overlay.id}`)).body.scheduled).toEqual([])
  })

  it('[issue 19.4] a cue by the page takes values that stand on air for its preset, and no others that are not exposed', async () => {
    const { id, variables } = (await preset('Head coach')) ?? { id: 0, variables: [] }
    expect(variables.map(({ name }) => name)).not.toContain('about')
    const command = (action: string, about: string) => ({ action, presetId: id, variableValues: { about } })
    const shown = await production.call(
      'POST',
      `/v2/overlays/${production.overlay.id}/graphics/commands`,
      command('show', 'awayCoach'),
    )
    expect(shown.status).toBe(200)
    const cued = await send('POST', '/graphics/commands', { body: command('cue', 'awayCoach') })
    expect([cued.status, cued.body.previewState]).toMatchObject([
      200,
      { 'Lower third': { variableValues: { about: 'awayCoach' } } },
    ])
    const refused = await send('POST', '/graphics/commands', { body: command('cue', 'text') })
    expect([refused.status, refused.body.details]).toMatchObject([400, { 'body.variableValues.about': {} }])
    await send('POST', '/graphics/commands', { body: { action: 'hideAll', scheduled: true } })
  })

  it('[issue 6] another secret opens nothing', async () => {
    const { monitoringUrl, key } = production.overlay
    for (const secret of [monitoringUrl.split('/').at(-1), key, production.apiKey, 'x'])
      for (const path of ['/room', '/choices'])
        expect((await send('GET', path, { page: `${production.server.origin}/control/${secret}` })).status).toBe(404)
  })
})
