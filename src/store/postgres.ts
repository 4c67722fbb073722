import type { Sql, TransactionSql } from 'postgres'
import type { OutboxRow } from '../actors/journal.ts'
import type { Context } from '../context.ts'

/** The pool, and the one way in which records are written. */
export interface Database {
  /** For reads. Never call it inside `write`: use the transaction it is given. */
  readonly sql: Sql
  /**
   * Runs one record command: its rows, its journal row (events in past tense, dotted), its outbox rows and its
   * idempotency row commit together.
   */
  write<T>(
    ctx: Context,
    command: { ref: string; type: string; asked?: unknown },
    run: (
      tx: TransactionSql,
    ) => Promise<{ result: T; events: readonly { type: string }[]; ref?: string; outbox?: readonly OutboxRow[] }>,
  ): Promise<T>
}
