import { createContext, useContext } from 'react'
import type { LiveCue, LiveGraphic } from '../../realtime/followers/live-protocol.ts'
import type { Live } from '../live/follow.ts'
import type { LivePlan } from '../live/state.ts'
import type { Draft } from './drafts.ts'
import type { Choices, Preset, Room, Rule, RundownItem, Values } from './model.ts'
import type { PlanLayer } from './plan-layers.ts'
import type { Outcome } from './use-commands.ts'
import type { Memories } from './use-memories.ts'

/** A game plan that has rules, and what may be said to it. `state` is undefined until it is told. */
export type OperatedPlan = {
  state: LivePlan | undefined
  rules: readonly Rule[]
  layers: readonly PlanLayer[]
  /** The overlay is automatic. */
  isOn: boolean
  pauseOrResume(): void
  hold(layer: string): void
  /** Left out: all of them. */
  release(layer?: string): void
  fire(ruleId: string): void
  switchTo(autoMode: boolean): void
}

/** What a press on a preset does: it goes straight on air, or on preview. */
export type Mode = NonNullable<Room['room']>['defaultMode']

/** A rundown with items, where it is, and what may be said to it. */
export type OperatedRundown = {
  items: readonly RundownItem[]
  takenId: string | null
  /** The item that comes on air by the next press. */
  cued: RundownItem | undefined
  /** The item that comes on preview by the next press, when nothing is cued. */
  following: RundownItem | undefined
  nameOf(item: RundownItem): string
  /** What tells items of one preset apart. */
  aboutOf(item: RundownItem): string
  isOnAir(item: RundownItem): boolean
  next(): void
  previous(): void
  cue(itemId: string): void
}

/** A preset as it is shown, and the values that a press starts from. */
export type Aim = { graphic: { variableValues: Values }; base: Values }

/** A command for later: at most a day ahead. */
export type Planned = {
  action: 'show' | 'hide' | 'take'
  /** Left out: a take of all that is on preview. */
  preset?: Preset
  /** ISO 8601. */
  at: string
  durationSeconds?: number
}

/** The values of a preset, what is scheduled, what the game plan does, or its rules to fire by hand. */
export type Shown = 'values' | 'schedule' | 'plan' | 'rules'

/** The panel beside the presets; `isOpen`: an operator asked for it, where there is no place for it all the time. */
export type Side = {
  shows: Shown
  isOpen: boolean
  show(what: Shown): void
  close(): void
}

/** The state and commands that every part of the page works with. */
export type Desk = {
  live: Live
  room: Room
  choices: Choices
  memories: Memories
  delayMs: number
  /** By preset. */
  keys: ReadonlyMap<number, string>
  selected: number | undefined
  select(presetId: number): void
  /** Goes to the values of a preset. */
  openValues(presetId: number): void
  draftOf(presetId: number): Draft
  /** The graphic of a preset on air, and the one that would be if nothing had been set here. */
  shownOf(preset: Preset): { graphic: LiveGraphic; base: Values } | undefined
  changeDraft(presetId: number, next: (draft: Draft) => Draft): void
  mode: Mode
  setMode(mode: Mode): void
  cueOf(preset: Preset): LiveCue | undefined
  /** What the next press on a preset would change: on preview, else on air; undefined: it is neither. */
  aimOf(preset: Preset): Aim | undefined
  /** What a press does by the mode: shows a preset or sends its changed values, or cues it. */
  fire(preset: Preset): void
  /** Shows a preset, or sends the changed values of one that is on air, in any mode. */
  cut(preset: Preset): void
  /** The next press cuts. */
  cutNext: boolean
  setCutNext(on: boolean): void
  /** Takes one off preview; left out, all. */
  uncue(presetId?: number): void
  take(): void
  undo(): void
  /** True once it is scheduled. */
  schedule(planned: Planned): Promise<boolean>
  unschedule(id: number): void
  hide(target: string, graphicId: string): void
  /** Of an OGraf graphic: so many steps on, or back. */
  step(target: string, presetId: number, delta: number): void
  /** Of an OGraf graphic: one of its custom actions. */
  act(target: string, presetId: number, customActionId: string, payload?: unknown): void
  hideAll(sectionId?: string): void
  /** Begins a rehearsal, or ends it. */
  rehearse(on: boolean): void
  plan: OperatedPlan | undefined
  rundown: OperatedRundown | undefined
  side: Side
  /** Goes to what the game plan does, to its rules, or to the schedule. */
  openPlan(what: Exclude<Shown, 'values'>): void
  outcomes: ReadonlyMap<string, Outcome>
  dismiss(target: string): void
}

export const DeskContext = createContext<Desk | undefined>(undefined)

export function useDesk(): Desk {
  const desk = useContext(DeskContext)
  if (!desk) throw new Error('only within the page of a control room')
  return desk
}

/** Where the outcome of a command is told. */
export const targetOf = {
  preset: (id: number) => `preset/${id}`,
  graphic: (id: string) => `graphic/${id}`,
  section: (id: string) => `section/${id}`,
  all: 'all',
  rehearsal: 'rehearsal',
  take: 'take',
  undo: 'undo',
  /** Left out: all of preview. */
  cue: (presetId?: number) => `cue/${presetId ?? 'all'}`,
  schedule: 'schedule',
  scheduled: (id: number) => `scheduled/${id}`,
  plan: 'plan',
  rundown: 'rundown',
  layers: 'layers',
  layer: (name: string) => `layer/${name}`,
  rule: (id: string) => `rule/${id}`,
} as const

/** The graphic of a preset if this preset has put it on air. */
export const onAirAs = ({ id, graphicId }: Preset, onAir: ReadonlyMap<string, LiveGraphic>) => {
  const graphic = onAir.get(graphicId)
  return graphic?.presetId === id ? graphic : undefined
}
