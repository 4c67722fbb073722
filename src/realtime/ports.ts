import type { OverlayAside, OverlayEvent } from '../../machines/overlay/events.ts'
import type { Overlay, Shown } from '../../machines/overlay/model.ts'
import type { RecentCommands as Recently } from '../../machines/overlay/undo.ts'
import type { GamePlanState } from '../schema/game-plan-state.ts'
import type { Button } from './followers/button.ts'
import type { LiveMatch, LivePictureProblem, LiveRenderer } from './followers/live-protocol.ts'
import type { Answered, Asked } from './renderers/protocol.ts'
import type { UpgradeRequest } from './socket.ts'

export type MaybePromise<T> = T | Promise<T>

/** Time, in milliseconds. */
export interface Clock {
  /** Never goes back. */
  now(): number
  /** Since 1970. */
  wall(): number
  /** Answers a function that cancels. */
  after(ms: number, run: () => void): () => void
}

/** Which of an overlay's three unguessable names opened a socket. */
export type Token = 'key' | 'monitoring' | 'control'

/** The columns of its overlay's row that a channel must know. */
export type Card = {
  id: number
  organizationId: number
  name: string
  matchId: number
  sport: string
  encodingDelaySeconds: number
  controlRoomId: number | null
  /** Of its control room, else of its profile. */
  themeId: number | null
  /** The theme profile whose game plan it plays. */
  profileId: number | null
  autoMode: boolean
  adType: 'free' | 'brands' | 'noBrands' | null
  /** The key, and digests of the others. A new token shuts out everybody with the old one. */
  tokens: Readonly<Record<Token, string>>
}

/** How a socket got in, and whether it still does. */
export type Admission = {
  overlayId: number
  /** By the overlay as it is now. */
  opens(card: Card): boolean
  /** Whether a right that is not of the overlay still holds: an API key may be deleted or expire. */
  holds?(): Promise<boolean>
}

/** The principal that asked for a commit, as the journal has it. */
export type Principal = { type: 'key' | 'person' | 'system' | 'link' | 'desk' | 'gamePlan'; name?: string }

/** Why a commit happened: the principal that asked, and the JSON text of the command as asked. */
export type Cause = { principal: Principal; command: string }

/** A commit as the journal tells it; `at` is ms since 1970. */
export type JournalRow = {
  seq: number
  at: number
  events: readonly OverlayEvent[]
  asides?: readonly OverlayAside[] | null
  principal: Principal
  action: string
}

/** What an undo looks at. */
export type RecentCommands = Recently<Omit<JournalRow, 'asides'>>

/** Live data of an overlay now. */
export type Live = {
  /** By the variable's name. */
  themeVariables: Readonly<Record<string, unknown>>
  /** The data of the match, by schema: `match`, `teams`, … ; null when undefined. */
  data: object | undefined
  revisions: Readonly<Record<string, number>>
  /** The schemas that a graphic asks for; all when undefined. live-path 14 */
  schemas?(graphic: Shown): readonly string[] | undefined
  /** The records that a graphic's values name: becomes `data.selected`. live-path 13 */
  selected?(graphic: Shown): object | undefined
  /** The names of the records that a graphic's values name, by variable. */
  names?(graphic: Shown): Readonly<Record<string, string>>
  /** The defaults of a graphic's control variables: becomes `data.defaults`. The same object for the same version. */
  defaults?(graphic: Shown): object | undefined
  /** The results of a graphic's expressions, as members of `data`. The same object means the same values. */
  computed?(graphic: Shown): Readonly<Record<string, object>> | undefined
}

export type Committed = { seq: number; context: Overlay }

/** Facts of one commit. `ageMs` is how long ago the database committed them. */
export type PastChange = { seq: number; events: readonly OverlayEvent[]; ageMs: number }

/** An overlay as it was some seconds ago, and the commits since, oldest first. */
export type Past = { view: Committed; committed: Committed; since: readonly PastChange[] }

/** A graphic was on screen as of a seq. `at` is the server's receipt, ms since 1970. */
export type Paint = { overlayId: number; graphicId: string; seq: number; renderer: string; at: number }

/** A renderer's socket, as one that notes connections must know it. */
export type Connected = { readonly overlayId: number; readonly name: string }

/** Notes when renderers were connected. Times are of the server, ms since 1970. */
export type Connections = {
  opened(renderer: Connected, at: number): void
  /** The graphics that the renderer says to have on screen; only the first time counts. */
  ready(renderer: Connected, showing: readonly { graphicId: string; seq: number }[]): void
  /** The program that holds the renderer as a source shows it again, or does so no more. */
  viewed(renderer: Connected, inView: boolean, at: number): void
  closed(renderer: Connected, at: number): void
}

/** Told which overlays somebody looks at here: commits of other nodes come for those only. */
export type Channels = {
  opened(overlayId: number): void
  /** The state of the overlay was read, and stands at this seq: the commit after it is the next. Called again each time it is read anew. */
  read(overlayId: number, seq: number, organizationId: number): void
  /** Resolves when its sockets stand where the database does by now: a renderer may come from a node that was told more. Never rejects. */
  current(overlayId: number): Promise<void>
  closed(overlayId: number): void
}

/** So many renderers of one node that are alike in what followers are told of paints. */
export type Alike = {
  count: number
  /** Lower-case names or ids of the graphics that they show; null: all. */
  layers: readonly string[] | null
  outOfView: boolean
  /** Graphics on screen, each as of a seq. */
  shown: readonly (readonly [graphicId: string, seq: number])[]
  /** The earliest of their latest paints, or when they connected: ms since 1970. */
  at: number
}

/** What the renderers of one node paint. */
export type Painting = {
  renderers: readonly Alike[]
  /** When one of them first had a graphic on screen as of a seq, ms since 1970. */
  first: readonly (readonly [graphicId: string, seq: number, at: number])[]
}

/** What a renderer says that it is: host and engine, as people read them. */
export type Engine = { name: string; engine: string }

/** The renderers that are connected to other nodes, as those tell of them. */
export type Elsewhere = {
  /** Of the ids of connections here: no other node has it. */
  readonly prefix: string
  /** Somebody follows this overlay here: the hub hears of it from now on. Resolves when the others have told, or soon anyway. */
  follow(overlayId: number): Promise<void>
  unfollow(overlayId: number): void
  /** One of each node. */
  paintings(overlayId: number): readonly Painting[]
  renderers(overlayId: number): readonly LiveRenderer[]
  pictures(overlayId: number): readonly LivePictureProblem[]
  /** How many, also of overlays that nobody follows here. */
  count(overlayId: number): number
  /** What each other node hears of its renderers of a call that is about to go out, after so long at most. None of them rejects. */
  calls(asked: Asked, withinMs: number): readonly Promise<Answered | undefined>[]
  /** What they say that they are, of nodes that answer soon. */
  engines(overlayId: number): Promise<readonly Engine[]>
  /** Whether the overlay is followed on another node. */
  isFollowed(overlayId: number): boolean
  /** What the renderers here paint may be another. */
  painted(overlayId: number): void
  /** A renderer came or went here. */
  counted(overlayId: number): void
  /** How many places each of the other nodes has taken, by the key of `Places`. */
  places(key: string): readonly number[]
  /** A place was taken or left here. */
  placed(): void
}

/** All that the hub asks of the rest of the process. */
export type Ports = {
  clock: Clock
  log: { warn(fields: object, message: string): void }
  /** Without a trailing slash. */
  publicUrl(): string
  /** Sends one frame to every socket subscribed to the topic. */
  publish(topic: string, text: string): void
  /**
   * Undefined when no overlay has this name, or when the text is not such a name at all. Answers synchronously when it can: an
   * upgrade that waits may lose its socket.
   */
  find(token: Token, value: string): MaybePromise<number | undefined>
  /** Undefined once the overlay is deleted. */
  card(overlayId: number): Promise<Card | undefined>
  /** The committed state; undefined when the overlay never had a command. */
  read(overlayId: number): Promise<Committed | undefined>
  /** Answers synchronously when it can, so that a first show need not wait. `delayMs`: how late it will be seen. */
  live(overlayId: number, delayMs: number): MaybePromise<Live>
  /** The state as it was `delayMs` ago, never before the overlay's floor. live-path 22 */
  past(overlayId: number, delayMs: number): Promise<Past>
  /** When these seqs were committed, ms since 1970; those that retention took are absent. */
  commitTimes(overlayId: number, seqs: readonly number[]): Promise<ReadonlyMap<number, number>>
  /** The journal rows of an overlay from a seq on, oldest first, at most `limit`. */
  commitsFrom(overlayId: number, seq: number, limit: number): Promise<readonly JournalRow[]>
  /** On air, or in the rehearsal that began with this seq. */
  recentCommands(overlayId: number, rehearsal: number | undefined): Promise<RecentCommands>
  /** When a graphic was first reported on screen as of its seq, ms since 1970, by graphicId; graphics without a report are absent. */
  firstPaints(
    overlayId: number,
    graphics: readonly { graphicId: string; seq: number }[],
  ): Promise<ReadonlyMap<string, number>>
  /** Score and clock of a match; null when it is gone. */
  match(organizationId: number, matchId: number): Promise<LiveMatch | null>
  /** The buttons of a control room, in their order. */
  buttons(organizationId: number, roomId: number): Promise<readonly Button[]>
  /** What the game plan of an overlay is doing, as committed; null when the overlay is gone. */
  plan(overlayId: number): Promise<GamePlanState | null>
  /** Lets a caller with an API key follow an overlay; throws the error that refuses it. */
  admit(request: UpgradeRequest): Promise<Admission>
  paint(report: Paint): void
  connections?: Connections
  channels?: Channels
  /** Left out where there are no other nodes. */
  elsewhere?: Elsewhere
  /** How many may follow an overlay by each way in, over all nodes; 500 unless said. */
  maxFollowers?: number
  /** Whether this node knows what the others commit: pages look for another one when its heart does not beat. Left out: always. */
  isLive?(): boolean
  /** Milliseconds from commit (or from the release of a delayed change) to the paint report. */
  painted(latencyMs: number): void
  /** A renderer has played a graphic to its end that plays out by itself, as of a seq. */
  played?(overlayId: number, graphicId: string, seq: number): void
  /** Renderers said that so many more things are wrong with graphics. */
  troubled(problems: number): void
}
