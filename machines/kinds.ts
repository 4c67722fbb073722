import type { ContextFrom, EmittedFrom, EventFromLogic } from 'xstate'
import { graphicLockMachine } from './graphic-lock.ts'
import { overlayMachine } from './overlay.ts'

/** A stored snapshot of an older machine version, raised by one version. */
type Migration = (snapshot: StoredSnapshot) => StoredSnapshot
export type StoredSnapshot = { value: unknown; context: Record<string, unknown> }

const none: Readonly<Record<number, Migration>> = {}

/**
 * Every live thing: its machine, the version of the snapshots it writes, how a snapshot of each older version becomes the
 * next one (`migrate[1]` makes version 2 of version 1), and whether its row appears at the first command instead of with
 * a record of its own. The only list of them.
 */
export const kinds = {
  overlay: { machine: overlayMachine, version: 1, migrate: none, createdOnFirstUse: false },
  'graphic-lock': { machine: graphicLockMachine, version: 1, migrate: none, createdOnFirstUse: true },
} as const

export type Kind = keyof typeof kinds
type MachineOf<K extends Kind> = (typeof kinds)[K]['machine']
export type ContextOf<K extends Kind> = ContextFrom<MachineOf<K>>
export type CommandOf<K extends Kind> = EventFromLogic<MachineOf<K>>
export type EventOf<K extends Kind> = EmittedFrom<MachineOf<K>>
