import type { ISql, PendingQuery, Row } from 'postgres'
import type { ReadContext } from '../context.ts'
import type { Paging } from '../schema/paging.ts'
import type { Provider } from '../schema/provider.ts'
import { owned } from './ownership.ts'
import { page } from './page.ts'
import { type ProviderFilter, providerClause, providerColumn, withProvider } from './provider-clause.ts'

type Fragment = PendingQuery<Row[]>
type Supplied = { dataProvider?: Provider | undefined }
type Found<Shown> = Omit<Shown, 'dataProvider'> & { dataProvider: Provider | null }

/** Reads of a table whose records providers may supply. `columns` are those of `r` that the API shows, without `dataProvider`. */
export const suppliedRecords = <Shown extends Supplied>(
  table: 'player' | 'official' | 'venue',
  columns: (sql: ISql) => Fragment,
) => ({
  /** The organization's records by id, narrowed by a condition on `r` beside the provider filters. */
  async page(ctx: ReadContext, filter: Paging & ProviderFilter, also?: (sql: ISql) => Fragment) {
    const { sql } = ctx.db
    const { rows, total } = await page<Found<Shown>>(sql, {
      select: sql`${columns(sql)}, ${providerColumn(sql, 'r')}`,
      from: sql`from ${sql(table)} r where r.organization_id = ${ctx.organizationId} ${also ? also(sql) : sql``}
        ${providerClause(sql, filter, 'r')}`,
      source: 'r',
      ...filter,
    })
    return { rows: rows.map((row) => asShown<Shown>(row)), total, returned: rows.length }
  },

  /** Throws notFound, or forbidden when it is another organization's. A command gives its transaction. */
  async get(ctx: ReadContext, id: number, sql: ISql = ctx.db.sql): Promise<Shown> {
    const [row] = await sql<(Found<Shown> & { organizationId: number })[]>`
      select r.organization_id as "organizationId", ${columns(sql)}, ${providerColumn(sql, 'r')}
      from ${sql(table)} r where r.id = ${id}`
    return asShown<Shown>(owned(ctx, row))
  },
})

// the columns are the fields that the API shows, which the compiler cannot see in SQL
const asShown = <Shown extends Supplied>(row: { dataProvider: Provider | null }) => withProvider(row) as Shown
