import { createHash } from 'node:crypto'
import { type CustomAdapter, createAdapterFactory } from 'better-auth/adapters'
import { APIError } from 'better-auth/api'
import type { Sql } from 'postgres'
import { ApiError } from '../errors.ts'

export type DatabaseAccess = {
  sql: Sql
  isOutOfReach: (error: unknown) => boolean
  /** Gives up on work that takes too long, with unavailable(). */
  within<T>(work: Promise<T>): Promise<T>
}

/** One condition as the library hands it over; `field` is the name of a column. */
type Condition = Parameters<CustomAdapter['findOne']>[0]['where'][number]
type Row = Record<string, unknown>
type Value = string | number | boolean | Date | null

const TOKEN = 'token_hash'

/** The stored form of a session's token: a reader of the database cannot sign in with it. */
const hashOf = (token: unknown): string => createHash('sha256').update(String(token)).digest('base64url')

/**
 * Lets the authentication library read people and keep sessions on our pool. It can do what our use of the library asks for;
 * people themselves change by commands, which are journaled. An error that `isOutOfReach` knows, or a timeout, becomes an
 * APIError with status 503.
 */
export const databaseAdapter = ({ sql, isOutOfReach, within }: DatabaseAccess) => {
  const reach = async (query: Promise<readonly Row[]>): Promise<readonly Row[]> => {
    try {
      return await within(query)
    } catch (error) {
      // the library answers any other error of its own with 500
      if (isOutOfReach(error) || (error instanceof ApiError && error.status === 503))
        throw new APIError('SERVICE_UNAVAILABLE')
      throw error
    }
  }
  return createAdapterFactory({
    config: { adapterId: 'tally' },
    adapter: () => ({
      async create({ model, data }) {
        const columns = Object.keys(data)
        const values = columns.map((name) => (name === TOKEN ? hashOf(data[name]) : data[name]))
        const [row] = await reach(
          sql`insert into ${sql(model)} (${sql(columns)}) values (${list(sql, values)}) returning *`,
        )
        return asAsked({ ...row, ...data })
      },
      async findOne({ model, where }) {
        const [row] = await reach(sql`select * from ${sql(model)} where ${allOf(sql, where)} limit 1`)
        const token = where.find(({ field }) => field === TOKEN)?.value
        return row ? asAsked(token === undefined ? row : { ...row, [TOKEN]: token }) : null
      },
      async findMany({ model, where = [], limit }) {
        const rows = await reach(sql`select * from ${sql(model)} where ${allOf(sql, where)} limit ${limit}`)
        return rows.map((row) => asAsked(row))
      },
      async delete({ model, where }) {
        await reach(sql`delete from ${sql(model)} where ${allOf(sql, where)}`)
      },
      deleteMany: unused,
      update: unused,
      updateMany: unused,
      count: unused,
    }),
  })
}

async function unused(): Promise<never> {
  throw new Error('the authentication library does what it was not asked for')
}

const list = (sql: Sql, values: readonly Value[]) =>
  values.map((value, index) => (index === 0 ? sql`${value}` : sql`, ${value}`))

const allOf = (sql: Sql, where: readonly Condition[]) =>
  where.reduce((before, { field, operator, value, connector }) => {
    if (operator !== 'eq' || connector !== 'AND') throw new Error(`unknown condition: ${connector} ${operator}`)
    return sql`${before} and ${sql(field)} = ${field === TOKEN ? hashOf(value) : value}`
  }, sql`true`)

/** The library asks for rows of its own types by the names of tables; both are set side by side in the options. */
const asAsked = <T>(row: Row): T => row as T
