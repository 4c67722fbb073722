import type { Logger } from 'pino'
import type { Sql } from 'postgres'
import { within } from '../waiting/within.ts'

/** A statement that takes longer is given up, and its connection with it: the next beat must be in time for the leases. */
const ANSWER_WITHIN_MS = 1_200

/** The statements of one node, on a connection of their own. */
export class Statements {
  readonly #connect: () => Sql
  #sql: Sql

  constructor(connect: () => Sql) {
    this.#connect = connect
    this.#sql = connect()
  }

  /** A statement, answered in time; otherwise its connection is given up, for one that may answer. */
  async ask<T>(run: (sql: Sql) => Promise<T>): Promise<T> {
    const sql = this.#sql
    try {
      return await within(ANSWER_WITHIN_MS, run(sql), tookTooLong)
    } catch (error) {
      if (error instanceof TookTooLong && this.#sql === sql) {
        this.#sql = this.#connect()
        sql.end({ timeout: 0 }).catch(() => {})
      }
      throw error
    }
  }

  async close(): Promise<void> {
    await this.#sql.end({ timeout: 1 }).catch(() => {})
  }
}

/** The database did not answer in time. */
export class TookTooLong extends Error {}

const tookTooLong = () => new TookTooLong(`no answer within ${ANSWER_WITHIN_MS} ms`)

/** Runs a statement whose failure the caller survives; the log tells of it. */
export async function tried(log: Logger, what: string, run: () => Promise<unknown>): Promise<void> {
  try {
    await run()
  } catch (error) {
    log.warn({ err: error }, `could not ${what}`)
  }
}
