import type { ISql } from 'postgres'

/** The filter `name` as a condition on the column of a table, by its alias: part of the name, in any case. */
export const nameClause = (sql: ISql, name: string | undefined, table: string) =>
  name === undefined ? sql`` : sql`and ${sql(table)}.name ilike ${`%${name.replace(/[\\%_]/g, '\\$&')}%`}`
