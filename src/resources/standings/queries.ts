import type { ISql } from 'postgres'
import type { z } from 'zod'
import { sportOf } from '../../../machines/sports.ts'
import { type Batted, type Result, type StandingsRules, standingsOf, usualRules } from '../../../machines/standings.ts'
import type { ReadContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { checkOwn } from '../ownership.ts'
import { exactly } from '../target.ts'
import { findTeamsWithLogo } from '../teams/queries.ts'
import type { Standings, StandingsAdjustment } from './schema.ts'

type Settings = {
  organizationId: number
  sport: string
  rules: StandingsRules | null
  adjustments: z.output<typeof StandingsAdjustment>[]
  updatedAt: string
}

type Team = { id: number; name: string; gfxName: string | null }

type Row = {
  homeId: number
  awayId: number
  home: number
  away: number
  period: string | null
  decider: { home: number; away: number } | null
  sets: number | null
  state: string
  innings: Innings[] | null
  oversLimit: number | null
  size: number | null
  homeCounts?: Record<string, number>
  awayCounts?: Record<string, number>
}

/** As `situation.innings` of a match of cricket. */
type Innings = {
  number: number
  side: 'home' | 'away' | null
  runs: number
  wickets: number
  overs: string
  oversLimit?: number | null
}

/** SQL: when a result, the rules or the adjustments of a competition (`c`, with its settings `s`) last changed. */
export const changedAt = (sql: ISql) => sql`greatest(c.created_at, s.updated_at, (
  select max(m.result_changed_at) from match m
  where m.organization_id = c.organization_id and m.competition_id = c.id))`

/** The table of an own competition. Throws notFound, or forbidden when it is another organization's. */
export async function getStandings(
  ctx: ReadContext,
  competitionId: number,
  sql: ISql = ctx.db.sql,
): Promise<z.output<typeof Standings>> {
  const found = await findTable(sql, competitionId)
  if (!found) throw notFound()
  checkOwn(ctx, found)
  const { standings, rules, adjustments, updatedAt, teams } = found
  const named = new Map(teams.map((team) => [team.id, team]))
  const rows = standings.map(({ teamId, ...row }) => ({ teamId, ...namesOf(named.get(teamId)), ...row }))
  const { bonus, tieBreakers, groups, ...others } = rules
  return {
    competitionId,
    rows,
    rules: {
      ...others,
      bonus: [...bonus],
      tieBreakers: [...tieBreakers],
      groups: groups.map(({ name, teamIds }) => ({ name, teamIds: [...teamIds] })),
    },
    adjustments,
    updatedAt,
  }
}

const namesOf = (team: Pick<Team, 'name' | 'gfxName'> | undefined) => ({
  name: team?.name ?? '',
  shortName: team?.gfxName ?? team?.name ?? '',
})

/** The table of a competition as graphics show it; undefined when there is no such competition. `publicUrl` is without a trailing slash. */
export async function findShownStandings(sql: ISql, publicUrl: string, competitionId: number) {
  const found = await findTable(sql, competitionId)
  if (!found) return undefined
  const { organizationId, standings, rules, updatedAt, teams } = found
  const ids = teams.map(({ id }) => id)
  const shown = new Map((await findTeamsWithLogo(sql, publicUrl, organizationId, ids)).map((team) => [team.id, team]))
  return {
    organizationId,
    standings: {
      rows: standings.map(({ teamId, ...row }) => {
        const team = shown.get(teamId)
        const { abbreviation, primaryBackgroundColor, primaryTextColor, logoUrl } = team ?? {}
        const names = { name: team?.name ?? '', shortName: team?.gfxName ?? team?.name ?? '' }
        return { teamId, ...names, abbreviation, primaryBackgroundColor, primaryTextColor, logoUrl, ...row }
      }),
      groups: rules.groups.map(({ name }) => name),
      updatedAt,
    },
  }
}

async function findTable(sql: ISql, competitionId: number) {
  const [settings] = await sql<Settings[]>`
    select c.organization_id as "organizationId", c.sport, s.rules, coalesce(s.adjustments, '[]') as adjustments,
      ${exactly(sql, 'changed.at')} as "updatedAt"
    from competition c
    left join competition_standings s on s.competition_id = c.id
    cross join lateral (select ${changedAt(sql)} as at) changed
    where c.id = ${competitionId}`
  if (!settings) return undefined
  const rules = settings.rules ?? usualRules(settings.sport)
  const [teams, results] = await Promise.all([
    sql<Team[]>`
      select t.id, t.name, t.gfx_name as "gfxName" from competition_team x join team t on t.id = x.team_id
      where x.competition_id = ${competitionId} order by t.id`,
    resultsOf(sql, { ...settings, competitionId }, rules),
  ])
  const { adjustments } = settings
  return { ...settings, rules, teams, standings: standingsOf({ teams, results, rules, adjustments }) }
}

/** The matches of two teams that count, in the order in which they were to be played. */
async function resultsOf(
  sql: ISql,
  { organizationId, competitionId, sport }: { organizationId: number; competitionId: number; sport: string },
  { bonus, points }: StandingsRules,
): Promise<Result[]> {
  const counts = bonus.some(({ type }) => type === 'statistic')
    ? sql`, m.play->'statistics'->'home' as "homeCounts", m.play->'statistics'->'away' as "awayCounts"`
    : sql``
  const states = points.noResult === undefined ? ['finished'] : ['finished', 'abandoned']
  const innings = sport === 'cricket' ? sql`m.play->'situation'->'innings'` : sql`null::jsonb`
  const rows = await sql<Row[]>`
    select h.team_id as "homeId", a.team_id as "awayId", (m.play->'score'->>'home')::float8 as home,
      (m.play->'score'->>'away')::float8 as away, m.play->'period'->>'type' as period,
      coalesce(m.play->'situation'->'shootout', m.play->'situation'->'superOver') as decider,
      (m.config->>'periodCount')::int as sets, m.state, ${innings} as innings,
      (m.play->'situation'->>'oversLimit')::float8 as "oversLimit", (m.config->>'startingSize')::int as size ${counts}
    from match m
    join match_competitor h on h.match_id = m.id and h.is_home and h.entity_type = 'team'
    join match_competitor a on a.match_id = m.id and not a.is_home and a.entity_type = 'team'
    where m.organization_id = ${organizationId} and m.competition_id = ${competitionId} and m.state = any(${states})
      and m.competitors_type = 'teams' and m.play is not null
    order by m.starts_at, m.id`
  const { defaults } = sportOf(sport)
  return rows.map((row) => {
    const { homeId, awayId, home, away, period, decider, sets, state, homeCounts, awayCounts } = row
    const batted = battedIn(row, defaults)
    const lastSet = period === 'set' && home + away === (sets ?? defaults.periodCount)
    return {
      home: { teamId: homeId, score: home, statistics: homeCounts, batted: batted?.home },
      away: { teamId: awayId, score: away, statistics: awayCounts, batted: batted?.away },
      decidedBy: period === 'overtime' ? 'overtime' : lastSet ? 'decidingSet' : undefined,
      shootoutWinner:
        !decider || decider.home === decider.away ? undefined : decider.home > decider.away ? 'home' : 'away',
      noResult: state === 'abandoned',
    }
  })
}

/**
 * What both sides of a match in limited overs scored, and off how many balls; a side that was all out has used all that it might have had.
 * Undefined without a limit, and where nothing was bowled.
 */
function battedIn(
  { innings, oversLimit, sets, size }: Row,
  defaults: { periodCount: number; startingSize: number },
): Record<'home' | 'away', Batted> | undefined {
  // a super over counts apart
  const counted = (innings ?? []).filter(({ number }) => number <= (sets ?? defaults.periodCount))
  const sum = { home: { runs: 0, balls: 0 }, away: { runs: 0, balls: 0 } }
  for (const { side, runs, wickets, overs, ...one } of counted) {
    const limit = one.oversLimit ?? oversLimit
    if (side === null || limit === null) return undefined
    const [whole = 0, balls = 0] = overs.split('.').map(Number)
    sum[side].runs += runs
    sum[side].balls += wickets >= (size ?? defaults.startingSize) - 1 ? 6 * limit : 6 * whole + balls
  }
  return sum.home.balls + sum.away.balls === 0 ? undefined : sum
}
