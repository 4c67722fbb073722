import type { AnyMachineSnapshot } from 'xstate'
import type { Actor, Pending } from './actor.ts'
import type { Change, Committed, IdempotencyRow } from './journal.ts'

/** The part of one actor in a commit. */
export type Taken = { actor: Actor; pendings: Pending[]; change: Change; snapshot: AnyMachineSnapshot }

/** How one actor's part of a commit ended. `at` is database time in ms since 1970. */
export type Verdict =
  | { is: 'committed'; at: number }
  | { is: 'fenced' }
  /** Not written: the Idempotency-Keys of these have rows already. What came with them runs again. */
  | { is: 'repeated'; rows: ReadonlySet<IdempotencyRow> }
  /** Not written, and not sent any more: one of its callers was told 503 meanwhile. */
  | { is: 'late' }
  | { is: 'unknown' }
  | { is: 'refused'; error: unknown }

/** The verdict of a commit for one actor of it. Undefined: another connection has locked its row. */
export function verdictOf(
  { ref, idempotency }: Change,
  { moved, repeated, locked, at }: Committed,
): Verdict | undefined {
  if (moved.has(ref)) return { is: 'committed', at }
  if (repeated.size > 0 && idempotency.some((row) => repeated.has(row))) return { is: 'repeated', rows: repeated }
  return locked.has(ref) ? undefined : { is: 'fenced' }
}
