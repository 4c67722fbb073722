import type { AnyMachineSnapshot } from 'xstate'
import type { Actor, Pending } from './actor.ts'
import type { Change } from './journal.ts'

/** The part of one actor in a commit. */
export type Taken = { actor: Actor; pendings: Pending[]; change: Change; snapshot: AnyMachineSnapshot }

/** How one actor's part of a commit ended. `at` is database time in ms since 1970. */
export type Verdict =
  | { is: 'committed'; at: number }
  | { is: 'fenced' }
  /** Not written, and not sent any more: one of its callers was told 503 meanwhile. */
  | { is: 'late' }
  | { is: 'unknown' }
  | { is: 'refused'; error: unknown }
