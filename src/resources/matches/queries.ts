import type { ISql } from 'postgres'
import type { z } from 'zod'
import { effectiveConfig } from '../../../machines/sports.ts'
import type { Context, ReadContext } from '../../context.ts'
import { forbidden, notFound } from '../../errors.ts'
import { getCompetition } from '../competitions/queries.ts'
import { overlaysOfMatches } from '../overlays/queries.ts'
import { providerClause } from '../provider-clause.ts'
import { findTeams } from '../teams/queries.ts'
import type { MatchConfig, MatchFilter, MatchV1, MatchV2 } from './schema.ts'

type V1 = z.output<typeof MatchV1>
type V2 = z.output<typeof MatchV2>
type Competitor = V2['competitors'][number]

type Row = Pick<
  V2,
  | 'id'
  | 'competitionId'
  | 'sport'
  | 'name'
  | 'competitorsType'
  | 'timezone'
  | 'venueId'
  | 'round'
  | 'pregameAutomationTime'
  | 'postgameAutomationTime'
  | 'officials'
> & {
  organizationId: number
  startsAt: Date
  venueName: string | null
  config: Partial<z.output<typeof MatchConfig>>
  competitors: {
    entityType: 'team' | 'player'
    teamId: number | null
    playerId: number | null
    order: number
    isHome: boolean
  }[]
  dataProvider: V2['dataProvider'] | null
  createdAt: Date
  updatedAt: Date
}

const select = (sql: ISql) => sql`
  select m.id, m.organization_id as "organizationId", m.competition_id as "competitionId", m.sport, m.name,
    m.competitors_type as "competitorsType", m.starts_at as "startsAt", m.timezone, m.venue_id as "venueId",
    v.name as "venueName", m.round, m.config, m.pregame_automation_minutes as "pregameAutomationTime",
    m.postgame_automation_minutes as "postgameAutomationTime",
    (select coalesce(json_agg(json_build_object('entityType', c.entity_type, 'teamId', c.team_id,
        'playerId', c.player_id, 'order', c.position, 'isHome', c.is_home) order by c.position), '[]')
      from match_competitor c where c.match_id = m.id) as competitors,
    m.officials,
    case when m.provider_name is not null then json_build_object('name', m.provider_name, 'id', m.provider_id) end
      as "dataProvider",
    m.created_at as "createdAt", m.updated_at as "updatedAt"
  from match m left join venue v on v.id = m.venue_id`

const competitorOf = ({ entityType, teamId, playerId, order, isHome }: Row['competitors'][number]): Competitor => ({
  entityType,
  entityId: (entityType === 'team' ? teamId : playerId) ?? 0,
  ...(teamId === null ? {} : { teamId }),
  ...(playerId === null ? {} : { playerId }),
  order,
  isHome,
  score: 0,
})

const sideOf = (row: Row, isHome: boolean) =>
  row.competitors.find((one) => one.isHome === isHome && one.entityType === 'team')?.teamId ?? null

/** The clock before kick-off: nothing played, or all of the first period to go. */
export function clockOf(sport: Row['sport'], set: Row['config'], asOf: Date): V2['clock'] {
  const { clockDirection, periodLength } = effectiveConfig(sport, set)
  const valueMs = clockDirection === 'down' ? periodLength * 60_000 : 0
  return { running: false, valueMs, asOf: asOf.toISOString(), direction: clockDirection }
}

const matchOf = (row: Row): V2 => {
  return {
    id: row.id,
    competitionId: row.competitionId,
    sport: row.sport,
    name: row.name,
    competitorsType: row.competitorsType,
    competitors: row.competitors.map(competitorOf),
    homeTeamId: sideOf(row, true),
    awayTeamId: sideOf(row, false),
    date: row.startsAt.toISOString(),
    timezone: row.timezone,
    venueId: row.venueId,
    round: row.round,
    state: 'scheduled',
    period: null,
    clock: clockOf(row.sport, row.config, row.updatedAt),
    score: { home: 0, away: 0, periods: [] },
    config: effectiveConfig(row.sport, row.config),
    pregameAutomationTime: row.pregameAutomationTime,
    postgameAutomationTime: row.postgameAutomationTime,
    officials: row.officials,
    ...(row.dataProvider && { dataProvider: row.dataProvider }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

async function getRow(ctx: ReadContext, matchId: number, sql: ISql): Promise<Row> {
  const [row] = await sql<Row[]>`${select(sql)} where m.id = ${matchId}`
  if (!row) throw notFound()
  if (row.organizationId !== ctx.organizationId) throw forbidden()
  return row
}

/** Throws notFound, or forbidden when it is another organization's. A command gives its transaction. */
export const getMatch = async (ctx: ReadContext, matchId: number, sql: ISql = ctx.db.sql): Promise<V2> =>
  matchOf(await getRow(ctx, matchId, sql))

/** As `getMatch`, with what `include` names. */
export async function getMatchV2(ctx: Context, matchId: number, include: string | undefined): Promise<V2> {
  const [match] = await withIncludes(ctx, [await getRow(ctx, matchId, ctx.db.sql)], include)
  if (!match) throw notFound()
  return match
}

/** As `getMatchV2`, in the shape of v1. */
export async function getMatchV1(ctx: Context, matchId: number, include: string | undefined): Promise<V1> {
  const [match] = await asV1(ctx, [await getMatchV2(ctx, matchId, include)])
  if (!match) throw notFound()
  return match
}

type Filter = z.output<typeof MatchFilter>

/** The organization's matches by id. */
export async function listMatchesV2(ctx: Context, filter: Filter) {
  const { sql } = ctx.db
  const scope = sql`m.organization_id = ${ctx.organizationId}
    ${filter.competitionId === undefined ? sql`` : sql`and m.competition_id = ${filter.competitionId}`}
    ${filter.dateFrom === undefined ? sql`` : sql`and m.starts_at >= ${filter.dateFrom}`}
    ${filter.dateTo === undefined ? sql`` : sql`and m.starts_at <= ${filter.dateTo}`}
    ${filter.teamId === undefined ? sql`` : sql`and exists (select 1 from match_competitor c where c.match_id = m.id and c.team_id = ${filter.teamId})`}
    ${providerClause(sql, filter, 'm')}`
  const [rows, [counted]] = await Promise.all([
    sql<Row[]>`${select(sql)} where ${scope} order by m.id limit ${filter.limit} offset ${filter.offset}`,
    sql<{ total: number }[]>`select count(*)::int as total from match m where ${scope}`,
  ])
  const matches = await withIncludes(ctx, rows, filter.include)
  return { matches, total: counted?.total ?? 0, returned: matches.length }
}

export async function listMatchesV1(ctx: Context, filter: Filter) {
  const { matches, ...counts } = await listMatchesV2(ctx, filter)
  return { matches: await asV1(ctx, matches), ...counts }
}

async function asV1(ctx: Context, matches: readonly V2[]): Promise<V1[]> {
  const ids = matches.flatMap(({ homeTeamId, awayTeamId }) => [homeTeamId, awayTeamId]).filter((id) => id !== null)
  const teams = new Map((await findTeams(ctx.db.sql, ctx.organizationId, ids)).map((team) => [team.id, team]))
  const side = (id: number | null, isHome: boolean) => {
    const team = id === null ? undefined : teams.get(id)
    return team ? { ...team, isHome } : null
  }
  return matches.map(({ competitors: _, teams: __, ...match }) => ({
    ...match,
    homeTeam: side(match.homeTeamId, true),
    awayTeam: side(match.awayTeamId, false),
  }))
}

async function withIncludes(ctx: Context, rows: readonly Row[], include: string | undefined): Promise<V2[]> {
  const wanted = new Set(include?.split(','))
  const ids = rows.map(({ id }) => id)
  const teamIds = rows.flatMap(({ competitors }) => competitors.map(({ teamId }) => teamId)).filter((id) => id !== null)
  const [teams, overlays, competitions] = await Promise.all([
    wanted.has('t') ? findTeams(ctx.db.sql, ctx.organizationId, teamIds) : undefined,
    // an overlay carries links to its pages, which a key for matches alone must not get
    wanted.has('o') && ctx.scopes.has('overlays:read') ? overlaysOfMatches(ctx, ids) : undefined,
    wanted.has('c')
      ? Promise.all([...new Set(rows.map(({ competitionId }) => competitionId))].map((id) => getCompetition(ctx, id)))
      : undefined,
  ])
  return rows.map((row) => {
    const competition = competitions?.find(({ id }) => id === row.competitionId)
    return {
      ...matchOf(row),
      ...(teams && { teams: teams.filter(({ id }) => row.competitors.some(({ teamId }) => teamId === id)) }),
      ...(overlays && { overlays: overlays.filter(({ matchId }) => matchId === row.id) }),
      ...(competition && { competition }),
      ...(wanted.has('v') && {
        venue: row.venueId === null || row.venueName === null ? null : { id: row.venueId, name: row.venueName },
      }),
    }
  })
}
