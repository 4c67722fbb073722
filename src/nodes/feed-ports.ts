import type { OverlayAside, OverlayEvent } from '../../machines/overlay/events.ts'
import type { JournalPrincipal } from '../principal.ts'
import type { Bus } from './bus.ts'

/** The principal that asked for a commit, and the JSON text of the command as asked. */
export type Cause = { principal: JournalPrincipal; command: string }

/** One commit of an overlay. `at` is database time, ms since 1970. */
export type Commit = {
  seq: number
  at: number
  events: readonly OverlayEvent[]
  /** What it did to preview and schedule, which a node of the release before does not hear. */
  asides?: readonly OverlayAside[]
  cause?: Cause | undefined
}

/** Commits that are missing: from this seq on, so many. */
export type Gap = { overlayId: number; from: number; count: number }

/** The commits of overlays, as the journal has them. */
export type Journal = {
  /** The commits of gaps, of each in order; those that are not there any more are absent. */
  missing(gaps: readonly Gap[]): Promise<ReadonlyMap<number, readonly Commit[]>>
  /** The newest seq of each; an overlay without any is absent. */
  seqs(overlayIds: readonly number[]): Promise<ReadonlyMap<number, number>>
}

/** The sockets of this node. */
export type Sockets = {
  publish(overlayId: number, commit: Commit): void
  /** Reads the overlay anew for all its sockets, and then tells at which seq it stands. */
  reload(overlayId: number): void
  /** Closes its sockets with 1012. */
  closeMissed(overlayId: number): void
}

export type FeedParts = {
  /** Of this run of this node. */
  nodeId: string
  bus: Bus
  journal: Journal
  sockets: Sockets
  /** Of records that a refresh names, before its commit is handed on: copies of them are old. */
  announced(ref: string, organizationId: number): void
  /** A record or actor was changed by another node. */
  changed(ref: string, organizationId?: number): void
  /** Any record may have been changed by another node, unheard: the bus was down. */
  missedChanges(): void
  /** Tells the other nodes of changes by the database while the bus is down; they hand the text to `hear`. */
  fallBack(text: string): void
  /** Whether there are other nodes to hear of a commit. One that joins this moment has the repair. Left out: there are. */
  hasOthers?(): boolean
  /** Whether the last beat of this node was answered in time. Asked before anything is pushed or published. */
  isLive(): boolean
  log: { warn(fields: object, message: string): void }
}
