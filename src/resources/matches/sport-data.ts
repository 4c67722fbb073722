import type { Sql } from 'postgres'
import type { z } from 'zod'
import type { Shown } from '../../../machines/overlay.ts'
import type { SportKey } from '../../schema/sport.ts'
import { findTeams } from '../teams/queries.ts'
import { findMatchState } from './facts.queries.ts'
import { lineupsOf } from './lineup.queries.ts'
import type { MatchConfig } from './schema.ts'
import { selectedRecords, wantsOf } from './selected-records.ts'

type OverlayRow = {
  organizationId: number
  matchId: number
  themeId: number | null
  profileId: number | null
}

/**
 * What graphics of an overlay show of the world: `data` (match, teams, lineups, facts), the theme's variables with the
 * values of the overlay's profile. `schemas` are the parts of `data` that a graphic asks for, `selected` the records that its
 * values name, undefined when it has no such variables.
 */
export async function liveData(sql: Sql, overlayId: number) {
  const [overlay] = await sql<OverlayRow[]>`
    select o.organization_id as "organizationId", o.match_id as "matchId", o.theme_profile_id as "profileId",
      coalesce(r.theme_id, p.theme_id) as "themeId"
    from overlay o
    left join control_room r on r.id = o.control_room_id
    left join theme_profile p on p.id = o.theme_profile_id
    where o.id = ${overlayId}`
  if (!overlay) return { themeVariables: {}, data: undefined, revisions: {} }
  const [themeVariables, { data, revision }, wants] = await Promise.all([
    themeValues(sql, overlay),
    sportData(sql, overlay),
    wantsOf(sql, overlay.themeId),
  ])
  return {
    themeVariables,
    data,
    revisions: { [`match/${overlay.matchId}`]: revision },
    ...(data && {
      schemas: (graphic: Shown) => wants(graphic)?.schemas,
      selected: (graphic: Shown) => {
        const variables = wants(graphic)?.variables ?? []
        return variables.length > 0 ? selectedRecords(graphic, variables, data) : undefined
      },
    }),
  }
}

type VariableRow = { name: string; type: string; value: string | null }

/** Values in force by name, with the type of their variable; variables without any are absent. */
async function themeValues(sql: Sql, { themeId, profileId }: OverlayRow) {
  const rows = await sql<VariableRow[]>`
    select v.name, v.type, coalesce(s.value, v.default_value) as value
    from theme_variable v
    left join theme_variable_value s on s.variable_id = v.id and s.theme_profile_id = ${profileId}
    where v.theme_id = ${themeId}`
  const values: Record<string, string | number | boolean> = {}
  for (const { name, type, value } of rows) if (value !== null) values[name] = typed(type, value)
  return values
}

function typed(type: string, value: string) {
  if (type === 'number' && value.trim() !== '' && Number.isFinite(Number(value))) return Number(value)
  return type === 'boolean' ? value === 'true' : value
}

type MatchRow = {
  name: string | null
  sport: SportKey
  startsAt: Date
  round: string | null
  config: Partial<z.output<typeof MatchConfig>>
  venue: { name: string } | null
  competition: { name: string; gfxName: string | null }
  home: number | null
  away: number | null
  updatedAt: Date
}

async function sportData(sql: Sql, { organizationId, matchId }: OverlayRow) {
  const [match] = await sql<MatchRow[]>`
    select m.name, m.sport, m.starts_at as "startsAt", m.round, m.config, m.updated_at as "updatedAt",
      case when v.id is not null then json_build_object('name', coalesce(v.gfx_name, v.name)) end as venue,
      json_build_object('name', c.name, 'gfxName', c.gfx_name) as competition,
      (select team_id from match_competitor where match_id = m.id and is_home order by position limit 1) as home,
      (select team_id from match_competitor where match_id = m.id and not is_home order by position limit 1) as away
    from match m
    join competition c on c.id = m.competition_id
    left join venue v on v.id = m.venue_id
    where m.id = ${matchId}`
  if (!match) return { data: undefined, revision: 0 }
  const { home, away, startsAt, sport, config: _, updatedAt, ...shown } = match
  const sides = [home, away].filter((id) => id !== null)
  const [teams, lineups, state] = await Promise.all([
    teamsOf(sql, organizationId, sides),
    lineupsOf(sql, matchId, sides),
    findMatchState(sql, matchId),
  ])
  if (!state) return { data: undefined, revision: 0 }
  const { play, facts } = state.match
  const lineup = (teamId: number | null) =>
    lineups.find((one) => one.teamId === teamId) ?? { teamId, formation: null, players: [], staff: [] }
  return {
    data: {
      match: {
        id: matchId,
        ...shown,
        sport,
        state: play.state,
        date: startsAt.toISOString(),
        period: play.period,
        clock: play.clock,
        score: play.score,
      },
      teams: { home: teams.get(home), away: teams.get(away) },
      lineups: { home: lineup(home), away: lineup(away) },
      facts: [...facts],
    },
    revision: updatedAt.getTime(),
  }
}

async function teamsOf(sql: Sql, organizationId: number, ids: readonly number[]) {
  const teams = await findTeams(sql, organizationId, ids)
  return new Map(
    teams.map((team) => {
      const staff = team.nonPlayerStaff ?? []
      const coach = staff.find(({ role }) => role === 'manager') ?? staff[0]
      return [team.id as number | null, { ...team, coach: coach ? `${coach.firstName} ${coach.lastName}` : null }]
    }),
  )
}
