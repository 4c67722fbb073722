import type { PassageTo } from '../passage.ts'

/** Leases are named by their refs; `until` is a time of `sharedNow`. */
export type ToKeeper =
  | { lease: string; until: number }
  | { keep: number; lease: string }
  | { forget: number }
  | { open: number; lease: string; to: PassageTo }
  | { close: number }

export type FromKeeper =
  /** It listens from now on. */
  | { up: true }
  | { opened: number; port: number }
  | { refused: number; error: string }
  | { passage: number; farPorts: readonly number[]; fault: string | null }
