import type { ISql } from 'postgres'
import type { z } from 'zod'
import type { ReadContext } from '../../context.ts'
import type { Provider } from '../../schema/provider.ts'
import { nameClause } from '../name-clause.ts'
import { owned } from '../ownership.ts'
import { page } from '../page.ts'
import { providerClause, providerColumn, withProvider } from '../provider-clause.ts'
import type { Venue, VenueFilter } from './schema.ts'

type Row = Omit<z.output<typeof Venue>, 'dataProvider'> & { dataProvider: Provider | null }

const columns = (sql: ISql) => sql`
  v.id, v.name, v.gfx_name as "gfxName", v.address, v.city, v.state, v.country, v.timezone, v.latitude, v.longitude,
  v.courts, ${providerColumn(sql, 'v')}`

/** The organization's venues by id. */
export async function listVenues(ctx: ReadContext, filter: z.output<typeof VenueFilter>) {
  const { sql } = ctx.db
  const { rows, total } = await page<Row>(sql, {
    select: columns(sql),
    from: sql`from venue v where v.organization_id = ${ctx.organizationId} ${nameClause(sql, filter.name, 'v')}
      ${providerClause(sql, filter, 'v')}`,
    source: 'v',
    ...filter,
  })
  return { venues: rows.map(withProvider), total, returned: rows.length }
}

/** Throws notFound, or forbidden when it is another organization's. A command gives its transaction. */
export async function getVenue(
  ctx: ReadContext,
  venueId: number,
  sql: ISql = ctx.db.sql,
): Promise<z.output<typeof Venue>> {
  const [row] = await sql<(Row & { organizationId: number })[]>`
    select v.organization_id as "organizationId", ${columns(sql)} from venue v where v.id = ${venueId}`
  return withProvider(owned(ctx, row))
}
