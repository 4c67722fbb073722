import type { Fact, Match } from '../../../machines/match-model.ts'
import type { ReadContext } from '../../context.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import { ownRecords } from '../ownership.ts'

type Named = { [Field in 'teamId' | 'playerId' | 'secondaryPlayerId']?: number | null | undefined }
type Member = { teamId: number; playerId: number }

/** For which teams the players that a request names may appear in the match. */
export type People = { withLineup: number[]; lineup: Member[]; roster: Member[] }

/** The named team and players must be there (404) and the caller's own (403). Answers where the players belong. */
export async function ownPeople(ctx: ReadContext, matchId: number, named: Named): Promise<People> {
  const { sql } = ctx.db
  const players = [named.playerId, named.secondaryPlayerId].filter((id) => typeof id === 'number')
  if (typeof named.teamId === 'number') await ownRecords(ctx, sql, 'team', [named.teamId])
  if (players.length === 0) return { withLineup: [], lineup: [], roster: [] }
  await ownRecords(ctx, sql, 'player', players)
  const [people] = await sql<People[]>`
    select
      (select coalesce(json_agg(team_id), '[]') from lineup where match_id = ${matchId}) as "withLineup",
      (select coalesce(json_agg(json_build_object('teamId', team_id, 'playerId', player_id)), '[]')
        from lineup_player where match_id = ${matchId} and player_id = any(${players})) as lineup,
      (select coalesce(json_agg(json_build_object('teamId', team_id, 'playerId', player_id)), '[]')
        from roster_entry where player_id = any(${players})) as roster`
  if (!people) throw new Error('a select without from returned no row')
  return people
}

const stranger = (teamId: number | null | undefined, withLineup: readonly number[]) => {
  if (typeof teamId !== 'number') return 'in neither line-up, nor on the roster of a side without one'
  return withLineup.includes(teamId) ? 'not in the line-up of the team' : 'not on the roster of the team'
}

/**
 * The team of a fact: the one named, else that of its player. Throws invalid when the team does not play in the match, or a
 * player is not in its line-up, which is its roster until one is set. The second player may be of the other side (a fielder).
 */
export function teamOfFact(match: Match, { withLineup, lineup, roster }: People, asked: Named, before?: Fact) {
  const playing = new Set(match.competitors.map(({ teamId }) => teamId).filter((id) => id !== null))
  const teamId = asked.teamId === undefined ? before?.teamId : asked.teamId
  const details: FieldErrors = {}
  if (typeof asked.teamId === 'number' && !playing.has(asked.teamId))
    details['body.teamId'] = { message: 'does not play in the match', value: asked.teamId }
  const teamsOf = (playerId: number): (number | null)[] => [
    ...match.competitors.filter((one) => one.playerId === playerId).map((one) => one.teamId),
    ...lineup.filter((one) => one.playerId === playerId && playing.has(one.teamId)).map((one) => one.teamId),
    ...roster
      .filter((one) => one.playerId === playerId && playing.has(one.teamId) && !withLineup.includes(one.teamId))
      .map((one) => one.teamId),
  ]
  const { playerId = before?.playerId ?? null, secondaryPlayerId = null } = asked
  const mayPlayFor = playerId === null ? [] : teamsOf(playerId)
  const judged = typeof asked.playerId === 'number' || (typeof asked.teamId === 'number' && playerId !== null)
  if (judged && !mayPlayFor.some((team) => typeof teamId !== 'number' || team === teamId || team === null))
    details['body.playerId'] = { message: stranger(teamId, withLineup), value: playerId }
  if (secondaryPlayerId !== null && teamsOf(secondaryPlayerId).length === 0)
    details['body.secondaryPlayerId'] = {
      message: stranger(undefined, withLineup),
      value: secondaryPlayerId,
    }
  if (Object.keys(details).length > 0) throw invalid(details)
  return teamId === undefined ? (mayPlayFor[0] ?? null) : teamId
}
