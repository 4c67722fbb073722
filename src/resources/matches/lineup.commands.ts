import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import { effectiveConfig } from '../../../machines/sports.ts'
import type { RecordContext } from '../../context.ts'
import { forbidden, invalid } from '../../errors.ts'
import { ownRecords } from '../ownership.ts'
import { getLineup, teamsInMatch } from './lineup.queries.ts'
import { lineupErrors } from './lineup.rules.ts'
import type { LineupUpdate, MatchLineup } from './lineup.schema.ts'
import type { MatchConfig } from './schema.ts'

/**
 * Replaces the line-up of each team that is named, all of them or none. Throws invalid with an entry per bad value.
 * spec: PUT /v2/matches/{matchId}/lineup
 */
export function replaceLineups(
  ctx: RecordContext,
  matchId: number,
  asked: LineupUpdate,
): Promise<z.output<typeof MatchLineup>> {
  // not the ref of the match: its journal is the history of its actor
  const ref = `lineup/${matchId}`
  return ctx.db.write(ctx, { ref, type: 'replace', asked }, async (tx) => {
    await ownRecords(ctx, tx, 'match', [matchId])
    const teamIds = asked.teams.map(({ teamId }) => teamId)
    const foreign = await tx`select 1 from team where id = any(${teamIds}) and organization_id <> ${ctx.organizationId}`
    if (foreign.length > 0) throw forbidden()
    const details = lineupErrors(asked, { ...(await rulesOf(tx, matchId)), rosters: await rostersOf(tx, teamIds) })
    if (Object.keys(details).length > 0) throw invalid(details)
    await store(tx, matchId, asked)
    const event = { type: 'match.lineup.updated', matchId, teams: asked.teams }
    return {
      result: await getLineup(ctx, matchId, {}, tx),
      events: [event],
      outbox: [{ kind: 'reaction', payload: { event: event.type, ref } }],
    }
  })
}

async function rulesOf(tx: TransactionSql, matchId: number) {
  const [match] = await tx<{ sport: string; config: Partial<z.output<typeof MatchConfig>> }[]>`
    select sport, config from match where id = ${matchId}`
  if (!match) throw new Error('a match went while its line-up was replaced')
  const { startingSize, benchSize } = effectiveConfig(match.sport, match.config)
  return { teamIds: await teamsInMatch(tx, matchId), startingSize, benchSize }
}

async function rostersOf(tx: TransactionSql, teamIds: readonly number[]) {
  // held until the commit, so that nobody leaves a roster unseen
  const entries = await tx<{ teamId: number; playerId: number; number: string | null }[]>`
    select team_id as "teamId", player_id as "playerId", number from roster_entry where team_id = any(${[...teamIds]})
    order by team_id, player_id for share`
  const rosters = new Map<number, Map<number, string | null>>()
  for (const { teamId, playerId, number } of entries) {
    const roster = rosters.get(teamId) ?? new Map<number, string | null>()
    rosters.set(teamId, roster.set(playerId, number))
  }
  return rosters
}

async function store(tx: TransactionSql, matchId: number, { teams }: LineupUpdate) {
  // in the order of the teams, and before the players: another request for one of them waits here for this commit
  const inOrder = [...teams].sort((a, b) => a.teamId - b.teamId)
  await tx`
    insert into lineup (match_id, team_id, formation)
    select ${matchId}::int, given.* from unnest(${inOrder.map(({ teamId }) => teamId)}::int[],
      ${inOrder.map(({ formation }) => formation ?? null)}::text[]) as given
    on conflict (match_id, team_id) do update set formation = excluded.formation, updated_at = clock_timestamp()`
  await tx`delete from lineup_player
    where match_id = ${matchId} and team_id = any(${teams.map(({ teamId }) => teamId)})`
  const players = teams.flatMap(({ teamId, players }) => players.map((player, order) => ({ ...player, teamId, order })))
  await tx`
    insert into lineup_player (match_id, team_id, player_id, position_order, starting, captain, number, position)
    select ${matchId}, p."teamId", p."playerId", p."order", p.starting, coalesce(p.captain, false), p.number, p.position
    from json_to_recordset(${JSON.stringify(players)}::text::json) as p("teamId" int, "playerId" int, "order" int,
      starting boolean, captain boolean, number text, position text)`
}
