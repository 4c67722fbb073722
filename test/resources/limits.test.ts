import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Answer } from '../support/app.ts'
import { type Production, startProduction } from './support.ts'

let production: Production
let teamId: number
let playerId: number

beforeAll(async () => {
  production = await startProduction()
  teamId = production.teamIds[0] ?? 0
  playerId = production.playerIds[teamId]?.[0] ?? 0
})
afterAll(() => production.close())

type Send = (field: object) => Promise<Answer>

const competition = { name: 'Winter Cup', sport: 'football', age: 'Senior', gender: 'Female' }
const createCompetition: Send = (field) =>
  production.call('POST', '/v1/competitions', { ...competition, gradeId: production.gradeId, ...field })
const updateCompetition: Send = (field) =>
  production.call('PATCH', `/v1/competitions/${production.competitionId}`, field)
const createTeam: Send = (field) =>
  production.call('POST', '/v1/teams', { name: 'Harbour United', sport: 'football', ...field })
const updateTeam: Send = (field) => production.call('PATCH', `/v1/teams/${teamId}`, field)
const addPlayer: Send = (field) =>
  production.call('POST', `/v1/teams/${teamId}/players`, { firstName: 'Ola', lastName: 'Berg', ...field })
const updatePlayer: Send = (field) => production.call('PATCH', `/v1/teams/${teamId}/players/${playerId}`, field)
const createOverlay: Send = (field) =>
  production.call('POST', '/v1/overlays', { name: 'Clean feed', matchId: production.matchId, ...field })
const updateOverlay: Send = (field) => production.call('PATCH', `/v1/overlays/${production.overlay.id}`, field)

/** The table "Limits" of the specification, as it is written there. */
const LENGTHS: [string, string, number, number, Send][] = [
  ['competition create', 'name', 6, 39, createCompetition],
  ['competition update', 'name', 6, 39, updateCompetition],
  ['competition create', 'gfxName', 6, 19, createCompetition],
  ['competition update', 'gfxName', 6, 19, updateCompetition],
  ['team create', 'name', 6, 39, createTeam],
  ['team update', 'name', 6, 39, updateTeam],
  ['team create', 'gfxName', 6, 19, createTeam],
  ['team update', 'gfxName', 6, 19, updateTeam],
  ['team create', 'gfxFullName', 6, 35, createTeam],
  ['team update', 'gfxFullName', 6, 35, updateTeam],
  ['team create', 'abbreviation', 2, 4, createTeam],
  ['team update', 'abbreviation', 2, 4, updateTeam],
  ['roster add', 'firstName', 1, 35, addPlayer],
  ['roster update', 'firstName', 1, 35, updatePlayer],
  ['roster add', 'lastName', 1, 35, addPlayer],
  ['roster update', 'lastName', 1, 35, updatePlayer],
  ['roster add', 'gfxFirstName', 1, 16, addPlayer],
  ['roster update', 'gfxFirstName', 1, 16, updatePlayer],
  ['roster add', 'gfxLastName', 1, 16, addPlayer],
  ['roster update', 'gfxLastName', 1, 16, updatePlayer],
  ['roster add', 'number', 0, 3, addPlayer],
  ['roster update', 'number', 0, 3, updatePlayer],
  ['roster add', 'position', 1, 255, addPlayer],
  ['roster update', 'position', 1, 255, updatePlayer],
  ['roster add', 'positionType', 1, 255, addPlayer],
  ['roster update', 'positionType', 1, 255, updatePlayer],
  ['overlay create', 'name', 5, 42, createOverlay],
  ['overlay update', 'name', 5, 42, updateOverlay],
]

const expectRefused = (answer: Answer, key: string) => {
  expect([answer.status, answer.body.message]).toEqual([400, 'Validation Failed'])
  expect(Object.keys(answer.body.details as object)).toEqual([key])
}

describe.each([
  ['a', 'letters'],
  ['𝒜', 'characters of two code units'],
])('[limits] in %s (%s)', (character) => {
  test.each(LENGTHS)('%s: %s has %i to %i characters', async (_, field, least, most, send) => {
    for (const length of [least, most]) {
      const value = character.repeat(length)
      const answer = await send({ [field]: value })
      expect([length, answer.status < 300 || answer.body]).toEqual([length, true])
      if (field in answer.body) expect(answer.body[field]).toBe(value)
    }
    for (const length of [least - 1, most + 1].filter((one) => one >= 0))
      expectRefused(await send({ [field]: character.repeat(length) }), `body.${field}`)
  })
})

test.each([
  ['overlay create', createOverlay],
  ['overlay update', updateOverlay],
])('[limits] %s: encodingDelay is at most 60 and not negative', async (_, send) => {
  for (const encodingDelay of [0, 60]) expect((await send({ encodingDelay })).status).toBe(200)
  for (const encodingDelay of [-1, 61]) expectRefused(await send({ encodingDelay }), 'body.encodingDelay')
})

test.each(['matches', 'competitions', 'venues', 'teams', 'officials', 'players'])(
  '[limits] GET /v1/%s takes at most 100 providerIds, and only with providerName',
  async (plural) => {
    await checkProviderIds(`/v1/${plural}`)
  },
)

test('[limits] GET /v2/matches takes at most 100 providerIds, and only with providerName', async () => {
  await checkProviderIds('/v2/matches')
})

async function checkProviderIds(path: string) {
  const ids = (count: number) => Array.from({ length: count }, (_, i) => `p${i}`).join(',')
  const get = (query: string) => production.call('GET', `${path}?${query}`)
  for (const count of [1, 100]) {
    const answer = await get(`providerName=opta&providerIds=${ids(count)}`)
    expect([answer.status, answer.body.total, answer.body.returned]).toEqual([200, 0, 0])
  }
  expectRefused(await get(`providerName=opta&providerIds=${ids(101)}`), 'query.providerIds')
  expectRefused(await get(`providerIds=${ids(1)}`), 'query.providerIds')
  expectRefused(await get('providerName=nobody'), 'query.providerName')
}

test('[limits] a logo has 1 to 512,000 bytes and is declared as PNG or JPEG', async () => {
  const open: Send = (field) =>
    production.call('POST', `/v1/teams/${teamId}/logo/uploads`, {
      contentType: 'image/png',
      size: 1_000,
      sha256: 'a'.repeat(64),
      ...field,
    })
  for (const field of [{ size: 1 }, { size: 512_000 }, { contentType: 'image/jpeg' }])
    expect((await open(field)).status).toBe(200)
  for (const size of [0, 512_001]) expectRefused(await open({ size }), 'body.size')
  expectRefused(await open({ contentType: 'image/gif' }), 'body.contentType')
  for (const length of [63, 65]) expectRefused(await open({ sha256: 'a'.repeat(length) }), 'body.sha256')
  expectRefused(await open({ sha256: 'A'.repeat(64) }), 'body.sha256')
})

test.each(['competitions', 'teams', 'players', 'venues', 'officials', 'matches'])(
  '[contract] GET /v1/%s returns 100 unless asked, at most 1000, from offset 0',
  async (plural) => {
    const path = `/v1/${plural}`
    for (const query of ['limit=1', 'limit=1000', 'offset=0', 'offset=2147483647'])
      expect((await production.call('GET', `${path}?${query}`)).status).toBe(200)
    for (const limit of ['0', '1001', '-1'])
      expectRefused(await production.call('GET', `${path}?limit=${limit}`), 'query.limit')
    for (const offset of ['-1', '2147483648'])
      expectRefused(await production.call('GET', `${path}?offset=${offset}`), 'query.offset')
  },
)
