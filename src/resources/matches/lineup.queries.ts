import type { ISql } from 'postgres'
import type { z } from 'zod'
import type { ReadContext } from '../../context.ts'
import { invalid } from '../../errors.ts'
import { ownRecords } from '../ownership.ts'
import type { EarlierLineup, LineupFilter, LineupPlayer, MatchLineup, TeamLineup } from './lineup.schema.ts'

/**
 * The line-ups of a match, the home team first. Throws notFound, forbidden, or invalid when `teamId` does not play in it. A
 * command gives its transaction. spec: GET /v1/matches/{matchId}/lineup
 */
export async function getLineup(
  ctx: ReadContext,
  matchId: number,
  { teamId, starting }: z.output<typeof LineupFilter> = {},
  sql: ISql = ctx.db.sql,
): Promise<z.output<typeof MatchLineup>> {
  await ownRecords(ctx, sql, 'match', [matchId])
  const teamIds = await teamsInMatch(sql, matchId)
  if (teamId !== undefined && !teamIds.includes(teamId))
    throw invalid({ 'query.teamId': { message: 'not a team of the match', value: teamId } })
  const lineups = await lineupsOf(sql, matchId, teamId === undefined ? teamIds : [teamId])
  if (starting === undefined) return { matchId, lineups }
  return {
    matchId,
    lineups: lineups.map((lineup) => ({
      ...lineup,
      players: lineup.players.filter((player) => player.starting === starting),
    })),
  }
}

/**
 * The line-up of a team in the latest of its matches before this one in which it was set, as it was: players that left the roster
 * since among them. Throws notFound, forbidden, and invalid for a team of another match.
 */
export async function getEarlierLineup(
  ctx: ReadContext,
  matchId: number,
  teamId: number,
): Promise<z.output<typeof EarlierLineup>> {
  const { sql } = ctx.db
  await ownRecords(ctx, sql, 'match', [matchId])
  await ownRecords(ctx, sql, 'team', [teamId])
  if (!(await teamsInMatch(sql, matchId)).includes(teamId))
    throw invalid({ 'path.teamId': { message: 'not a team of the match', value: teamId } })
  const [earlier] = await sql<{ id: number }[]>`
    select m.id from lineup l join match m on m.id = l.match_id, match this
    where this.id = ${matchId} and l.team_id = ${teamId} and m.id <> this.id
      and m.organization_id = this.organization_id and m.sport = this.sport
      and (m.starts_at, m.id) < (this.starts_at, this.id)
      and exists (select from lineup_player p where p.match_id = m.id and p.team_id = l.team_id)
    order by m.starts_at desc, m.id desc limit 1`
  if (!earlier) return { matchId: null, lineup: null }
  const [lineup = null] = await lineupsOf(sql, earlier.id, [teamId])
  return { matchId: earlier.id, lineup }
}

/** The teams that play in a match or have players that do, in the order of the competitors. */
export async function teamsInMatch(sql: ISql, matchId: number): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select team_id as id from match_competitor where match_id = ${matchId} and team_id is not null
    group by team_id order by min(position)`
  return rows.map(({ id }) => id)
}

/** As `lineupsOfMatches`, for one match. */
export const lineupsOf = async (sql: ISql, matchId: number, teamIds: readonly number[]): Promise<TeamLineup[]> =>
  (await lineupsOfMatches(sql, [{ id: matchId, teamIds }])).get(matchId) ?? []

type InMatch = { matchId: number }
type Team = InMatch & Pick<TeamLineup, 'teamId' | 'formation' | 'staff'>
type Player = InMatch & z.output<typeof LineupPlayer>

/**
 * The line-ups of these teams in each match, in this order: the one that was set, be it empty; before there is one, the
 * starters and the bench of the roster. Players that left the roster since stay in a line-up that was set.
 */
export async function lineupsOfMatches(
  sql: ISql,
  matches: readonly { id: number; teamIds: readonly number[] }[],
): Promise<Map<number, TeamLineup[]>> {
  const sides = matches.flatMap(({ id, teamIds }) => teamIds.map((teamId) => ({ id, teamId })))
  const given = sql`unnest(${sides.map(({ id }) => id)}::int[], ${sides.map(({ teamId }) => teamId)}::int[])`
  const [teams, players] = await Promise.all([
    sql<Team[]>`
      select g.match_id as "matchId", t.id as "teamId", l.formation, t.non_player_staff as staff
      from ${given} with ordinality as g (match_id, team_id, position)
      join team t on t.id = g.team_id
      left join lineup l on l.match_id = g.match_id and l.team_id = t.id
      order by g.position`,
    sql<Player[]>`
      select one.match_id as "matchId", p.id, one.team_id as "teamId", p.first_name as "firstName",
        p.last_name as "lastName", e.gfx_first_name as "gfxFirstName", e.gfx_last_name as "gfxLastName", one.number,
        one.position, e.position_type as "positionType", one.starting, one.captain,
        coalesce(e.photo_url, p.photo_url) as "photoUrl"
      from (
        select l.match_id, l.team_id, l.player_id, l.starting, l.captain, l.position_order,
          coalesce(l.number, r.number) as number, coalesce(l.position, r.position) as position
        from ${given} as g (match_id, team_id)
        join lineup_player l on l.match_id = g.match_id and l.team_id = g.team_id
        left join roster_entry r on r.team_id = l.team_id and r.player_id = l.player_id
        union all
        select g.match_id, r.team_id, r.player_id, r.starter, r.captain, null, r.number, r.position
        from ${given} as g (match_id, team_id)
        join roster_entry r on r.team_id = g.team_id and (r.starter or r.bench)
        where not exists (select 1 from lineup x where x.match_id = g.match_id and x.team_id = g.team_id)
      ) one
      join player p on p.id = one.player_id
      left join roster_entry e on e.team_id = one.team_id and e.player_id = one.player_id
      order by one.starting desc, one.position_order,
        nullif(left(regexp_replace(one.number, '[^0-9]', '', 'g'), 9), '')::int, p.id`,
  ])
  const lineups = new Map<number, TeamLineup[]>()
  const fielded = new Map<string, TeamLineup['players']>()
  for (const { matchId, ...team } of teams) {
    const lineup = { ...team, players: [] }
    fielded.set(`${matchId}/${team.teamId}`, lineup.players)
    lineups.set(matchId, [...(lineups.get(matchId) ?? []), lineup])
  }
  for (const { matchId, ...player } of players) fielded.get(`${matchId}/${player.teamId}`)?.push(player)
  return lineups
}
