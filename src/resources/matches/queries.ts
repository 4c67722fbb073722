import type { ISql, PendingQuery, Row as PostgresRow } from 'postgres'
import type { z } from 'zod'
import { newMatch } from '../../../machines/match.ts'
import { effectiveConfig } from '../../../machines/sports.ts'
import type { Context, ReadContext } from '../../context.ts'
import { checkOwn } from '../ownership.ts'
import { providerClause } from '../provider-clause.ts'
import { findTeams } from '../teams/queries.ts'
import { deskLinks } from './desk-link.queries.ts'
import { includesOf } from './include.queries.ts'
import { type MatchRow, shownSituation } from './match-row.ts'
import type { MatchFilter, MatchV1, MatchV2 } from './schema.ts'

type V1 = z.output<typeof MatchV1>
type V2 = z.output<typeof MatchV2>

type Chosen = PendingQuery<PostgresRow[]>

/** `chosen` names the ids first, so that nothing is put together for the rows that a page skips. */
const select = (sql: ISql, chosen: Chosen) => sql`
  select m.id, m.organization_id as "organizationId", m.competition_id as "competitionId", m.sport, m.name,
    m.competitors_type as "competitorsType", m.starts_at as date, m.timezone, m.venue_id as "venueId",
    v.name as "venueName", m.round, m.config, m.pregame_automation_minutes as "pregameAutomationTime",
    m.postgame_automation_minutes as "postgameAutomationTime", m.officials, m.state, m.play,
    (select coalesce(json_agg(c), '[]') from (
        select entity_type as "entityType", team_id as "teamId", player_id as "playerId", position, is_home as "isHome"
        from match_competitor where match_id = m.id order by position) c) as competitors,
    case when m.provider_name is not null then json_build_object('name', m.provider_name, 'id', m.provider_id) end
      as "dataProvider",
    m.created_at as "createdAt", m.updated_at as "updatedAt"
  from (${chosen}) chosen join match m using (id) left join venue v on v.id = m.venue_id order by m.id`

const iso = (moment: string | Date) => new Date(moment).toISOString()

const unplayed = (row: MatchRow) =>
  newMatch({ ...row, settings: { ...row, date: iso(row.date) }, at: iso(row.createdAt) }).play

/** A row as v2 shows it. */
export function matchOf(row: MatchRow): V2 {
  const play = row.play ?? unplayed(row)
  const sideOf = (isHome: boolean) =>
    row.competitors.find((one) => one.isHome === isHome && one.entityType === 'team')?.teamId ?? null
  return {
    id: row.id,
    competitionId: row.competitionId,
    sport: row.sport,
    name: row.name,
    competitorsType: row.competitorsType,
    competitors: row.competitors.map(({ entityType, teamId, playerId, position, isHome }) => ({
      entityType,
      entityId: (entityType === 'team' ? teamId : playerId) ?? 0,
      ...(teamId === null ? {} : { teamId }),
      ...(playerId === null ? {} : { playerId }),
      order: position,
      isHome,
      score: play.competitorScores[position] ?? 0,
    })),
    homeTeamId: sideOf(true),
    awayTeamId: sideOf(false),
    date: iso(row.date),
    timezone: row.timezone,
    venueId: row.venueId,
    round: row.round,
    state: row.state,
    period: play.period,
    clock: play.clock,
    score: { ...play.score, periods: [...play.score.periods] },
    situation: shownSituation(play.situation),
    config: effectiveConfig(row.sport, row.config),
    pregameAutomationTime: row.pregameAutomationTime,
    postgameAutomationTime: row.postgameAutomationTime,
    officials: row.officials,
    ...(row.dataProvider && { dataProvider: row.dataProvider }),
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
  }
}

/** The row of an own match. Throws notFound, or forbidden when it is another organization's. */
export async function getMatchRow(ctx: ReadContext, matchId: number, sql: ISql = ctx.db.sql): Promise<MatchRow> {
  const [row] = await sql<MatchRow[]>`${select(sql, sql`select ${matchId}::int as id`)}`
  checkOwn(ctx, row)
  return row
}

/** As `getMatchRow`, in the shape of v2. A command gives its transaction. */
export const getMatch = async (ctx: ReadContext, matchId: number, sql: ISql = ctx.db.sql): Promise<V2> =>
  matchOf(await getMatchRow(ctx, matchId, sql))

/** As `getMatch`, with the records that `include` names. */
export async function getMatchV2(ctx: Context, matchId: number, include: string | undefined): Promise<V2> {
  const row = await getMatchRow(ctx, matchId)
  const [included, desk] = await Promise.all([includesOf(ctx, [row], include), deskLinks(ctx, [matchId])])
  return { ...matchOf(row), ...desk(matchId), ...included(row) }
}

/** As `getMatchV2`, in the shape of v1. */
export async function getMatchV1(ctx: Context, matchId: number, include: string | undefined): Promise<V1> {
  const match = await getMatchV2(ctx, matchId, include)
  return v1Of(match, await teamsOf(ctx, [match]))
}

type Filter = z.output<typeof MatchFilter>

/** The organization's matches by id. */
export async function listMatchesV2(ctx: Context, filter: Filter) {
  const { sql } = ctx.db
  const scope = sql`m.organization_id = ${ctx.organizationId}
    ${filter.competitionId === undefined ? sql`` : sql`and m.competition_id = ${filter.competitionId}`}
    ${filter.state === undefined ? sql`` : sql`and m.state = ${filter.state}`}
    ${filter.dateFrom === undefined ? sql`` : sql`and m.starts_at >= ${filter.dateFrom}`}
    ${filter.dateTo === undefined ? sql`` : sql`and m.starts_at <= ${filter.dateTo}`}
    ${filter.teamId === undefined ? sql`` : sql`and exists (select 1 from match_competitor c where c.match_id = m.id and c.team_id = ${filter.teamId})`}
    ${providerClause(sql, filter, 'm')}`
  const page = sql`select m.id from match m where ${scope} order by m.id limit ${filter.limit} offset ${filter.offset}`
  const [rows, [counted]] = await Promise.all([
    sql<MatchRow[]>`${select(sql, page)}`,
    sql<{ total: number }[]>`select count(*)::int as total from match m where ${scope}`,
  ])
  const ids = rows.map(({ id }) => id)
  const [included, desk] = await Promise.all([includesOf(ctx, rows, filter.include), deskLinks(ctx, ids)])
  const matches = rows.map((row) => ({ ...matchOf(row), ...desk(row.id), ...included(row) }))
  return { matches, total: counted?.total ?? 0, returned: matches.length }
}

/** As `listMatchesV2`, in the shape of v1. */
export async function listMatchesV1(ctx: Context, filter: Filter) {
  const { matches, ...counts } = await listMatchesV2(ctx, filter)
  const teams = await teamsOf(ctx, matches)
  return { matches: matches.map((match) => v1Of(match, teams)), ...counts }
}

type Teams = Awaited<ReturnType<typeof findTeams>>

/** The two teams of each of these. */
export function teamsOf(
  ctx: ReadContext,
  matches: readonly Pick<V2, 'homeTeamId' | 'awayTeamId'>[],
  sql: ISql = ctx.db.sql,
): Promise<Teams> {
  const ids = matches.flatMap(({ homeTeamId, awayTeamId }) => [homeTeamId, awayTeamId]).filter((id) => id !== null)
  return findTeams(sql, ctx.organizationId, [...new Set(ids)])
}

/** The shape of v1, which names the two teams instead of the competitors. */
export function v1Of({ competitors: _, teams: __, ...match }: V2, teams: Teams): V1 {
  const side = (id: number | null, isHome: boolean) => {
    const team = teams.find((one) => one.id === id)
    return team ? { ...team, isHome } : null
  }
  return { ...match, homeTeam: side(match.homeTeamId, true), awayTeam: side(match.awayTeamId, false) }
}
