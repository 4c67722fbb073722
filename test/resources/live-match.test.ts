import { afterAll, beforeAll, expect, test } from 'vitest'
import { Api } from '../../bench/api.ts'
import { createLeague } from '../../bench/match-day/production.ts'
import { LiveMatch } from '../../src/realtime/followers/live-protocol.ts'
import { liveMatch } from '../../src/resources/matches/live-match.queries.ts'
import { type Production, startProduction } from './support.ts'

let production: Production
beforeAll(async () => {
  production = await startProduction()
})
afterAll(() => production.close())

/** A match of two new teams, with points that sides make one after the other. */
async function play(sport: 'tennis' | 'volleyball' | 'basketball') {
  const api = new Api(production.server.origin, production.apiKey)
  const { competitionId, squads } = await createLeague(api, sport, 2)
  const [homeTeamId, awayTeamId] = squads.map(({ teamId }) => teamId)
  const date = '2027-01-10T15:00:00Z'
  const { id } = await api.post<{ id: number }>('/v2/matches', { date, competitionId, homeTeamId, awayTeamId })
  const record = (type: string, side: 'home' | 'away') =>
    api.post(`/v2/matches/${id}/facts`, { type, teamId: side === 'home' ? homeTeamId : awayTeamId })
  return {
    record,
    async points(side: 'home' | 'away', count: number) {
      for (let point = 0; point < count; point++) await record('point', side)
    },
    told: async () =>
      LiveMatch.strict().parse(
        await liveMatch({ organizationId: production.organizationId, db: production.server.database.db }, id),
      ),
  }
}

test('[issue 6.2] volleyball: followers are told the points of each set beside the sets won, and who serves', async () => {
  const { record, points, told } = await play('volleyball')
  expect(await told()).toMatchObject({ sets: [] })
  await record('matchStart', 'home')
  await points('home', 25)
  await record('periodStart', 'away')
  await points('away', 2)
  await points('home', 1)
  const { competitors, sets, server, ...rest } = await told()
  expect(competitors.map(({ score }) => score)).toEqual([1, 0])
  expect(sets).toEqual([
    { number: 1, name: 'Set 1', home: 25, away: 0 },
    { number: 2, name: 'Set 2', home: 1, away: 2 },
  ])
  expect(server).toBe('home')
  expect(rest).not.toHaveProperty('game')
})

test('[issue 6.2] tennis: followers are told the games of each set and the points of the game as they are called', async () => {
  const { record, points, told } = await play('tennis')
  await record('matchStart', 'away')
  await points('home', 4)
  expect(await told()).toMatchObject({ sets: [{ home: 1, away: 0 }], game: { home: '0', away: '0' }, server: 'home' })
  await points('home', 3)
  await points('away', 4)
  expect(await told()).toMatchObject({ sets: [{ home: 1, away: 0 }], game: { home: '40', away: 'Ad' } })
  await points('home', 19)
  const over = await told()
  expect(over).toMatchObject({ competitors: [{ score: 1 }, { score: 0 }], sets: [{ home: 6, away: 0 }] })
})

test('[issue 6.2] a sport that is not played in sets has none', async () => {
  const { record, told } = await play('basketball')
  await record('matchStart', 'home')
  const match = await told()
  for (const member of ['sets', 'game', 'server']) expect(match).not.toHaveProperty(member)
})
