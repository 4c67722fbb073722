import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { Renderer } from '../support/renderer.ts'
import { badFields } from './roster-support.ts'
import { type Production, startProduction } from './support.ts'

const GRAPHIC = 'Match partner'
const patience = { timeout: 10_000, interval: 10 }

let production: Production
let profile: string
let graphicName: string
const ids: Record<string, number> = {}

const call = async (method: string, path: string, body?: unknown) => {
  const answer = await production.call(method, path, body)
  expect([answer.status < 300, answer.body]).toEqual([true, answer.body])
  return answer.body
}
const slots = (...brands: object[]) =>
  call('PUT', `${profile}/sponsor-slots`, { slots: [{ id: 'breaks', name: 'Breaks', brands }] })

beforeAll(async () => {
  production = await startProduction()
  const { sql } = production.server.database
  const { id: presetId, graphicId } = production.preset(GRAPHIC)
  const controlVariables = [
    { id: 'sponsor', name: 'sponsor', type: 'ad' },
    { id: 'second', name: 'second', type: 'ad' },
    { id: 'player', name: 'player', type: 'player' },
    { id: 'tagline', name: 'tagline', type: 'string' },
  ]
  const userExpressions = [
    { id: 'e', name: 'credit', expression: '"sponsor" in selected ? selected.sponsor.name : "nobody"' },
  ]
  await sql`update graphic_version set state_machine = ${sql.json({ controlVariables, userExpressions })}
    where graphic_id = ${graphicId}`
  await sql`update preset set variable_values = '{"sponsor":{"slot":"breaks"}}',
    exposed_variables = '{sponsor,second,player,tagline}' where id = ${presetId}`
  await sql`select pg_notify('catalog', ${JSON.stringify({ theme: production.themeId })}),
    pg_notify('catalog', ${JSON.stringify({ room: production.controlRoomId })})`
  graphicName = production.preset(GRAPHIC).graphicName
  const { competitionThemeSettingId } = await call('GET', `/v2/overlays/${production.overlay.id}`)
  profile = `/v2/competitions/${production.competitionId}/theme-profiles/${competitionThemeSettingId}`
  for (const name of ['Alba', 'Brio', 'Cask']) ids[name] = Number((await call('POST', '/v2/brands', { name })).id)
})
afterAll(() => production.close())

const share = (name: string, more: object = {}) => ({ brandId: ids[name], share: 1, ...more })
const adType = (value: string) =>
  call('PATCH', `/v1/overlays/${production.overlay.id}`, { autoMode: true, adType: value })
beforeEach(async () => {
  await adType('brands')
  await slots(share('Alba'), share('Brio'))
  await production.fire('hide', GRAPHIC)
  await production.server.database.sql`delete from sponsor_ledger`
})

type State = Record<string, { variableValues: Record<string, unknown> }>
/** The values on air after a command. */
async function fired(action: string, values?: object) {
  const answer = await production.fire(action, GRAPHIC, values)
  expect([answer.status, answer.body]).toMatchObject([200, {}])
  return (answer.body.manualGraphicState as State)[graphicName]?.variableValues ?? {}
}
const sponsorOf = async (action: string, values?: object) => {
  const { sponsor } = await fired(action, values)
  return Object.keys(ids).find((name) => ids[name] === sponsor)
}

function watch() {
  const url = `ws://127.0.0.1:${production.server.port}/overlay/${production.overlay.key}/socket`
  const renderer = new Renderer({ url })
  onTestFinished(() => renderer.close())
  type Data = { selected?: Record<string, { name: string }>; expressions?: { credit: string } }
  const data = () => renderer.shows().get(production.preset(GRAPHIC).graphicId)?.data as Data | undefined
  return { renderer, data }
}

describe('[issue 18.7] a sponsor slot on air', () => {
  it('[game-plan: Brands] is one brand from the show to the hide, whatever is updated; each show chooses again', async () => {
    expect(await sponsorOf('show')).toBe('Alba')
    expect(await sponsorOf('update', { tagline: 'Now' })).toBe('Alba')
    expect(await sponsorOf('update', { sponsor: { slot: 'breaks' } })).toBe('Alba')
    // as a page does that sends what is on air
    expect(await sponsorOf('update', { sponsor: ids.Alba })).toBe('Alba')
    expect(await sponsorOf('show')).toBe('Brio')
    await fired('hide')
    expect(await sponsorOf('show')).toBe('Alba')
    expect(await sponsorOf('update', { sponsor: ids.Cask })).toBe('Cask')
  })

  it('shows no brand twice in a graphic while there is another', async () => {
    const both = await fired('show', { second: { slot: 'breaks' } })
    expect(both).toMatchObject({ sponsor: ids.Alba, second: ids.Brio })
  })

  it('without a brand to show it is empty, and stays so', async () => {
    await call('PATCH', `/v2/brands/${ids.Alba}`, { active: false })
    await call('PATCH', `/v2/brands/${ids.Brio}`, { from: '2100-01-01T00:00:00Z' })
    expect(await fired('show', { tagline: 'x' })).toEqual({ tagline: 'x' })
    await call('PATCH', `/v2/brands/${ids.Alba}`, { active: true })
    expect(await fired('update', { tagline: 'y' })).toEqual({ tagline: 'y' })
    expect(await sponsorOf('show')).toBe('Alba')
    await call('PATCH', `/v2/brands/${ids.Brio}`, { from: null })
  })

  it('[game-plan: adType] noBrands shows none, free those of the house, by slot and by name', async () => {
    await adType('noBrands')
    expect(await fired('show')).toEqual({})
    expect(await fired('show', { sponsor: ids.Alba })).toEqual({})
    await adType('free')
    expect(await fired('show')).toEqual({})
    await call('PATCH', `/v2/brands/${ids.Brio}`, { house: true })
    expect(await sponsorOf('show')).toBe('Brio')
    expect(await fired('show', { sponsor: ids.Alba })).toEqual({})
    await call('PATCH', `/v2/brands/${ids.Brio}`, { house: false })
  })

  it('a brand of a side is only in graphics about its team', async () => {
    const [home = 0, away = 0] = production.teamIds
    const of = (team: number) => production.playerIds[team]?.[0]
    await slots(share('Alba', { side: 'home' }), share('Brio', { side: 'away' }))
    expect(await sponsorOf('show', { player: of(away) })).toBe('Brio')
    expect(await sponsorOf('show', { player: of(home) })).toBe('Alba')
    expect(await sponsorOf('show', { player: of(home) })).toBe('Alba')
    expect(await sponsorOf('show')).toBeUndefined()
  })

  it('values that cannot be are refused by name, and change nothing', async () => {
    await fired('show', { tagline: 'kept' })
    for (const sponsor of [2_000_000_000, 'Alba', { slot: 'nowhere' }, { slot: '' }, true])
      expect(badFields(await production.fire('show', GRAPHIC, { sponsor }))[0]).toBe(400)
    expect(
      badFields(await production.fire('update', GRAPHIC, { sponsor: { slot: 'x' }, tagline: { slot: 'breaks' } })),
    ).toEqual([400, ['body.variableValues.tagline']])
    expect(badFields(await production.fire('update', GRAPHIC, { sponsor: { slot: 'x' } }))).toEqual([
      400,
      ['body.variableValues.sponsor'],
    ])
    expect(await fired('update')).toMatchObject({ sponsor: ids.Alba })
  })

  it('[live-path 14] the renderer is given the brand, and what is changed of it', async () => {
    const { renderer, data } = watch()
    await fired('show')
    await renderer.waitFor(() => data()?.selected?.sponsor?.name === 'Alba')
    expect(data()?.selected?.sponsor).toEqual({
      ...{ id: ids.Alba, name: 'Alba', logoUrl: null, primaryColor: '#000000', textColor: '#ffffff', tagline: null },
    })
    expect(data()?.expressions?.credit).toBe('Alba')
    await call('PATCH', `/v2/brands/${ids.Alba}`, { name: 'Alba Tea', tagline: 'Leaves' })
    await renderer.waitFor(() => data()?.selected?.sponsor?.name === 'Alba Tea')
    expect(data()?.expressions?.credit).toBe('Alba Tea')
    await call('PATCH', `/v2/brands/${ids.Alba}`, { name: 'Alba', tagline: null })
    const refused = await production.call('DELETE', `/v2/brands/${ids.Alba}`)
    expect(refused.body.uses).toEqual([
      expect.stringContaining('graphics on air'),
      expect.stringContaining('sponsor slot'),
    ])
  })

  it('a preset is made with a brand or a slot, and its brand is not deleted', async () => {
    const room = await call('GET', `/v2/control-rooms/${production.controlRoomId}`)
    const { id, sectionId, graphicId } = production.preset(GRAPHIC)
    const made = await call('POST', `/v2/control-rooms/${room.id}/presets`, {
      ...{ sectionId, graphicId, name: 'Named', variableValues: { sponsor: ids.Cask, second: { slot: 'breaks' } } },
    })
    expect(made.variableValues).toEqual({ sponsor: ids.Cask, second: { slot: 'breaks' } })
    expect((await production.call('DELETE', `/v2/brands/${ids.Cask}`)).body.uses).toEqual([
      expect.stringContaining('preset “Named”'),
    ])
    await call('DELETE', `/v2/control-rooms/${room.id}/presets/${made.id}`)
    expect(id).toBeGreaterThan(0)
  })
})

describe('[issue 18.7] a brand that is about to be seen', () => {
  it('on preview, on the schedule and as the default of a graphic is not deleted', async () => {
    const brand = await call('POST', '/v2/brands', { name: 'Elm' })
    const uses = async () => (await production.call('DELETE', `/v2/brands/${brand.id}`)).body.uses
    const { id: presetId, graphicId } = production.preset(GRAPHIC)
    const command = (body: object) => call('POST', `/v2/overlays/${production.overlay.id}/graphics/commands`, body)
    await command({ action: 'cue', presetId, variableValues: { sponsor: brand.id } })
    expect(await uses()).toEqual([`graphics on preview on overlay ${production.overlay.id}`])
    const at = new Date(Date.now() + 3_600_000).toISOString()
    await command({ action: 'show', presetId, at, variableValues: { sponsor: brand.id } })
    expect(await uses()).toEqual([
      `graphics on preview on overlay ${production.overlay.id}`,
      `scheduled commands of overlay ${production.overlay.id}`,
    ])
    await command({ action: 'hideAll', scheduled: true })
    const rundown = (...items: object[]) => call('PUT', `/v2/overlays/${production.overlay.id}/rundown`, { items })
    await rundown(
      { presetId, variableValues: { sponsor: brand.id } },
      { presetId, name: 'Break', variableValues: { sponsor: brand.id } },
    )
    expect(await uses()).toEqual([
      `item “Break” of the rundown of overlay ${production.overlay.id}`,
      `item “${GRAPHIC}” of the rundown of overlay ${production.overlay.id}`,
    ])
    await rundown()
    const { sql } = production.server.database
    const named = { controlVariables: [{ id: 'x', name: 'sponsor', type: 'ad', defaultValue: Number(brand.id) }] }
    const [draft] = await sql`select state_machine from graphic_draft where graphic_id = ${graphicId}`
    await sql`update graphic_draft set state_machine = ${sql.json(named)} where graphic_id = ${graphicId}`
    expect(await uses()).toEqual([`variable “sponsor” of graphic “${graphicName}” of theme ${production.themeId}`])
    await sql`update graphic_draft set state_machine = ${sql.json(draft?.state_machine)} where graphic_id = ${graphicId}`
    expect((await production.call('DELETE', `/v2/brands/${brand.id}`)).status).toBe(204)
  })
})

describe('[issue 18.7] sponsors in a game plan', () => {
  it('[game-plan: simulate] all brands of a graphic are counted, and a graphic has none twice while there is another', async () => {
    const rule = {
      ...{ id: 'p', name: 'Partners', trigger: { type: 'interval', everySeconds: 400, during: 'break' } },
      ...{ presetId: production.preset(GRAPHIC).id, variableValues: { second: { slot: 'breaks' } } },
      end: { afterSeconds: 30 },
    }
    const { brands } = await call('POST', `${profile}/game-plan/simulate`, {
      ...{ scenarioId: 'football-full-time', rules: [rule] },
    })
    // a break of fifteen minutes: at 0:00, 6:40 and 13:20
    expect(brands).toEqual({ Alba: 90, Brio: 90 })
  })

  it('a rule without a brand is suppressed, and says why', async () => {
    const automatic = await call('POST', '/v1/overlays', {
      name: 'Automatic',
      matchId: production.matchId,
      autoMode: true,
    })
    const path = `/v2/overlays/${automatic.id}`
    const rule = (id: string, more: object = {}) => ({
      ...{ id, name: id, trigger: { type: 'fact', factTypes: ['corner'] }, presetId: production.preset(GRAPHIC).id },
      ...{ end: { afterSeconds: 30 }, ...more },
    })
    const bad = await production.call('PUT', `${profile}/game-plan`, {
      rules: [
        rule('a', { variableValues: { sponsor: { slot: 'nowhere' }, tagline: { slot: 'breaks' } } }),
        rule('b', { variableValues: { sponsor: 2_000_000_000 } }),
      ],
    })
    expect(badFields(bad)).toEqual([
      400,
      [
        'body.rules[0].variableValues.sponsor',
        'body.rules[0].variableValues.tagline',
        'body.rules[1].variableValues.sponsor',
      ],
    ])
    await call('PUT', `${profile}/game-plan`, { rules: [rule('corner')] })
    type Recent = { outcome: string; reason: string | null }[]
    const last = ({ recent }: Record<string, unknown>) => {
      const [one] = recent as Recent
      return [one?.outcome, one?.reason]
    }
    const told = async () => last(await call('GET', `${path}/game-plan`))
    const fire = async () => last(await call('POST', `${path}/game-plan/fire`, { ruleId: 'corner' }))
    const looked = () =>
      production.server.database.sql`select from actor where ref = ${`game-plan/${automatic.id}`} and seq > 0`
    await expect.poll(async () => (await looked()).length, patience).toBe(1)
    const set = (value: string) => call('PATCH', `/v1/overlays/${automatic.id}`, { adType: value })
    await set('noBrands')
    expect(await fire()).toEqual(['suppressed', 'noBrands'])
    await set('free')
    expect(await fire()).toEqual(['suppressed', 'noBrand'])
    await set('brands')
    await slots()
    expect(await fire()).toEqual(['suppressed', 'noBrand'])
    await slots(share('Cask', { side: 'home' }))
    await fire()
    // no fact and no value says that it is about the home side
    await expect.poll(told, patience).toEqual(['suppressed', 'noBrand'])
    await slots(share('Cask'))
    await fire()
    await expect.poll(told, patience).toEqual(['fired', null])
    const values = async () => ((await call('GET', path)).manualGraphicState as State)[graphicName]?.variableValues
    await expect.poll(values, patience).toEqual({ sponsor: ids.Cask })
    const { asRun } = await call('GET', `${path}/as-run`)
    expect((asRun as { action: string }[]).filter(({ action }) => action === 'show')).toHaveLength(1)
    await call('PUT', `${profile}/game-plan`, { rules: [] })
  })

  it('a delayed rule whose slot runs empty before its time has not fired, and nothing was on air', async () => {
    const automatic = await call('POST', '/v1/overlays', {
      ...{ name: 'Delayed', matchId: production.matchId, autoMode: true, adType: 'brands' },
    })
    const path = `/v2/overlays/${automatic.id}`
    const brand = await call('POST', '/v2/brands', { name: 'Dune' })
    await slots({ brandId: brand.id, share: 1 })
    await call('PUT', `${profile}/game-plan`, {
      rules: [
        {
          ...{ id: 'late', name: 'Late', trigger: { type: 'fact', factTypes: ['corner'] }, delaySeconds: 2 },
          ...{ presetId: production.preset(GRAPHIC).id, end: { afterSeconds: 30 } },
        },
      ],
    })
    const looked = () =>
      production.server.database.sql`select from actor where ref = ${`game-plan/${automatic.id}`} and seq > 0`
    await expect.poll(async () => (await looked()).length, patience).toBe(1)
    const state = async () =>
      (await call('GET', `${path}/game-plan`)) as unknown as {
        next: { ruleId: string }[]
        recent: { outcome: string; reason: string | null }[]
        layers: object[]
      }
    const { id: factId } = await call('POST', `/v2/matches/${production.matchId}/facts`, { type: 'corner' })
    await expect.poll(async () => (await state()).next.map(({ ruleId }) => ruleId), patience).toEqual(['late'])
    await call('PATCH', `/v2/brands/${brand.id}`, { active: false })
    await expect.poll(async () => (await state()).recent.length, patience).toBe(1)
    const { recent, layers } = await state()
    expect([recent, layers]).toEqual([
      [expect.objectContaining({ outcome: 'suppressed', reason: 'noBrand', factId })],
      [],
    ])
    expect(await call('GET', `${path}/as-run`)).toMatchObject({ asRun: [] })
    await call('PUT', `${profile}/game-plan`, { rules: [] })
  })
})
