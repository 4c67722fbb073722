import type { ISql } from 'postgres'
import type { z } from 'zod'
import type { ReadContext } from '../../context.ts'
import type { Provider } from '../../schema/provider.ts'
import { owned } from '../ownership.ts'
import { page } from '../page.ts'
import { providerClause, providerColumn, withProvider } from '../provider-clause.ts'
import type { Official, OfficialFilter } from './schema.ts'

type Row = Omit<z.output<typeof Official>, 'dataProvider'> & { dataProvider: Provider | null }

const columns = (sql: ISql) => sql`
  o.id, o.first_name as "firstName", o.last_name as "lastName", o.role, o.gfx_name as "gfxName",
  ${providerColumn(sql, 'o')}`

/** The organization's officials by id. */
export async function listOfficials(ctx: ReadContext, filter: z.output<typeof OfficialFilter>) {
  const { sql } = ctx.db
  const { rows, total } = await page<Row>(sql, {
    select: columns(sql),
    from: sql`from official o where o.organization_id = ${ctx.organizationId} ${providerClause(sql, filter, 'o')}`,
    source: 'o',
    ...filter,
  })
  return { officials: rows.map(withProvider), total, returned: rows.length }
}

/** Throws notFound, or forbidden when it is another organization's. */
export async function getOfficial(ctx: ReadContext, officialId: number): Promise<z.output<typeof Official>> {
  const { sql } = ctx.db
  const [row] = await sql<(Row & { organizationId: number })[]>`
    select o.organization_id as "organizationId", ${columns(sql)} from official o where o.id = ${officialId}`
  return withProvider(owned(ctx, row))
}
