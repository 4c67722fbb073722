import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Production, produce, startProduction } from './support.ts'
import { graphicOf, type Own, watch } from './themes-support.ts'

let production: Production

beforeAll(async () => {
  production = await startProduction()
})
afterAll(() => production.close())

const variable = (own: Own, name: string) => `/v2/themes/${own.themeId}/variables/${name}`
const profile = (own: Own) => `/v2/competitions/${own.competitionId}/theme-profiles/${own.themeProfileId}`
const values = (value: string | null) => ({ themeVariableValues: [{ variableId: 'accentColor', value }] })

/** A production with the score bug on air, and how long a write takes until the screen has this accent colour. */
async function onAir() {
  const own = await produce(production.server)
  const seen = watch(own)
  await own.fire('show', 'Score bug')
  await seen.until('Score bug', (graphic) => graphic?.themeVariables.accentColor === '#ffd23f')
  const arrives = async (accentColor: string | undefined, write: () => ReturnType<Own['call']>) => {
    const asked = performance.now()
    const { status, body } = await write()
    expect([200, 201, 204], JSON.stringify(body)).toContain(status)
    await seen.until('Score bug', (graphic) => graphic?.themeVariables.accentColor === accentColor)
    return performance.now() - asked
  }
  return { own, seen, arrives }
}

describe('[issue 4.3] a change of a value reaches graphics on air', () => {
  it('of the profile, by one value or all of them, and back to the default, in half a second', async () => {
    const { own, seen, arrives } = await onAir()
    const took = [
      await arrives('#101010', () => own.call('PATCH', profile(own), values('#101010'))),
      await arrives('#202020', () => own.call('PUT', `${profile(own)}/variable-values`, values('#202020'))),
      await arrives('#d4ff3a', () => own.call('PATCH', profile(own), values(null))),
    ]
    // of three, since the machine may be busy
    expect(Math.min(...took)).toBeLessThan(500)
    const updates = seen.frames.filter(({ type }) => type === 'GRAPHIC_UPDATE')
    expect(updates.length).toBe(3)
    expect(updates.every(({ payload }) => 'themeVariables' in payload && !('data' in payload))).toBe(true)
  })

  it('of the theme: its default, type, a new variable and a deleted one; a profile’s value wins', async () => {
    const { own, seen, arrives } = await onAir()
    await own.call('PATCH', variable(own, 'accentColor'), { defaultValue: '#303030' })
    await arrives('#303030', () => own.call('PATCH', profile(own), values(null)))
    const took = []
    for (const defaultValue of ['#404040', '#414141', '#424242'])
      took.push(await arrives(defaultValue, () => own.call('PATCH', variable(own, 'accentColor'), { defaultValue })))
    expect(Math.min(...took)).toBeLessThan(500)
    await own.call('POST', `/v2/themes/${own.themeId}/variables`, { name: 'lines', type: 'string', defaultValue: '2' })
    await seen.until('Score bug', (graphic) => graphic?.themeVariables.lines === '2')
    await own.call('PATCH', variable(own, 'lines'), { type: 'number' })
    await seen.until('Score bug', (graphic) => graphic?.themeVariables.lines === 2)
    await own.call('DELETE', variable(own, 'lines'))
    await seen.until('Score bug', (graphic) => graphic !== undefined && !('lines' in graphic.themeVariables))
    await arrives(undefined, () => own.call('DELETE', variable(own, 'accentColor')))
  })

  it('not of another theme or profile, and an archived profile stays in force', async () => {
    const { own, seen, arrives } = await onAir()
    const other = await onAir()
    expect((await own.call('DELETE', profile(own))).status).toBe(204)
    await other.arrives('#505050', () => other.own.call('PATCH', profile(other.own), values('#505050')))
    await own.call('PATCH', variable(own, 'accentColor'), { defaultValue: '#606060' })
    await own.fire('update', 'Score bug')
    await arrives('#ffd23f', () => own.fire('show', 'Score bug'))
    const late = watch(own)
    await late.until('Score bug', (graphic) => graphic?.themeVariables.accentColor === '#ffd23f')
    expect(seen.of('Score bug')?.themeVariables).toEqual(late.of('Score bug')?.themeVariables)
  })

  it('an overlay without a profile wears the defaults of its room’s theme, and follows them', async () => {
    const own = await produce(production.server)
    const seen = watch(own)
    const { sql } = own.server.database
    await sql`update overlay set theme_profile_id = null where id = ${own.overlay.id}`
    await sql`select pg_notify('catalog', ${JSON.stringify({ overlay: own.overlay.id })})`
    await own.fire('show', 'Score bug')
    await seen.until('Score bug', (graphic) => graphic !== undefined)
    await own.call('PATCH', variable(own, 'accentColor'), { defaultValue: '#707070' })
    await seen.until('Score bug', (graphic) => graphic?.themeVariables.accentColor === '#707070')
  })
})

it('[issue 4.1] a version that is shown over an older one is given what it asks for', async () => {
  const { own, seen } = await onAir()
  const path = `/v2/themes/${own.themeId}/code-graphics/${graphicOf(own, 'Score bug')}`
  const { body } = await own.call('GET', path)
  const userExpressions = [{ id: '1', name: 'place', expression: 'match.venue.name' }]
  const stateMachine = { ...(body.stateMachine as object), selectedSchemas: ['venue'], userExpressions }
  await own.call('PATCH', path, { stateMachine })
  await own.call('POST', `${path}/publish`, {})
  await own.call('POST', `/v2/themes/${own.themeId}/versions`, { activate: true })
  await own.fire('show', 'Score bug')
  await seen.until('Score bug', (graphic) => graphic?.version === 2)
  expect(seen.of('Score bug')?.data).toEqual({
    defaults: { showClock: true },
    venue: expect.anything(),
    expressions: { place: 'Harbour Lane' },
  })
})
