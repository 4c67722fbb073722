import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { Renderer } from '../support/renderer.ts'
import { complaints, NOBODY } from './league.ts'
import { type Production, produce, startProduction } from './support.ts'

let production: Production

beforeAll(async () => {
  production = await startProduction()
})
afterAll(() => production.close())

const fresh = () => produce(production.server)
type Own = Awaited<ReturnType<typeof fresh>>
type Values = Record<string, number>
type Statistics = {
  teams: { teamId: number; values: Values }[]
  players: { playerId: number; teamId: number; values: Values }[]
  updatedAt: string
}

const pathOf = ({ matchId }: Own) => `/v2/matches/${matchId}/statistics`
const read = async (own: Own) => (await own.call('GET', pathOf(own))).body as Statistics
const fact = async (own: Own, body: object) => {
  const answer = await own.call('POST', `/v2/matches/${own.matchId}/facts`, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
}

describe('[show-control] statistics of a match', () => {
  it('are what facts count and what was told beside them; each team and player that is sent is replaced', async () => {
    const own = await fresh()
    const [home = 0, away = 0] = own.teamIds
    const [, , scorer = 0, helper = 0] = own.playerIds[home] ?? []
    await fact(own, { type: 'matchStart' })
    await fact(own, { type: 'goal', teamId: home, playerId: scorer, secondaryPlayerId: helper })
    const told = {
      teams: [
        { teamId: home, values: { possession: 61, x_sprints: 212 } },
        { teamId: away, values: { possession: 39 } },
      ],
      players: [{ playerId: scorer, values: { distance: 7.4 } }],
    }
    const put = await own.call('PUT', pathOf(own), told)
    expect(put.status, JSON.stringify(put.body)).toBe(200)
    const now = await read(own)
    expect(now).toEqual(put.body)
    expect(now.teams).toEqual([
      { teamId: home, values: { goals: 1, possession: 61, x_sprints: 212 } },
      { teamId: away, values: { possession: 39 } },
    ])
    const of = (playerId: number, { players }: Statistics) => players.find((one) => one.playerId === playerId)
    expect(of(scorer, now)).toMatchObject({ teamId: home, values: { goals: 1, points: 1, distance: 7.4 } })
    expect(of(helper, now)).toMatchObject({ values: { assists: 1 } })
    await own.call('PUT', pathOf(own), { teams: [{ teamId: home, values: { possession: 58 } }] })
    const later = await read(own)
    expect(later.teams.map(({ values }) => values)).toEqual([{ goals: 1, possession: 58 }, { possession: 39 }])
    expect(of(scorer, later)?.values).toMatchObject({ distance: 7.4 })
    await own.call('PUT', pathOf(own), { players: [{ playerId: scorer, values: {} }] })
    expect(of(scorer, await read(own))?.values).not.toHaveProperty('distance')
    const summary = await own.call('GET', `/v2/matches/${own.matchId}/summary`)
    expect(summary.body.teamStats).toEqual({ home: { goals: 1, possession: 58 }, away: { possession: 39 } })
    expect(summary.body.playerStats).toEqual((await read(own)).players)
  })

  it('what facts count is read-only: it may come back as it is, and wins over what was told before', async () => {
    const own = await fresh()
    const [home = 0] = own.teamIds
    const put = (values: Values) => own.call('PUT', pathOf(own), { teams: [{ teamId: home, values }] })
    expect((await put({ shots: 9, possession: 50 })).status).toBe(200)
    expect(complaints(await put({ goals: 3 }))).toEqual([400, ['body.teams[0].values.goals']])
    await fact(own, { type: 'matchStart' })
    await fact(own, { type: 'shot', teamId: home })
    expect((await read(own)).teams[0]?.values).toEqual({ shots: 1, possession: 50 })
    expect(complaints(await put({ shots: 2 }))).toEqual([400, ['body.teams[0].values.shots']])
    const [echo] = (await read(own)).teams
    expect((await put(echo?.values ?? {})).status).toBe(200)
    expect((await read(own)).teams[0]).toEqual(echo)
  })

  it('names every bad value and changes nothing', async () => {
    const own = await fresh()
    const [home = 0] = own.teamIds
    const before = await read(own)
    const bad = await own.call('PUT', pathOf(own), {
      teams: [
        { teamId: home, values: { luck: 1, possession: 60 } },
        { teamId: NOBODY, values: {} },
        { teamId: home, values: {} },
      ],
      players: [{ playerId: NOBODY, values: { distance: 1 } }],
    })
    expect(complaints(bad)).toEqual([
      400,
      ['body.players[0].playerId', 'body.teams[0].values.luck', 'body.teams[1].teamId', 'body.teams[2].teamId'],
    ])
    expect(await read(own)).toEqual(before)
    const foreign = { teams: [{ teamId: production.teamIds[0], values: {} }] }
    expect((await own.call('PUT', pathOf(own), foreign)).status).toBe(403)
    expect((await own.call('GET', pathOf({ ...own, matchId: production.matchId }))).status).toBe(403)
    expect((await own.call('GET', pathOf({ ...own, matchId: NOBODY }))).status).toBe(404)
    const teams = [{ teamId: home, values: { possession: 60 } }]
    const first = await own.call('PUT', pathOf(own), { teams, ifUnchangedSince: before.updatedAt })
    expect(first.status).toBe(200)
    expect((await own.call('PUT', pathOf(own), { teams, ifUnchangedSince: before.updatedAt })).status).toBe(409)
  })

  it('have the clocks beside that of the match wherever its situation is told', async () => {
    const own = await fresh()
    const make = async (path: string, body: object) => {
      const answer = await own.call('POST', path, body)
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
      return Number(answer.body.id)
    }
    const league = { name: 'Frozen League', sport: 'iceHockey', age: 'Senior', gender: 'Mixed', gradeId: own.gradeId }
    const competitionId = await make('/v1/competitions', league)
    const team = (name: string) => make('/v1/teams', { name, sport: 'iceHockey', competitionIds: [competitionId] })
    const [homeTeamId, awayTeamId] = [await team('Northern Pucks'), await team('Southern Pucks')]
    const matchId = await make('/v2/matches', { competitionId, homeTeamId, awayTeamId, date: '2026-11-01T10:00:00Z' })
    const told = (body: object) => make(`/v2/matches/${matchId}/facts`, body)
    const situations = async () => {
      const read = async (path: string) => (await own.call('GET', path)).body
      const [v1, v2] = [await read(`/v1/matches/${matchId}`), await read(`/v2/matches/${matchId}`)]
      const listed = (await read(`/v2/matches?competitionId=${competitionId}`)).matches as { situation: unknown }[]
      const summary = await read(`/v2/matches/${matchId}/summary`)
      const changed = (await own.call('POST', `/v2/matches/${matchId}`, { round: 'Final' })).body
      const [first, ...others] = [v2, v1, listed[0], summary, changed].map((one) => one?.situation)
      for (const other of others) expect(other).toEqual(first)
      return first
    }
    expect(await situations()).toBeNull()
    await told({ type: 'matchStart' })
    await told({ type: 'penalty', teamId: awayTeamId, details: { minutes: 2 } })
    const endsAt = expect.stringMatching(/^\d{4}-.*Z$/)
    expect(await situations()).toMatchObject({
      penalties: [{ side: 'away', type: 'penalty', minutes: 2, running: true, endsAt }],
      powerPlay: { side: 'home', advantage: 1, running: true, endsAt },
      timeoutsLeft: { home: 1, away: 1 },
    })
    await told({ type: 'clockStop' })
    expect(await situations()).toMatchObject({ penalties: [{ running: false, remainingMs: expect.any(Number) }] })
  })

  it('reach a graphic on air without a reload', async () => {
    const own = await fresh()
    const { graphicId } = own.preset('Score bug')
    // before anything of the theme is read
    await production.server.database.sql`
      update graphic_version v set state_machine = jsonb_set(v.state_machine::jsonb, '{selectedSchemas}', '["statistics"]')
      from graphic g where g.id = v.graphic_id and g.theme_id = ${own.themeId} and v.graphic_id = ${graphicId}`
    const renderer = new Renderer({ url: `${own.overlay.url.replace('http', 'ws')}/socket` })
    onTestFinished(() => renderer.close())
    await own.fire('show', 'Score bug')
    const seen = () =>
      (renderer.shows().get(graphicId)?.data as { statistics?: { home: Values } } | undefined)?.statistics
    await renderer.waitFor(() => seen() !== undefined)
    await own.call('PUT', pathOf(own), { teams: [{ teamId: own.teamIds[0], values: { possession: 57 } }] })
    await renderer.waitFor(() => seen()?.home.possession === 57)
  })
})
