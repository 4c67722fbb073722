import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { badFields } from './roster-support.ts'
import { type Production, produce, startProduction } from './support.ts'

let production: Production
beforeAll(async () => {
  production = await startProduction()
})
afterAll(() => production.close())

type Item = { id?: number } & Record<string, unknown>

/** How each kind is written in batches: a whole new one, a change, and a fault with its path. */
const KINDS: readonly {
  path: string
  member: string
  made: (name: string) => Item
  changed: Item
  wrong: (name: string) => Item
  faults: readonly string[]
}[] = [
  {
    ...{ path: '/v1/venues', member: 'venues', changed: { city: 'Bergen', name: 'Changed Arena' } },
    ...{ made: (name) => ({ name }), wrong: () => ({ timezone: 'Mars/Base' }), faults: ['timezone', 'name'] },
  },
  {
    ...{ path: '/v1/officials', member: 'officials', changed: { role: 'umpire' } },
    made: (lastName) => ({ firstName: 'Ida', lastName }),
    ...{ wrong: () => ({ firstName: 'Ida', role: 'coach' }), faults: ['role', 'lastName'] },
  },
  {
    ...{ path: '/v1/teams/clubs', member: 'clubs', changed: { primaryTextColor: '#123' } },
    ...{ made: (name) => ({ name }), wrong: () => ({ name: 'Short' }), faults: ['name'] },
  },
  {
    ...{ path: '/v1/teams', member: 'teams', changed: { abbreviation: 'CHG' } },
    ...{ made: (name) => ({ name, sport: 'football' }), wrong: (name) => ({ name }), faults: ['sport'] },
  },
  {
    ...{ path: '/v1/competitions', member: 'competitions', changed: { gfxName: 'Changed' } },
    made: (name) => ({ name, sport: 'football', age: 'Senior', gender: 'Mixed', gradeId: production.gradeId }),
    wrong: (name) => ({ name, sport: 'football' }),
    faults: ['age', 'gender', 'gradeId'],
  },
]

describe.each(KINDS)('[show-control: Records] [issue 21.5] $member in one request', (kind) => {
  const { path, member, made, changed, wrong, faults } = kind
  const send = (items: readonly object[], call = production.call) => call('POST', `${path}/batch`, { [member]: items })
  const total = async () => Number((await production.call('GET', `${path}?limit=1`)).body.total)

  it('are made and changed together, and answered in the order of the request', async () => {
    const first = await send([made(`First ${member}`), made(`Second ${member}`)])
    expect(first.status, JSON.stringify(first.body)).toBe(200)
    const [one, two] = first.body[member] as { id: number }[]
    const second = await send([{ id: two?.id, ...changed }, made(`Third ${member}`)])
    expect(second.body[member]).toMatchObject([{ id: two?.id, ...changed }, shown(made(`Third ${member}`))])
    const read = await production.call('GET', `${path}/${one?.id}`)
    expect(read.body).toEqual((first.body[member] as object[])[0])
    const events = await production.server.database.sql`
      select events->0->>'type' as type from journal where command_id = (
        select command_id from journal where ref like ${`%/${two?.id}`} order by at desc limit 1)`
    // each has its own row in the journal
    expect(events.length).toBe(2)
  })

  it('all of them or none: each fault is told where it is', async () => {
    const before = await total()
    const answer = await send([made(`Fine ${member}`), wrong(`Wrong ${member}`)])
    expect([answer.status, Object.keys(answer.body.details as object).sort()]).toEqual([
      400,
      faults.map((field) => `body.${member}[1].${field}`).sort(),
    ])
    const gone = { id: 2_147_483_647, ...changed }
    const missing = await send([made(`Fine ${member}`), gone, made(`Fine too ${member}`)])
    expect(badFields(missing)).toEqual([400, [`body.${member}[1]`]])
    const others = await produce(production.server)
    const [foreign] = (await send([made(`Foreign ${member}`)], others.call)).body[member] as { id: number }[]
    expect((await send([made(`Fine ${member}`), { id: foreign?.id, ...changed }])).status).toBe(403)
    expect(badFields(await send([]))).toEqual([400, [`body.${member}`]])
    expect(badFields(await send(Array.from({ length: 201 }, (_, index) => made(`Many ${member} ${index}`))))).toEqual([
      400,
      [`body.${member}`],
    ])
    expect(await total()).toBe(before)
  })

  it('[contract: Idempotency-Key] sent again after a lost answer, they are made once', async () => {
    const headers = { 'Idempotency-Key': randomUUID() }
    const body = { [member]: [made(`Once ${member}`)] }
    const again = () => production.server.call('POST', `${path}/batch`, { key: production.apiKey, headers, body })
    const before = await total()
    const answers = await Promise.all([again(), again()])
    expect((await again()).body).toEqual(answers.find(({ status }) => status === 200)?.body)
    expect(await total()).toBe(before + 1)
  })
})

it('[show-control: Records] [issue 21.5] teams that are there are put into competitions, once for each however often it is named', async () => {
  const { call, gradeId, server } = production
  const post = async (path: string, body: object) => Number((await call('POST', path, body)).body.id)
  const league = (name: string) =>
    post('/v1/competitions', { name, sport: 'football', age: 'Senior', gender: 'Mixed', gradeId })
  const [one, two] = [await league('Batch League'), await league('Batch Cup 2027')]
  const team = await post('/v1/teams', { name: 'Batch Rovers', sport: 'football', competitionIds: [one] })
  // as many as a body may hold: with statements for each of them the caller is told to try again
  const competitionIds = Array.from({ length: 1_000 }, (_, index) => (index % 2 === 0 ? one : two))
  const others = Array.from({ length: 199 }, (_, index) => ({ name: `Batch Team ${index}`, sport: 'football' }))
  const made = await call('POST', '/v1/teams/batch', { teams: others })
  const ids = (made.body.teams as { id: number }[]).map(({ id }) => id)
  const items = [team, ...ids].map((id) => ({ id, competitionIds }))
  expect((await call('POST', '/v1/teams/batch', { teams: items })).status).toBe(200)
  for (const id of [one, two]) expect((await call('GET', `/v1/competitions/${id}/teams`)).body.count).toBe(items.length)
  const journaled = await server.database.sql<{ events: object[] }[]>`
    select events from journal where ref = any(${[`competition/${one}`, `competition/${two}`]}) and command->>'type' = 'addTeam'`
  // the first team was in the first one before
  expect(journaled.length).toBe(2 * items.length - 1)
  expect(journaled.map(({ events }) => events)).toContainEqual([
    { type: 'competition.teamAdded', competitionId: two, teamId: team },
  ])
})

const shown = ({ age: _, gender: __, gradeId: ___, ...item }: Item) => item

describe('[show-control: Records] [issue 21.5] fixtures in one request', () => {
  const match = (date: string, more: object = {}) => {
    const { competitionId, teamIds } = production
    const [homeTeamId, awayTeamId] = teamIds
    return { competitionId, homeTeamId, awayTeamId, date, ...more }
  }
  const send = (matches: readonly object[]) => production.call('POST', '/v2/matches/batch', { matches })
  const total = async () => Number((await production.call('GET', '/v2/matches?limit=1')).body.total)

  it('are matches like any other: with facts, their desks and a journal from the first row', async () => {
    const answer = await send([match('2027-03-06T17:00:00Z', { round: 'Round 1' }), match('2027-03-13T17:00:00Z')])
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    const made = answer.body.matches as { id: number; round: string | null; deskUrl: string }[]
    expect(made.map(({ round }) => round)).toEqual(['Round 1', null])
    expect(new Set(made.map(({ deskUrl }) => deskUrl)).size).toBe(2)
    for (const { id } of made) {
      expect((await production.call('POST', `/v2/matches/${id}/facts`, { type: 'matchStart' })).status).toBe(201)
      const rows = await production.server.database
        .sql`select seq::int from journal where ref = ${`match/${id}`} order by seq`
      expect(rows.map(({ seq }) => seq)).toEqual([0, 1])
    }
  })

  it('all of them or none: each fault is told where it is', async () => {
    const before = await total()
    const [homeTeamId] = production.teamIds
    const answer = await send([
      match('2027-04-06T17:00:00Z'),
      match('2027-04-07T17:00:00Z', { awayTeamId: homeTeamId }),
      match('2027-04-08T17:00:00Z', { venueId: 2_147_483_647 }),
    ])
    expect(badFields(answer)).toEqual([400, ['body.matches[1].awayTeamId', 'body.matches[2]']])
    expect(badFields(await send([match('2027-04-06T17:00:00Z'), match('soon')]))).toEqual([
      400,
      ['body.matches[1].date'],
    ])
    expect(await total()).toBe(before)
  })

  it('100 in one request, and not one more', async () => {
    const before = await total()
    const many = (count: number) =>
      Array.from({ length: count }, (_, day) => match(new Date(Date.UTC(2028, 0, 1 + day, 15)).toISOString()))
    expect((await send(many(100))).status).toBe(200)
    expect(badFields(await send(many(101)))).toEqual([400, ['body.matches']])
    expect(await total()).toBe(before + 100)
  })
})
