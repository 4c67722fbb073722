import type { Sql, TransactionSql } from 'postgres'
import type { OutboxRow } from './actors/journal.ts'
import type { Asker } from './principal.ts'
import type { Secrets } from './secrets/secrets.ts'

/** What a command leaves beside its rows: a row of the journal when there are events, and rows of the outbox. */
export type RecordCommit = {
  ref: string
  type: string
  asked?: unknown
  events: readonly { type: string }[]
  seq?: 0 | undefined
  outbox?: readonly OutboxRow[] | undefined
}

/** The pool, and the one way in which records are written. */
export interface Database {
  /** For reads. Never call it inside `write`: use the transaction it is given. */
  readonly sql: Sql
  /** For the columns `secrets`. */
  readonly secrets: Secrets
  /**
   * For reads of very many rows, page by page: few connections of their own, so that no command waits for one, with longer to
   * answer. They write nothing.
   */
  readonly slow: Sql
  /**
   * Runs one record command: its rows, its journal row (events in past tense, dotted), its outbox rows and its
   * idempotency row commit together. Without events there is no journal row. A record never writes to the journal of an
   * actor, but for its very first row: a command that makes both says so with `seq: 0`. A record that an overlay shows leaves
   * one more outbox row by itself: its change is announced to that overlay. live-path 14
   * `also` are the commands that it ran within itself, each with a journal row of its own.
   * Throws notFound when a record that a row names by a foreign key was deleted meanwhile.
   */
  write<T>(
    ctx: Asker,
    command: { ref: string; type: string; asked?: unknown },
    run: (tx: TransactionSql) => Promise<{
      result: T
      events: readonly { type: string }[]
      ref?: string
      seq?: 0
      outbox?: readonly OutboxRow[]
      also?: readonly RecordCommit[]
    }>,
  ): Promise<T>
}
