import type { ContextFrom, EmittedFrom, EventFromLogic } from 'xstate'
import type { Decided } from './decided.ts'
import {
  type Destination,
  type DestinationEvent,
  destinationMachine,
  destinationShape,
  foldDestination,
  STOPPED_DESTINATION,
} from './destination.ts'
import { foldPlanAll, type PlanEvent } from './game-plan/events.ts'
import { NO_PLAN, planShape } from './game-plan/model.ts'
import { planMachine } from './game-plan.ts'
import { FREE, foldLock, type GraphicLockEvent, graphicLockMachine, lockShape } from './graphic-lock.ts'
import { foldInput, IDLE_INPUT, type Input, type InputEvent, inputMachine, inputShape } from './input.ts'
import { type MatchCreated, matchMachine, type NewMatch, newMatch, replayMatch } from './match.ts'
import type { Match, MatchEvent } from './match-model.ts'
import { projectMatch } from './match-record.ts'
import { matchShape } from './match-shape.ts'
import { fold, isAside, type OverlayFact } from './overlay/events.ts'
import { type Overlay, overlayShape } from './overlay/model.ts'
import { overlayMachine } from './overlay.ts'
import { streamMachine } from './stream.ts'
import { foldStream, IDLE_STREAM, type Stream, type StreamEvent, streamShape } from './stream-model.ts'
import { foldUpload, NEW_UPLOAD, type Upload, type UploadEvent, uploadMachine, uploadShape } from './upload.ts'

/** A stored snapshot of an older machine version, raised by one version. */
type Migration = (snapshot: StoredSnapshot) => StoredSnapshot
export type StoredSnapshot = { value: unknown; context: Record<string, unknown> }

const none: Readonly<Record<number, Migration>> = {}

const replayOverlay = (facts: readonly OverlayFact[]): StoredSnapshot => {
  const context = facts.reduce<Overlay>(fold, { graphics: {}, revisions: {} })
  const isOnAir = Object.keys(context.graphics).length > 0
  return { value: context.rehearsal ? 'rehearsal' : isOnAir ? 'onAir' : 'offAir', context }
}

const replayLock = (events: readonly GraphicLockEvent[]): StoredSnapshot => {
  const context = events.reduce(foldLock, FREE)
  return { value: context.holder ? 'held' : 'free', context }
}

const replayPlan = (events: readonly PlanEvent[]): StoredSnapshot => {
  const context = foldPlanAll(NO_PLAN, events)
  return { value: context.on ? (context.paused ? 'paused' : 'playing') : 'off', context }
}

/** The replay of a kind whose context names its state. */
const replayPhases =
  <C extends { phase: string }, E>(start: C, fold: (context: C, event: E) => C) =>
  (events: readonly E[]): StoredSnapshot => {
    const context = events.reduce(fold, start)
    return { value: context.phase, context }
  }

const snapshotOf = (context: Match): StoredSnapshot => ({ value: context.play.state, context })

const replayMatches = (events: readonly (MatchEvent | MatchCreated)[]): StoredSnapshot =>
  snapshotOf(replayMatch(events))

const matchMigrations: Readonly<Record<number, Migration>> = {
  0: ({ context }) => snapshotOf(newMatch(madeFrom(context))),
}

/** Version 1 knew no uploads. */
const lockMigrations: Readonly<Record<number, Migration>> = {
  1: ({ value, context }) => ({ value, context: { ...context, upload: false } }),
}

// version 0 was written by a migration of the database, in the shape that a match is made from
const madeFrom = (context: Record<string, unknown>) => context as NewMatch

/**
 * Every live thing: its machine, the version of the snapshots it writes, how a snapshot of each older version becomes the
 * next one (`migrate[1]` makes version 2 of version 1), the shape of the context of this version, the snapshot that its
 * journaled events make, and whether its row appears at the first command instead of with a record of its own. The only list
 * of them.
 */
export const kinds = {
  overlay: {
    machine: overlayMachine,
    version: 1,
    migrate: none,
    shape: overlayShape,
    replay: replayOverlay,
    createdOnFirstUse: false,
    isAside,
  },
  match: {
    machine: matchMachine,
    version: 1,
    migrate: matchMigrations,
    shape: matchShape,
    replay: replayMatches,
    createdOnFirstUse: false,
    project: projectMatch,
    announces: true,
  },
  'graphic-lock': {
    machine: graphicLockMachine,
    version: 2,
    migrate: lockMigrations,
    shape: lockShape,
    replay: replayLock,
    createdOnFirstUse: true,
  },
  'game-plan': {
    machine: planMachine,
    version: 1,
    migrate: none,
    shape: planShape,
    replay: replayPlan,
    createdOnFirstUse: true,
    announces: true,
  },
  stream: {
    machine: streamMachine,
    version: 1,
    migrate: none,
    shape: streamShape,
    replay: replayPhases<Stream, StreamEvent>(IDLE_STREAM, foldStream),
    createdOnFirstUse: true,
    announces: true,
  },
  input: {
    machine: inputMachine,
    version: 1,
    migrate: none,
    shape: inputShape,
    replay: replayPhases<Input, InputEvent>(IDLE_INPUT, foldInput),
    createdOnFirstUse: true,
  },
  destination: {
    machine: destinationMachine,
    version: 1,
    migrate: none,
    shape: destinationShape,
    replay: replayPhases<Destination, DestinationEvent>(STOPPED_DESTINATION, foldDestination),
    createdOnFirstUse: true,
  },
  upload: {
    machine: uploadMachine,
    version: 1,
    migrate: none,
    shape: uploadShape,
    replay: replayPhases<Upload, UploadEvent>(NEW_UPLOAD, foldUpload),
    createdOnFirstUse: true,
  },
} as const

export type Kind = keyof typeof kinds
export const isKind = (name: string): name is Kind => Object.hasOwn(kinds, name)

/** How a kind is written down: which part of its state the row of its record shows, and whether its changes concern other actors. */
export type Recorded = {
  version: number
  /** The columns of the record's row after a command, as plain data; a repair has no command. */
  project?(context: Record<string, unknown>, command: Record<string, unknown>): Record<string, unknown>
  /** Whether a fact is journaled apart from the others, where the release before, which does not know it, does not look. */
  isAside?(fact: { type: string }): boolean
  /** Each commit leaves a reaction for `src/reactions.ts`. */
  announces?: boolean
}
export const recorded = (kind: Kind): Recorded => kinds[kind]
type MachineOf<K extends Kind> = (typeof kinds)[K]['machine']
export type ContextOf<K extends Kind> = ContextFrom<MachineOf<K>>
export type CommandOf<K extends Kind> = EventFromLogic<MachineOf<K>>
export type EventOf<K extends Kind> = EmittedFrom<MachineOf<K>> extends Decided<infer Fact> ? Fact : never
