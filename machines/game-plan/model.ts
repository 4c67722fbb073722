import type { MatchState } from '../match-model.ts'
import { MATCH_STATES } from '../match-shape.ts'
import type { Scalar } from '../overlay/model.ts'
import { flag, list, members, nullable, number, oneOf, optional, type Shape, scalar, table, text } from '../shape.ts'
import type { End, Rule } from './rule.ts'

const REASONS = [
  ...['held', 'paused', 'priority', 'cooldown', 'once', 'every', 'tooOld', 'condition', 'conditionFailed'],
  ...['noBrands', 'noBrand', 'presetInvalid', 'disabled', 'autoModeOff'],
] as const
/** Why a rule did not fire, or why its play was taken out of the line again, or never shown. game-plan: Rules of behaviour */
export type Reason = (typeof REASONS)[number]

/** The graphic of a rule: its preset and the values that the rule gives over those of the preset. A slot is filled when the graphic is shown. */
export type Picture = {
  presetId: number
  graphicId: string
  graphicName: string
  values: Readonly<Record<string, Scalar | { slot: string }>>
  /** The play shows a brand, and only the overlay knows whether there is one when its time comes. */
  sponsored?: boolean
}

/** One firing of a rule. Its `id` is never given again. */
export type Play = Picture & {
  id: number
  ruleId: string
  name: string
  factId: number | null
  /** The correction of the fact that the play shows: the fact's `updatedAt`. */
  factAt: string | null
  layer: string
  priority: number
  /** The place of its rule in the plan, from 0. */
  order: number
  end: End
  onInterrupt: Rule['onInterrupt']
  maxAgeSeconds: number
  /** When the play was to go on air, ms since 1970. */
  readyAt: number
  /** How long an interrupted play still has to run. */
  leftMs: number | null
  /** Whether the play was on air already. */
  begun: boolean
  /** Whether an interrupted play goes on, however long the interruption took. */
  resumes: boolean
}

export type Running = Play & { since: number; until: number | null }
export type Waiting = Play & { dueAt: number }

export type Layer = {
  /** The operator who holds the layer: the plan puts no graphic there. */
  heldBy: string | null
  running: Running | null
  /** The plays in line for the layer, the next one first. */
  queue: readonly Play[]
}

/** One rule in this match, as the plan remembers it. */
export type Memory = {
  /** How often the rule's trigger matched, where only every so many fire. */
  matches: number
  /** When the rule fired last, ms since 1970; null: never. */
  firedAt: number | null
  /** Periods in which the clock reached its time; 0 stands for a time of day. Below 0: those in which it was past before the rule could fire. */
  reached: readonly number[]
  /** The phase and period in which the rule repeats itself, and when it did last. */
  interval: { during: string; at: number } | null
}

/** The match as the plan saw it last. */
export type SeenMatch = {
  /** Facts up to this id were played. */
  lastFactId: number
  state: MatchState
  /** The period that is on, or was on last. */
  period: number
  /** Play is on, or interrupted in the middle of a period. */
  inPeriod: boolean
  /** When the match ended, ms since 1970. */
  endedAt: number | null
}

/** Something that the overlay is to do. In order of `n`; what is not of the play that runs any more is left out. */
export type Effect = {
  n: number
  do: 'show' | 'update' | 'hide'
  layer: string
  play: Play
  seconds: number | null
  /** Of a show that the overlay may refuse: its rule fires, or is suppressed, when that is known. */
  unsure?: boolean
  /** Its play is over: why the graphic is left out, unless the overlay has shown it by now; null: what it waited for is over. */
  leftOut?: Reason | null
}

/** The game plan of one overlay as it is being played. Times are ms since 1970. */
export type Plan = {
  on: boolean
  paused: boolean
  match: SeenMatch | null
  /** Commands of the overlay up to this seq were looked at. */
  overlaySeq: number
  rules: Readonly<Record<string, Memory>>
  layers: Readonly<Record<string, Layer>>
  waiting: readonly Waiting[]
  effects: readonly Effect[]
  /** When the plan's timer has it look again. */
  alarmAt: number | null
  /** An operator gave layers or the plan back: the next look takes up states and periods that last. */
  fresh: boolean
  /** While it is fresh: the layers that were given back; left out: all. */
  released?: readonly string[] | undefined
  /** The last number that a play or an effect was given. */
  numbered: number
  /** While the overlay rehearses: what the plan remembered before, which it goes on with. */
  rehearsal?: { rules: Plan['rules'] } | undefined
}

export const NO_PLAN: Plan = {
  on: false,
  paused: false,
  match: null,
  overlaySeq: 0,
  rules: {},
  layers: {},
  waiting: [],
  effects: [],
  alarmAt: null,
  fresh: false,
  numbered: 0,
}

export const EMPTY_LAYER: Layer = { heldBy: null, running: null, queue: [] }
export const NO_MEMORY: Memory = { matches: 0, firedAt: null, reached: [], interval: null }

const lasting: Shape<{ afterSeconds: number }> = members({ afterSeconds: number })
const until: Shape<Extract<End, { until: string }>> = members({
  until: oneOf('state', 'period', 'replaced', 'hidden'),
})
const end: Shape<End> = (value) => (lasting(value) === undefined ? undefined : until(value))
const slot: Shape<{ slot: string }> = members({ slot: text })
const value: Shape<Picture['values'][string]> = (value) => (scalar(value) === undefined ? undefined : slot(value))
const play: { readonly [K in Exclude<keyof Play, 'sponsored'>]: Shape<Play[K]> } = {
  id: number,
  ruleId: text,
  name: text,
  factId: nullable(number),
  factAt: nullable(text),
  layer: text,
  priority: number,
  order: number,
  end,
  onInterrupt: oneOf('drop', 'resume', 'queue'),
  maxAgeSeconds: number,
  readyAt: number,
  leftMs: nullable(number),
  begun: flag,
  resumes: flag,
  presetId: number,
  graphicId: text,
  graphicName: text,
  values: table(value),
}
const sponsored = { sponsored: optional(flag) }

const memories: Shape<Plan['rules']> = table(
  members<Memory>({
    matches: number,
    firedAt: nullable(number),
    reached: list(number),
    interval: nullable(members({ during: text, at: number })),
  }),
)

export const planShape: Shape<Plan> = members<Plan>({
  on: flag,
  paused: flag,
  match: nullable(
    members<SeenMatch>({
      lastFactId: number,
      state: oneOf(...MATCH_STATES),
      period: number,
      inPeriod: flag,
      endedAt: nullable(number),
    }),
  ),
  overlaySeq: number,
  rules: memories,
  layers: table(
    members<Layer>({
      heldBy: nullable(text),
      running: nullable(members<Running>({ ...play, since: number, until: nullable(number), ...sponsored })),
      queue: list(members<Play>({ ...play, ...sponsored })),
    }),
  ),
  waiting: list(members<Waiting>({ ...play, dueAt: number, ...sponsored })),
  effects: list(
    members<Effect>({
      n: number,
      do: oneOf('show', 'update', 'hide'),
      layer: text,
      play: members<Play>({ ...play, ...sponsored }),
      seconds: nullable(number),
      unsure: optional(flag),
      leftOut: optional(nullable(oneOf(...REASONS))),
    }),
  ),
  alarmAt: nullable(number),
  fresh: flag,
  released: optional(list(text)),
  numbered: number,
  rehearsal: optional(members({ rules: memories })),
})
