import type { ISql } from 'postgres'
import type { z } from 'zod'
import type { Context, ReadContext } from '../../context.ts'
import { imageUrl } from '../images.ts'
import { nameClause } from '../name-clause.ts'
import { owned } from '../ownership.ts'
import { page } from '../page.ts'
import { providerClause, providerColumn } from '../provider-clause.ts'
import type { Team, TeamFilter } from './schema.ts'

type Shape = z.output<typeof Team>
type Row = { [Field in keyof Omit<Shape, 'logoUrl'>]: Shape[Field] | null } & { logo: string | null }
type TeamContext = ReadContext & Pick<Context, 'publicUrl'>

/** The columns that `teamOf` reads; values that a team has not set come from its club. domain 1.1 */
const columns = (sql: ISql) => sql`
  t.id, t.name, t.gfx_name as "gfxName", t.gfx_full_name as "gfxFullName", t.abbreviation,
  coalesce(t.primary_background_color, c.primary_background_color, '#000000') as "primaryBackgroundColor",
  coalesce(t.primary_text_color, c.primary_text_color, '#ffffff') as "primaryTextColor",
  coalesce(t.secondary_background_color, c.secondary_background_color) as "secondaryBackgroundColor",
  coalesce(t.secondary_text_color, c.secondary_text_color) as "secondaryTextColor",
  coalesce(t.default_venue_id, c.default_venue_id) as "defaultVenueId", t.sport, t.club_id as "clubId",
  coalesce(t.logo_blob, c.logo_blob) as logo, nullif(t.non_player_staff, '[]') as "nonPlayerStaff",
  ${providerColumn(sql, 't')}`

const source = (sql: ISql) => sql`team t left join club c on c.id = t.club_id`

// a row holds null where the API leaves the field out
const teamOf = ({ logo: _, ...row }: Row): Shape =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Shape

const withLogo =
  (publicUrl: string) =>
  (row: Row): Shape =>
    row.logo === null ? teamOf(row) : { ...teamOf(row), logoUrl: imageUrl(publicUrl, row.logo) }

const rowsOf = (sql: ISql, organizationId: number, teamIds: readonly number[]) => sql<Row[]>`
  select ${columns(sql)} from ${source(sql)}
  where t.organization_id = ${organizationId} and t.id = any(${[...teamIds]}) order by t.id`

/** The organization's teams among these, by id; without `logoUrl`, which is for team routes only. spec: Team */
export async function findTeams(sql: ISql, organizationId: number, teamIds: readonly number[]): Promise<Shape[]> {
  return (await rowsOf(sql, organizationId, teamIds)).map(teamOf)
}

/** As `findTeams`, with `logoUrl`: as graphics get them. `publicUrl` is without a trailing slash. */
export async function findTeamsWithLogo(
  sql: ISql,
  publicUrl: string,
  organizationId: number,
  teamIds: readonly number[],
): Promise<Shape[]> {
  return (await rowsOf(sql, organizationId, teamIds)).map(withLogo(publicUrl))
}

/** With `logoUrl`. Throws notFound, or forbidden when it is another organization's. A command gives its transaction. */
export async function getTeam(ctx: TeamContext, teamId: number, sql: ISql = ctx.db.sql): Promise<Shape> {
  const [found] = await sql<(Row & { organizationId: number })[]>`
    select t.organization_id as "organizationId", ${columns(sql)} from ${source(sql)} where t.id = ${teamId}`
  return withLogo(ctx.publicUrl)(owned(ctx, found))
}

/** The organization's teams by id, with `logoUrl`. spec: Teams 7 */
export async function listTeams(ctx: TeamContext, filter: z.output<typeof TeamFilter>) {
  const { sql } = ctx.db
  const { sport, competitionId, clubId } = filter
  const from = sql`from ${source(sql)} where t.organization_id = ${ctx.organizationId}
    ${nameClause(sql, filter.name, 't')}
    ${sport === undefined ? sql`` : sql`and t.sport = ${sport}`}
    ${clubId === undefined ? sql`` : sql`and t.club_id = ${clubId}`}
    ${
      competitionId === undefined
        ? sql``
        : sql`and exists (select from competition_team x where x.team_id = t.id and x.competition_id = ${competitionId})`
    }
    ${providerClause(sql, filter, 't')}`
  const { rows, total } = await page<Row>(sql, { select: columns(sql), from, source: 't', ...filter })
  return { teams: rows.map(withLogo(ctx.publicUrl)), total, returned: rows.length }
}

/** The teams assigned to each of these competitions, by id. */
export async function teamsOfCompetitions(sql: ISql, organizationId: number, competitionIds: readonly number[]) {
  const rows = await sql<(Row & { competitionId: number })[]>`
    select ct.competition_id as "competitionId", ${columns(sql)} from ${source(sql)}
    join competition_team ct on ct.team_id = t.id
    where t.organization_id = ${organizationId} and ct.competition_id = any(${[...competitionIds]}) order by t.id`
  const teams = new Map<number, Shape[]>()
  for (const { competitionId, ...row } of rows) {
    const known = teams.get(competitionId)
    if (known) known.push(teamOf(row))
    else teams.set(competitionId, [teamOf(row)])
  }
  return teams
}
