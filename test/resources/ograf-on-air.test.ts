import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { ReplayRecord } from '../../src/resources/replays/schema.ts'
import { manifest, moduleText, onTheme, zipOf } from '../support/ograf.ts'
import { follow } from '../support/page.ts'
import { type Production, startProduction } from './support.ts'

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'Ann' },
    size: { type: 'integer', minimum: 1, maximum: 5, default: 2 },
    lines: {
      type: 'array',
      maxItems: 3,
      items: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      default: [{ text: 'first' }],
    },
  },
}
const colour = { type: 'object', properties: { color: { type: 'string' } }, required: ['color'] }
const customActions = [
  { id: 'highlight', name: 'Highlight', schema: null },
  { id: 'paint', name: 'Paint', schema: colour },
]

let production: Production
const presets: Record<string, number> = {}
const ids: Record<string, string> = {}

beforeAll(async () => {
  production = await startProduction()
  const { server, apiKey: key, themeId, controlRoomId, sectionIds, call } = production
  const zip = zipOf({
    'steps.ograf.json': manifest({ id: 'steps', name: 'Steps', stepCount: 3, schema, customActions }),
    'once.ograf.json': manifest({
      id: 'once',
      name: 'Once',
      stepCount: 0,
      actionDurations: [{ type: 'playAction', duration: 700 }],
    }),
    'long.ograf.json': manifest({ id: 'long', name: 'Long', stepCount: 0 }),
    'needs.ograf.json': manifest({
      ...{ id: 'needs', name: 'Needs' },
      renderRequirements: [
        { engine: [{ type: 'CEF', version: { min: '139' } }] },
        { resolution: { width: { exact: 1280 } } },
      ],
    }),
    'open.ograf.json': manifest({ id: 'open', name: 'Open', stepCount: -1 }),
    'post.ograf.json': manifest({ id: 'post', name: 'Post', supportsRealTime: false, supportsNonRealTime: true }),
    'graphic.mjs': moduleText(),
  })
  const made = await onTheme({ server, key, themeId }, zip)
  const names = ['Long', 'Needs', 'Once', 'Open', 'Post', 'Steps']
  for (const [index, name] of names.entries()) {
    const graphicId = made[index] ?? ''
    const preset = { sectionId: sectionIds[0], graphicId, name }
    const { status, body } = await call('POST', `/v2/control-rooms/${controlRoomId}/presets`, preset)
    expect([status, body]).toMatchObject([201, {}])
    presets[name] = Number(body.id)
    ids[name] = graphicId
  }
})
afterAll(() => production.close())

const path = () => `/v2/overlays/${production.overlay.id}`
const command = (action: string, name: string, more: object = {}) =>
  production.call('POST', `${path()}/graphics/commands`, { action, presetId: presets[name], ...more })
const state = async () =>
  (await production.call('GET', path())).body.manualGraphicState as Record<
    string,
    { variableValues: object; step?: number }
  >
const patience = { timeout: 10_000, interval: 20 }

type Frame = { type: string; payload: Record<string, unknown> }

/** A renderer that keeps every frame after HELLO. */
async function renderer(userAgent = 'Mozilla/5.0') {
  const { server, overlay } = production
  const socket = new WebSocket(
    `${server.origin.replace('http', 'ws')}/overlay/${overlay.key}/socket?caughtUp=1&renderer=studio`,
    {
      headers: { 'User-Agent': userAgent },
    },
  )
  onTestFinished(() => socket.terminate())
  const frames: Frame[] = []
  let hellos = 0
  const say = (type: string, payload: object) => socket.send(JSON.stringify({ type, payload }))
  socket.on('message', (text) => {
    const frame: Frame = JSON.parse(String(text))
    if (frame.type !== 'HELLO') frames.push(frame)
    // the second one says that READY is answered
    else if (++hellos === 1) say('READY', { showing: [] })
  })
  await once(socket, 'open')
  await expect.poll(() => hellos, patience).toBe(2)
  const of = (name: string) => frames.filter(({ payload }) => payload.graphicId === ids[name])
  const came = async (name: string, count: number) => {
    await expect.poll(() => of(name).length, patience).toBeGreaterThanOrEqual(count)
    return of(name)[count - 1] as Frame
  }
  return { frames, say, of, came }
}

describe('[issue 20.1] an OGraf graphic on air', () => {
  test('is told to renderers with its kind, its manifest and its values, lists and objects among them', async () => {
    const screen = await renderer()
    const lines = [{ text: 'one' }, { text: 'two' }]
    const { status } = await command('show', 'Steps', { variableValues: { lines } })
    expect(status).toBe(200)
    const { type, payload } = await screen.came('Steps', 1)
    expect(type).toBe('LOAD_GRAPHIC')
    expect(payload).toMatchObject({
      kind: 'ograf',
      step: 0,
      url: expect.stringMatching(/\/bundles\/[0-9a-f]{64}\/steps\.ograf\.json$/),
      variableValues: { lines },
      data: { defaults: { name: 'Ann', size: 2, lines: [{ text: 'first' }] } },
    })
    expect((await state()).Steps).toMatchObject({ variableValues: { lines } })
    await command('update', 'Steps', { variableValues: { name: 'Bea' } })
    expect((await screen.came('Steps', 2)).payload).toMatchObject({ step: 0, variableValues: { name: 'Bea' } })
    await command('hide', 'Steps')
    expect((await screen.came('Steps', 3)).payload).toMatchObject({ onAir: false })
  })

  test('[domain 5.9] a command says whether its animation is skipped, and renderers are told so once', async () => {
    const screen = await renderer()
    const skipped = async (count: number) => (await screen.came('Steps', count)).payload.skipAnimation
    const cut = { skipAnimation: true }
    await command('show', 'Steps', cut)
    expect(await skipped(1)).toBe(true)
    await command('update', 'Steps')
    expect(await skipped(2)).toBeUndefined()
    await command('step', 'Steps', cut)
    expect(await skipped(3)).toBe(true)
    await command('hide', 'Steps', cut)
    expect(await skipped(4)).toBe(true)
    await command('show', 'Steps')
    expect(await skipped(5)).toBeUndefined()
    // whoever comes later hears nothing of it
    await production.call('POST', `${path()}/graphics/commands`, {
      ...{ action: 'batch', commands: [{ action: 'show', presetId: presets.Steps }], ...cut },
    })
    expect(await skipped(6)).toBe(true)
    expect((await (await renderer()).came('Steps', 1)).payload).not.toHaveProperty('skipAnimation')
    await production.call('POST', `${path()}/graphics/commands`, { action: 'hideAll', ...cut })
    expect(await skipped(7)).toBe(true)
    // a graphic of another kind, too
    const code = production.preset('Score bug')
    await production.call('POST', `${path()}/graphics/commands`, { action: 'show', presetId: code.id, ...cut })
    await expect
      .poll(() => screen.frames.find(({ payload }) => payload.graphicId === code.graphicId), patience)
      .toMatchObject({ type: 'LOAD_GRAPHIC', payload: cut })
    await production.call('POST', `${path()}/graphics/commands`, { action: 'hideAll' })
    for (const [action, more] of [
      ['cue', {}],
      ['show', { at: new Date(Date.now() + 60_000).toISOString() }],
    ] as const) {
      const { status, body } = await command(action, 'Steps', { ...cut, ...more })
      expect([status, Object.keys(body.details as object)]).toEqual([400, ['body.skipAnimation']])
    }
  })

  test.each([
    [{ name: 1 }, 'name', 'expected a string'],
    [{ size: 2.5 }, 'size', 'expected an integer'],
    [{ size: 9 }, 'size', 'at most 5'],
    [{ lines: 'a' }, 'lines', 'expected an array'],
    [{ lines: [{}] }, 'lines', '[0].text: is missing'],
    [{ lines: [{ text: 'a' }, { text: 1 }] }, 'lines', '[1].text: expected a string'],
    [{ lines: [1, 2, 3, 4] }, 'lines', 'at most 3 items'],
    [{ lines: [{ text: 'x'.repeat(30_000) }] }, 'lines', '[0].text: more than 20000 characters'],
    [{ other: 1 }, 'other', 'the graphic has no such variable'],
  ])('refuses %j', async (variableValues, name, message) => {
    const { status, body } = await command('show', 'Steps', { variableValues })
    expect([status, body.details]).toMatchObject([400, { [`body.variableValues.${name}`]: { message } }])
  })

  test('goes from step to step, and off air beyond the last one', async () => {
    const screen = await renderer()
    await command('show', 'Steps')
    await command('step', 'Steps')
    await command('step', 'Steps', { delta: -1 })
    await command('step', 'Steps', { goto: 2 })
    await command('step', 'Steps', { goto: 2 })
    await screen.came('Steps', 4)
    expect(screen.of('Steps').map(({ payload }) => payload.step)).toEqual([0, 1, 0, 2])
    expect((await state()).Steps).toMatchObject({ step: 2 })
    await command('step', 'Steps', { delta: -9 })
    expect((await state()).Steps).toMatchObject({ step: 0 })
    await command('step', 'Steps', { delta: 3 })
    expect((await screen.came('Steps', 6)).payload).toMatchObject({ onAir: false })
    expect(await state()).not.toHaveProperty('Steps')
    expect(await command('step', 'Steps')).toMatchObject({
      status: 400,
      body: { message: 'The graphic is not on air' },
    })
  })

  test('tells a custom action once, and to nobody who comes later', async () => {
    const screen = await renderer()
    await command('show', 'Steps')
    await command('custom', 'Steps', { customActionId: 'highlight' })
    await command('custom', 'Steps', { customActionId: 'paint', payload: { color: 'red' } })
    await screen.came('Steps', 3)
    expect(screen.of('Steps').map(({ payload }) => payload.customAction)).toEqual([
      undefined,
      { id: 'highlight' },
      { id: 'paint', payload: { color: 'red' } },
    ])
    await command('update', 'Steps', { variableValues: { size: 3 } })
    expect((await screen.came('Steps', 4)).payload).not.toHaveProperty('customAction')
    const later = await renderer()
    expect((await later.came('Steps', 1)).payload).not.toHaveProperty('customAction')
    for (const [more, details] of [
      [{ customActionId: 'other' }, { 'body.customActionId': { message: 'the graphic has no such action' } }],
      [{ customActionId: 'paint' }, { 'body.payload': { message: 'expected an object' } }],
      [{ customActionId: 'paint', payload: {} }, { 'body.payload': { message: 'color: is missing' } }],
      [{}, { 'body.customActionId': { message: 'customActionId is required' } }],
    ])
      expect(await command('custom', 'Steps', more as object)).toMatchObject({ status: 400, body: { details } })
    // what was done once nobody takes back
    const undo = () => production.call('POST', `${path()}/graphics/commands`, { action: 'undo' })
    expect((await undo()).status).toBe(200)
    expect(await undo()).toMatchObject({ status: 409, body: { code: 'NOTHING_TO_UNDO' } })
    await command('hide', 'Steps')
  })

  test('stands at its step for whoever comes, also after the server was started anew', async () => {
    await command('show', 'Steps')
    await command('step', 'Steps', { goto: 1 })
    expect((await (await renderer()).came('Steps', 1)).payload).toMatchObject({ step: 1 })
    await production.server.restart()
    const screen = await renderer()
    expect(await screen.came('Steps', 1)).toMatchObject({ type: 'LOAD_GRAPHIC', payload: { kind: 'ograf', step: 1 } })
    await command('step', 'Steps')
    expect((await screen.came('Steps', 2)).payload).toMatchObject({ step: 2 })
    // a step is taken back as a change of values is
    await production.call('POST', `${path()}/graphics/commands`, { action: 'undo' })
    expect((await screen.came('Steps', 3)).payload).toMatchObject({ step: 1 })
    // a show begins anew
    await command('show', 'Steps')
    expect((await screen.came('Steps', 4)).payload).toMatchObject({ step: 0 })
    await command('hide', 'Steps')
  })

  test('one without a known end has a step after each', async () => {
    await command('show', 'Open')
    for (let step = 1; step <= 12; step++) await command('step', 'Open')
    expect((await state()).Open).toMatchObject({ step: 12 })
    await command('hide', 'Open')
  })

  test('one without steps goes off air after its time', async () => {
    await command('show', 'Once')
    expect(await state()).toHaveProperty('Once')
    await expect.poll(state, patience).not.toHaveProperty('Once')
    const { body } = await production.call('GET', `${path()}/as-run?order=desc&limit=1`)
    expect(body.asRun).toMatchObject([{ action: 'autoHide', graphicName: 'Once' }])
  })

  test('one without steps goes off air when a renderer has played it, and not for a show of before', async () => {
    const screen = await renderer()
    await command('show', 'Long')
    const first = (await screen.came('Long', 1)).payload.seq
    await command('show', 'Long')
    const { seq } = (await screen.came('Long', 2)).payload
    screen.say('PLAYED', { graphicId: ids.Long, seq: first })
    screen.say('PLAYED', { graphicId: ids.Steps, seq })
    screen.say('PLAYED', { graphicId: ids.Long, seq })
    expect((await screen.came('Long', 3)).payload).toMatchObject({ onAir: false, seq: Number(seq) + 1 })
    // one with steps stays until somebody takes it off
    await command('show', 'Steps')
    const shown = (await screen.came('Steps', 1)).payload.seq
    screen.say('PLAYED', { graphicId: ids.Steps, seq: shown })
    await command('step', 'Steps')
    expect((await screen.came('Steps', 2)).payload).toMatchObject({ onAir: true, step: 1 })
    await command('hide', 'Steps')
  })

  test('one that is not made for a renderer is told, and refused where that is asked for', async () => {
    expect((await command('show', 'Needs', { require: true })).body).not.toHaveProperty('warnings')
    await command('hide', 'Needs')
    await renderer(
      'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/127.0.0.0 Safari/537.36 OBS/31.0.0',
    )
    const reason =
      'renderer studio does not fit: CEF 139 is needed, it is Chromium 127, or a width of 1280 is needed, it has 1920'
    expect(await command('show', 'Needs', { require: true })).toMatchObject({
      status: 400,
      body: { details: { 'body.presetId': { message: reason } } },
    })
    expect(await state()).not.toHaveProperty('Needs')
    expect((await command('show', 'Needs')).body).toMatchObject({
      manualGraphicState: { Needs: {} },
      warnings: [reason],
    })
    expect((await command('show', 'Steps', { require: true })).body).not.toHaveProperty('warnings')
    await production.call('POST', `${path()}/graphics/commands`, { action: 'hideAll' })
  })

  test('one that is not for real time is refused', async () => {
    for (const action of ['show', 'cue'])
      expect(await command(action, 'Post')).toMatchObject({
        status: 400,
        body: { details: { 'body.presetId': { message: expect.stringContaining('real time') } } },
      })
  })

  test('steps and actions are for OGraf graphics only, in words', async () => {
    await production.fire('show', 'Score bug')
    const presetId = production.preset('Score bug').id
    for (const body of [
      { action: 'step', presetId },
      { action: 'custom', presetId, customActionId: 'a' },
    ])
      expect(await production.call('POST', `${path()}/graphics/commands`, body)).toMatchObject({
        status: 400,
        body: { details: { 'body.presetId': { message: expect.stringContaining('no OGraf graphic') } } },
      })
    for (const [body, member] of [
      [{ action: 'step', presetId, goto: 1, delta: 1 }, 'body.delta'],
      [{ action: 'show', presetId, goto: 1 }, 'body.goto'],
      [{ action: 'hide', presetId, payload: 1 }, 'body.payload'],
      [{ action: 'step' }, 'body.graphicName'],
      [{ action: 'step', presetId, goto: -1 }, 'body.goto'],
    ] as const)
      expect((await production.call('POST', `${path()}/graphics/commands`, body)).body.details).toHaveProperty([member])
    await production.fire('hide', 'Score bug')
  })

  test('steps and actions are in the log, and told to followers', async () => {
    const { server, overlay, apiKey } = production
    const page = await follow(server.origin, overlay.id, apiKey)
    await command('show', 'Steps')
    await command('step', 'Steps')
    const { body: last } = await command('custom', 'Steps', { customActionId: 'highlight' })
    expect(last).toMatchObject({ manualGraphicState: { Steps: { step: 1 } } })
    await expect
      .poll(() => page.of('CHANGE').map(({ payload }) => payload.action), patience)
      .toEqual(['show', 'step', 'custom'])
    expect(page.of('CHANGE').map(({ payload }) => payload.shown[0]?.step)).toEqual([0, 1, 1])
    const { body } = await production.call('GET', `${path()}/as-run?order=desc&limit=3`)
    expect(body.asRun).toMatchObject([
      { action: 'custom', graphicName: 'Steps', asked: { customActionId: 'highlight' } },
      { action: 'step', graphicName: 'Steps' },
      { action: 'show', graphicName: 'Steps' },
    ])
    await command('hide', 'Steps')
  })

  test('a replay has its steps, and what it did once where it did so', async () => {
    await command('show', 'Steps')
    await command('step', 'Steps')
    await command('custom', 'Steps', { customActionId: 'paint', payload: { color: 'red' } })
    await command('hide', 'Steps')
    const { status, body } = await production.call('GET', `${path()}/replay`)
    const { steps } = ReplayRecord.parse(body)
    const own = steps.flatMap(({ changes }) => changes.filter(({ graphicId }) => graphicId === ids.Steps))
    expect([status, own.slice(-4)]).toMatchObject([
      200,
      [
        { action: 'load', kind: 'ograf', step: 0, url: expect.stringMatching(/steps\.ograf\.json$/) },
        { action: 'update', step: 1 },
        { action: 'update', step: 1, customAction: { id: 'paint', payload: { color: 'red' } } },
        { action: 'hide' },
      ],
    ])
    expect(own.at(-3)).not.toHaveProperty('customAction')
  })

  test('in a batch steps are taken with everything else', async () => {
    await command('show', 'Steps')
    const commands = [
      { action: 'step', presetId: presets.Steps, goto: 2 },
      { action: 'show', presetId: presets.Open },
    ]
    const { status, body } = await production.call('POST', `${path()}/graphics/commands`, { action: 'batch', commands })
    expect([status, body.manualGraphicState]).toMatchObject([200, { Steps: { step: 2 }, Open: { step: 0 } }])
    await production.call('POST', `${path()}/graphics/commands`, { action: 'hideAll' })
  })
})
