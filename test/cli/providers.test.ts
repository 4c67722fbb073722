import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { json as asJson, feedServer, league } from '../providers/feed-server.ts'
import { admin as inProcess } from '../support/admin.ts'
import { newOrganization, startApp } from '../support/app.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { built, start } from '../support/process.ts'

let database: TestDatabase
let org: string
beforeAll(async () => {
  database = await testDatabase()
  org = String((await newOrganization(database)).id)
})
afterAll(() => database.drop())

const surroundings = (url: string) => ({ DATABASE_URL: url, OUTBOUND_PRIVATE: 'on' })

const admin = (args: readonly string[], { url = database.url, input = '' } = {}) =>
  inProcess(['providers', ...args], { environment: surroundings(url), input })
const json = async (args: readonly string[], options?: { url?: string; input?: string }) => {
  const { code, stdout, stderr } = await admin(args, options)
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}
const refusal = async (args: readonly string[], options?: { url?: string; input?: string }) => {
  const { code, stdout, stderr } = await admin(args, options)
  expect([code, stdout]).toEqual([1, ''])
  return stderr.trim().split('\n')
}
const connect = (url: string, ...rest: string[]) => [
  'connect',
  '--org',
  org,
  '--provider',
  'custom',
  '--url',
  url,
  ...rest,
]

describe('without a server', () => {
  it('providers connect, sync, list and disconnect work, and no answer shows the token or the query of the URL', async () => {
    const feed = await feedServer()
    feed.serve(league(), '/feed?key=hush')
    const made = await json(connect(`${feed.url}?key=hush`, '--interval', '1h', '--token-stdin'), {
      input: 'hush-token\n',
    })
    expect(made).toEqual({
      id: expect.any(Number),
      organizationId: Number(org),
      provider: 'custom',
      url: feed.url,
      intervalSeconds: 3_600,
      hasToken: true,
      syncing: false,
      loadedAt: null,
      dueAt: expect.any(String),
      lastSuccessAt: null,
      lastFinishedAt: null,
      lastError: null,
    })
    const id = String(made.id)
    const first = await json(['sync', '--id', id])
    expect(first).toMatchObject({
      connectionId: made.id,
      provider: 'custom',
      problems: [],
      counts: { teams: { created: 3, updated: 0, unchanged: 0, skipped: 0 }, matches: { created: 1 } },
    })
    expect(feed.requests[0]?.headers.authorization).toBe('Bearer hush-token')
    expect((await json(['sync', '--id', id])).counts.teams).toEqual({
      created: 0,
      updated: 0,
      unchanged: 3,
      skipped: 0,
    })
    const listed = await json(['list', '--org', org])
    expect(listed).toMatchObject([{ id: made.id, lastError: null, loadedAt: expect.any(String), syncing: false }])
    expect(JSON.stringify([made, first, listed])).not.toContain('hush')
    const journal = await database.sql`select * from journal where organization_id = ${Number(org)}`
    expect(JSON.stringify(journal)).not.toContain('hush')

    expect(await refusal(connect(feed.url))).toEqual([
      `custom is connected to organization ${org} already: disconnect it first`,
    ])
    expect(await json(['disconnect', '--id', id])).toEqual({ disconnected: true })
    expect(await json(['list'])).toEqual([])
    expect(
      await database.sql`select from team where organization_id = ${Number(org)} and provider_name = 'custom'`,
    ).toHaveLength(3)
    expect(await refusal(['sync', '--id', id])).toEqual([`There is no provider connection ${id}`])
  })

  it('a sync that fails says why, each bad value on a line of its own', async () => {
    const feed = await feedServer()
    feed.serve({ version: 1, teams: [{ id: 't', name: 'Short', sport: 'football' }], extra: 1 })
    const { id } = await json(connect(feed.url))
    expect(await refusal(['sync', '--id', String(id)])).toEqual([
      'the feed was refused: nothing of it was taken',
      expect.stringContaining('extra'),
    ])
    expect(await json(['list', '--org', org])).toMatchObject([
      { id, lastError: 'the feed was refused: nothing of it was taken' },
    ])
    await json(['disconnect', '--id', String(id)])
  })

  it.each([
    [['connect', '--org', '1', '--provider', 'opta', '--url', 'http://x.example/'], /^--provider: /],
    [
      ['connect', '--org', '999999', '--provider', 'custom', '--url', 'http://x.example/'],
      /^There is no organization 999999$/,
    ],
    [
      ['connect', '--org', '1', '--provider', 'custom', '--url', 'ftp://x.example/'],
      /^--url: must be an http or https URL$/,
    ],
    [
      ['connect', '--org', '1', '--provider', 'custom', '--url', 'http://u:p@x.example/'],
      /^--url: must not hold a user/,
    ],
    [
      ['connect', '--org', '1', '--provider', 'custom', '--url', 'http://x.example/', '--interval', '29s'],
      /^--interval: must be from 30s to 7d$/,
    ],
    [
      ['connect', '--org', '1', '--provider', 'custom', '--url', 'http://x.example/', '--interval', '8d'],
      /^--interval: must be from 30s to 7d$/,
    ],
    [
      ['connect', '--org', '1', '--provider', 'custom', '--url', 'http://x.example/', '--interval', 'soon'],
      /^--interval: must look like/,
    ],
    [['sync'], /^--id is missing$/],
    [['disconnect', '--id', '999999'], /^There is no provider connection 999999$/],
  ])('refuses %j', async (args, line) => {
    expect((await refusal(args))[0]).toMatch(line)
  })

  it('providers schema prints the JSON Schema of the feed', async () => {
    expect(await json(['schema', '--provider', 'custom'])).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Tally provider feed',
    })
  })
})

it('while a server runs it syncs, its overlays hear of it, and the schema is served at its stable address', async () => {
  const app = await startApp({ OUTBOUND_PRIVATE: 'on' })
  onTestFinished(() => app.close())
  const { url } = app.database
  const organization = await newOrganization(app.database)
  const feed = await feedServer()
  feed.serve(league())
  const { id } = await json(['connect', '--org', String(organization.id), '--provider', 'custom', '--url', feed.url], {
    url,
  })
  const report = await json(['sync', '--id', String(id)], { url })
  expect(report.counts.players.created + report.counts.players.unchanged).toBe(3)
  const { body } = await app.call('GET', '/v1/teams?providerName=custom', { key: organization.key })
  expect(body).toMatchObject({
    total: 3,
    teams: [{ name: 'Northern United', dataProvider: { name: 'custom', id: 't1' } }, {}, {}],
  })
  const metrics = await (await fetch(`${app.origin}/metrics`)).text()
  expect(metrics).toMatch(/tally_provider_syncs_total\{provider="custom",outcome="done"\} [12]/)
  expect(metrics).toMatch(/tally_providers_failing 0/)
  const schema = await app.call('GET', '/v2/schemas/providers/custom', { key: organization.key })
  expect([schema.status, schema.body.$schema]).toEqual([200, 'https://json-schema.org/draft/2020-12/schema'])
  expect((await app.call('GET', '/v2/schemas/providers/opta', { key: organization.key })).status).toBe(400)
})

it('[P7] a sync that is killed in the middle is made good by the next: the same as one that was not', async () => {
  const big = league()
  const [fixture] = big.matches
  if (!fixture) throw new Error('the league has a fixture')
  big.matches = Array.from({ length: 300 }, (_, index) => ({ ...fixture, id: `m${index}`, round: `Round ${index}` }))
  const feed = await feedServer()
  feed.answer((_request, response) => void response.writeHead(200, asJson).end(JSON.stringify(big)))
  const own = await testDatabase()
  onTestFinished(() => own.drop())
  const counted = async (organizationId: number) => {
    const [row] = await own.sql`
      select (select count(*)::int from match where organization_id = ${organizationId}) as matches,
        (select count(*)::int from team where organization_id = ${organizationId}) as teams,
        (select count(*)::int from player where organization_id = ${organizationId}) as players`
    return row
  }
  const connection = async () => {
    const organization = await newOrganization(own)
    const { id } = await json(
      ['connect', '--org', String(organization.id), '--provider', 'custom', '--url', feed.url],
      { url: own.url },
    )
    return { organizationId: organization.id, id: String(id) }
  }
  const content = (organizationId: number) => own.sql`
    select m.provider_id, m.round, m.starts_at, m.venue_id is not null as venue, count(c.*)::int as sides
    from match m join match_competitor c on c.match_id = m.id where m.organization_id = ${organizationId}
    group by 1, 2, 3, 4 order by 1`

  const [cut, whole] = [await connection(), await connection()]
  const running = start([built('run/admin.js'), 'providers', 'sync', '--id', cut.id, '--json'], surroundings(own.url))
  await vi.waitFor(async () => expect((await counted(cut.organizationId))?.matches).toBeGreaterThan(20), {
    timeout: 30_000,
    interval: 5,
  })
  running.kill('SIGKILL')
  await running.ended
  const left = await counted(cut.organizationId)
  expect(left?.matches).toBeLessThan(300)
  // the lease of the dead process
  await own.sql`update provider_connection set run_until = clock_timestamp() where id = ${Number(cut.id)}`
  const { counts } = await json(['sync', '--id', cut.id], { url: own.url })
  expect(counts.teams).toEqual({ created: 0, updated: 0, unchanged: 3, skipped: 0 })
  expect(counts.matches.created).toBe(300 - (left?.matches ?? 0))
  await json(['sync', '--id', whole.id], { url: own.url })
  expect(await counted(cut.organizationId)).toEqual({ matches: 300, teams: 3, players: 3 })
  expect(await content(cut.organizationId)).toEqual(await content(whole.organizationId))
})
