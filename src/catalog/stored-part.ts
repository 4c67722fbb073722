import type { ISql } from 'postgres'

/**
 * A part of the context of an actor's row, where it has the JSON type that it is read as. An actor that waits for a
 * repair may have anything there, and must not fail the statement that also reads others. live-path 9
 */
export const storedPart = (sql: ISql, row: string, part: string, type: 'array' | 'object') => {
  const stored = sql`${sql(row)}.snapshot->'context'->${part}::text`
  return sql`case json_typeof(${stored}) when ${type} then ${stored} end`
}
