import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customConnector } from '../../src/providers/custom.ts'
import { retryAfter } from '../../src/providers/patience.ts'
import { feedJsonSchema } from '../../src/resources/providers/feed.schema.ts'
import { createOutbound } from '../../src/store/outbound.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { feedServer, json, league } from './feed-server.ts'
import { connected, HASTE, localConnector, syncing } from './rig.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const teamsOf = async (organizationId: number) =>
  (await database.sql`select from team where organization_id = ${organizationId}`).length
const limits = { pageBytes: 100_000, pages: 3, feedBytes: 150_000, pageMs: 5_000 }

describe('[Providers] the JSON Schema of the feed', () => {
  it('is 2020-12, accepts what a sync takes and refuses what a sync refuses', () => {
    const schema = feedJsonSchema()
    expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema')
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema)
    expect(validate(league())).toBe(true)
    for (const bad of [
      {},
      { version: 2 },
      { version: 1, extra: true },
      { version: 1, teams: [{ id: 't', name: 'Long enough', sport: 'chess' }] },
      { version: 1, teams: [{ id: 't', name: 'Short', sport: 'football' }] },
      { version: 1, players: [{ id: 'a,b', firstName: 'A', lastName: 'B' }] },
    ])
      expect(validate(bad)).toBe(false)
  })
})

describe('a feed that is not right', () => {
  it('is refused as a whole, and each bad value is named by its path', async () => {
    const feed = await feedServer()
    const { organization, id } = await connected(database, feed.url)
    const bad = league()
    Object.assign(bad.teams[1] ?? {}, { name: 'Short', sport: 'chess', surprise: 1 })
    Object.assign(bad.players[0] ?? {}, { firstName: '' })
    feed.serve(bad)
    const report = await syncing(database).failed(id)
    expect(report.error).toBe('the feed was refused: nothing of it was taken')
    expect(report.details).toEqual([
      'players[0].firstName: 1 to 35 characters',
      'teams[1].name: 6 to 39 characters',
      expect.stringContaining('teams[1].sport: '),
      expect.stringContaining('teams[1]: '),
    ])
    expect(await teamsOf(organization.id)).toBe(0)
  })

  it.each<[string, (feed: ReturnType<typeof league>) => unknown, string]>([
    [
      'an id twice',
      (feed) => feed.players.push({ ...feed.players[0], id: 'p1' } as never),
      'players[3].id: "p1" is there twice',
    ],
    [
      'an unknown team',
      (feed) => Object.assign(feed.matches[0]?.competitors[1] ?? {}, { id: 'nobody' }),
      'matches[0].competitors[1].id: there is no team "nobody"',
    ],
    [
      'an unknown player',
      (feed) => Object.assign(feed.teams[0]?.roster?.[1] ?? {}, { playerId: 'x' }),
      'teams[0].roster[1].playerId: there is no player "x"',
    ],
    [
      'an unknown grade',
      (feed) => Object.assign(feed.competitions[0] ?? {}, { grade: 'Galactic' }),
      'competitions[0].grade: there is no grade "Galactic"',
    ],
    [
      'a team against itself',
      (feed) => Object.assign(feed.matches[0]?.competitors[1] ?? {}, { id: 't1' }),
      'matches[0].competitors[1].id: "team t1" is there twice',
    ],
  ])('with %s takes nothing', async (_what, spoil, line) => {
    const feed = await feedServer()
    const { organization, id } = await connected(database, feed.url)
    const bad = league()
    spoil(bad)
    feed.serve(bad)
    expect((await syncing(database).failed(id)).details).toEqual([line])
    expect(await teamsOf(organization.id)).toBe(0)
  })

  it.each([
    ['no JSON', '{"version": 1', 'Malformed JSON body'],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'The body is not UTF-8'],
    [
      'NUL',
      '{"version":1,"players":[{"id":"p","firstName":"a\\u0000","lastName":"b"}]}',
      'players[0].firstName: NUL characters and lone surrogates are refused',
    ],
    [
      'half a surrogate pair',
      '{"version":1,"players":[{"id":"p","firstName":"a\\ud800","lastName":"b"}]}',
      'players[0].firstName: NUL characters and lone surrogates are refused',
    ],
    ['very deep nesting', '['.repeat(100) + ']'.repeat(100), 'The body is nested deeper than 64 levels'],
  ])('because it holds %s is refused', async (_what, body, line) => {
    const feed = await feedServer()
    const { id } = await connected(database, feed.url)
    feed.answer((_request, response) => void response.writeHead(200, json).end(body))
    expect((await syncing(database).failed(id)).details).toEqual([line])
  })

  it('keeps what an earlier sync brought, and the next good one goes on from there', async () => {
    const feed = await feedServer()
    const { organization, id } = await connected(database, feed.url)
    const run = syncing(database)
    feed.serve(league())
    await run.done(id)
    feed.serve({ version: 1, teams: [{ id: 't1' }] })
    await run.failed(id)
    expect(await teamsOf(organization.id)).toBe(3)
    const [row] = await database.sql`select failures, last_error from provider_connection where id = ${id}`
    expect(row).toEqual({ failures: 1, last_error: 'the feed was refused: nothing of it was taken' })
    feed.serve(league())
    expect((await run.done(id)).counts.teams.unchanged).toBe(3)
    const [after] = await database.sql`select failures, last_error from provider_connection where id = ${id}`
    expect(after).toEqual({ failures: 0, last_error: null })
  })
})

describe('pages', () => {
  it('are followed on the same origin and make one feed; a reference may lead to another page', async () => {
    const feed = await feedServer()
    const { organization, id } = await connected(database, feed.url)
    const { players, ...rest } = league()
    feed.serve({ ...rest, next: '/feed/players?page=2' })
    feed.serve({ version: 1, players }, '/feed/players?page=2')
    const { counts } = await syncing(database).done(id)
    expect([counts.players.created, counts.rosters.created]).toEqual([3, 3])
    expect(await teamsOf(organization.id)).toBe(3)
  })

  it.each([
    ['leave the origin', 'http://127.0.0.2/feed', 'next: must be a URL on the same origin'],
    ['go in a circle', '/feed', undefined],
  ])('that %s are refused', async (_what, next, line) => {
    const feed = await feedServer()
    const { id } = await connected(database, feed.url)
    feed.serve({ version: 1, next })
    const report = await syncing(database).failed(id)
    expect(line ? report.details : report.error).toEqual(line ? [line] : 'page 2 of the feed repeats an earlier one')
  })

  it.each([
    ['a page that is too large', (page: number) => (page === 1 ? 100_001 : 10), 'more than 100000 bytes'],
    ['pages that are too large together', () => 60_000, 'the feed has more than 150000 bytes'],
    ['too many pages', () => 10, 'the feed has more than 3 pages'],
  ])('end at %s', async (_what, size, message) => {
    const feed = await feedServer()
    const { id } = await connected(database, feed.url)
    for (let page = 1; page <= 5; page++)
      feed.answer(
        (_request, response) => {
          const body = JSON.stringify({ version: 1, next: `/feed${page + 1}` })
          response.writeHead(200, json).end(body.padEnd(size(page)))
        },
        page === 1 ? '/feed' : `/feed${page}`,
      )
    expect((await syncing(database, localConnector(limits)).failed(id)).error).toBe(message)
  })
})

describe('a provider that', () => {
  it.each([
    [429, { 'retry-after': '0' }],
    [503, { 'retry-after': '1' }],
    [500, {}],
  ])('answers %i twice is asked again, after what Retry-After says', async (status, headers) => {
    const feed = await feedServer()
    const { id } = await connected(database, feed.url)
    const at: number[] = []
    feed.answer((_request, response) => {
      at.push(performance.now())
      if (at.length < 3) response.writeHead(status, headers).end()
      else response.writeHead(200, json).end(JSON.stringify(league()))
    })
    expect((await syncing(database).done(id)).counts.teams.created).toBe(3)
    expect(at).toHaveLength(3)
    if (status === 503) expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThan(950)
  })

  it('stays broken is asked four times and then later, ever later', async () => {
    const feed = await feedServer()
    const { id } = await connected(database, feed.url)
    feed.answer((_request, response) => void response.writeHead(502).end())
    const run = syncing(database)
    const waits: number[] = []
    for (let failure = 1; failure <= 3; failure++) {
      expect((await run.failed(id)).error).toBe('the provider answered 502')
      const [row] = await database.sql<{ wait: number }[]>`
        select extract(epoch from due_at - last_finished_at)::float8 as wait from provider_connection where id = ${id}`
      waits.push(Math.round(row?.wait ?? 0))
    }
    expect(feed.requests).toHaveLength(12)
    expect(waits).toEqual([30, 60, 120])
  })

  it('wants to be left alone for long is left alone for so long', async () => {
    const feed = await feedServer()
    const { id } = await connected(database, feed.url)
    feed.answer((_request, response) => void response.writeHead(429, { 'retry-after': '3600' }).end())
    await syncing(database).failed(id)
    expect(feed.requests).toHaveLength(1)
    const [row] = await database.sql<{ wait: number }[]>`
      select extract(epoch from due_at - last_finished_at)::float8 as wait from provider_connection where id = ${id}`
    expect(row?.wait).toBeCloseTo(3600, 0)
  })

  it.each([401, 403, 404, 410])('answers %i is not asked again', async (status) => {
    const feed = await feedServer()
    const { id } = await connected(database, feed.url)
    feed.answer((_request, response) => void response.writeHead(status).end())
    expect((await syncing(database).failed(id)).error).toBe(`the provider answered ${status}`)
    expect(feed.requests).toHaveLength(1)
  })

  it('is too slow is given up', async () => {
    const feed = await feedServer()
    const { id } = await connected(database, feed.url)
    feed.answer((_request, response) => void response.writeHead(200, json).write('{'))
    const connector = localConnector({ ...limits, pageMs: 100 })
    expect((await syncing(database, connector).failed(id)).error).toBe('no complete answer within 100 ms')
    expect(feed.requests).toHaveLength(4)
  })

  it('is in our own network, or redirects there, is refused unless the configuration allows it', async () => {
    const feed = await feedServer()
    feed.serve(league())
    const { organization, id } = await connected(database, feed.url)
    const connector = customConnector(createOutbound(), HASTE)
    const report = await syncing(database, connector).failed(id)
    expect(report.error).toBe('127.0.0.1 is not an address of the public internet; OUTBOUND_PRIVATE=on allows it')

    const inside = await feedServer()
    inside.serve(league())
    feed.answer(
      (_request, response) =>
        void response.writeHead(302, { location: inside.url.replace('127.0.0.1', '127.0.0.2') }).end(),
    )
    const half = customConnector(createOutbound({ permits: (address) => address === '127.0.0.1' }), HASTE)
    expect((await syncing(database, half).failed(id)).error).toContain('127.0.0.2 is not an address of')
    expect(inside.requests).toEqual([])
    expect(await teamsOf(organization.id)).toBe(0)
  })
})

it.each([
  [undefined, 0],
  ['7', 7_000],
  ['0', 0],
  ['999999999', 86_400_000],
  ['Fri, 20 Nov 2026 12:00:05 GMT', 5_000],
  ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
  ['soon', 0],
])('Retry-After %j means %i ms', (header, ms) => {
  expect(retryAfter(header, Date.parse('2026-11-20T12:00:00Z'))).toBe(ms)
})
