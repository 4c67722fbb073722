import type { Scalar } from '../overlay/model.ts'
import type { Memory, Picture, Reason, SeenMatch } from './model.ts'
import type { Rule } from './rule.ts'

/** A trigger that matched, judged: `reason` speaks against it, else `picture` is its graphic. */
export type Firing = {
  rule: Pick<
    Rule,
    | 'id'
    | 'name'
    | 'delaySeconds'
    | 'end'
    | 'priority'
    | 'layer'
    | 'onInterrupt'
    | 'maxAgeSeconds'
    | 'cooldownSeconds'
    | 'every'
    | 'once'
  >
  order: number
  factId: number | null
  factAt: string | null
  reason: Reason | null
  picture: Picture | null
}

/** A command of the overlay by hand, and the graphics that it touched. `by` null: by the server, which holds no layer. */
export type Hand = {
  action: 'show' | 'update' | 'hide' | 'hideAll'
  graphicId: string
  /** The play of the plan that had shown the graphic; null: an operator had. */
  play: number | null
  /** The layers on which the plan shows this graphic. */
  layers: readonly string[]
  by: string | null
}

/** A fact behind a play was corrected, or is gone. */
export type Correction = {
  playId: number
  factAt: string | null
  values: Readonly<Record<string, Scalar | { slot: string }>> | null
}

/** A play that the overlay could not show, or that was over before it could. `reason` null: what it waited for is over. */
export type Refusal = { playId: number; reason: Reason | null }

/** Commands carry the seq that the host will commit them under, and when it is, ms since 1970. */
export type PlanCommand = {
  seq: number
  at: number
} /**
 * What the plan sees: all that happened since it looked last. `done`: what the overlay was to do up to this number is done; `shown`: plays
 * that were not sure to be shown, and were.
 */ & (
  | {
      type: 'advance'
      on: boolean
      match: SeenMatch | null
      overlaySeq: number
      hands: readonly Hand[]
      refusals: readonly Refusal[]
      corrections: readonly Correction[]
      memories: Readonly<Record<string, Memory>>
      firings: readonly Firing[]
      alarmAt: number | null
      done: number
      shown: readonly number[]
      /** The overlay rehearses. */
      rehearsal?: boolean
    }
  | { type: 'pause' | 'resume'; by: string }
  /** Everything was taken off air by hand, when no graphic of the plan was on air yet. */
  | { type: 'clear'; by: string }
  | { type: 'hold'; layer: string; by: string }
  | { type: 'release'; layer?: string; by: string }
  /** Fires by hand: only a graphic that cannot be shown stops the rule. */
  | { type: 'fire'; firing: Firing; by: string }
)

/** Timers; the host says the time, ISO 8601. */
export type PlanTimer = { at?: string } & (
  | { type: 'waited'; id: number }
  | { type: 'timeUp'; layer: string; id: number }
  | { type: 'woken' }
)
