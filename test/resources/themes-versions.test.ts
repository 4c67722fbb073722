import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newKey } from '../support/app.ts'
import { digester } from '../support/digest.ts'
import { type Production, produce, startProduction } from './support.ts'
import { makeGraphic, makeTheme, namesOf, publishGraphic, updatedAtOf, watch } from './themes-support.ts'

let production: Production

beforeAll(async () => {
  production = await startProduction()
})
afterAll(() => production.close())

describe('publishing', () => {
  it.each(['/v2/themes', '/themes'])(
    '[Graphic versions] POST %s/{themeId}/versions pins the latest of every graphic and skips those without one',
    async (base) => {
      const themeId = await makeTheme(production)
      const graphicId = await makeGraphic(production, themeId, { name: 'Published' })
      const draft = await makeGraphic(production, themeId, { name: 'Draft', draft: true })
      await publishGraphic(production, themeId, graphicId)
      const publish = (body: object) => production.call('POST', `${base}/${themeId}/versions`, body)
      const first = await publish({ notes: 'For the cup' })
      expect([first.status, first.headers.get('x-service-beta'), first.body]).toEqual([
        200,
        'true',
        {
          version: 1,
          activeVersion: null,
          dryRun: false,
          graphics: [{ graphicId, name: 'Published', type: 'code', version: 2 }],
          skipped: [{ graphicId: draft, name: 'Draft', reason: 'NO_PUBLISHED_VERSION' }],
          updatedAt: await updatedAtOf(production, `/v2/themes/${themeId}`),
        },
      ])
      const second = await publish({ activate: true, ifUnchangedSince: first.body.updatedAt })
      expect(second.body).toMatchObject({ version: 2, activeVersion: 2, graphicsOnAir: [], presetsLeftOut: [] })
      const stale = await publish({ ifUnchangedSince: first.body.updatedAt })
      expect([stale.status, stale.body.code]).toEqual([409, 'TARGET_CHANGED'])
      expect((await production.call('GET', `/v2/themes/${themeId}`)).body).toMatchObject({
        activeVersion: 2,
        versions: [1, 2],
      })
    },
  )

  it('[auth.4] the path without a version needs themes:write and hides foreign themes', async () => {
    const { key } = await newKey(production.server.database, production.organizationId, ['themes:read'])
    const path = `/themes/${production.themeId}/versions`
    const refused = await production.server.call('POST', path, { key, body: {} })
    expect([refused.status, refused.body.message]).toEqual([403, 'Missing scope: themes:write'])
    const stranger = await produce(production.server)
    expect((await stranger.call('POST', path, {})).status).toBe(404)
  })

  it('[domain 5.11] a theme without published graphics answers 400, and makes no version', async () => {
    const themeId = await makeTheme(production)
    await makeGraphic(production, themeId, { draft: true })
    for (const dryRun of [true, false]) {
      const answer = await production.call('POST', `/v2/themes/${themeId}/versions`, { dryRun })
      expect([answer.status, answer.body]).toEqual([
        400,
        { message: 'The theme has no published graphics', details: {} },
      ])
    }
    expect((await production.call('GET', `/v2/themes/${themeId}/versions`)).body).toEqual({
      versions: [],
      total: 0,
      returned: 0,
    })
  })

  it('[Graphic versions and lock] publishing and activating need no body, for there is nothing that must be said', async () => {
    const themeId = await makeTheme(production)
    await makeGraphic(production, themeId)
    const published = await production.call('POST', `/v2/themes/${themeId}/versions`)
    expect([published.status, published.body]).toMatchObject([200, { version: 1, activeVersion: null }])
    const activated = await production.call('POST', `/v2/themes/${themeId}/versions/1/activate`)
    expect([activated.status, activated.body]).toMatchObject([200, { activeVersion: 1, previousVersion: null }])
  })

  it('[contract: Idempotency-Key] a publish that is sent again makes no second version, on either path', async () => {
    const themeId = await makeTheme(production)
    await makeGraphic(production, themeId)
    const publish = (path: string) =>
      production.server.call('POST', `${path}/${themeId}/versions`, {
        key: production.apiKey,
        body: { activate: true },
        headers: { 'Idempotency-Key': `publish-${themeId}` },
      })
    const [first, again] = [await publish('/themes'), await publish('/themes')]
    expect(again.body).toEqual(first.body)
    expect((await publish('/v2/themes')).status).toBe(409)
    expect((await production.call('GET', `/v2/themes/${themeId}`)).body.versions).toEqual([1])
  })

  it('20 publishes at once get the numbers 1 to 20', async () => {
    const themeId = await makeTheme(production)
    await makeGraphic(production, themeId)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => production.call('POST', `/v2/themes/${themeId}/versions`, {})),
    )
    const numbers = answers.map(({ body }) => Number(body.version)).sort((one, other) => one - other)
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    expect(new Set(answers.map(({ body }) => body.updatedAt)).size).toBe(20)
  })
})

describe('a dry run', () => {
  it('[issue 4.1] changes nothing at all, and says what publishing and activating would do', async () => {
    const own = await produce(production.server)
    const { themeId } = own
    const { sql } = own.server.database
    const digest = await digester(own.server.database)
    const { graphicId } = own.preset('Score bug')
    await publishGraphic(own, themeId, graphicId)
    await own.fire('show', 'Score bug')
    const state = async () => [
      await digest(),
      (await sql`select last_value from journal_record_seq`)[0]?.last_value,
      await updatedAtOf(own, `/v2/themes/${themeId}`),
    ]
    const before = await state()
    const path = `/v2/themes/${themeId}/versions`
    const tried = await own.call('POST', path, { dryRun: true, activate: true, notes: 'Try' })
    expect([tried.status, tried.body]).toMatchObject([
      200,
      {
        version: 2,
        activeVersion: 2,
        dryRun: true,
        updatedAt: before[2],
        graphicsOnAir: [{ overlayId: own.overlay.id, graphicId, graphicName: 'Score bug', version: 1, nextVersion: 2 }],
        presetsLeftOut: [],
      },
    ])
    const stale = await own.call('POST', path, { dryRun: true, ifUnchangedSince: '2026-01-01T00:00:00Z' })
    expect([stale.status, stale.body.code]).toEqual([409, 'TARGET_CHANGED'])
    const again = await own.call('POST', `${path}/1/activate`, { dryRun: true })
    expect(again.body).toMatchObject({ activeVersion: 1, previousVersion: 1, dryRun: true, updatedAt: before[2] })
    expect(await state()).toEqual(before)
    const done = await own.call('POST', path, { activate: true, ifUnchangedSince: tried.body.updatedAt })
    expect({ ...done.body, dryRun: true, updatedAt: before[2] }).toEqual(tried.body)
  })

  it('names the presets whose graphic the version does not have', async () => {
    const own = await produce(production.server)
    const { themeId } = own
    const late = await makeGraphic(own, themeId, { name: 'Late' })
    const path = `/v2/themes/${themeId}/versions`
    await own.call('POST', path, { activate: true })
    const { sql } = own.server.database
    const [preset] = await sql<{ id: number }[]>`
      insert into preset (control_room_id, section_id, graphic_id, name, order_index)
      values (${own.controlRoomId}, ${own.sectionIds[0] ?? ''}, ${late}, 'Late', 9) returning id`
    const { body } = await own.call('POST', `${path}/1/activate`, { dryRun: true })
    expect(body.presetsLeftOut).toEqual([
      { presetId: preset?.id, controlRoomId: own.controlRoomId, name: 'Late', graphicId: late },
    ])
  })
})

describe('versions', () => {
  it('are listed ascending with what they pin, by pages, and read one by one', async () => {
    const themeId = await makeTheme(production)
    const graphicId = await makeGraphic(production, themeId, { name: 'Only' })
    const path = `/v2/themes/${themeId}/versions`
    await production.call('POST', path, { notes: 'One' })
    await publishGraphic(production, themeId, graphicId)
    await production.call('POST', path, { activate: true })
    const pinned = (version: number) => [{ graphicId, name: 'Only', type: 'code', version }]
    const publishedAt = expect.stringMatching(/Z$/)
    const first = { version: 1, active: false, publishedAt, notes: 'One', graphics: pinned(1) }
    const second = { version: 2, active: true, publishedAt, notes: null, graphics: pinned(2) }
    expect((await production.call('GET', path)).body).toEqual({ versions: [first, second], total: 2, returned: 2 })
    expect((await production.call('GET', `${path}?offset=1`)).body).toEqual({
      versions: [second],
      total: 2,
      returned: 1,
    })
    expect((await production.call('GET', `${path}/1`)).body).toEqual(first)
    expect((await production.call('GET', `${path}/3`)).status).toBe(404)
    expect((await production.call('POST', `${path}/3/activate`, {})).status).toBe(404)
    expect(namesOf(await production.call('PATCH', `/v2/themes/${themeId}`, { activeVersion: 3 }))).toEqual([
      400,
      ['body.activeVersion'],
    ])
  })
})

describe('[issue 4.1] activation on air', () => {
  it('what is on air stays with its version until it is shown again; the next show has the new one, rolled back the old one', async () => {
    const own = await produce(production.server)
    const { themeId } = own
    const seen = watch(own)
    await own.fire('show', 'Score bug')
    await own.fire('show', 'Full-time result')
    await seen.until('Full-time result', (graphic) => graphic?.version === 1)
    await publishGraphic(own, themeId, own.preset('Score bug').graphicId)
    const frames = () => seen.frames.length
    const before = frames()
    const versions = `/v2/themes/${themeId}/versions`
    const published = await own.call('POST', versions, { activate: true })
    expect(published.body).toMatchObject({ version: 2, activeVersion: 2 })
    // what is on air is updated and hidden by what it was shown with
    expect((await own.fire('update', 'Full-time result')).status).toBe(200)
    await seen.renderer.waitFor(() => frames() > before)
    expect(seen.frames.slice(before).every(({ type }) => type === 'GRAPHIC_UPDATE')).toBe(true)
    expect(seen.of('Score bug')?.version).toBe(1)
    const late = watch(own)
    await late.until('Score bug', (graphic) => graphic?.version === 1)
    await own.fire('show', 'Score bug')
    await seen.until('Score bug', (graphic) => graphic?.version === 2)
    const back = await own.call('POST', `${versions}/1/activate`, { ifUnchangedSince: published.body.updatedAt })
    expect(back.body).toMatchObject({
      activeVersion: 1,
      previousVersion: 2,
      dryRun: false,
      graphicsOnAir: expect.arrayContaining([
        expect.objectContaining({ graphicName: 'Score bug', version: 2, nextVersion: 1 }),
      ]),
    })
    expect(seen.of('Score bug')?.version).toBe(2)
    await own.fire('show', 'Score bug')
    await seen.until('Score bug', (graphic) => graphic?.version === 1)
    const forward = await own.call('PATCH', `/v2/themes/${themeId}`, { activeVersion: 2 })
    expect(forward.body.activeVersion).toBe(2)
    await own.fire('show', 'Score bug')
    await seen.until('Score bug', (graphic) => graphic?.version === 2)
  })

  it('a theme that is taken off shows nothing new, and what is on air can be updated and hidden', async () => {
    const own = await produce(production.server)
    const seen = watch(own)
    await own.fire('show', 'Score bug')
    await seen.until('Score bug', (graphic) => graphic !== undefined)
    const taken = await own.call('PATCH', `/v2/themes/${own.themeId}`, { activeVersion: null })
    expect(taken.body.activeVersion).toBeNull()
    expect(namesOf(await own.fire('show', 'Score bug'))).toEqual([400, ['body.presetId']])
    expect((await own.fire('update', 'Score bug')).status).toBe(200)
    expect((await own.fire('hide', 'Score bug')).body.manualGraphicState).toEqual({})
    await seen.until('Score bug', (graphic) => graphic === undefined)
  })

  it('a graphic that was deleted while on air is hidden, its presets stay readable, and the next version leaves it out', async () => {
    const own = await produce(production.server)
    const { themeId } = own
    const versions = `/v2/themes/${themeId}/versions`
    const { graphicId } = own.preset('Match partner')
    const seen = watch(own)
    await own.fire('show', 'Match partner')
    await seen.until('Match partner', (graphic) => graphic !== undefined)
    expect((await own.call('DELETE', `/v2/themes/${themeId}/code-graphics/${graphicId}`)).status).toBe(204)
    const { body: theme } = await own.call('GET', `/v2/themes/${themeId}`)
    expect(theme.graphics).not.toContainEqual(expect.objectContaining({ graphicId }))
    // the active version is immutable: it still has the graphic
    expect((await own.fire('show', 'Match partner')).status).toBe(200)
    const { body: first } = await own.call('GET', `${versions}/1`)
    expect(first.graphics).toContainEqual({ graphicId, name: 'Sponsor card', type: 'code', version: 1 })
    await own.call('POST', versions, {})
    const activated = await own.call('POST', `${versions}/2/activate`, {})
    expect(activated.body).toMatchObject({
      graphicsOnAir: [{ graphicName: 'Sponsor card', version: 1, nextVersion: null }],
      presetsLeftOut: [
        { presetId: own.preset('Match partner').id, name: 'Match partner' },
        { presetId: own.preset('Kit partner').id, name: 'Kit partner' },
      ],
    })
    const { body } = await own.call('GET', `/v2/control-rooms/${own.controlRoomId}/presets`)
    expect(body).toContainEqual(expect.objectContaining({ id: own.preset('Match partner').id }))
    expect(namesOf(await own.fire('show', 'Match partner'))).toEqual([400, ['body.presetId']])
    expect((await own.fire('update', 'Match partner')).status).toBe(200)
    expect((await own.fire('hide', 'Match partner')).body.manualGraphicState).toEqual({})
    await seen.until('Match partner', (graphic) => graphic === undefined)
  })

  it('a graphic that was renamed while on air is hidden under its old name and by its preset', async () => {
    const own = await produce(production.server)
    const { graphicId } = own.preset('Score bug')
    const seen = watch(own)
    await own.fire('show', 'Score bug')
    await seen.until('Score bug', (graphic) => graphic !== undefined)
    const renamed = await own.call('PATCH', `/v2/themes/${own.themeId}/code-graphics/${graphicId}`, {
      name: 'Score strip',
    })
    expect(renamed.status).toBe(200)
    const published = await own.call('POST', `/v2/themes/${own.themeId}/versions`, { activate: true })
    expect(published.body.graphics).toContainEqual(expect.objectContaining({ graphicId, name: 'Score strip' }))
    expect((await own.fire('update', 'Score bug')).status).toBe(200)
    expect(Object.keys((await own.fire('hide', 'Score bug')).body.manualGraphicState as object)).toEqual([])
    await seen.until('Score bug', (graphic) => graphic === undefined)
    expect(Object.keys((await own.fire('show', 'Score bug')).body.manualGraphicState as object)).toEqual([
      'Score strip',
    ])
  })
})
