import type { ISql } from 'postgres'

/** The filter `name` as a condition on the column of a table, by its alias: part of the name, in any case. */
export const nameClause = (sql: ISql, name: string | undefined, table: string) =>
  name === undefined ? sql`` : sql`and ${sql(table)}.name ilike ${anywhere(name)}`

/** As `nameClause`, for people. */
export const personNameClause = (sql: ISql, name: string | undefined, table: string) =>
  name === undefined
    ? sql``
    : sql`and ${sql(table)}.first_name || ' ' || ${sql(table)}.last_name ilike ${anywhere(name.trim())}`

const anywhere = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`
