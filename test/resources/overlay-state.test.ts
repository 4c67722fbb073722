import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { Renderer } from '../support/renderer.ts'
import { type Production, produce, startProduction } from './support.ts'

type Lamp = {
  presetId: number
  name: string
  color: string | null
  state: string
  painted: { renderers: number; of: number }
  until: string | null
  sectionId: string
}
type Lamps = {
  presets: Lamp[]
  renderers: { connected: number; behind: number }
  match: {
    state: string
    score: { home: number; away: number }
    clock: { running: boolean; asOf: string } | null
  } | null
  seq: number
  automatic: boolean
  name: string
}

let production: Production
let stranger: Omit<Production, 'close'>
beforeAll(async () => {
  production = await startProduction()
  stranger = await produce(production.server)
})
afterAll(() => production?.close())

const path = () => `/v2/overlays/${production.overlay.id}/state`
const ask = async (etag?: string) => {
  const headers = etag === undefined ? {} : { 'If-None-Match': etag }
  const answer = await production.server.call('GET', path(), { key: production.apiKey, headers })
  return { status: answer.status, etag: answer.headers.get('etag') ?? '', lamps: answer.body as unknown as Lamps }
}
const lampOf = (lamps: Lamps, name: string) =>
  lamps.presets.find(({ presetId }) => presetId === production.preset(name).id)
const lampIs = (name: string, state: string) =>
  vi.waitFor(async () => {
    const { lamps } = await ask()
    expect(lampOf(lamps, name)).toMatchObject({ state })
    return lamps
  })
const render = (reports: boolean) => {
  const url = `${production.server.origin.replace('http', 'ws')}/overlay/${production.overlay.key}/socket`
  const renderer = new Renderer({ url, reports })
  onTestFinished(() => renderer.close())
  return renderer
}
const command = (body: object) =>
  production.call('POST', `/v2/overlays/${production.overlay.id}/graphics/commands`, body)

describe('[issue 20.4] the state document of an overlay', () => {
  it('[integrations: State document] has a lamp for each button of its room', async () => {
    const { status, etag, lamps } = await ask()
    expect([status, etag]).toEqual([200, expect.stringMatching(/^"[\w-]{27}"$/)])
    expect(lamps).toMatchObject({
      ...{ overlayId: production.overlay.id, automatic: false, renderers: { connected: 0, behind: 0 } },
      match: { state: 'scheduled', score: { home: 0, away: 0 }, period: null },
    })
    const { body: room } = await production.call('GET', `/v2/control-rooms/${production.controlRoomId}`)
    const colours = new Map(
      (room.sections as { id: string; colorKey: string }[]).map(({ id, colorKey }) => [id, colorKey]),
    )
    expect(colours.size).toBeGreaterThan(1)
    expect(lamps.presets.map(({ presetId, name, sectionId, color }) => [presetId, name, sectionId, color])).toEqual(
      production.presets.map(({ id, name, sectionId }) => [id, name, sectionId, colours.get(sectionId)]),
    )
    expect(new Set(lamps.presets.map(({ state }) => state))).toEqual(new Set(['off']))
  })

  it('answers 304 while nothing changes, and reads no row for it', async () => {
    const { etag } = await ask()
    const { sql } = production.server.database
    const statuses = await sql.begin(async (tx) => {
      // whoever reads one of them now waits
      await tx`lock table overlay, actor, match, preset, section, control_room in access exclusive mode`
      return Promise.all(Array.from({ length: 50 }, () => ask(etag).then(({ status }) => status)))
    })
    expect(new Set(statuses)).toEqual(new Set([304]))
    await command({ action: 'cue', presetId: production.presets[0]?.id })
    await vi.waitFor(async () => {
      expect((await ask(etag)).status).toBe(200)
    })
    await command({ action: 'uncue' })
    await lampIs(production.presets[0]?.name ?? '', 'off')
    expect((await ask()).etag).not.toBe('')
  })

  it('is not told again in any form in which a client or a cache may say that it has it', async () => {
    const { etag } = await ask()
    for (const has of [etag, `W/${etag}`, `"other", ${etag}`, '*'])
      expect([has, (await ask(has)).status]).toEqual([has, 304])
    expect((await ask('"other"')).status).toBe(200)
  })

  it('shows a graphic cued, committed, on air and failing, and committed with the last renderer lost', async () => {
    const [first] = production.presets
    const name = first?.name ?? ''
    await command({ action: 'cue', presetId: first?.id })
    await lampIs(name, 'cued')
    await command({ action: 'take' })
    await lampIs(name, 'committed')
    const screen = render(true)
    const lamps = await lampIs(name, 'onAir')
    expect(lampOf(lamps, name)).toMatchObject({ painted: { renderers: 1, of: 1 }, until: null })
    expect(lamps.renderers).toMatchObject({ connected: 1 })
    screen.close()
    expect((await lampIs(name, 'committed')).seq).toBeGreaterThan(0)
    const blind = render(false)
    const failing = await lampIs(name, 'failing')
    expect(lampOf(failing, name)?.painted).toEqual({ renderers: 0, of: 1 })
    expect(failing.renderers).toEqual({ connected: 1, behind: 1 })
    blind.close()
    await lampIs(name, 'committed')
    await command({ action: 'show', presetId: first?.id, durationSeconds: 600 })
    await vi.waitFor(async () => {
      expect(lampOf((await ask()).lamps, name)?.until).toEqual(expect.any(String))
    })
    await command({ action: 'hideAll' })
    await lampIs(name, 'off')
  })

  it('follows the match, the name of the overlay and the buttons of its room', async () => {
    const { call, matchId, teamIds, overlay, controlRoomId } = production
    await ask()
    await call('POST', `/v2/matches/${matchId}/facts`, { type: 'matchStart' })
    await call('POST', `/v2/matches/${matchId}/facts`, { type: 'goal', teamId: teamIds[0] })
    await vi.waitFor(async () => {
      const { lamps } = await ask()
      expect(lamps.match).toMatchObject({ state: 'live', score: { home: 1, away: 0 }, clock: { running: true } })
    })
    // its clock runs in whoever reads it: nothing is told again because time goes on
    const { etag, lamps: running } = await ask()
    const asOf = Date.parse(running.match?.clock?.asOf ?? '')
    await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(asOf + 1_000))
    expect((await ask(etag)).status).toBe(304)
    expect((await call('PATCH', `/v2/overlays/${overlay.id}`, { name: 'Second screen' })).status).toBe(200)
    const [preset] = production.presets
    await call('PATCH', `/v2/control-rooms/${controlRoomId}/presets/${preset?.id}`, { name: 'Another name' })
    await vi.waitFor(async () => {
      const { lamps } = await ask()
      expect([lamps.name, (lamps.presets as unknown as { name: string }[]).map(({ name }) => name)]).toEqual([
        'Second screen',
        expect.arrayContaining(['Another name']),
      ])
    })
  })

  it('is of its organization, and there is none of an overlay that is not there', async () => {
    expect((await stranger.call('GET', path())).status).toBe(403)
    expect((await production.call('GET', '/v2/overlays/2000000000/state')).status).toBe(404)
  })

  it('is told again after its overlay was deleted and others go on', async () => {
    const made = await production.call('POST', '/v1/overlays', { matchId: production.matchId, name: 'Short lived' })
    const one = `/v2/overlays/${made.body.id}/state`
    expect((await production.call('GET', one)).status).toBe(200)
    expect((await production.call('DELETE', `/v1/overlays/${made.body.id}`)).status).toBe(204)
    await vi.waitFor(async () => {
      expect((await production.call('GET', one)).status).toBe(404)
    })
    expect((await ask()).status).toBe(200)
  })
})
