import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { Renderer } from '../support/renderer.ts'
import { type Production, startProduction } from './support.ts'

let production: Production
beforeAll(async () => {
  production = await startProduction()
})
afterAll(() => production.close())
beforeEach(() => send({ action: 'hideAll', scheduled: true }))

const path = () => `/v2/overlays/${production.overlay.id}`
const send = (body: object) => production.call('POST', `${path()}/graphics/commands`, body)
const id = (name: string) => production.preset(name).id
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
const schedule = (action: string, name: string, ms: number, more: object = {}) =>
  send({ action, presetId: id(name), at: inMs(ms), ...more })
type Scheduled = { id: number; at: string; action: string; presetId: number | null; variableValues: object; by: object }
type Read = { manualGraphicState: object; previewState: object; scheduled: Scheduled[] }
const read = async () => (await production.call('GET', path())).body as Read
const onAir = async () => Object.keys((await read()).manualGraphicState).sort()
const ref = () => `overlay/${production.overlay.id}`
type Row = { seq: number; at: string; action: string; asked: Record<string, unknown>; by: object }
const log = async () => (await production.call('GET', `${path()}/as-run?order=desc&limit=50`)).body.asRun as Row[]
const timers = () => production.server.database.sql`select name from timer where ref = ${ref()}`
const patience = { timeout: 10_000, interval: 20 }
/** As if its time had come so long ago. */
const comes = (lateSeconds: number) => production.server.database.sql`
  update timer set due_at = clock_timestamp() - make_interval(secs => ${lateSeconds}) where ref = ${ref()}`

describe('[show-control: Commands] scheduled commands', () => {
  test('a show is listed, and carried out within 500 ms of its time by whoever scheduled it', async () => {
    const at = inMs(1_200)
    const asked = { action: 'show', presetId: id('Head coach'), variableValues: { title: 'Manager' } }
    const planned = await send({ ...asked, at })
    expect(planned.status).toBe(200)
    const [one] = (planned.body as Read).scheduled
    expect(one).toEqual({
      id: expect.any(Number),
      at,
      action: 'show',
      presetId: id('Head coach'),
      variableValues: { title: 'Manager' },
      by: { type: 'key', name: expect.any(String) },
    })
    expect(await read()).toMatchObject({ manualGraphicState: {}, scheduled: [one] })
    await expect.poll(onAir, patience).toEqual(['Lower third'])
    expect((await read()).scheduled).toEqual([])
    const [fired, scheduled] = await log()
    expect(scheduled).toMatchObject({ action: 'schedule', asked: { type: 'schedule', action: 'show', at } })
    expect(fired).toMatchObject({ action: 'show', asked: { scheduled: one?.id, at }, by: scheduled?.by })
    const lateMs = Date.parse(fired?.at ?? '') - Date.parse(at)
    expect(lateMs).toBeGreaterThanOrEqual(0)
    expect(lateMs).toBeLessThan(500)
    expect(await timers()).toEqual([])
  })

  test('a hide and a take; a take for ten seconds', async () => {
    await send({ action: 'show', presetId: id('Score bug') })
    await send({ action: 'cue', presetId: id('Head coach') })
    await schedule('hide', 'Score bug', 60_000)
    await send({ action: 'take', at: inMs(61_000), durationSeconds: 10 })
    expect((await read()).scheduled).toMatchObject([
      { action: 'hide', presetId: id('Score bug') },
      { action: 'take', presetId: null, durationSeconds: 10 },
    ])
    await comes(0)
    await expect.poll(onAir, patience).toEqual(['Lower third'])
    await expect
      .poll(async () => (await timers()).map(({ name }) => name), patience)
      .toEqual([expect.stringMatching(/^out:/)])
  })

  test('what is removed does not happen; another one is 404', async () => {
    await schedule('show', 'Head coach', 60_000)
    const [one] = (await read()).scheduled
    const remove = () => production.call('DELETE', `${path()}/scheduled/${one?.id}`)
    const removed = await remove()
    expect([removed.status, removed.headers.get('X-Service-Beta')]).toEqual([204, expect.any(String)])
    expect([(await read()).scheduled, [...(await timers())]]).toEqual([[], []])
    expect((await log())[0]).toMatchObject({ action: 'unschedule', asked: { id: one?.id } })
    expect((await remove()).status).toBe(404)
  })

  test('one that is more than 30 s late is dropped and journaled, one that is less late is carried out', async () => {
    await schedule('show', 'Head coach', 60_000)
    await comes(29)
    await expect.poll(onAir, patience).toEqual(['Lower third'])
    await send({ action: 'hideAll' })
    await schedule('show', 'Head coach', 60_000)
    await comes(31)
    await expect.poll(async () => (await read()).scheduled, patience).toEqual([])
    expect(await onAir()).toEqual([])
    expect((await log())[0]).toMatchObject({
      action: 'missed',
      presetId: id('Head coach'),
      asked: { reason: expect.stringContaining('late') },
      by: { type: 'system', name: 'timer' },
    })
    await expect.poll(timers, patience).toEqual([])
  })

  test('of a preset that is deleted by then the reason is journaled, and nothing happens', async () => {
    const room = production.controlRoomId
    const { sectionId, graphicId } = production.preset('Head coach')
    const made = await production.call('POST', `/v2/control-rooms/${room}/presets`, {
      name: 'For a moment',
      sectionId,
      graphicId,
    })
    expect(made.status).toBe(201)
    await send({ action: 'show', presetId: made.body.id, at: inMs(60_000) })
    expect((await production.call('DELETE', `/v2/control-rooms/${room}/presets/${made.body.id}`)).status).toBe(204)
    await comes(0)
    await expect.poll(async () => (await read()).scheduled, patience).toEqual([])
    expect((await log())[0]).toMatchObject({ action: 'refused', asked: { action: 'show', reason: 'no such preset' } })
    expect(await onAir()).toEqual([])
  })

  test('a take that finds nothing on preview then is refused', async () => {
    await send({ action: 'take', at: inMs(60_000) })
    await comes(0)
    await expect
      .poll(async () => (await log())[0], patience)
      .toMatchObject({
        action: 'refused',
        asked: { reason: 'Nothing is on preview' },
      })
  })

  test('a time of any offset is the moment that it means', async () => {
    const local = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 3_600_000)
    const shifted = new Date(local.getTime() + 5.5 * 3_600_000).toISOString().replace('.000Z', '+05:30')
    await send({ action: 'show', presetId: id('Head coach'), at: shifted })
    expect((await read()).scheduled).toMatchObject([{ at: local.toISOString() }])
  })

  test('with encodingDelay it is carried out at its time, and screens show it and its out as much later as all else', async () => {
    const delayMs = 1_000
    const { key } = production.overlay
    expect((await production.call('PATCH', path(), { encodingDelay: delayMs / 1_000 })).status).toBe(200)
    const seen: { at: number; isLoad: boolean }[] = []
    const renderer = new Renderer({
      url: `${production.server.origin.replace('http', 'ws')}/overlay/${key}/socket`,
      onFrame(text) {
        const { type } = JSON.parse(text) as { type: string }
        if (type === 'LOAD_GRAPHIC' || type === 'GRAPHIC_UPDATE')
          seen.push({ at: Date.now(), isLoad: type === 'LOAD_GRAPHIC' })
      },
    })
    onTestFinished(async () => {
      renderer.close()
      await production.call('PATCH', path(), { encodingDelay: 0 })
    })
    await renderer.waitFor(({ connected }) => connected)
    const at = Date.now() + 1_500
    await schedule('show', 'Head coach', 1_500, { durationSeconds: 1 })
    await renderer.waitFor((one) => one.shows().size === 1)
    await renderer.waitFor((one) => one.shows().size === 0)
    const [out, shown] = await log()
    expect([shown?.action, out?.action]).toEqual(['show', 'autoHide'])
    expect(Date.parse(shown?.at ?? '') - at, 'ms late').toBeLessThan(500)
    const [first] = seen.filter(({ isLoad }) => isLoad)
    for (const [frame, row] of [
      [first, shown],
      [seen.at(-1), out],
    ] as const) {
      const later = (frame?.at ?? 0) - Date.parse(row?.at ?? '')
      expect(later).toBeGreaterThanOrEqual(delayMs - 20)
      expect(later).toBeLessThan(delayMs + 500)
    }
  })

  test.each([
    ['past', () => inMs(-1)],
    ['more than 24 hours ahead', () => inMs(24 * 3_600_000 + 5_000)],
    ['no time', () => 'tomorrow'],
    ['without an offset', () => '2030-01-01T00:00:00'],
  ])('%s is refused', async (_, at) => {
    const refused = await send({ action: 'show', presetId: id('Head coach'), at: at() })
    expect([refused.status, Object.keys(refused.body.details as object)]).toEqual([400, ['body.at']])
    expect((await read()).scheduled).toEqual([])
  })

  test('what cannot be shown now is not scheduled, and no more than 100 are', async () => {
    const bad = await send({ action: 'show', presetId: 99_999, at: inMs(60_000) })
    expect([bad.status, Object.keys(bad.body.details as object)]).toEqual([400, ['body.presetId']])
    for (let n = 0; n < 100; n++) expect((await schedule('hide', 'Head coach', 60_000 + n)).status).toBe(200)
    const oneMore = await schedule('hide', 'Head coach', 60_000)
    expect([oneMore.status, Object.keys(oneMore.body.details as object)]).toEqual([400, ['body.at']])
    expect((await read()).scheduled).toHaveLength(100)
    await send({ action: 'hideAll' })
    expect((await read()).scheduled).toHaveLength(100)
    const cleared = await send({ action: 'hideAll', scheduled: true })
    expect(cleared.body).toMatchObject({ scheduled: [] })
    expect(await timers()).toEqual([])
  })
})
