import type { ISql } from 'postgres'
import type { Provider } from '../schema/provider.ts'

export type ProviderFilter = { providerName?: string | undefined; providerIds?: string | undefined }

/** The provider filters as a condition on the columns of a table, by its alias. spec: Players 8 */
export const providerClause = (sql: ISql, { providerName, providerIds }: ProviderFilter, table: string) => sql`
  ${providerName === undefined ? sql`` : sql`and ${sql(table)}.provider_name = ${providerName}`}
  ${
    providerIds === undefined
      ? sql``
      : sql`and ${sql(table)}.provider_id = any(${providerIds.split(',').map((id) => id.trim())})`
  }`

/** The column `dataProvider` of a table, by its alias; null for a record of our own. */
export const providerColumn = (sql: ISql, table: string) => sql`
  case when ${sql(table)}.provider_name is not null
    then json_build_object('name', ${sql(table)}.provider_name, 'id', ${sql(table)}.provider_id) end as "dataProvider"`

/** A row as the API shows it: `dataProvider` is absent where the column is null. spec: Provider */
export function withProvider<Shown extends { dataProvider: Provider | null }>({
  dataProvider,
  ...row
}: Shown): Omit<Shown, 'dataProvider'> & { dataProvider?: Provider } {
  return dataProvider ? { ...row, dataProvider } : row
}
