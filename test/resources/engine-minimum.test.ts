import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import WebSocket from 'ws'
import { unfitRenderers } from '../../src/pages/live/unfit.ts'
import { type Production, startProduction } from './support.ts'

const OBS_30 = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko) Chrome/103.0.5060.134 Safari/537.36 OBS/30.0.2'
const OBS_31 = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko) Chrome/127.0.6533.120 Safari/537.36 OBS/31.0.0'
const NEEDED = 'Chromium 120 is needed, it is Chromium 103'

let production: Production
let graphic: string
beforeAll(async () => {
  production = await startProduction()
  graphic = `/v2/themes/${production.themeId}/code-graphics/${production.preset('Head coach').graphicId}`
})
afterAll(() => production?.close())

const read = async () => (await production.call('GET', graphic)).body.stateMachine as { runtime?: object }
const setEngine = async (engine: unknown) => {
  const stateMachine = await read()
  return production.call('PATCH', graphic, {
    stateMachine: { ...stateMachine, runtime: { ...stateMachine.runtime, engine } },
  })
}
const publish = async () => {
  expect((await production.call('POST', `${graphic}/publish`, {})).status).toBe(201)
  const answer = await production.call('POST', `/v2/themes/${production.themeId}/versions`, { activate: true })
  expect(answer.status).toBe(200)
}

async function renderer(name: string, userAgent: string) {
  const { server, overlay } = production
  const url = `${server.origin.replace('http', 'ws')}/overlay/${overlay.key}/socket?renderer=${name}`
  const socket = new WebSocket(url, { headers: { 'User-Agent': userAgent } })
  onTestFinished(async () => {
    socket.close()
    await once(socket, 'close')
  })
  await once(socket, 'message')
}
const show = async (more: object = {}) => {
  const presetId = production.preset('Head coach').id
  const answer = await production.call('POST', `/v2/overlays/${production.overlay.id}/graphics/commands`, {
    ...{ action: 'show', presetId, ...more },
  })
  return [answer.status, answer.body.warnings ?? answer.body.details] as const
}

describe('[issue 20.7] the oldest engine that a code graphic is for', () => {
  it.each([
    [{ chromium: 0 }, 'body.stateMachine.runtime.engine.chromium'],
    [{ chromium: '103' }, 'body.stateMachine.runtime.engine.chromium'],
    [{ chromium: 103.5 }, 'body.stateMachine.runtime.engine.chromium'],
    ['chromium 103', 'body.stateMachine.runtime.engine'],
  ])('%j is refused', async (engine, field) => {
    const before = await read()
    const answer = await setEngine(engine)
    expect([answer.status, Object.keys(answer.body.details as object)]).toEqual([400, [field]])
    expect(await read()).toEqual(before)
  })

  it('is told with each renderer that is older, and refused only on request', async () => {
    expect((await setEngine({ chromium: 120 })).status).toBe(200)
    await renderer('old', OBS_30)
    await renderer('new', OBS_31)
    await renderer('unknown', 'something')
    // the version on air until now asks for nothing
    expect(await show({ require: true })).toEqual([200, undefined])
    await publish()
    expect(await show({ require: true })).toEqual([
      400,
      {
        'body.presetId': { message: `renderer old does not fit: ${NEEDED}`, value: production.preset('Head coach').id },
      },
    ])
    expect(await show()).toEqual([200, [`renderer old does not fit: ${NEEDED}`]])
    expect(await show({ action: 'cue' })).toEqual([200, [`renderer old does not fit: ${NEEDED}`]])
    expect(await show({ action: 'hide' })).toEqual([200, undefined])
  })

  it('is known to the pages before the show', async () => {
    const { controlRoomUrl, monitoringUrl } = production.overlay
    const room = (await (await fetch(`${controlRoomUrl}/rest/room`)).json()) as {
      presets: { name: string; requirements?: unknown }[]
    }
    const requirements = [{ engine: [{ type: 'Chromium', version: { min: '120' } }] }]
    expect(room.presets.find(({ name }) => name === 'Head coach')?.requirements).toEqual(requirements)
    expect(room.presets.find(({ name }) => name === 'Score bug')).not.toHaveProperty('requirements')
    const { demanding } = (await (await fetch(`${monitoringUrl}/rest/room`)).json()) as { demanding: unknown }
    expect(demanding).toMatchObject([{ requirements }])
  })

  it('counts for the engines that it names, and for no others', async () => {
    await vi.waitFor(async () => expect((await setEngine({ chromium: 100, firefox: 115 })).status).toBe(200))
    await publish()
    await renderer('firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:109.0) Gecko/20100101 Firefox/109.0')
    await renderer('old', OBS_30)
    expect(await show()).toEqual([
      200,
      ['renderer firefox does not fit: Firefox 115 or Chromium 100 is needed, it is Firefox 109'],
    ])
    expect((await setEngine({})).status).toBe(200)
    await publish()
    expect(await show({ require: true })).toEqual([200, undefined])
  })
})

it('[issue 20.7] pages name the renderers by what is wrong with them', () => {
  const requirements = [{ engine: [{ type: 'Chromium', version: { min: '120' } }] }]
  const renderers = [
    { name: 'studio', engine: 'OBS 30.0, Chromium 103' },
    { name: 'venue', engine: 'OBS 31.0, Chromium 127' },
    { name: 'truck', engine: 'OBS 30.0, Chromium 103' },
    { name: 'van', engine: 'vMix, Chromium 86' },
  ]
  expect(unfitRenderers(requirements, renderers)).toEqual([
    { reason: NEEDED, by: 'studio and truck' },
    { reason: 'Chromium 120 is needed, it is Chromium 86', by: 'van' },
  ])
  expect(unfitRenderers(undefined, renderers)).toEqual([])
})
