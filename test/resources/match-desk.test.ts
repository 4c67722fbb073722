import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { newKey } from '../support/app.ts'
import { type Production, startProduction } from './support.ts'

let production: Production
let desk: string

beforeAll(async () => {
  production = await startProduction()
  desk = await addressOf(production.matchId)
})
afterAll(() => production?.close())

const match = (below = '', matchId = production.matchId) => `/v2/matches/${matchId}${below}`

async function addressOf(matchId: number): Promise<string> {
  const { body } = await production.call('POST', match('/links/rotate', matchId), { links: ['desk'] })
  return String(body.deskUrl)
}

/** A request of the page, by its address alone. */
async function at(address: string, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${address}/rest${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }
}

test('[show-control] a match has a desk from its beginning, told to whoever may write to matches and to nobody else', async () => {
  const { server, organizationId } = production
  const { key: reader } = await newKey(server.database, organizationId, ['matches:read'])
  const told = (await production.call('GET', match())).body
  expect(String(told.deskUrl)).toMatch(/\/desk\/[\w-]{43}$/)
  expect((await production.call('GET', '/v1/matches')).body.matches).toMatchObject([{ deskUrl: told.deskUrl }])
  for (const path of [match(), `/v1/matches/${production.matchId}`]) {
    const { status, body } = await server.call('GET', path, { key: reader })
    expect([status, 'deskUrl' in body]).toEqual([200, false])
  }
  expect((await server.call('POST', match('/links/rotate'), { key: reader, body: { links: ['desk'] } })).status).toBe(
    403,
  )
  expect((await production.call('POST', match('/links/rotate'), { links: ['control'] })).status).toBe(400)
  expect((await production.call('POST', match('/links/rotate', 99_999), { links: ['desk'] })).status).toBe(404)
  const created = await production.call('POST', '/v2/matches', {
    competitionId: production.competitionId,
    homeTeamId: production.teamIds[0],
    awayTeamId: production.teamIds[1],
    date: '2031-05-01T12:00:00Z',
  })
  expect(String(created.body.deskUrl)).toMatch(/\/desk\/[\w-]{43}$/)
  expect((await at(String(created.body.deskUrl), 'GET', '/desk')).body.match.id).toBe(created.body.id)
  await production.call('DELETE', match('', Number(created.body.id)))
})

test('[show-control] a desk without an address is given one by whoever may have it, one however many read at once', async () => {
  const { sql } = production.server.database
  const { key: reader } = await newKey(production.server.database, production.organizationId, ['matches:read'])
  const { body } = await production.call('POST', '/v2/matches', {
    competitionId: production.competitionId,
    homeTeamId: production.teamIds[0],
    awayTeamId: production.teamIds[1],
    date: '2031-05-01T12:00:00Z',
  })
  const id = Number(body.id)
  // as the release before leaves a match
  await sql`delete from match_desk where id = ${id}`
  await production.server.call('GET', match('', id), { key: reader })
  expect(await sql`select from match_desk where id = ${id}`).toHaveLength(0)
  const paths = [match('', id), `/v1/matches/${id}`, match('', id), match('', id)]
  const read = await Promise.all(paths.map((path) => production.call('GET', path)))
  const urls = new Set(read.map((answer) => answer.body.deskUrl))
  expect(urls.size).toBe(1)
  const [url] = [...urls]
  expect((await production.call('GET', '/v2/matches?limit=1000')).body.matches).toContainEqual(
    expect.objectContaining({ id, deskUrl: url, deskOpenedAt: null }),
  )
  expect((await at(String(url), 'GET', '/desk')).body.match.id).toBe(id)
  await production.call('DELETE', match('', id))
})

test('[issue 21.6] the first telephone at a desk is noted, and one at a new address anew', async () => {
  const opened = async () => (await production.call('GET', match())).body.deskOpenedAt
  expect(await opened()).toBe(null)
  const open = async () => {
    const { socket } = await listening(`${desk.replace('http', 'ws')}/socket`)
    const first = await vi.waitFor(async () => {
      const moment = await opened()
      expect(Date.parse(String(moment))).toBeGreaterThan(Date.now() - 60_000)
      return moment
    })
    socket.close()
    return first
  }
  expect([await open(), await open()]).toEqual(Array(2).fill(await opened()))
  desk = await addressOf(production.matchId)
  expect(await opened()).toBe(null)
  await open()
})

test('[show-control] the desk reads its match whole, and with since only what changed', async () => {
  const { status, body, headers } = await at(desk, 'GET', '/desk')
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(body.match).toMatchObject({ id: production.matchId, sport: 'football', state: 'scheduled', declared: null })
  expect(body.teams.map(({ id }: { id: number }) => id)).toEqual(production.teamIds)
  expect(body.teams[0].roster.length).toBeGreaterThan(11)
  expect(body.teams[0].lineup).toMatchObject({ teamId: production.teamIds[0] })
  await at(desk, 'POST', '/facts', { type: 'periodStart' })
  const first = await at(desk, 'GET', '/desk')
  expect(first.body.facts).toMatchObject([{ type: 'periodStart', source: 'app' }])
  const since = new Date(Date.parse(first.body.facts[0].updatedAt) + 1).toISOString()
  const nothing = await at(desk, 'GET', `/desk?since=${since}`)
  expect([nothing.body.facts, nothing.body.factIds]).toEqual([[], first.body.factIds])
})

test('[show-control] a press counts when it was pressed, once however often it is sent, and never in the future', async () => {
  const [teamId] = production.teamIds
  const before = Date.now() - 30_000
  const clientFactId = 'press-1'
  const goal = { type: 'goal', teamId, timestamp: new Date(before).toISOString(), clientFactId }
  await at(desk, 'DELETE', `/facts/${(await at(desk, 'GET', '/desk')).body.factIds[0]}`)
  await at(desk, 'POST', '/facts', { type: 'periodStart', timestamp: new Date(before - 60_000).toISOString() })
  const answers = await Promise.all(
    [1, 2, 3].map(() => at(desk, 'POST', '/facts', goal, { 'Idempotency-Key': clientFactId })),
  )
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  expect(answers[0]?.body).toMatchObject({ timestamp: goal.timestamp, minute: 2, clientFactId })
  const late = await at(desk, 'POST', '/facts', { ...goal, clientFactId: 'press-2', timestamp: '2099-01-01T00:00:00Z' })
  expect(Math.abs(Date.parse(late.body.timestamp) - Date.now())).toBeLessThan(5_000)
  expect((await production.call('GET', match())).body.score).toMatchObject({ home: 2, away: 0 })
  expect((await at(desk, 'POST', `/facts/${late.body.id}`, { type: 'penaltyGoal' })).body.type).toBe('penaltyGoal')
  expect((await at(desk, 'DELETE', `/facts/${late.body.id}`)).status).toBe(200)
  expect((await production.call('GET', match())).body.score).toMatchObject({ home: 1, away: 0 })
  const journal = await production.server.database.sql`
    select principal from journal where ref = ${`match/${production.matchId}`} order by seq desc limit 1`
  expect(journal[0]?.principal).toEqual({ type: 'desk', matchId: production.matchId })
})

test('[show-control] what does not fit is refused in words, and changes nothing', async () => {
  const before = (await at(desk, 'GET', '/desk')).body.factIds
  const twice = await at(desk, 'POST', '/facts', { type: 'periodStart' })
  const [refused] = Object.values(twice.body.details as Record<string, { message: string }>)
  expect([twice.status, refused?.message]).toEqual([400, 'period 1 is already running'])
  expect((await at(desk, 'POST', '/facts', { type: 'sixer' })).status).toBe(400)
  expect((await at(desk, 'POST', '/facts/999999', { minute: 3 })).status).toBe(404)
  expect((await at(desk, 'PATCH', '/match', { date: '2031-05-01T12:00:00Z' })).body.details).toBeUndefined()
  expect((await at(desk, 'GET', '/desk')).body.factIds).toEqual(before)
})

test('[show-control] state and score by hand, the clock, and the line-up with its errors at the player', async () => {
  const suspended = await at(desk, 'PATCH', '/match', { state: 'suspended' })
  expect([suspended.status, suspended.body.state]).toEqual([200, 'suspended'])
  expect((await at(desk, 'PATCH', '/match', { score: { home: 5, away: 4 } })).body.score).toEqual({ home: 5, away: 4 })
  expect((await at(desk, 'PATCH', '/match', { score: null })).body.score).toEqual({ home: 1, away: 0 })
  expect((await at(desk, 'POST', '/facts', { type: 'clockSet', clockMs: 754_000 })).status).toBe(201)
  expect((await at(desk, 'GET', '/desk')).body.match.clock).toMatchObject({ valueMs: 754_000, running: false })
  const [teamId = 0] = production.teamIds
  const ids = production.playerIds[teamId] ?? []
  const players = ids.slice(0, 12).map((playerId) => ({ playerId, starting: true }))
  const wrong = await at(desk, 'PUT', '/lineup', { teams: [{ teamId, players }] })
  expect(Object.keys(wrong.body.details)).toEqual(['body.teams[0].players[11].starting'])
  const right = await at(desk, 'PUT', '/lineup', {
    teams: [{ teamId, formation: '4-4-2', players: players.slice(0, 11) }],
  })
  expect([right.status, right.body.lineups[0].formation]).toEqual([200, '4-4-2'])
  expect((await at(desk, 'GET', '/desk')).body.teams[0].lineup).toMatchObject({ isSet: true, formation: '4-4-2' })
})

test('[show-control] the line-up of the match before is there to start from', async () => {
  const [teamId, otherId] = production.teamIds
  const later = await production.call('POST', '/v2/matches', {
    competitionId: production.competitionId,
    homeTeamId: otherId,
    awayTeamId: teamId,
    date: '2039-05-01T12:00:00Z',
  })
  const id = Number(later.body.id)
  const found = await at(String(later.body.deskUrl), 'GET', `/teams/${teamId}/earlier-lineup`)
  expect([found.status, found.body.lineup.formation, found.body.lineup.players.length]).toEqual([...[200, '4-4-2', 11]])
  expect((await production.call('GET', match(`/teams/${teamId}/earlier-lineup`, id))).body).toEqual(found.body)
  const none = await at(String(later.body.deskUrl), 'GET', `/teams/${otherId}/earlier-lineup`)
  expect(none.body).toEqual({ matchId: null, lineup: null })
  expect((await at(desk, 'GET', '/teams/99999/earlier-lineup')).status).toBe(404)
  await production.call('DELETE', match('', id))
})

test('[show-control] the address opens nothing but its match, and nothing once it was replaced or the match is gone', async () => {
  for (const path of ['/v2/matches', '/room', '/graphics/commands', `/v2/matches/${production.matchId}`])
    expect([path, (await at(desk, 'GET', path)).status]).toEqual([path, 404])
  for (const page of ['', '/manifest.webmanifest']) expect((await fetch(`${desk}${page}`)).status).toBe(200)
  const stranger = desk.replace(/[\w-]{43}$/, 'a'.repeat(43))
  for (const page of ['', '/manifest.webmanifest', '/socket', '/rest/desk'])
    expect([page, (await fetch(`${stranger}${page}`)).status]).toEqual([page, 404])
  expect((await fetch(`${desk}/socket`)).status).toBe(426)
  const { heard, closed } = await listening(`${desk.replace('http', 'ws')}/socket`)
  expect(heard).toEqual(['DESK_PULSE'])
  await production.call('POST', match('/facts'), { type: 'corner', teamId: production.teamIds[1] })
  await vi.waitFor(() => expect(heard).toContain('DESK_CHANGED'))
  const next = await addressOf(production.matchId)
  expect(await closed).toBe(1008)
  expect([(await at(desk, 'GET', '/desk')).status, (await at(next, 'GET', '/desk')).status]).toEqual([404, 200])
  await production.call('DELETE', match())
  for (const answer of [await at(next, 'GET', '/desk'), await at(next, 'POST', '/facts', { type: 'goal' })])
    expect([answer.status, answer.body]).toEqual([404, { message: 'Not Found' }])
})

/** A socket that has heard its first message; one that is lost before is opened again, as the page does. */
async function listening(url: string): Promise<{ heard: string[]; closed: Promise<number>; socket: WebSocket }> {
  for (;;) {
    const heard: string[] = []
    const socket = new WebSocket(url)
    socket.on('error', () => {})
    const closed = new Promise<number>((resolve) => socket.on('close', resolve))
    const first = new Promise<void>((resolve) =>
      socket.on('message', (text) => {
        heard.push(JSON.parse(String(text)).type)
        resolve()
      }),
    )
    await Promise.race([first, closed])
    if (heard.length > 0) return { heard, closed, socket }
  }
}
