import type { TimerChange } from '../../machines/transition.ts'
import type { JournalPrincipal } from '../principal.ts'

/** Names one actor: `overlay/12`, `graphic-lock/<graphicId>`. */
export type Ref = `${string}/${string}`

export type StoredActor = {
  ref: Ref
  organizationId: number
  seq: number
  epoch: number
  machineVersion: number
  /** Parsed JSON of a persisted XState snapshot. */
  snapshot: unknown
}

/** One accepted command: becomes one journal row. */
export type Entry = {
  seq: number
  commandId: string
  requestId: string
  principal: JournalPrincipal
  /** As asked: JSON text. */
  command: string
  /** The facts: JSON text of an array. */
  events: string
  /** Those that the release before does not know, apart from the others; left out: there are none. */
  asides?: string
}

/** `at`: database time, ms since 1970; `lateMs`: since when it was due. */
export type DueTimer = { event: unknown; at: number; lateMs: number }

export type OutboxRow = { kind: string; payload: unknown }

export type IdempotencyRow = {
  organizationId: number
  key: string
  method: string
  path: string
  /** SHA-256 in hex. */
  bodyHash: string
  status: number
  body: string
  /** The body is stored as it is, not sealed. */
  plain: boolean
}

/** All that one actor does in one commit. */
export type Change = {
  ref: Ref
  organizationId: number
  /** The seq and epoch that the row must still have: the fence. */
  baseSeq: number
  epoch: number
  seq: number
  machineVersion: number
  /** JSON text of the snapshot after the last entry. */
  snapshot: string
  /** The columns that the record's row is to hold, as JSON text, for kinds that are also records. */
  projection?: string
  entries: Entry[]
  timers: TimerChange[]
  outbox: OutboxRow[]
  idempotency: IdempotencyRow[]
}

/**
 * The commit is final for every ref in `moved`; the others wrote nothing: those with a row in `repeated` because its Idempotency-Key has
 * a row already, those in `locked` because another connection has locked their row or the row is gone, the rest because they were fenced.
 * `at` is database time, ms since 1970.
 */
export type Committed = {
  moved: ReadonlySet<Ref>
  repeated: ReadonlySet<IdempotencyRow>
  locked: ReadonlySet<Ref>
  at: number
  outboxRows: number
}

/** Whether the commit happened is unknown: the connection was lost after it was sent. */
export class CommitUnknown extends Error {}

/**
 * Another connection holds a lock that was needed, and did not let it go in time, or wrote the row of an Idempotency-Key while the commit was
 * under way; nothing was written, and the next try finds out.
 */
export class RowsLocked extends Error {}

/** The rows of a change itself are refused (constraint, encoding); nothing was written. */
export class ChangeRefused extends Error {}

/** A record that the change names was deleted meanwhile. */
export class RecordGone extends ChangeRefused {}

/** The store of actors. Its adapters pass the contract in test/contract/journal.ts. */
export interface Journal {
  /**
   * Takes the actor for this node: raises the epoch, so that every write under an older one is fenced. Waits a moment for writes under
   * way, then throws RowsLocked.
   */
  claim(ref: Ref): Promise<StoredActor | undefined>
  /** The stored state without taking it. */
  peek(ref: Ref): Promise<StoredActor | undefined>
  /** Adds the row of a new actor; nothing when it is there already, or when the record that it is of was deleted. */
  create(ref: Ref, organizationId: number, machineVersion: number, snapshot: string): Promise<void>
  /** One statement, all actors. Throws CommitUnknown, ChangeRefused or RowsLocked. */
  commit(changes: readonly Change[]): Promise<Committed>
  /** The same for one actor, beside the others, which do not wait for it. An actor that is gone is not among the locked. */
  commitAlone(change: Change): Promise<Committed>
  /** A timer whose row is there and due by database time. */
  dueTimer(ref: Ref, name: string): Promise<DueTimer | undefined>
  /** Deletes a timer that its actor had no use for, unless it is due later than `at`, database time in ms since 1970. */
  dropTimer(ref: Ref, name: string, at: number): Promise<void>
  /** Which of these command ids the journal holds for this actor, with its seq and database time. */
  find(ref: Ref, seqs: readonly number[]): Promise<Map<number, { commandId: string; at: number }>>
  /** Whether the journal holds this command of the actor; looks at the newest thousand rows. */
  holds(ref: Ref, commandId: string): Promise<boolean>
  /** Every actor, or the one named. */
  all(ref?: Ref): AsyncIterable<StoredActor>
  /** The facts of an actor from its first to its last. */
  facts(ref: Ref): Promise<{ type: string }[]>
  /**
   * Puts another snapshot in the place of an unreadable one, with its projection, and leaves a reaction, so that other actors and
   * renderers hear of the changes that they missed. False when a node claimed the actor since.
   */
  replace(ref: Ref, epoch: number, machineVersion: number, snapshot: string, projection?: string): Promise<boolean>
}
