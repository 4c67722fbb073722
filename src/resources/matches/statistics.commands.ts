import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import type { Match } from '../../../machines/match-model.ts'
import { refusedName } from '../../../machines/statistics/names.ts'
import type { RecordContext } from '../../context.ts'
import { type FieldErrors, forbidden, invalid, notFound } from '../../errors.ts'
import { ownRecords } from '../ownership.ts'
import { asRead, checkTarget, thisWrite } from '../target.ts'
import { countedNames } from './compose-statistics.ts'
import { findMatchState } from './match-state.queries.ts'
import { getStatistics, statisticsOfMatch, teamIdsOf } from './statistics.queries.ts'
import type { MatchStatistics, MatchStatisticsUpdate } from './statistics.schema.ts'

type Values = Record<string, number>
type Sent = { key: 'teams' | 'players'; id: number; path: string; values: Values; shown: Values }

/**
 * Replaces the told values of each team and player that is sent, on air too, all of them or none. What facts count is
 * read-only: the value that is there may be sent back, another is refused. A sync leaves it out instead (`lenient`).
 * Throws notFound, forbidden, targetChanged, and invalid with every bad field. show-control: Statistics and standings
 */
export function replaceStatistics(
  ctx: RecordContext,
  matchId: number,
  asked: MatchStatisticsUpdate,
  { lenient = false }: { lenient?: boolean } = {},
): Promise<z.output<typeof MatchStatistics>> {
  const ref = `statistics/${matchId}`
  return ctx.db.write(ctx, { ref, type: 'replace', asked }, async (tx) => {
    await ownRecords(ctx, tx, 'match', [matchId])
    const found = await findMatchState(tx, matchId)
    if (!found) throw notFound()
    await tx`
      insert into match_statistics (match_id, updated_at)
      select id, created_at from match where id = ${matchId} on conflict do nothing`
    const [stored] = await tx<{ unchanged: boolean }[]>`
      select ${asRead(tx, asked.ifUnchangedSince)} as unchanged from match_statistics
      where match_id = ${matchId} for update`
    checkTarget(stored)
    const { sent, details } = await judged(ctx, tx, { matchId, match: found.match, asked })
    const counted = countedNames(found.match)
    const kept = sent.map((one) => ({ ...one, values: { ...one.values } }))
    for (const { path, values, shown } of kept)
      for (const [name, value] of Object.entries(values)) {
        const message = refusedName(found.match.sport, name, counted)
        if (message === undefined) continue
        delete values[name]
        if (!lenient && shown[name] !== value) details[`${path}.values.${name}`] = { message, value }
      }
    if (Object.keys(details).length > 0) throw invalid(details)
    for (const { key, id, values } of kept)
      await tx`
        update match_statistics set ${tx(key)} = case when ${Object.keys(values).length} = 0 then ${tx(key)} - ${String(id)}
          else ${tx(key)} || jsonb_build_object(${String(id)}::text, ${JSON.stringify(values)}::text::jsonb) end
        where match_id = ${matchId}`
    await tx`update match_statistics set updated_at = ${thisWrite(tx)} where match_id = ${matchId}`
    return {
      result: await getStatistics(ctx, matchId, tx),
      events: [{ type: 'match.statistics.replaced', matchId, teams: asked.teams, players: asked.players }],
    }
  })
}

type Judging = { matchId: number; match: Match; asked: MatchStatisticsUpdate }

/** What was sent with what is shown of it now, and who does not belong. Throws forbidden for another organization's. */
async function judged(ctx: RecordContext, tx: TransactionSql, { matchId, match, asked }: Judging) {
  const teamIds = asked.teams.map(({ teamId }) => teamId)
  const playerIds = asked.players.map(({ playerId }) => playerId)
  const foreign = await tx`
    select from team where id = any(${teamIds}) and organization_id <> ${ctx.organizationId}
    union all select from player where id = any(${playerIds}) and organization_id <> ${ctx.organizationId}`
  if (foreign.length > 0) throw forbidden()
  const { statistics, teams } = await statisticsOfMatch(tx, matchId, match)
  const details: FieldErrors = {}
  const playing = teamIdsOf(match)
  const alone = match.competitors.flatMap(({ playerId }) => (playerId === null ? [] : [playerId]))
  const mayPlay = (playerId: number) => teams.has(playerId) || alone.includes(playerId)
  const sent: Sent[] = []
  for (const [index, { teamId, values }] of asked.teams.entries()) {
    const path = `body.teams[${index}]`
    if (!playing.includes(teamId)) details[`${path}.teamId`] = { message: 'does not play in the match', value: teamId }
    if (teamIds.indexOf(teamId) < index) details[`${path}.teamId`] = { message: 'named twice', value: teamId }
    const home = match.competitors.find((one) => one.teamId === teamId)?.isHome ?? true
    sent.push({ key: 'teams', id: teamId, path, values, shown: statistics[home ? 'home' : 'away'] })
  }
  for (const [index, { playerId, values }] of asked.players.entries()) {
    const path = `body.players[${index}]`
    if (!mayPlay(playerId))
      details[`${path}.playerId`] = { message: 'is in neither line-up nor roster', value: playerId }
    if (playerIds.indexOf(playerId) < index) details[`${path}.playerId`] = { message: 'named twice', value: playerId }
    const shown = statistics.players.find((one) => one.playerId === playerId)?.values ?? {}
    sent.push({ key: 'players', id: playerId, path, values, shown })
  }
  return { sent, details }
}
