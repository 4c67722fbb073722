import type { Answer } from '../support/app.ts'
import { type Production, produce, startProduction } from './support.ts'

export type Player = { id: number; teamId: number; number: string | null; starting: boolean; captain: boolean }
export type Lineup = { teamId: number; formation: string | null; players: Player[]; staff: object[] }

export const lineupOf = (lineups: readonly Lineup[], teamId: number) => lineups.find((one) => one.teamId === teamId)
export const starters = (ids: readonly number[]) => ids.map((playerId) => ({ playerId, starting: true }))
export const bench = (ids: readonly number[]) => ids.map((playerId) => ({ playerId, starting: false }))

/** A running server with the match of one organization, whose line-ups are read and replaced, and another organization. */
export type Fixture = {
  readonly production: Production
  readonly stranger: Omit<Production, 'close'>
  readonly matchId: number
  readonly home: number
  readonly away: number
  /** The eighteen of each squad; the first eleven start by default, and the match allows a bench of seven. */
  readonly squad: readonly number[]
  readonly guests: readonly number[]
  get(query?: string): Promise<Lineup[]>
  put(teams: unknown, id?: number): Promise<Answer>
  /** Takes back every line-up that was set. */
  clear(): Promise<void>
}

export async function startFixture(): Promise<Fixture> {
  const production = await startProduction()
  const stranger = await produce(production.server)
  const { matchId, teamIds, playerIds } = production
  const [home = 0, away = 0] = teamIds
  return {
    production,
    stranger,
    matchId,
    home,
    away,
    squad: playerIds[home] ?? [],
    guests: playerIds[away] ?? [],
    async get(query = '') {
      const { body } = await production.call('GET', `/v1/matches/${matchId}/lineup${query}`)
      return body.lineups as Lineup[]
    },
    put: (teams, id = matchId) => production.call('PUT', `/v2/matches/${id}/lineup`, { teams }),
    async clear() {
      await production.server.database.sql`delete from lineup where match_id = ${matchId}`
    },
  }
}
