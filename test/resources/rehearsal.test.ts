import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Production, startProduction } from './support.ts'

let production: Production
beforeAll(async () => {
  production = await startProduction()
})
afterAll(() => production.close())

const path = () => `/v2/overlays/${production.overlay.id}`
const call = (method: string, below = '', body?: object) => production.call(method, `${path()}${below}`, body)
const send = (body: object) => call('POST', '/graphics/commands', body)
const command = (action: string, name: string, more: object = {}) =>
  send({ action, presetId: production.preset(name).id, ...more })
const overlay = async () => (await call('GET')).body
const rehearse = (rehearsal: boolean, more: object = {}) => call('PATCH', '', { rehearsal, ...more })
const asRun = async (query = '') =>
  (await call('GET', `/as-run?order=desc&limit=5${query}`)).body as {
    total: number
    asRun: { action: string; rehearsal?: true }[]
  }
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

beforeEach(async () => {
  await rehearse(false)
  await send({ action: 'hideAll', scheduled: true })
})

describe('[show-control: rehearsal] an overlay may rehearse', () => {
  test('it is off at first; commands answer and reads tell what would be on air', async () => {
    expect(await overlay()).toMatchObject({ rehearsal: false })
    const begun = await rehearse(true)
    expect([begun.status, begun.body]).toMatchObject([200, { rehearsal: true, manualGraphicState: {} }])
    const shown = await command('show', 'Head coach', { variableValues: { title: 'Manager' } })
    const state = { 'Lower third': { variableValues: { title: 'Manager' } } }
    expect(shown.body).toMatchObject({ manualGraphicState: state })
    expect(await overlay()).toMatchObject({ rehearsal: true, manualGraphicState: state })
    const list = (await production.call('GET', '/v1/overlays')).body.overlays
    expect(list).toContainEqual(expect.objectContaining({ rehearsal: true, id: production.overlay.id }))
    expect((await command('update', 'Head coach', { variableValues: { title: 'Coach' } })).status).toBe(200)
    expect((await send({ action: 'undo' })).body).toMatchObject({ manualGraphicState: state })
    expect((await command('update', 'Score bug')).status).toBe(400)
    expect((await rehearse(false)).body).toMatchObject({ rehearsal: false, manualGraphicState: {} })
  })

  test('it does not begin while something is on air, and then nothing changes', async () => {
    await command('show', 'Score bug')
    const refused = await rehearse(true)
    expect([refused.status, refused.body]).toEqual([
      409,
      { message: 'Graphics are on air: take them off, and then rehearse', code: 'ON_AIR' },
    ])
    expect(await overlay()).toMatchObject({ rehearsal: false, manualGraphicState: { 'Score bug': {} } })
  })

  test('it is changed by itself; a client that sends back what it has read changes what it means', async () => {
    const { name, encodingDelay } = await overlay()
    const both = await rehearse(true, { encodingDelay: Number(encodingDelay) + 1 })
    expect([both.status, both.body.details]).toEqual([
      400,
      { 'body.rehearsal': { message: 'is changed by itself', value: true } },
    ])
    expect(await overlay()).toMatchObject({ rehearsal: false, encodingDelay })
    expect((await rehearse(true, { name, encodingDelay })).body).toMatchObject({ rehearsal: true, name })
    expect((await rehearse(true, { name: 'Renamed once' })).body).toMatchObject({
      rehearsal: true,
      name: 'Renamed once',
    })
    expect((await call('PATCH', '', { name })).body).toMatchObject({ rehearsal: true, name })
  })

  test('its end clears preview and schedule of the rehearsal, and leaves those of before', async () => {
    await command('cue', 'Score bug')
    const kept = (await command('show', 'Home line-up', { at: inMinutes(30) })).body.scheduled as { id: number }[]
    await rehearse(true)
    await command('cue', 'Head coach')
    await command('show', 'Away line-up', { at: inMinutes(40) })
    await command('show', 'Score bug')
    const ended = (await rehearse(false)).body
    expect(ended).toMatchObject({ manualGraphicState: {}, scheduled: kept })
    expect(Object.keys(ended.previewState as object)).toEqual(['Score bug'])
    expect((await send({ action: 'undo' })).status).toBe(409)
  })

  test('the log has its beginning and end; what it showed only when asked for, and marked', async () => {
    const before = (await asRun()).total
    await rehearse(true)
    await command('show', 'Head coach')
    await command('cue', 'Commentator')
    await send({ action: 'take' })
    await rehearse(false)
    const log = await asRun()
    expect(log.total - before).toBe(3)
    expect(log.asRun.slice(0, 3).map(({ action }) => action)).toEqual(['rehearse', 'cue', 'rehearse'])
    expect(log.asRun.some(({ rehearsal }) => rehearsal)).toBe(false)
    const all = await asRun('&include=rehearsal')
    expect(all.asRun.slice(0, 4)).toMatchObject([
      { action: 'rehearse', asked: { on: false }, graphicId: null },
      { action: 'take', rehearsal: true, graphicName: 'Lower third', painted: [] },
      { action: 'cue', graphicName: 'Lower third' },
      { action: 'show', rehearsal: true, graphicName: 'Lower third' },
    ])
    const proof = (await call('GET', '/proof-of-play')).body
    expect(JSON.stringify(proof)).not.toContain('Commentator')
  })

  test('a server that was stopped at any moment goes on with it', async () => {
    await rehearse(true)
    await command('show', 'Score bug')
    await production.server.restart()
    expect(await overlay()).toMatchObject({ rehearsal: true, manualGraphicState: { 'Score bug': {} } })
    expect((await command('hide', 'Score bug')).body).toMatchObject({ manualGraphicState: {} })
  })

  test('the page of its control room begins and ends it', async () => {
    const token = new URL(production.overlay.controlRoomUrl).pathname
    const post = async (body: object) => {
      const answer = await fetch(`${production.server.origin}${token}/rest/rehearsal`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
      return [answer.status, await answer.json()]
    }
    expect(await post({ rehearsal: true })).toEqual([200, { rehearsal: true }])
    expect(await overlay()).toMatchObject({ rehearsal: true })
    expect(await post({ rehearsal: false })).toEqual([200, { rehearsal: false }])
    await command('show', 'Score bug')
    expect(await post({ rehearsal: true })).toMatchObject([409, { code: 'ON_AIR' }])
  })
})
