import type { MatchClock } from '../shared/clock.ts'
import type { Patch } from './patch.ts'

export type Situation = {
  state: string
  period: string | null
  score: { home: number; away: number }
  clock: MatchClock
}

/** A graphic as the stage is told, without the seq that the page counts itself. */
export type Graphic = {
  graphicId: string
  graphicName: string
  kind: 'code' | 'rive' | 'ograf'
  step?: number
  url: string
  sport: string
  presetId: number
  variableValues: object
  themeVariables: object
  data: unknown
}

/** What an OGraf graphic did once. */
export type CustomAction = { id: string; payload?: unknown }

export type Change =
  | ({ action: 'load'; data: Patch | null } & Omit<Graphic, 'data'>)
  | {
      action: 'update'
      graphicId: string
      presetId?: number
      variableValues?: object
      step?: number
      customAction?: CustomAction
      data: Patch | null
    }
  | { action: 'hide'; graphicId: string }

export type Step = {
  at: string
  seq: number | null
  kind: 'start' | 'show' | 'update' | 'hide' | 'match'
  label: string
  by: { type: string; id: number | null; name: string | null } | null
  match: Situation | null
  changes: Change[]
}

/** The record of the replayed time, as the server tells it. */
export type Recorded = {
  overlay: { id: number; name: string; removed: boolean }
  match: { id: number; name: string; sport: string }
  from: string
  to: string
  complete: boolean
  steps: Step[]
  expiresAt: string
}
