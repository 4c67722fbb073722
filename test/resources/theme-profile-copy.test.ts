import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Production, produce, startProduction } from './support.ts'

let production: Production
let stranger: Omit<Production, 'close'>
let one: string
const placeOf = (competitionId: unknown) => `/v2/competitions/${competitionId}/theme-profiles`
beforeAll(async () => {
  production = await startProduction()
  stranger = await produce(production.server)
  one = `${placeOf(production.competitionId)}/${production.themeProfileId}`
  const rule = { id: 'goal', name: 'Goal', trigger: { type: 'fact', factTypes: ['goal'] }, end: { afterSeconds: 8 } }
  const answer = await call('PUT', `${one}/game-plan`, {
    rules: [{ ...rule, presetId: production.preset('Goal scorer').id }],
  })
  expect(answer.status).toBe(200)
})
afterAll(() => production.close())

const call: Production['call'] = (method, path, body) => production.call(method, path, body)
const competition = async (sport: string) => {
  const about = { sport, age: 'Senior', gender: 'Male', gradeId: production.gradeId }
  return Number((await call('POST', '/v1/competitions', { name: `${sport} cup`, ...about })).body.id)
}

test('[issue 18.1] a copy of a profile has its theme, room, values, sponsor slots and game plan, and goes its own way', async () => {
  const before = (await call('GET', one)).body
  const copied = await call('POST', `${one}/copy`, { name: 'Second screen' })
  expect(copied.status).toBe(201)
  const { id, name, isDefault, updatedAt, ...rest } = copied.body
  expect([name, isDefault]).toEqual(['Second screen', false])
  expect(before).toMatchObject(rest)
  const mine = `${placeOf(production.competitionId)}/${id}/game-plan`
  const { rules } = (await call('GET', `${one}/game-plan`)).body
  expect((await call('GET', mine)).body).toMatchObject({ competitionThemeSettingId: id, rules })
  const { slots } = (await call('GET', `${one}/sponsor-slots`)).body as { slots: { id: string }[] }
  expect(slots.map((slot) => slot.id)).toEqual(['match-partners', 'kit-partner'])
  const its = await call('GET', `${placeOf(production.competitionId)}/${id}/sponsor-slots`)
  expect(its.body).toMatchObject({ competitionThemeSettingId: id, slots })
  await call('PUT', mine, { rules: [] })
  expect((await call('GET', `${one}/game-plan`)).body.rules).toEqual(rules)
  expect((await call('GET', one)).body).toEqual(before)
})

test('into another competition of the sport: there it may be the default', async () => {
  const cup = await competition('football')
  const { body } = await call('POST', `${one}/copy`, { competitionId: cup })
  expect(body).toMatchObject({ competitionId: cup, isDefault: true, name: 'Full graphics' })
  expect((await call('GET', `${placeOf(cup)}/${body.id}/game-plan`)).body.rules).toHaveLength(1)
})

test('rules of a sport do not go to another one, and nothing to strangers', async () => {
  const cup = await competition('tennis')
  const refused = await call('POST', `${one}/copy`, { competitionId: cup })
  expect([refused.status, Object.keys(refused.body.details as object)]).toEqual([400, ['body.competitionId']])
  expect((await call('POST', `${one}/copy`, { competitionId: stranger.competitionId })).status).toBe(403)
  expect((await stranger.call('POST', `${one}/copy`, {})).status).toBe(403)
  expect((await call('GET', placeOf(cup))).body).toEqual([])
  await call('PUT', `${one}/game-plan`, { rules: [] })
  expect((await call('POST', `${one}/copy`, { competitionId: cup })).status).toBe(201)
})
