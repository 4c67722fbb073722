import type { JsonValue } from '@companion-module/base'

export type Config = { url: string; overlayId: number }
export type Secrets = { key?: string }

type OfPreset = { presetId: number }

/** Every action by its id, with its options. */
export type Actions = {
  show: { options: OfPreset & { durationSeconds: number } }
  hide: { options: OfPreset }
  toggle: { options: OfPreset & { durationSeconds: number } }
  update: { options: OfPreset & { variable: string; kind: 'text' | 'number' | 'switch'; value: JsonValue } }
  cue: { options: OfPreset }
  uncue: { options: OfPreset }
  take: { options: OfPreset & { durationSeconds: number } }
  step: { options: OfPreset & { delta: number } }
  hideAll: { options: { scheduled: boolean } }
  undo: { options: Record<string, never> }
  fact: { options: { type: string; team: 'home' | 'away' | 'none'; playerId: number } }
  pausePlan: { options: Record<string, never> }
  resumePlan: { options: Record<string, never> }
}

export type Feedbacks = {
  onAir: { type: 'boolean'; options: OfPreset }
  committed: { type: 'boolean'; options: OfPreset }
  failing: { type: 'boolean'; options: OfPreset }
  cued: { type: 'boolean'; options: OfPreset }
  timeLeft: { type: 'advanced'; options: OfPreset }
  anyCued: { type: 'boolean'; options: Record<string, never> }
  undoable: { type: 'boolean'; options: Record<string, never> }
  rendererLost: { type: 'boolean'; options: { wanted: number } }
  planPaused: { type: 'boolean'; options: Record<string, never> }
  disconnected: { type: 'boolean'; options: Record<string, never> }
}

export type Variables = {
  overlay: string
  home_name: string
  away_name: string
  home_score: string
  away_score: string
  clock: string
  period: string
  on_air: string
  on_preview: string
  countdown: string
  renderers: number
}

export type Types = { config: Config; secrets: Secrets; actions: Actions; feedbacks: Feedbacks; variables: Variables }
