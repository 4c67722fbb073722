import type { ISql } from 'postgres'

/** The provider filters as a condition on the columns of a record. spec: Players 8 */
export const providerClause = (
  sql: ISql,
  { providerName, providerIds }: { providerName?: string | undefined; providerIds?: string | undefined },
) => sql`
  ${providerName === undefined ? sql`` : sql`and provider_name = ${providerName}`}
  ${providerIds === undefined ? sql`` : sql`and provider_id = any(${providerIds.split(',').map((id) => id.trim())})`}`
