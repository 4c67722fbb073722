import type { Sql } from 'postgres'
import { RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible'
import { digestOf } from '../secrets/digest.ts'

const WINDOW_S = 900

/** Counts something that may happen so often in a quarter of an hour, and then not for another one. */
export type Counted = {
  /** Rejects with what is left of the block when there were too many. */
  consume(id: string): Promise<{ remainingPoints: number }>
  reward(id: string): Promise<unknown>
  delete(id: string): Promise<unknown>
}

export type Counts = {
  of(name: string, most: number): Counted
  /** Whether somebody is signed in from this network, at whichever node; undefined: what this one remembers is all there is. */
  isAtDesk?(email: string, network: string): Promise<boolean>
}

/** Of this process alone. */
export const countedHere: Counts = {
  of: (name, points) => new RateLimiterMemory({ points, duration: WINDOW_S, blockDuration: WINDOW_S, keyPrefix: name }),
}

type Database = {
  sql: Sql
  within<T>(work: Promise<T>): Promise<T>
  /** The networks where somebody is signed in. */
  networksOf(email: string): Promise<readonly string[]>
}

/** Of all nodes of a service, in its database: who signs in waits for it anyway. No e-mail address is written, somebody's or not. */
export function countedByAll({ sql, within, networksOf }: Database): Counts {
  const storeClient = {
    async query({ text, values }: { text: string; values: (string | number | null)[] }) {
      const rows = await within(sql.unsafe(text, values).execute())
      return { rows: rows.map((row) => ({ ...row, expire: Number(row.expire) })), rowCount: rows.count }
    },
  }
  return {
    of(name, points) {
      const counter = new RateLimiterPostgres({
        storeClient,
        storeType: 'client',
        tableName: 'sign_in_limit',
        tableCreated: true,
        // a timer of its own would outlive the database
        clearExpiredByTimeout: false,
        points,
        duration: WINDOW_S,
        blockDuration: WINDOW_S,
        keyPrefix: name,
      })
      return {
        async consume(id) {
          await within(sql`delete from sign_in_limit where expire < ${Date.now()}`.execute())
          return counter.consume(digestOf(id))
        },
        reward: (id) => counter.reward(digestOf(id)),
        delete: (id) => counter.delete(digestOf(id)),
      }
    },
    isAtDesk: async (email, network) => (await within(networksOf(email))).includes(network),
  }
}
