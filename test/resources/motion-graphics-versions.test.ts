import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { Renderer } from '../support/renderer.ts'
import { type Animator, animatorWith, done, nextRiv, refused } from './motion-graphics-support.ts'
import { type Production, startProduction } from './support.ts'

let production: Production
let ann: Animator

beforeAll(async () => {
  production = await startProduction()
  ann = animatorWith(production.server, production.organizationId, production.themeId, production.apiKey)
})
afterAll(() => production.close())

const replace = { target: { assetId: 'graphic.riv' } }
type Load = { kind: string; version: number; url: string; data: unknown }

const versions = () => `/v2/themes/${production.themeId}/versions`

describe('[op.28] evaluate', () => {
  it('has a row of every data binding and user expression, and counts those of both that fail', async () => {
    const { graphicId } = await ann.made('Evaluated')
    await ann.change('POST', graphicId, '/control-variables', {
      name: 'title',
      type: 'string',
      defaultValue: 'Half time',
    })
    await ann.change('POST', graphicId, '/user-expressions', { name: 'score', expression: 'string(match.score.home)' })
    await ann.change('POST', graphicId, '/user-expressions', { name: 'broken', expression: 'match.nowhere.else' })
    await ann.change('PATCH', graphicId, '/data-bindings/headline', {
      expression: 'variables.title + " " + expressions.score',
    })
    await ann.change('PATCH', graphicId, '/data-bindings/points', { expression: 'match.nowhere.points' })
    await ann.change('PATCH', graphicId, '/state-machine-inputs/score', { expression: 'match.score.home' })
    const evaluate = async (body: object) => done(await ann.call('POST', ann.pathOf(graphicId, '/evaluate'), body))
    const body = await evaluate({ data: { match: { score: { home: 2 } } } })
    expect(body).toEqual({
      rows: [
        {
          id: 'headline',
          name: 'headline',
          expression: 'variables.title + " " + expressions.score',
          value: 'Half time 2',
          ok: true,
          error: null,
        },
        {
          id: 'points',
          name: 'points',
          expression: 'match.nowhere.points',
          value: null,
          ok: false,
          error: expect.any(String),
        },
        { id: 'side', name: 'side', expression: '', value: 'away', ok: true, error: null },
      ],
      userExpressions: [
        expect.objectContaining({ id: 'score', value: '2', ok: true }),
        expect.objectContaining({ id: 'broken', value: null, ok: false }),
      ],
      inputs: [expect.objectContaining({ id: 'score', value: 2, ok: true })],
      assets: [],
      unresolved: 2,
    })
    const given = await evaluate({ scenarioId: 'football-full-time', variableValues: { title: 'Full time' } })
    expect(given.rows).toMatchObject([{ value: expect.stringMatching(/^Full time \d+$/) }, {}, {}])
  })

  it('refuses what it cannot try: an unknown version, scenario or variable', async () => {
    const { graphicId } = await ann.made('Not evaluated')
    const evaluate = (body: object) => ann.call('POST', ann.pathOf(graphicId, '/evaluate'), body)
    expect(await evaluate({ version: 1 })).toMatchObject(refused(404))
    expect(await evaluate({ scenarioId: 'nothing' })).toMatchObject(refused(400, 'body.scenarioId'))
    expect(await evaluate({ variableValues: { nobody: 1 } })).toMatchObject(refused(400, 'body.variableValues.nobody'))
  })
})

describe('versions', () => {
  it('[Graphic versions and lock] a publication is immutable, and the working copy goes on', async () => {
    const { graphicId, id } = await ann.made('Published')
    const published = await ann.call('POST', ann.pathOf(graphicId, '/publish'))
    expect(published).toMatchObject({
      status: 201,
      body: { publishedVersion: 1, graphic: { version: 2, publishedVersions: [1], stateMachine: { version: 2 } } },
    })
    expect((published.body.graphic as { id: number }).id).not.toBe(id)
    const first = done(await ann.call('GET', ann.pathOf(graphicId, '/versions/1')))
    expect(first).toMatchObject({ type: 'rive', version: 1, stateMachine: { version: 1, currentArtboard: 'Main' } })
    await ann.bring(graphicId, 'next.riv', nextRiv, replace)
    await ann.change('PATCH', graphicId, '/settings', { scale: 3 })
    expect(done(await ann.call('GET', ann.pathOf(graphicId, '/versions/1')))).toEqual(first)
    expect((await fetch(String(first.fileUrl))).status).toBe(200)
    expect((await ann.call('POST', ann.pathOf(graphicId, '/publish'))).body.publishedVersion).toBe(2)
    const list = (await ann.call('GET', ann.pathOf(graphicId, '/versions'))).body as unknown as { version: number }[]
    expect(list.map(({ version }) => version)).toEqual([1, 2])
    const files = first.files as { name: string; url: string }[]
    for (const { url } of files) expect((await fetch(url)).headers.get('cache-control')).toContain('immutable')
    expect(files.map(({ name }) => name)).toEqual(['graphic.json', 'graphic.riv'])
  })

  it('[Graphic versions and lock] a draft without a file cannot be published, and its theme version leaves it out', async () => {
    const { graphicId } = await ann.create('Never published')
    expect(await ann.call('POST', ann.pathOf(graphicId, '/publish'))).toMatchObject(refused(400, 'files'))
    const tried = await production.call('POST', versions(), { dryRun: true })
    expect(tried.body.skipped).toContainEqual({ graphicId, name: 'Never published', reason: 'NO_PUBLISHED_VERSION' })
  })

  it('[issue 4] a theme version pins it beside code graphics; activated, it is on air, and a roll back plays the old one', async () => {
    const { graphicId } = await ann.made('On air')
    await ann.change('POST', graphicId, '/control-variables', { name: 'title', type: 'string', defaultValue: 'So far' })
    await ann.change('PATCH', graphicId, '/data-bindings/headline', { expression: 'variables.title' })
    await ann.call('POST', ann.pathOf(graphicId, '/publish'))
    const tried = await production.call('POST', versions(), { dryRun: true, activate: true })
    expect(tried.body.graphics).toContainEqual({ graphicId, name: 'On air', type: 'rive', version: 1 })
    const pinned = done(await production.call('POST', versions(), { activate: true })) as { activeVersion: number }
    const room = `/v2/control-rooms/${production.controlRoomId}/presets`
    const preset = done(
      await production.call('POST', room, {
        sectionId: production.sectionIds[0],
        graphicId,
        name: 'Motion preset',
        variableValues: { title: 'Stored' },
        exposedVariables: ['title'],
      }),
    )
    const bad = await production.call('POST', room, {
      sectionId: production.sectionIds[0],
      graphicId,
      name: 'Bad preset',
      variableValues: { nobody: 1 },
    })
    expect(bad.status).toBe(400)
    const fire = (action: string) =>
      production.call('POST', `/v2/overlays/${production.overlay.id}/control-room/graphics`, {
        action,
        presetId: preset.id,
      })
    const loads: Load[] = []
    const renderer = new Renderer({
      url: `${production.overlay.url.replace('http', 'ws')}/socket`,
      onFrame: (text) => {
        const { type, payload } = JSON.parse(text)
        if (type === 'LOAD_GRAPHIC' && payload.graphicId === graphicId) loads.push(payload)
      },
    })
    onTestFinished(() => renderer.close())
    expect(await fire('show')).toMatchObject({
      status: 200,
      body: { manualGraphicState: { 'On air': { _service_presetId: preset.id, variableValues: { title: 'Stored' } } } },
    })
    const shown = () => loads.at(-1)
    await expect.poll(shown, { timeout: 10_000 }).toMatchObject({
      kind: 'rive',
      version: 1,
      data: { bindings: { headline: 'Stored' } },
    })
    const url = String(shown()?.url)
    expect(url).toMatch(/^(http:\/\/[^/]+)?\/bundles\/[0-9a-f]{64}\/graphic\.riv$/)
    await ann.bring(graphicId, 'next.riv', nextRiv, replace)
    await ann.call('POST', ann.pathOf(graphicId, '/publish'))
    await production.call('POST', versions(), { activate: true })
    // what is on air keeps its version until it is shown again
    expect(shown()?.version).toBe(1)
    await fire('show')
    await expect.poll(() => shown()?.version, { timeout: 10_000 }).toBe(2)
    expect(shown()?.url).not.toBe(url)
    await production.call('POST', `${versions()}/${pinned.activeVersion}/activate`, {})
    await fire('show')
    await expect.poll(() => shown()?.url, { timeout: 10_000 }).toBe(url)
    // deleted, it still plays
    expect((await ann.call('DELETE', ann.pathOf(graphicId))).status).toBe(204)
    expect((await fire('show')).status).toBe(200)
    expect((await fetch(new URL(url, production.server.origin))).status).toBe(200)
    await fire('hide')
  })
})

describe('a preview', () => {
  it('[issue 4.8] has an address of its own that needs no key', async () => {
    const { graphicId } = await ann.made('Previewed')
    const made = await ann.call('POST', ann.pathOf(graphicId, '/previews'), { scenarioId: 'football-goal' })
    expect(made.status).toBe(201)
    expect((await fetch(String(made.body.url))).status).toBe(200)
    expect(await ann.call('POST', ann.pathOf(graphicId, '/previews'), { scenarioId: 'none' })).toMatchObject(
      refused(400, 'body.scenarioId'),
    )
    expect(await ann.call('POST', ann.pathOf('nobody', '/previews'), {})).toMatchObject(refused(404))
  })
})
