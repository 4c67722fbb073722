import type { ISql } from 'postgres'

/** The provider filters as a condition on the columns of a table, by its alias. spec: Players 8 */
export const providerClause = (
  sql: ISql,
  { providerName, providerIds }: { providerName?: string | undefined; providerIds?: string | undefined },
  table: string,
) => sql`
  ${providerName === undefined ? sql`` : sql`and ${sql(table)}.provider_name = ${providerName}`}
  ${
    providerIds === undefined
      ? sql``
      : sql`and ${sql(table)}.provider_id = any(${providerIds.split(',').map((id) => id.trim())})`
  }`
