import type { ISql } from 'postgres'
import type { z } from 'zod'
import type { Match } from '../../../machines/match-model.ts'
import type { ReadContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { ownRecords } from '../ownership.ts'
import { exactly } from '../target.ts'
import { composeStatistics, type Given, NOTHING_GIVEN } from './compose-statistics.ts'
import { lineupsOf } from './lineup.queries.ts'
import { findMatchState } from './match-state.queries.ts'
import type { MatchStatistics } from './statistics.schema.ts'

/** The values that were told of a match. */
export async function findGiven(sql: ISql, matchId: number): Promise<Given> {
  const [row] = await sql<Given[]>`select teams, players from match_statistics where match_id = ${matchId}`
  return row ?? NOTHING_GIVEN
}

export const teamIdsOf = ({ competitors }: Match): number[] =>
  competitors.flatMap(({ teamId }) => (teamId === null ? [] : [teamId]))

/** The team of each player of these: that of the line-up, else of the roster. */
export async function teamsOfPlayers(sql: ISql, matchId: number, teamIds: readonly number[]) {
  const rows = await sql<{ playerId: number; teamId: number }[]>`
    select player_id as "playerId", team_id as "teamId" from roster_entry where team_id = any(${[...teamIds]})
    union all
    select player_id, team_id from lineup_player where match_id = ${matchId} and team_id = any(${[...teamIds]})`
  return new Map(rows.map(({ playerId, teamId }) => [playerId, teamId]))
}

/** Everything that is counted or told of a match: as graphics have it, without names. */
export async function statisticsOfMatch(sql: ISql, matchId: number, match: Match) {
  const teamIds = teamIdsOf(match)
  const [given, lineups, teams] = await Promise.all([
    findGiven(sql, matchId),
    lineupsOf(sql, matchId, teamIds),
    teamsOfPlayers(sql, matchId, teamIds),
  ])
  const teamOf = (playerId: number) => teams.get(playerId) ?? null
  return { statistics: composeStatistics({ match, lineups, given, teamOf }), given, teams }
}

/** Throws notFound, or forbidden when the match is another organization's. */
export async function getStatistics(
  ctx: ReadContext,
  matchId: number,
  sql: ISql = ctx.db.sql,
): Promise<z.output<typeof MatchStatistics>> {
  await ownRecords(ctx, sql, 'match', [matchId])
  const found = await findMatchState(sql, matchId)
  const [row] = await sql<{ updatedAt: string }[]>`
    select ${exactly(sql, 'changed.at')} as "updatedAt" from match m
    left join match_statistics s on s.match_id = m.id
    cross join lateral (select coalesce(s.updated_at, m.created_at) as at) changed where m.id = ${matchId}`
  if (!found || !row) throw notFound()
  const { statistics } = await statisticsOfMatch(sql, matchId, found.match)
  const teams = found.match.competitors.flatMap(({ teamId, isHome }, index, all) =>
    teamId === null || all.findIndex((one) => one.teamId === teamId) < index
      ? []
      : [{ teamId, values: statistics[isHome ? 'home' : 'away'] }],
  )
  const players = statistics.players.map(({ playerId, teamId, values }) => ({ playerId, teamId, values }))
  return { matchId, teams, players, updatedAt: row.updatedAt }
}
