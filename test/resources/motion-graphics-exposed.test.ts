import { afterAll, beforeAll, expect, it } from 'vitest'
import { motionManifest } from '../../src/motion/manifest.ts'
import { BindingExposure } from '../../src/resources/motion-graphics/state-machine.schema.ts'
import { findScenario } from '../../src/resources/scenarios/queries.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { sha256 } from '../support/images.ts'
import { type Animator, newAnimator, refused } from './motion-graphics-support.ts'

let server: TestApp
let ann: Animator
beforeAll(async () => {
  server = await startApp()
  ann = await newAnimator(server)
})
afterAll(() => server.close())

const evaluate = async (graphicId: string, body: object) =>
  (await ann.call('POST', ann.pathOf(graphicId, '/evaluate'), body)).body

it('[issue 15.19] a required binding or asset that nothing gives a value keeps the graphic from being published', async () => {
  const { graphicId } = await ann.made('Required')
  const publish = () => ann.call('POST', ann.pathOf(graphicId, '/publish'), {})
  const binding = (body: object) => ann.change('PATCH', graphicId, '/data-bindings/headline', body)
  await binding({ exposed: { name: 'Headline of the card', required: true } })
  const { body } = await publish()
  expect(await publish()).toMatchObject(refused(400, 'stateMachine.dataBindings.headline'))
  expect(JSON.stringify(body.details)).toContain('Headline of the card is required')
  expect(await evaluate(graphicId, { scenarioId: 'football-live' })).toMatchObject({ unresolved: 0 })
  await binding({ expression: '""' })
  expect(await evaluate(graphicId, { scenarioId: 'football-live' })).toMatchObject({
    rows: expect.arrayContaining([
      expect.objectContaining({
        id: 'headline',
        ok: false,
        error: 'Headline of the card is required, and has no value',
      }),
    ]),
    unresolved: 1,
  })
  await binding({ expression: '', value: 'Set by hand' })
  await ann.change('PATCH', graphicId, '/assets/12', { exposed: { name: 'House font', required: true } })
  expect((await publish()).body.details).toEqual({
    'stateMachine.assets.12': { message: 'House font is required, and nothing is drawn for it' },
  })
  await ann.change('PATCH', graphicId, '/assets/12', { exposed: null })
  expect((await publish()).status).toBe(201)
})

it('[issue 15.19] the entityType of a picture draws that of the record that operators select', async () => {
  const { graphicId } = await ann.made('Badge')
  await ann.change('PATCH', graphicId, '/assets/11', { exposed: { entityType: 'team' } })
  // nobody selects one yet
  expect(await evaluate(graphicId, { scenarioId: 'football-live' })).toMatchObject({ assets: [] })
  await ann.change('POST', graphicId, '/control-variables', { name: 'the side', type: 'team' })
  const data = findScenario('football-live')?.data
  if (!data?.teams.home) throw new Error('no team')
  const home = { ...data.teams.home, logoUrl: 'https://example.com/logo.png' }
  const tried = { data: { ...data, teams: { ...data.teams, home } }, variableValues: { 'the side': home.id } }
  expect(await evaluate(graphicId, tried)).toMatchObject({
    assets: [{ id: '11', expression: expect.stringContaining('logoUrl'), value: home.logoUrl, ok: true }],
  })
  for (const without of [{ scenarioId: 'football-live', variableValues: { 'the side': home.id } }, { data }])
    expect(await evaluate(graphicId, without)).toMatchObject({ assets: [{ value: null, ok: true }] })
  await ann.change('PATCH', graphicId, '/assets/11', { expression: '"/mine.png"' })
  expect(await evaluate(graphicId, tried)).toMatchObject({ assets: [{ value: '/mine.png' }] })
})

it('[issue 18] the entityType ad draws the logo of the brand that operators select', async () => {
  expect(BindingExposure.shape.entityType.unwrap().meta()?.description).toContain('ad draw')
  const { graphicId } = await ann.made('Sponsored')
  await ann.change('PATCH', graphicId, '/assets/11', { exposed: { entityType: 'ad' } })
  await ann.change('POST', graphicId, '/control-variables', { name: 'sponsor', type: 'ad' })
  const { sql } = server.database
  const logo = sha256(Buffer.from(graphicId))
  await sql`insert into image (hash, content_type, width, height) values (${logo}, 'image/png', 1, 1)`
  const made = await ann.call('POST', '/v2/brands', { name: 'Alba' })
  expect(made.status).toBe(201)
  await sql`update brand set logo_blob = ${logo} where id = ${Number(made.body.id)}`
  expect((await ann.call('PATCH', `/v2/brands/${made.body.id}`, { tagline: 'Tea' })).status).toBe(200)
  const tried = { scenarioId: 'football-live', variableValues: { sponsor: made.body.id } }
  expect(await evaluate(graphicId, tried)).toMatchObject({
    assets: [
      { id: '11', expression: expect.stringContaining('logoUrl'), value: expect.stringContaining(logo), ok: true },
    ],
  })
})

it('[issue 15.19] width and height of what is exposed are the size of a picture without another', () => {
  const binding = (more: object, exposed: object) => ({
    id: 'photo',
    exposed,
    viewModelProperty: { type: 'image', path: 'photo', ...more },
  })
  const [photo, sized, half] = motionManifest(
    {
      controlVariables: [{ name: 'who', type: 'player' }],
      dataBindings: [
        binding({}, { width: 300, height: 400, entityType: 'player' }),
        binding({ imageDimensions: { width: 10, height: 20 } }, { width: 300, height: 400 }),
        binding({}, { width: 300 }),
      ],
    },
    new Set(),
  ).bindings
  expect(photo).toMatchObject({ image: { width: 300, height: 400 }, computed: true })
  expect(sized).toMatchObject({ image: { width: 10, height: 20 }, computed: false })
  expect(half).not.toHaveProperty('image')
})

it('[issue 15.19] selectedSport is what a trial and a preview begin with', async () => {
  const { graphicId } = await ann.made('Sported')
  await ann.change('POST', graphicId, '/user-expressions', { name: 'which', expression: 'sport' })
  await ann.change('PATCH', graphicId, '/settings', { selectedSport: 'cricket' })
  expect(await evaluate(graphicId, {})).toMatchObject({ userExpressions: [{ value: 'cricket' }] })
  expect(await evaluate(graphicId, { sport: 'tennis' })).toMatchObject({ userExpressions: [{ value: 'tennis' }] })
  const { body } = await ann.call('POST', ann.pathOf(graphicId, '/previews'), {})
  const told = await fetch(`${body.url}/info`)
  expect(await told.json()).toMatchObject({ settings: { scenarioId: 'cricket-live' } })
})
