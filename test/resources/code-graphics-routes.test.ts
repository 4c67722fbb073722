import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { publishThemeVersion } from '../../src/resources/themes/versions.commands.ts'
import { type Designer, index, localFile, newDesigner, script } from './code-graphics-support.ts'
import { type Production, startProduction } from './support.ts'

let production: Production
let designer: Designer
let stranger: Designer

beforeAll(async () => {
  production = await startProduction()
  designer = await newDesigner(production.server)
  stranger = await newDesigner(production.server)
})
afterAll(() => production.close())

const collection = (by = designer) => `/v2/themes/${by.themeId}/code-graphics`
const create = (body: object, by = designer) => by.call('POST', collection(by), body)
const patch = (graphicId: string, body: object) => designer.call('PATCH', designer.pathOf(graphicId), body)
const invalidName = { status: 400, body: { details: { 'body.name': {} } } }

/** One variable of each type, with a default of its kind and without. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  string: ['', '07', 'Ingrid Åse 🏉'],
  number: [0, -1.5, 1e21],
  boolean: [true, false],
  enum: ['home'],
  team: [12],
  player: [7],
  match: [1],
  fact: [3],
  teamStat: [1, 'possession'],
  set: [2],
  round: [14, 'Round 14'],
  court: [1, 'Centre Court'],
  stat: [2, 'shots'],
  period: [1],
}
const WRONG: Readonly<Record<string, unknown>> = {
  string: 7,
  number: '7',
  boolean: 'true',
  enum: 'neither',
  team: 'Fjord City',
  player: 0,
  match: 1.5,
  fact: true,
  teamStat: '',
  set: 'first',
  round: false,
  court: -1,
  stat: 0.5,
  period: '1',
}

describe('creating a code graphic', () => {
  it('[op.20] answers 201 with the sports of the theme and the standard state unless others are given', async () => {
    const standard = await create({ name: 'Standard' })
    expect(standard).toMatchObject({
      status: 201,
      body: {
        name: 'Standard',
        type: 'code',
        version: 1,
        sports: ['football'],
        stateMachine: { runtime: { entry: 'index.html' }, controlVariables: [], userExpressions: [] },
        assets: [],
        publishedVersions: [],
        lock: null,
        bundleUrl: null,
      },
    })
    expect(standard.headers.get('x-service-beta')).toBe('true')
    expect((await create({ name: 'Tennis', sports: ['tennis', 'cricket'] })).body.sports).toEqual(['tennis', 'cricket'])
    expect((await designer.call('GET', collection())).body).toMatchObject([{ name: 'Standard' }, { name: 'Tennis' }])
    expect(await create({ name: 'Quidditch', sports: ['quidditch'] })).toMatchObject({
      status: 400,
      body: { details: { 'body.sports[0]': {} } },
    })
  })

  it('[op.20] a name is unique in its theme, and in no other', async () => {
    await create({ name: 'Twice' })
    expect(await create({ name: 'Twice' })).toMatchObject(invalidName)
    expect((await create({ name: 'Twice' }, stranger)).status).toBe(201)
    expect(await create({ name: '__proto__' })).toMatchObject(invalidName)
    expect(await create({ name: '' })).toMatchObject(invalidName)
    expect(await create({ name: '🏉'.repeat(256) })).toMatchObject(invalidName)
  })

  it('[Code graphic] variables of every type, defaults of every kind and unknown keys come back as they were sent', async () => {
    const controlVariables = Object.entries(VALUES).flatMap(([type, values]) =>
      [...values, null, undefined].map((defaultValue, at) => ({
        id: `${type}-${at}`,
        name: `${type} ${at}`,
        type,
        ...(defaultValue !== undefined && { defaultValue }),
        ...(type === 'enum' && { options: ['home', 'away', ''] }),
        exitMode: at === 0 ? 'deferred' : 'immediate',
        description: 'What it is for',
        ownKey: { nested: [null, 1, { deep: true }] },
      })),
    )
    const stateMachine = {
      runtime: { entry: 'index.html', engine: { name: 'own', flags: [1, 2.5, 'x', null] } },
      selectedSchemas: ['match', 'standings'],
      controlVariables,
      userExpressions: [{ id: 'e', name: 'lead', expression: 'score.home - score.away', description: 'by' }],
      editor: { zoom: 0.75, 'key with spaces': { ß: '\u2028' } },
    }
    const { status, body } = await create({ name: 'Everything', stateMachine })
    expect([status, body.stateMachine]).toEqual([201, stateMachine])
    expect((await designer.read(String(body.graphicId))).stateMachine).toEqual(stateMachine)
  })

  it.each(Object.entries(WRONG))('[op.20] a default of a %s variable may not be %j', async (type, defaultValue) => {
    const variable = { id: 'v', name: 'v', type, defaultValue, ...(type === 'enum' && { options: ['home', 'away'] }) }
    const answer = await create({ name: randomUUID(), stateMachine: { controlVariables: [variable] } })
    expect(answer).toMatchObject({
      status: 400,
      body: {
        code: 'CODE_GRAPHIC_INVALID',
        details: [expect.stringMatching(/^control variable v: the default is wrong: expected /)],
      },
    })
  })

  it('[Errors] every rule that a state machine breaks is listed, a malformed one is a bad body', async () => {
    const stateMachine = {
      runtime: { entry: '../index.html' },
      controlVariables: [
        { id: '1', name: 'a', type: 'string' },
        { id: '1', name: 'a', type: 'enum', options: ['x', 'x'] },
        { id: '2', name: '__proto__', type: 'enum' },
      ],
      userExpressions: [
        { id: '1', name: 'e', expression: '1 + 1' },
        { id: '1', name: 'e', expression: '1 + 1' },
      ],
    }
    expect(await create({ name: 'Broken', stateMachine })).toMatchObject({
      status: 400,
      body: {
        code: 'CODE_GRAPHIC_INVALID',
        details: [
          '../index.html: the entry is not a relative path inside the bundle',
          'control variable a: the name is used twice',
          'control variable id 1 is used twice',
          'control variable a: the option x is there twice',
          'control variable __proto__: the name is reserved',
          'control variable __proto__: an enum needs options',
          'user expression e: the name is used twice',
          'user expression id 1 is used twice',
        ],
      },
    })
    const malformed = { controlVariables: [{ id: '1', name: 'a', type: 'colour', defaultValue: {} }] }
    const answer = await create({ name: 'Malformed', stateMachine: malformed })
    expect(Object.keys(answer.body.details ?? {})).toEqual([
      'body.stateMachine.controlVariables[0].type',
      'body.stateMachine.controlVariables[0].defaultValue',
    ])
  })
})

describe('changing a code graphic', () => {
  it('renames it in its theme, where a name is taken once', async () => {
    const { graphicId } = await designer.create('Before')
    await designer.create('Taken')
    expect(await patch(graphicId, { name: 'Taken' })).toMatchObject(invalidName)
    const renamed = await patch(graphicId, { name: 'After' })
    expect(renamed).toMatchObject({ status: 200, body: { graphicId, name: 'After', version: 1 } })
    const theme = await designer.call('GET', `/v2/themes/${designer.themeId}`)
    expect(theme.body.graphics).toContainEqual(expect.objectContaining({ graphicId, name: 'After' }))
    expect((await create({ name: 'Before' })).status).toBe(201)
  })

  it('only what is named changes, and a body that names nothing changes nothing', async () => {
    const before = await designer.create('Kept', { stateMachine: { note: 1 } })
    const sports = await patch(before.graphicId, { sports: ['tennis'] })
    expect(sports.body).toMatchObject({ name: 'Kept', sports: ['tennis'], stateMachine: { note: 1 } })
    expect((await patch(before.graphicId, {})).body).toEqual(sports.body)
    const changed = await patch(before.graphicId, { stateMachine: { note: 2 } })
    expect(changed.body).toMatchObject({ sports: ['tennis'], stateMachine: { note: 2 } })
    expect(String(changed.body.updatedAt) > String(sports.body.updatedAt)).toBe(true)
  })

  it('another entry gives the working copy another address; one that is not there breaks a rule', async () => {
    const { graphicId } = await designer.create('Entry')
    const { bundleUrl } = await designer.upload(graphicId, [index, script])
    const moved = await patch(graphicId, { stateMachine: { runtime: { entry: 'js/main.js' } } })
    expect(moved.body.bundleUrl).not.toBe(bundleUrl)
    expect(await (await fetch(String(moved.body.bundleUrl))).text()).toBe('main')
    expect(await patch(graphicId, { stateMachine: { runtime: { entry: 'none.html' } } })).toMatchObject({
      status: 400,
      body: { code: 'CODE_GRAPHIC_INVALID', details: ['none.html: the entry is missing'] },
    })
  })
})

describe('the working copy and its versions', () => {
  it('[op.5] the working copy can be looked at before it is published', async () => {
    const { graphicId } = await designer.create('Preview')
    const first = await designer.upload(graphicId, [index])
    expect(first.bundleUrl).toMatch(/^http:\/\/.*\/bundles\/[0-9a-f]{64}\/index\.html$/)
    expect(await (await fetch(first.bundleUrl ?? '')).text()).toBe('index.html')
    const second = await designer.upload(graphicId, [localFile('index.html', 'second')])
    expect(second.bundleUrl).not.toBe(first.bundleUrl)
    expect(await (await fetch(second.bundleUrl ?? '')).text()).toBe('second')
    expect(await (await fetch(first.bundleUrl ?? '')).text()).toBe('index.html')
  })

  it('[Graphic versions] a published version never changes, and holds all that makes it', async () => {
    const stateMachine = { controlVariables: [{ id: 'v', name: 'v', type: 'string' }], own: [1] }
    const { graphicId, id } = await designer.create('Versions', { stateMachine })
    const refused = await designer.call('POST', designer.pathOf(graphicId, '/publish'))
    expect(refused).toMatchObject({ status: 400, body: { details: ['index.html: the entry is missing'] } })
    await designer.upload(graphicId, [index, script])
    const published = await designer.publish(graphicId)
    expect(published).toMatchObject({ publishedVersion: 1, graphic: { graphicId, version: 2, publishedVersions: [1] } })
    expect(published.graphic.id).not.toBe(id)
    const version = await designer.call('GET', designer.pathOf(graphicId, '/versions/1'))
    expect(version.body).toEqual({
      graphicId,
      version: 1,
      name: 'Versions',
      type: 'code',
      sports: ['football'],
      stateMachine,
      publishedAt: expect.any(String),
      bundleUrl: published.graphic.bundleUrl,
      files: [index, script].map(({ name, mime, size, hash }) => ({
        name,
        mime,
        size,
        hash,
        url: expect.stringMatching(new RegExp(`/bundles/[0-9a-f]{64}/${name}$`)),
      })),
    })
    await designer.upload(graphicId, [localFile('index.html', 'second')])
    await patch(graphicId, { stateMachine: {}, sports: [] })
    expect((await designer.publish(graphicId)).publishedVersion).toBe(2)
    expect((await designer.call('GET', designer.pathOf(graphicId, '/versions/1'))).body).toEqual(version.body)
    const list = await designer.call('GET', designer.pathOf(graphicId, '/versions'))
    expect(list.body).toMatchObject([{ version: 1, bundleUrl: published.graphic.bundleUrl }, { version: 2 }])
    for (const none of ['3', '2147483647'])
      expect((await designer.call('GET', designer.pathOf(graphicId, `/versions/${none}`))).status).toBe(404)
  })
})

describe('deleting a code graphic', () => {
  it('takes it and all below it out of the theme, and frees its name', async () => {
    const { graphicId } = await designer.create('Short-lived')
    const session = await designer.open(graphicId, [index])
    const deleted = await designer.call('DELETE', designer.pathOf(graphicId))
    expect(deleted.status).toBe(204)
    for (const [method, below] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/versions'],
      ['GET', '/versions/1'],
      ['POST', '/publish'],
    ] as const)
      expect([method, below, (await designer.call(method, designer.pathOf(graphicId, below))).status]).toEqual([
        method,
        below,
        404,
      ])
    expect(await designer.send(session, [index])).toEqual([404])
    const theme = await designer.call('GET', `/v2/themes/${designer.themeId}`)
    expect(JSON.stringify(theme.body.graphics)).not.toContain(graphicId)
    expect((await create({ name: 'Short-lived' })).status).toBe(201)
  })

  it('[op.5] what the active version pins still plays, its presets stay readable, later versions leave it out', async () => {
    const { themeId, call, fire, preset, controlRoomId } = production
    const { graphicId, id } = preset('Match partner')
    const path = `/v2/themes/${themeId}/code-graphics/${graphicId}`
    expect((await fire('show', 'Match partner')).status).toBe(200)
    expect((await call('DELETE', path)).status).toBe(204)
    expect((await fire('update', 'Match partner')).status).toBe(200)
    expect((await fire('hide', 'Match partner')).status).toBe(200)
    expect((await fire('show', 'Match partner')).body.manualGraphicState).toHaveProperty([
      preset('Match partner').graphicName,
    ])
    const presets = await call('GET', `/v2/control-rooms/${controlRoomId}/presets`)
    expect(presets.body).toContainEqual(expect.objectContaining({ id, graphicId }))
    const ctx = production.server.app.systemContext(production.organizationId, 'test')
    const published = await publishThemeVersion(ctx, themeId, { activate: true })
    expect(published.graphics.map((graphic) => graphic.graphicId)).not.toContain(graphicId)
    expect(published.skipped).toEqual([])
    expect((await fire('show', 'Match partner')).status).toBe(400)
    expect((await fire('hide', 'Match partner')).status).toBe(200)
  })
})

describe('who may', () => {
  it("[auth.11] another organization's graphic is not there for any operation", async () => {
    const { graphicId } = await stranger.create('Mine')
    const body = { files: [], name: 'x' }
    for (const [method, below] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['PUT', '/bundle'],
      ['POST', '/uploads'],
      ['POST', '/publish'],
      ['GET', '/versions'],
      ['GET', '/versions/1'],
    ] as const)
      for (const path of [designer.pathOf(graphicId, below), stranger.pathOf(graphicId, below)]) {
        const answer = await designer.call(method, path, method === 'GET' ? undefined : body)
        expect([method, path, answer.status]).toEqual([method, path, 404])
      }
  })
})
