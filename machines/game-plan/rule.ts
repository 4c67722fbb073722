import type { MatchState } from '../match-model.ts'
import type { Scalar } from '../overlay/model.ts'

export type Phase = 'pregame' | 'live' | 'break' | 'postgame'

/** The event that a rule waits for. game-plan: Game plan */
export type Trigger =
  | { type: 'fact'; factTypes: readonly string[]; side?: 'home' | 'away' | undefined }
  | { type: 'state'; state: MatchState }
  | { type: 'period'; at: 'start' | 'end'; number?: number | undefined }
  | { type: 'clock'; seconds: number; period?: number | undefined }
  | { type: 'time'; of: 'date' | 'matchEnd'; offsetSeconds: number }
  | { type: 'interval'; everySeconds: number; during: Phase }

/** When a graphic of the plan goes off air. */
export type End = { afterSeconds: number } | { until: 'state' | 'period' | 'replaced' | 'hidden' }

/** A value that is worked out when the rule fires, or when the graphic is shown. */
export type RuleValue = Scalar | { expression: string } | { slot: string }

/** One rule of a game plan: when this happens, show that. game-plan: Game plan */
export type Rule = {
  id: string
  name: string
  enabled: boolean
  trigger: Trigger
  condition?: string | undefined
  presetId: number
  variableValues?: Readonly<Record<string, RuleValue>> | undefined
  delaySeconds: number
  end: End
  priority: number
  layer?: string | undefined
  onInterrupt: 'drop' | 'resume' | 'queue'
  maxAgeSeconds: number
  cooldownSeconds: number
  every: number
  once: boolean
}
