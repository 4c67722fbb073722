import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operationName } from '../../src/http/operation.ts'
import { routes } from '../../src/resources/index.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { type Animator, newAnimator, refused } from './motion-graphics-support.ts'

let server: TestApp
let ann: Animator
let stranger: Animator

beforeAll(async () => {
  server = await startApp()
  ann = await newAnimator(server)
  stranger = await newAnimator(server)
})
afterAll(() => server.close())

const FREE = { holder: null, expiresAt: null }

describe('motion graphics of a theme', () => {
  it('[op.22] an empty draft is made, listed and read', async () => {
    const made = await ann.create('Score bug', { sports: ['tennis'] })
    expect(made).toMatchObject({
      name: 'Score bug',
      type: 'rive',
      version: 1,
      sports: ['tennis'],
      publishedVersions: [],
      lock: FREE,
      files: [],
      fileUrl: null,
      artboards: [],
      stateMachine: {
        version: 1,
        currentArtboard: '',
        currentStateMachine: '',
        controlVariables: [],
        dataBindings: [],
        stateMachineInputs: [],
        assets: [],
        scale: 1,
        x: 0,
        y: 0,
      },
    })
    expect(await ann.read(made.graphicId)).toEqual(made)
    const { graphicId, name, sports, updatedAt, publishedVersions, lock } = made
    expect((await ann.call('GET', ann.root)).body).toEqual([
      { graphicId, name, sports, updatedAt, publishedVersions, lock },
    ])
    const theme = await ann.call('GET', `/v2/themes/${ann.themeId}`)
    expect(theme.body.graphics).toEqual([{ graphicId, name, type: 'rive', workingVersion: 1, publishedVersions: [] }])
  })

  it('[issue 4] has the sports of its theme unless given, and a name that no graphic of either kind has', async () => {
    expect((await ann.create('Lower third')).sports).toEqual(['football'])
    for (const kind of ['motion', 'code']) {
      const again = await ann.call('POST', `/v2/themes/${ann.themeId}/${kind}-graphics`, { name: 'Lower third' })
      expect(again.status).toBe(400)
    }
    expect(await ann.call('POST', ann.root, { name: 'Lower third' })).toMatchObject(refused(400, 'body.name'))
  })

  it('[issue 4] is renamed, and its sports are changed', async () => {
    const made = await ann.create('Old name')
    const answer = await ann.call('PATCH', ann.pathOf(made.graphicId), {
      name: 'New name',
      sports: ['football', 'tennis'],
    })
    expect(answer).toMatchObject({ status: 200, body: { name: 'New name', sports: ['football', 'tennis'] } })
    expect(String(answer.body.updatedAt) > made.updatedAt).toBe(true)
    expect(await ann.read(made.graphicId)).toEqual(answer.body)
    expect(await ann.call('PATCH', ann.pathOf(made.graphicId), { name: 'Lower third' })).toMatchObject(
      refused(400, 'body.name'),
    )
  })

  it('[issue 4] is deleted, and then nowhere', async () => {
    const { graphicId, updatedAt } = await ann.made('Deleted')
    const changed = await ann.change('POST', graphicId, '/control-variables', { name: 'title', type: 'string' })
    const stale = `?ifUnchangedSince=${encodeURIComponent(updatedAt)}`
    expect(await ann.call('DELETE', ann.pathOf(graphicId, stale))).toMatchObject({
      status: 409,
      body: { code: 'TARGET_CHANGED' },
    })
    const fresh = `?ifUnchangedSince=${encodeURIComponent(changed.updatedAt)}`
    expect((await ann.call('DELETE', ann.pathOf(graphicId, fresh))).status).toBe(204)
    for (const below of ['', '/versions', '/files/metadata?version=working'])
      expect(await ann.call('GET', ann.pathOf(graphicId, below))).toMatchObject({ status: 404 })
    const left = await server.database.sql`
      select ref from actor where ref in (select 'upload/' || job_id from motion_import where graphic_id = ${graphicId})`
    expect(left).toHaveLength(0)
    expect(await server.database.sql`select from motion_import where graphic_id = ${graphicId}`).toHaveLength(0)
  })
})

describe('the family of errors', () => {
  it('[Errors] an invalid request names each bad field with its reason, and no value', async () => {
    const answer = await ann.call('POST', `${ann.root}/uploads`, { filename: '', size: 0, sha256: 'A' })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ message: 'Validation Failed', code: 'INVALID_REQUEST' })
    const details = answer.body.details as { field: string; reason: string }[]
    expect(details.map(({ field }) => field).sort()).toEqual([
      'body.filename',
      'body.sha256',
      'body.size',
      'body.target',
    ])
    for (const detail of details) expect(Object.keys(detail).sort()).toEqual(['field', 'reason'])
    expect(await ann.call('POST', `${ann.root}/uploads`, '{')).toMatchObject({
      status: 400,
      body: { message: 'Malformed JSON body', code: 'INVALID_REQUEST' },
    })
  })

  it('[Errors] a missing theme, graphic, import, version and file are NOT_FOUND, a foreign one as well', async () => {
    const { graphicId } = await ann.made('Foreign')
    const nobody = { message: 'Not Found', code: 'NOT_FOUND' }
    for (const path of [
      '/v2/themes/2147483647/motion-graphics',
      `/v2/themes/${stranger.themeId}/motion-graphics`,
      ann.pathOf(graphicId, '/files/metadata?version=7'),
      ann.pathOf(graphicId, '/files/metadata?version=9999999999'),
      ann.pathOf(graphicId, '/files/metadata?version=working&assetId=nobody'),
      ann.pathOf(graphicId, '/files/metadata?version=working&assetId=constructor'),
    ])
      expect([path, await ann.call('GET', path)]).toMatchObject([path, { status: 404, body: nobody }])
    for (const path of [
      stranger.pathOf(graphicId),
      ann.pathOf('nobody'),
      `${ann.root}/imports/nobody`,
      `${ann.root}/imports/11111111-1111-4111-8111-111111111111`,
      ann.pathOf(graphicId, '/versions/7'),
    ])
      expect([path, await ann.call('GET', path)]).toMatchObject([path, refused(404)])
    expect((await stranger.call('GET', ann.pathOf(graphicId))).status).toBe(404)
    expect((await stranger.call('POST', `${ann.root}/uploads`, {})).status).toBe(400)
  })

  it('[Errors] is that of list, uploads and file metadata only: all others name bad fields in an object', async () => {
    expect(routes.filter(({ family }) => family === 'motion').map(operationName)).toEqual([
      'GET /v2/themes/{themeId}/motion-graphics',
      'GET /v2/themes/{themeId}/motion-graphics/{graphicId}/files/metadata',
      'POST /v2/themes/{themeId}/motion-graphics/uploads',
    ])
    const { graphicId } = await ann.made('Common')
    for (const [method, below, body, field] of [
      ['PATCH', '', { sports: ['chess'] }, 'body.sports[0]'],
      ['PATCH', '/settings', { scale: 0 }, 'body.scale'],
      ['POST', '/control-variables', {}, 'body.name'],
      ['POST', '/user-expressions', { name: 'one' }, 'body.expression'],
      ['PATCH', '/data-bindings/headline', { expression: 1 }, 'body.expression'],
      ['PATCH', '/state-machine-inputs/score', { value: 'x' }, 'body.value'],
      ['PATCH', '/assets/12', { exposed: 1 }, 'body.exposed'],
      ['POST', '/evaluate', { version: 0 }, 'body.version'],
      ['POST', '/previews', { scenarioId: 'nothing' }, 'body.scenarioId'],
      ['POST', '/publish', { ifUnchangedSince: 'then' }, 'body.ifUnchangedSince'],
      ['GET', '/versions/0', undefined, 'path.version'],
    ] as const)
      expect([below, await ann.call(method, ann.pathOf(graphicId, below), body)]).toMatchObject([
        below,
        refused(400, field),
      ])
  })

  it('[Errors] keys, scopes and limits are refused in the words of every operation', async () => {
    expect(await server.call('GET', ann.root)).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } })
    const codeGraphic = await ann.call('POST', `/v2/themes/${ann.themeId}/code-graphics`, { name: 'Of the other kind' })
    expect((await ann.call('GET', ann.pathOf(String(codeGraphic.body.graphicId)))).status).toBe(404)
  })
})

describe('the lock', () => {
  it('[Graphic versions and lock] holds it for one key; others get 409 LOCKED on every write, and change nothing', async () => {
    const ben = await ann.colleague()
    const { graphicId, updatedAt } = await ann.made('Held')
    const held = await ann.call('PUT', ann.pathOf(graphicId, '/lock'))
    expect(held).toMatchObject({ status: 200, body: { userName: 'API key test' } })
    const before = await ben.read(graphicId)
    expect(before.lock).toEqual({ holder: 'API key test', expiresAt: held.body.expiresAt })
    const writes: [string, string, object?][] = [
      ['PATCH', '', { name: 'Mine' }],
      ['PATCH', '/settings', { scale: 2 }],
      ['POST', '/control-variables', { name: 'mine', type: 'string' }],
      ['POST', '/user-expressions', { name: 'mine', expression: '1' }],
      ['PATCH', '/data-bindings/headline', { expression: '"a"' }],
      ['PATCH', '/state-machine-inputs/score', { expression: '1' }],
      ['PATCH', '/assets/12', { expression: '"a"' }],
      ['POST', '/publish', {}],
      ['PUT', '/lock'],
      ['DELETE', '/lock'],
      ['DELETE', ''],
    ]
    const LOCKED = { status: 409, body: { code: 'LOCKED', holder: { userName: 'API key test' } } }
    for (const [method, below, body] of writes)
      expect([method, below, await ben.call(method, ben.pathOf(graphicId, below), body)]).toMatchObject([
        method,
        below,
        LOCKED,
      ])
    expect(await ben.declare({ graphicId, updatedAt }, 'a.riv', new Uint8Array(1))).toMatchObject(LOCKED)
    expect(await ben.read(graphicId)).toEqual(before)
    expect((await ann.call('DELETE', ann.pathOf(graphicId, '/lock'))).status).toBe(204)
    expect((await ben.read(graphicId)).lock).toEqual(FREE)
  })
})
