import type { ISql } from 'postgres'
import type { z } from 'zod'
import type { ReadContext } from '../../context.ts'
import { forbidden, notFound } from '../../errors.ts'
import type { Provider } from '../../schema/provider.ts'
import { nameClause } from '../name-clause.ts'
import { page } from '../page.ts'
import { providerClause, providerColumn, withProvider } from '../provider-clause.ts'
import { teamsOfCompetitions } from '../teams/queries.ts'
import type { Competition, CompetitionFilter, CompetitionWithAllIncludes, Grade } from './schema.ts'

type Shape = z.output<typeof Competition>
type Row = Omit<Shape, 'dataProvider'> & { organizationId: number; dataProvider: Provider | null }

const columns = (sql: ISql) => sql`
  id, name, gfx_name as "gfxName", sport, organization_id as "organizationId",
  ${providerColumn(sql, 'competition')}`

const competitionOf = ({ organizationId: _, ...row }: Row): Shape => withProvider(row)

/** Throws notFound, or forbidden when it is another organization's. */
export async function getCompetition(ctx: ReadContext, competitionId: number, sql: ISql = ctx.db.sql): Promise<Shape> {
  const [row] = await sql<Row[]>`select ${columns(sql)} from competition where id = ${competitionId}`
  if (!row) throw notFound()
  if (row.organizationId !== ctx.organizationId) throw forbidden()
  return competitionOf(row)
}

export async function getCompetitionWith(
  ctx: ReadContext,
  competitionId: number,
  include: string | undefined,
): Promise<z.output<typeof CompetitionWithAllIncludes>> {
  const competition = await getCompetition(ctx, competitionId)
  return include === undefined ? competition : { ...competition, teams: await teamsOf(ctx, competitionId) }
}

/** Throws as `getCompetition` does. */
export async function listCompetitionTeams(ctx: ReadContext, competitionId: number, sql: ISql = ctx.db.sql) {
  await getCompetition(ctx, competitionId, sql)
  const teams = await teamsOf(ctx, competitionId, sql)
  return { count: teams.length, teams }
}

const teamsOf = async (ctx: ReadContext, competitionId: number, sql: ISql = ctx.db.sql) =>
  (await teamsOfCompetitions(sql, ctx.organizationId, [competitionId])).get(competitionId) ?? []

/** The organization's competitions by id. */
export async function listCompetitions(ctx: ReadContext, filter: z.output<typeof CompetitionFilter>) {
  const { sql } = ctx.db
  const from = sql`from competition where organization_id = ${ctx.organizationId}
    ${nameClause(sql, filter.name, 'competition')}
    ${filter.sport === undefined ? sql`` : sql`and sport = ${filter.sport}`} ${providerClause(sql, filter, 'competition')}`
  const { rows, total } = await page<Row>(sql, { select: columns(sql), from, source: 'competition', ...filter })
  return { competitions: rows.map(competitionOf), total, returned: rows.length }
}

/** spec: Competitions 9 */
export const listGrades = async (ctx: ReadContext): Promise<z.output<typeof Grade>[]> => [
  ...(await ctx.db.sql<z.output<typeof Grade>[]>`select id, name from grade order by id`),
]
