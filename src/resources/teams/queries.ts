import type { ISql } from 'postgres'
import type { z } from 'zod'
import type { Team } from './schema.ts'

type Shape = z.output<typeof Team>
type Row = { [Field in keyof Shape]: Shape[Field] | null }

/** The columns of `team t` that `teamOf` reads. */
export const teamColumns = (sql: ISql) => sql`
  t.id, t.name, t.gfx_name as "gfxName", t.gfx_full_name as "gfxFullName", t.abbreviation,
  t.primary_background_color as "primaryBackgroundColor", t.primary_text_color as "primaryTextColor",
  t.secondary_background_color as "secondaryBackgroundColor", t.secondary_text_color as "secondaryTextColor",
  t.default_venue_id as "defaultVenueId", t.sport, t.club_id as "clubId",
  nullif(t.non_player_staff, '[]') as "nonPlayerStaff",
  case when t.provider_name is not null then json_build_object('name', t.provider_name, 'id', t.provider_id) end
    as "dataProvider"`

// a row holds null where the API leaves the field out
const teamOf = (row: Row): Shape =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Shape

/** The organization's teams among these, by id. */
export async function findTeams(sql: ISql, organizationId: number, teamIds: readonly number[]): Promise<Shape[]> {
  const rows = await sql<Row[]>`
    select ${teamColumns(sql)} from team t
    where t.organization_id = ${organizationId} and t.id = any(${[...teamIds]}) order by t.id`
  return rows.map(teamOf)
}

/** The teams assigned to each of these competitions, by id. */
export async function teamsOfCompetitions(sql: ISql, organizationId: number, competitionIds: readonly number[]) {
  const rows = await sql<(Row & { competitionId: number })[]>`
    select ct.competition_id as "competitionId", ${teamColumns(sql)} from team t
    join competition_team ct on ct.team_id = t.id
    where t.organization_id = ${organizationId} and ct.competition_id = any(${[...competitionIds]}) order by t.id`
  const teams = new Map<number, Shape[]>()
  for (const { competitionId, ...row } of rows)
    teams.set(competitionId, [...(teams.get(competitionId) ?? []), teamOf(row)])
  return teams
}
