import { types } from 'pg'

/** Built-in array types, whose oids never change. */
const OIDS = { bool: 1000, int4: 1007, text: 1009, int8: 1016, float8: 1022, timestamptz: 1185, uuid: 2951 }

const element = (value: unknown): string => {
  if (value === null || value === undefined) return 'NULL'
  // most values in numbers: paint reports, thousands a second
  if (typeof value === 'number') return String(value)
  const text = value instanceof Date ? value.toISOString() : String(value)
  return `"${text.replace(/[\\"]/g, '\\$&')}"`
}
const literal = (values: readonly unknown[]) => `{${values.map(element).join(',')}}`

const codec = (oid: number) => {
  const parse: (text: string) => unknown[] = types.getTypeParser(oid)
  return {
    to: oid,
    from: [oid],
    serialize: literal,
    // int8 arrives as a number, as it does outside arrays
    parse: oid === OIDS.int8 ? (text: string) => parse(text).map(Number) : parse,
  }
}

/**
 * The arrays that we send and read. The driver would ask every new connection for them, and when that connection is lost
 * meanwhile the failure of its question escapes as an unhandled rejection, which ends the process.
 */
export const arrayTypes: object = Object.fromEntries(
  Object.entries(OIDS).map(([name, oid]) => [`${name}Array`, codec(oid)]),
)
