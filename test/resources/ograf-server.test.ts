import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { ografServerRoutes } from '../../src/resources/ograf-server/routes.ts'
import { Description, type Schema } from '../support/description.ts'
import { manifest, moduleText, onTheme, zipOf } from '../support/ograf.ts'
import { type Production, produce, startProduction } from './support.ts'

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'Ann' },
    size: { type: 'integer', minimum: 1, maximum: 5, default: 2 },
  },
}
const colour = { type: 'object', properties: { color: { type: 'string' } }, required: ['color'] }
const customActions = [
  { id: 'highlight', name: 'Highlight', schema: null },
  { id: 'paint', name: 'Paint', schema: colour },
]
const PICTURE = { target: 'picture' }
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let production: Production
let other: Omit<Production, 'close'>
let description: Description
let stepsId = ''

beforeAll(async () => {
  production = await startProduction()
  const { server, apiKey: key, themeId, controlRoomId, sectionIds, call } = production
  const graphics = await onTheme(
    { server, key, themeId },
    zipOf({
      'steps.ograf.json': manifest({
        ...{ id: 'steps', name: 'Steps', description: 'In steps', stepCount: 2, schema, customActions },
        author: { name: 'Ada', email: 'ada@example.com' },
        thumbnails: [
          { file: 'small.png', resolution: { width: 10, height: 10 } },
          { file: 'large.png', resolution: { width: 20, height: 20 } },
        ],
      }),
      'plain.ograf.json': manifest({ id: 'plain', name: 'Plain', schema }),
      'once.ograf.json': manifest({ id: 'once', name: 'Once', stepCount: 0 }),
      'post.ograf.json': manifest({ id: 'post', name: 'Post', supportsRealTime: false, supportsNonRealTime: true }),
      'needs.ograf.json': manifest({
        ...{
          id: 'needs',
          name: 'Needs',
          renderRequirements: [{ engine: [{ type: 'Chromium', version: { min: '120' } }] }],
        },
      }),
      'doomed.ograf.json': manifest({ id: 'doomed', name: 'Doomed' }),
      'forced.ograf.json': manifest({ id: 'forced', name: 'Forced' }),
      'graphic.mjs': moduleText(),
      'small.png': 'no picture',
      'large.png': PNG,
    }),
  )
  const { body } = await call('GET', `/v2/themes/${themeId}/ograf-graphics`)
  stepsId =
    (body as unknown as { ografId: string; graphicId: string }[]).find((one) => one.ografId === 'steps')?.graphicId ??
    ''
  expect(graphics).toContain(stepsId)
  const preset = { sectionId: sectionIds[0], graphicId: stepsId, name: 'Steps', variableValues: { size: 4 } }
  expect((await call('POST', `/v2/control-rooms/${controlRoomId}/presets`, preset)).status).toBe(201)
  other = await produce(server)
  const document = await fetch(`${server.origin}/rest/ograf.json`)
  description = new Description((await document.json()) as Schema)
})
afterAll(() => production.close())

type Answered = { status: number; headers: Headers; body: Record<string, unknown> }
const routeOf = (method: string, path: string) =>
  ografServerRoutes.find(
    (route) =>
      route.method === method.toLowerCase() &&
      new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path.replace(/\?.*/, '')),
  )

/** Every answer is held against the description. */
async function ask(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const response = await fetch(`${production.server.origin}/ograf/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${production.apiKey}`, 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const type = response.headers.get('content-type') ?? ''
  const answer = type.includes('json') ? JSON.parse(await response.text()) : {}
  const route = routeOf(method, path)
  if (route && type.includes('json')) {
    expect(description.statusesOf(route)).toContain(String(response.status))
    const { $ref } =
      (description.at(
        `#/paths/${route.path.replaceAll('/', '~1')}/${route.method}/responses/${response.status}/content/${type.replace('/', '~1')}/schema`,
      ) as { $ref: string }) ?? {}
    expect(description.accepts({ $ref }, answer), JSON.stringify(answer)).toBe(true)
  }
  return { status: response.status, headers: response.headers, body: answer }
}
const renderer = () => `/renderers/${production.overlay.id}`
const instance = (method: string, body: object, headers?: Record<string, string>) =>
  ask('POST', `${renderer()}/target/graphicInstance/${method}`, { renderTarget: PICTURE, ...body }, headers)
const load = async (graphicId: string, params?: object) => {
  const { status, body } = await instance('load', { graphicId, ...(params && { params }) })
  expect([status, body.statusCode]).toEqual([200, 200])
  return String(body.graphicInstanceId)
}
const on = (method: string, graphicInstanceId: string, params: object = {}) =>
  instance(method, { graphicInstanceId, params })
const clear = (filters: object[] = []) => ask('PUT', `${renderer()}/target/graphicInstance/clear`, { filters })
const target = (value: unknown = PICTURE) =>
  ask('GET', `${renderer()}/target?renderTarget=${encodeURIComponent(JSON.stringify(value))}`)
const instances = async () => (await target()).body.graphicInstances as { graphicInstanceId: string }[]
const state = async () =>
  (await production.call('GET', `/v2/overlays/${production.overlay.id}`)).body.manualGraphicState as Record<
    string,
    object
  >

describe('[issue 20.2] the OGraf Server API', () => {
  test('says what the server is, with and without a slash, to any origin', async () => {
    for (const path of ['', '/']) {
      const { status, body, headers } = await ask('GET', path)
      expect([status, body]).toMatchObject([200, { name: 'Tally', version: expect.any(String) }])
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('x-service-beta')).toBe('true')
    }
  })

  test('a preflight allows both ways to send the key', async () => {
    const response = await fetch(`${production.server.origin}/ograf/v1${renderer()}/target/graphicInstance/clear`, {
      method: 'OPTIONS',
      headers: { Origin: 'https://controller.example', 'Access-Control-Request-Method': 'PUT' },
    })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-allow-methods')).toContain('PUT')
    for (const name of ['Authorization', 'x-service-api-key', 'Content-Type'])
      expect(response.headers.get('access-control-allow-headers')).toContain(name)
  })

  test('wants a key, and the scopes of what is asked', async () => {
    const none = await ask('GET', '/renderers', undefined, { Authorization: '' })
    expect(none).toMatchObject({ status: 401, body: { status: 401, title: 'Unauthorized', code: 'UNAUTHENTICATED' } })
    expect(none.headers.get('content-type')).toBe('application/problem+json')
    const legacy = await fetch(`${production.server.origin}/ograf/v1/renderers`, {
      headers: { 'x-service-api-key': production.apiKey },
    })
    expect(legacy.status).toBe(200)
  })

  test('lists graphics by the ids of their manifests', async () => {
    const { body } = await ask('GET', '/graphics')
    expect(body.graphics).toContainEqual({ id: 'steps', name: 'Steps', description: 'In steps' })
    expect((body.graphics as unknown[]).length).toBe(7)
    const foreign = await ask('GET', '/graphics', undefined, { Authorization: `Bearer ${other.apiKey}` })
    expect(foreign.body).toEqual({ graphics: [] })
  })

  test('a graphic has its manifest under both names, and what is known of it', async () => {
    const { status, body } = await ask('GET', '/graphics/steps')
    expect(status).toBe(200)
    expect(body.graphic).toEqual(body.manifest)
    expect(body).toMatchObject({
      manifest: { id: 'steps', stepCount: 2, schema },
      metadata: { createdAt: expect.any(String), createdBy: { name: 'Ada' } },
    })
    for (const [path, headers] of [
      ['/graphics/nothing', {}],
      ['/graphics/steps', { Authorization: `Bearer ${other.apiKey}` }],
    ] as const)
      expect(await ask('GET', path, undefined, headers)).toMatchObject({
        status: 404,
        body: { status: 404, title: 'Not Found', instance: expect.stringContaining('/ograf/v1/graphics/') },
      })
  })

  test('a thumbnail is the largest of the manifest', async () => {
    const response = await fetch(`${production.server.origin}/ograf/v1/graphics/steps/thumbnail`, {
      headers: { Authorization: `Bearer ${production.apiKey}` },
    })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(Buffer.from(await response.arrayBuffer())).toEqual(PNG)
    expect((await ask('GET', '/graphics/plain/thumbnail')).status).toBe(404)
    expect((await ask('GET', '/graphics/nothing/thumbnail')).status).toBe(404)
  })

  test('renderers are the overlays of the organization, by their ids', async () => {
    const { overlay } = production
    const { body } = await ask('GET', '/renderers')
    expect(body.renderers).toContainEqual(expect.objectContaining({ id: String(overlay.id), name: expect.any(String) }))
    expect((body.renderers as { id: string }[]).map(({ id }) => id)).not.toContain(String(other.overlay.id))
    expect(await ask('GET', renderer())).toMatchObject({
      status: 200,
      body: {
        renderer: {
          id: String(overlay.id),
          renderTargetSchema: { properties: { target: { default: 'picture' } } },
          status: { status: 'WARNING' },
          renderTargets: [{ renderTarget: PICTURE, name: 'Picture', graphicInstances: [] }],
        },
      },
    })
    // the reference controller takes every null for an object, and reads no renderer twice that has one
    expect(JSON.stringify((await ask('GET', renderer())).body)).not.toContain('null')
    for (const id of [other.overlay.id, 999_999, 'abc', '0', '1e1'])
      expect(await ask('GET', `/renderers/${id}`)).toMatchObject({ status: 404, body: { status: 404 } })
  })

  test('a render target is the picture, and nothing else', async () => {
    for (const value of [PICTURE, {}, 'picture']) expect((await target(value)).status).toBe(200)
    for (const value of [{ layer: 1 }, { target: 'other' }, null, 7, [], 'other'])
      expect((await target(value)).status).toBe(404)
    expect((await ask('GET', `${renderer()}/target?renderTarget=%7B`)).status).toBe(400)
    expect((await ask('GET', `${renderer()}/target`)).status).toBe(400)
    expect((await ask('GET', `/renderers/${other.overlay.id}/target?renderTarget=%7B%7D`)).status).toBe(404)
  })

  test('an instance is loaded, played, updated, stopped, played again and cleared', async () => {
    const id = await load('steps', { data: { name: 'Bea' } })
    expect(await state()).not.toHaveProperty('Steps')
    expect(await instances()).toEqual([
      { graphicInstanceId: id, graphic: { id: 'steps', name: 'Steps' }, status: 'loaded' },
    ])
    expect((await on('playAction', id)).body).toEqual({ graphicInstanceId: id, statusCode: 200, currentStep: 0 })
    // no preset says what is shown, but the lamp of one that shows it is on
    expect((await state()).Steps).toMatchObject({
      _service_presetId: expect.any(Number),
      variableValues: { name: 'Bea', size: 2 },
      step: 0,
    })
    expect((await on('updateAction', id, { data: { size: 3 } })).body).toEqual({
      graphicInstanceId: id,
      statusCode: 200,
    })
    expect((await state()).Steps).toMatchObject({ variableValues: { name: 'Bea', size: 3 } })
    expect((await on('playAction', id)).body).toMatchObject({ currentStep: 1 })
    expect((await on('customActions/paint', id, { payload: { color: 'red' } })).status).toBe(200)
    expect((await on('customActions/highlight', id, { payload: {} })).status).toBe(200)
    // where both are said goto counts
    expect((await on('playAction', id, { goto: 0, delta: 5 })).body).toMatchObject({ currentStep: 0 })
    // beyond the end
    expect((await on('playAction', id, { delta: 2 })).body).toEqual({ graphicInstanceId: id, statusCode: 200 })
    expect(await state()).not.toHaveProperty('Steps')
    expect((await on('playAction', id)).body).toMatchObject({ currentStep: 0 })
    expect((await state()).Steps).toMatchObject({ variableValues: { name: 'Bea', size: 3 } })
    expect((await on('stopAction', id)).status).toBe(200)
    expect(await state()).not.toHaveProperty('Steps')
    expect((await clear([{ graphicInstanceId: id }])).body).toEqual({
      graphicInstances: [{ renderTarget: PICTURE, graphicInstanceId: id }],
    })
    expect(await instances()).toEqual([])
    expect((await on('playAction', id)).status).toBe(404)
  })

  test('a load needs no preset and no data, and a graphic without a preset is on air all the same', async () => {
    const id = await load('plain')
    await on('playAction', id)
    expect((await state()).Plain).toMatchObject({ _service_presetId: 0, variableValues: { name: 'Ann', size: 2 } })
    const { body } = await production.call('GET', `/v2/overlays/${production.overlay.id}/as-run?order=desc&limit=2`)
    expect(body.asRun).toMatchObject([
      { action: 'play', graphicName: 'Plain', values: { name: 'Ann' } },
      { action: 'load', graphicName: 'Plain', asked: { graphicId: 'plain' } },
    ])
    await clear()
  })

  test.each([
    ['load', { graphicId: 'nothing' }, 404],
    ['load', { graphicId: 'steps', renderTarget: { layer: 1 } }, 404],
    ['load', { graphicId: 'steps', renderTarget: undefined }, 400],
    ['load', {}, 400],
    ['load', { graphicId: 'post' }, 400],
    ['load', { graphicId: 'steps', params: { data: { size: 9 } } }, 400],
    ['load', { graphicId: 'steps', params: { data: 'x' } }, 400],
    ['load', { graphicId: 'steps', params: { data: { other: 1 } } }, 400],
    ['playAction', { graphicInstanceId: 'nothing', params: {} }, 404],
    ['playAction', { graphicInstanceId: 'nothing', params: { goto: -1 } }, 400],
    ['playAction', { params: {} }, 400],
    ['stopAction', { graphicInstanceId: 'nothing', params: {} }, 404],
    ['updateAction', { graphicInstanceId: 'nothing', params: { data: {} } }, 404],
    ['updateAction', { graphicInstanceId: 'nothing' }, 400],
    ['customActions/highlight', { graphicInstanceId: 'nothing', params: { payload: {} } }, 404],
  ])('%s refuses %j', async (method, body, status) => {
    const answer = await instance(method, body)
    expect(answer).toMatchObject({ status, body: { status, detail: expect.any(String) } })
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    const foreign = { renderTarget: PICTURE, graphicId: 'steps', graphicInstanceId: 'x', params: {}, filters: [] }
    expect((await ask('POST', `/renderers/${other.overlay.id}/target/graphicInstance/${method}`, foreign)).status).toBe(
      404,
    )
    expect(await instances()).toEqual([])
  })

  test('what is wrong with data and payloads is named where it stands', async () => {
    expect((await instance('load', { graphicId: 'steps', params: { data: { size: 9 } } })).body).toMatchObject({
      details: { 'body.params.data.size': { message: 'at most 5' } },
      detail: 'Validation Failed: body.params.data.size: at most 5',
    })
    const id = await load('steps')
    expect((await on('updateAction', id, { data: { size: 0 } })).status).toBe(400)
    expect((await on('customActions/paint', id, { payload: {} })).status).toBe(400)
    expect((await on('customActions/other', id, { payload: {} })).status).toBe(404)
    await clear()
  })

  test('filters: one of them is enough, all of its members must match', async () => {
    const [one = '', two = ''] = [await load('steps'), await load('steps')]
    const three = await load('plain')
    await on('playAction', three)
    const cleared = async (...filters: object[]) =>
      ((await clear(filters)).body.graphicInstances as { graphicInstanceId: string }[]).map(
        (gone) => gone.graphicInstanceId,
      )
    expect(await cleared({ graphicId: 'plain', graphicInstanceId: one })).toEqual([])
    expect(await cleared({ renderTarget: { layer: 1 } })).toEqual([])
    expect((await clear([{ graphicID: 'steps' }])).status).toBe(400)
    expect(await cleared({ graphicInstanceId: one, graphicId: 'steps' }, { graphicId: 'plain' })).toEqual([one, three])
    expect(await state()).not.toHaveProperty('Plain')
    expect(await cleared({})).toEqual([two])
    expect((await ask('PUT', `${renderer()}/target/graphicInstance/clear`, {})).status).toBe(400)
    expect(
      (await ask('PUT', `/renderers/${other.overlay.id}/target/graphicInstance/clear`, { filters: [] })).status,
    ).toBe(404)
  })

  test('what the control room shows is an instance, too, and can be driven', async () => {
    const presetId = (await production.call('GET', `/v2/control-rooms/${production.controlRoomId}`)).body
    expect(presetId).toBeDefined()
    await production.call('POST', `/v2/overlays/${production.overlay.id}/graphics/commands`, {
      action: 'show',
      graphicId: stepsId,
    })
    const [shown] = await instances()
    expect(shown).toMatchObject({ graphic: { id: 'steps' }, status: 'playing', currentStep: 0 })
    expect((await on('playAction', shown?.graphicInstanceId ?? '')).body).toMatchObject({ currentStep: 1 })
    await production.fire('show', 'Score bug')
    await clear()
    expect(Object.keys(await state())).toEqual(['Score bug'])
    expect(await ask('POST', `${renderer()}/customActions/hideAll`, { payload: {} })).toMatchObject({ status: 200 })
    expect(await state()).toEqual({})
    expect((await ask('POST', `${renderer()}/customActions/other`, { payload: {} })).status).toBe(404)
    expect((await ask('POST', `/renderers/${other.overlay.id}/customActions/hideAll`, { payload: {} })).status).toBe(
      404,
    )
  })

  test('[issue 20.1] a load warns of renderers that the graphic is not made for, before a show', async () => {
    const { server, overlay } = production
    const renderer = (name: string, version: number) =>
      new WebSocket(`${server.origin.replace('http', 'ws')}/overlay/${overlay.key}/socket?renderer=${name}`, {
        headers: { 'User-Agent': `Mozilla/5.0 Chrome/${version}.0.0.0 Safari/537.36 OBS/31.0.0` },
      })
    const sockets = [renderer('old', 103), renderer('new', 127)]
    onTestFinished(() => sockets.forEach((socket) => void socket.terminate()))
    for (const socket of sockets) await once(socket, 'message')
    const warning = 'renderer old does not fit: Chromium 120 is needed, it is Chromium 103'
    const loaded = (await instance('load', { graphicId: 'needs' })).body
    expect(loaded).toMatchObject({ statusCode: 200, statusMessage: warning, v_warnings: [warning] })
    expect((await on('playAction', String(loaded.graphicInstanceId))).status).toBe(200)
    for (const graphicId of ['plain', 'steps'])
      expect((await instance('load', { graphicId })).body).toEqual({
        graphicInstanceId: expect.any(String),
        statusCode: 200,
      })
    await clear()
  })

  test('two clients at once: what the journal has is what everybody was told', async () => {
    const { sql } = production.server.database
    const ref = `overlay/${production.overlay.id}`
    const [before] = await sql<{ seq: number }[]>`select max(seq) as seq from journal where ref = ${ref}`
    const told: { graphicInstanceId: string; what: string }[] = []
    const client = async () => {
      for (let round = 0; round < 5; round++) {
        const id = await load('plain')
        const [played, cleared] = await Promise.all([on('playAction', id), clear()])
        expect([200, 404]).toContain(played.status)
        for (const { graphicInstanceId } of cleared.body.graphicInstances as { graphicInstanceId: string }[])
          told.push({ graphicInstanceId, what: 'cleared' })
      }
    }
    await Promise.all([client(), client()])
    await clear()
    // each was cleared once at most
    const ids = told.map(({ graphicInstanceId }) => graphicInstanceId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(await instances()).toEqual([])
    expect(await state()).toEqual({})
    const rows = await sql<{ facts: { type: string; instanceId?: string }[] }[]>`
      select asides as facts from journal
      where ref = ${ref} and seq > ${before?.seq ?? 0} and asides is not null order by seq`
    const facts = rows.flatMap((row) => row.facts)
    const of = (type: string) => facts.filter((fact) => fact.type === type).map(({ instanceId }) => instanceId)
    expect(of('instance.loaded').length).toBe(10)
    expect(of('instance.cleared').sort()).toEqual(of('instance.loaded').sort())
  })

  test('a request that is sent again is done once', async () => {
    const headers = { 'Idempotency-Key': 'load-once' }
    const first = await instance('load', { graphicId: 'plain' }, headers)
    const again = await instance('load', { graphicId: 'plain' }, headers)
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(await instances()).toHaveLength(1)
    expect((await instance('load', { graphicId: 'steps' }, headers)).status).toBe(409)
    await clear()
  })

  test('more than a hundred are not loaded', async () => {
    for (let at = 0; at < 100; at += 20) await Promise.all(Array.from({ length: 20 }, () => load('plain')))
    expect(await instance('load', { graphicId: 'plain' })).toMatchObject({ status: 409 })
    expect(((await clear()).body.graphicInstances as unknown[]).length).toBe(100)
  })

  test('instances and their steps are there after the server was started anew', async () => {
    const [one, two] = [await load('steps', { data: { name: 'Eve' } }), await load('plain')]
    await on('playAction', one)
    await on('playAction', one)
    await production.server.restart()
    expect(await instances()).toMatchObject([
      { graphicInstanceId: one, status: 'playing', currentStep: 1 },
      { graphicInstanceId: two, status: 'loaded' },
    ])
    expect((await on('playAction', one)).body).not.toHaveProperty('currentStep')
    expect((await on('playAction', two)).body).toMatchObject({ currentStep: 0 })
    await clear()
  })

  test('a deleted graphic is listed and loaded no more; what is on air stays, unless it is forced', async () => {
    const [doomed, forced] = [await load('doomed'), await load('forced')]
    await on('playAction', doomed)
    await on('playAction', forced)
    const foreign = { Authorization: `Bearer ${other.apiKey}` }
    expect((await ask('DELETE', '/graphics/doomed', undefined, foreign)).status).toBe(404)
    expect(await ask('DELETE', '/graphics/doomed')).toMatchObject({ status: 200, body: {} })
    expect(Object.keys(await state()).sort()).toEqual(['Doomed', 'Forced'])
    expect((await ask('DELETE', '/graphics/forced?force=true')).status).toBe(200)
    expect(Object.keys(await state())).toEqual(['Doomed'])
    expect((await instances()).map(({ graphicInstanceId }) => graphicInstanceId)).toEqual([doomed])
    for (const id of ['doomed', 'forced']) {
      expect((await ask('GET', `/graphics/${id}`)).status).toBe(404)
      expect((await ask('DELETE', `/graphics/${id}`)).status).toBe(404)
      expect((await instance('load', { graphicId: id })).status).toBe(404)
    }
    expect((await on('stopAction', doomed)).status).toBe(200)
    await clear()
  })

  test('its description is of every operation, and other paths and methods are problems, too', async () => {
    expect(await ask('GET', '/nothing')).toMatchObject({ status: 404, body: { type: 'about:blank', status: 404 } })
    expect(await ask('PATCH', '/graphics')).toMatchObject({ status: 405, body: { status: 405 } })
    for (const route of ografServerRoutes) expect(description.statusesOf(route)).toContain('200')
  })
})
