import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROVIDERS } from '../../src/schema/provider.ts'
import { newOrganization, startApp, type TestApp, type TestOrganization } from '../support/app.ts'

const lists = [
  ['/v2/matches', 'matches', 'match'],
  ['/v1/matches', 'matches', 'match'],
  ['/v1/competitions', 'competitions', 'competition'],
  ['/v1/venues', 'venues', 'venue'],
  ['/v1/teams', 'teams', 'team'],
  ['/v1/players', 'players', 'player'],
  ['/v1/officials', 'officials', 'official'],
] as const

/** Of each kind: two of `custom`, one of `opta` with the id of the first, one of our own. */
const MARKS: readonly ([string, string] | null)[] = [['custom', 'x1'], ['custom', 'x2'], ['opta', 'x1'], null]

let app: TestApp
let mine: TestOrganization
let theirs: TestOrganization

async function records({ id, key }: TestOrganization) {
  const { sql } = app.database
  for (const [index, mark] of MARKS.entries()) {
    const [provider, providerId] = mark ?? [null, null]
    await sql`insert into venue (organization_id, name, provider_name, provider_id)
      values (${id}, ${`Venue number ${index}`}, ${provider}, ${providerId})`
    await sql`insert into player (organization_id, first_name, last_name, provider_name, provider_id)
      values (${id}, 'A', 'B', ${provider}, ${providerId})`
    await sql`insert into official (organization_id, first_name, last_name, provider_name, provider_id)
      values (${id}, 'A', 'B', ${provider}, ${providerId})`
    const [competition] = await sql<{ id: number }[]>`
      insert into competition (organization_id, name, sport, provider_name, provider_id)
      values (${id}, ${`Competition ${index}`}, 'football', ${provider}, ${providerId}) returning id`
    const teams = await sql<{ id: number }[]>`
      insert into team (organization_id, name, sport, provider_name, provider_id)
      values (${id}, ${`Team number ${index}`}, 'football', ${provider}, ${providerId}) returning id`
    const [rival] = await sql<{ id: number }[]>`
      insert into team (organization_id, name, sport) values (${id}, ${`Rival number ${index}`}, 'football') returning id`
    const sides = [teams[0]?.id ?? 0, rival?.id ?? 0]
    await sql`insert into competition_team (competition_id, team_id)
      select ${competition?.id ?? 0}, unnest(${sides}::int[])`
    const made = await app.call('POST', '/v2/matches', {
      key,
      body: {
        competitionId: competition?.id,
        date: '2026-12-01T12:00:00Z',
        homeTeamId: sides[0],
        awayTeamId: sides[1],
      },
    })
    expect(made.status).toBe(200)
    await sql`update match set provider_name = ${provider}, provider_id = ${providerId} where id = ${Number(made.body.id)}`
  }
}

beforeAll(async () => {
  app = await startApp()
  mine = await newOrganization(app.database)
  theirs = await newOrganization(app.database)
  await records(mine)
  await records(theirs)
})
afterAll(() => app.close())

it('[domain 5.1] ProviderName is one closed list of 18', () => {
  expect(PROVIDERS).toHaveLength(18)
  expect(new Set(PROVIDERS).size).toBe(18)
  expect(PROVIDERS.slice(0, 3)).toEqual(['opta', 'statsPerform', 'sportradar'])
})

describe.each(lists)('[Players 8] %s', (path, key, table) => {
  type Item = { id: number; dataProvider?: { name: string; id: string } }
  const read = async (query: string) => {
    const { status, body } = await app.call('GET', `${path}?${query}`, { key: mine.key })
    expect(status).toBe(200)
    return { items: body[key] as Item[], total: body.total, returned: body.returned }
  }
  const providers = async (query: string) => (await read(query)).items.map(({ dataProvider }) => dataProvider)

  it("lists all of a provider by id with dataProvider, and only the organization's own", async () => {
    const { items, total, returned } = await read('providerName=custom')
    expect(items.map(({ dataProvider }) => dataProvider)).toEqual([
      { name: 'custom', id: 'x1' },
      { name: 'custom', id: 'x2' },
    ])
    expect([total, returned]).toEqual([2, 2])
    const own = await app.database.sql<{ id: number }[]>`
      select id from ${app.database.sql(table)} where organization_id = ${mine.id} and provider_name = 'custom' order by id`
    expect(items.map(({ id }) => id)).toEqual(own.map(({ id }) => id))
    expect(await providers('providerName=sportradar')).toEqual([])
  })

  it('leaves dataProvider out of records of our own', async () => {
    const { items } = await read('')
    expect(items.filter((item) => !('dataProvider' in item)).length).toBeGreaterThan(0)
  })

  it('narrows to ids of the provider; one that the organization does not have is absent', async () => {
    expect(await providers('providerName=custom&providerIds=x2')).toEqual([{ name: 'custom', id: 'x2' }])
    expect(await providers('providerName=custom&providerIds=x2,nope,x1')).toHaveLength(2)
    expect(await providers('providerName=opta&providerIds=x1,x2')).toEqual([{ name: 'opta', id: 'x1' }])
    expect(await providers('providerName=custom&providerIds=nope')).toEqual([])
    const page = await read('providerName=custom&providerIds=x1,x2&limit=1&offset=1')
    expect([page.items.map(({ dataProvider }) => dataProvider?.id), page.total, page.returned]).toEqual([['x2'], 2, 1])
  })

  it('takes 1 and 100 ids, and refuses 101', async () => {
    const ids = (count: number) => Array.from({ length: count }, (_, index) => `x${index}`).join(',')
    expect(await providers(`providerName=custom&providerIds=${ids(100)}`)).toHaveLength(2)
    const { status, body } = await app.call('GET', `${path}?providerName=custom&providerIds=${ids(101)}`, {
      key: mine.key,
    })
    expect([status, Object.keys(body.details ?? {})]).toEqual([400, ['query.providerIds']])
  })

  it.each([
    ['providerIds without providerName', 'providerIds=x1', 'query.providerIds'],
    ['an unknown provider', 'providerName=nobody', 'query.providerName'],
    ['the case of another', 'providerName=Custom', 'query.providerName'],
    ['no name', 'providerName=', 'query.providerName'],
    ['no ids', 'providerName=custom&providerIds=', 'query.providerIds'],
  ])('refuses %s', async (_what, query, field) => {
    const { status, body } = await app.call('GET', `${path}?${query}`, { key: mine.key })
    expect([status, Object.keys(body.details ?? {})]).toEqual([400, [field]])
  })
})
