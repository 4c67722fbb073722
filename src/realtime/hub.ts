import type { OverlayEvent } from '../../machines/overlay.ts'
import { Channel, REPLACED, type Shared } from './channel.ts'
import type { Follower, FollowerHost } from './followers/follower.ts'
import { Following } from './followers/following.ts'
import { type Placed, Places } from './followers/places.ts'
import type { Member } from './followers/roster.ts'
import { Rosters } from './followers/rosters.ts'
import type { Card, Cause, Ports } from './ports.ts'
import { Heartbeats } from './renderers/heartbeats.ts'
import type { Showing } from './renderers/protocol.ts'
import type { Session, SessionHost } from './renderers/session.ts'
import type { SocketEndpoint } from './socket.ts'
import { Upgrades } from './upgrades.ts'

/** Kinds of records that are of one match, by its id, and those that matches show. */
const OF_MATCHES: ReadonlySet<string> = new Set(['match', 'lineup'])
const IN_MATCHES: ReadonlySet<string> = new Set(['team', 'club', 'player'])

const sweepMs = 100
const maxBufferedBytes = 256 * 1024

/** Takes commits to the sockets of their overlays. contract: The overlay page and its socket; live-path 14 to 22 */
export class Hub implements SessionHost, FollowerHost {
  /** What other nodes are told of the renderers here. */
  readonly rosters: Rosters
  readonly places: Places
  readonly #ports: Ports
  readonly #channels = new Map<number, Channel<Member>>()
  /** Of overlays that somebody follows. */
  readonly #followings = new Map<number, Following>()
  /** How many pictures inside pages of ours look at an overlay. */
  readonly #pictures = new Map<number, number>()
  readonly #heartbeats = new Heartbeats()
  /** In the order of their deadlines. */
  readonly #awaitingReady = new Set<Session>()
  readonly #holding = new Set<Session>()
  /** Had bytes waiting when last seen, or were just sent much. */
  #buffering = new Set<Member>()
  readonly #shared: Shared<Member> = { pushed: [], late: new Map() }
  readonly #upgrades: Upgrades
  #cancelSweep: (() => void) | undefined
  #closing = false

  constructor(ports: Ports) {
    this.#ports = ports
    this.rosters = new Rosters(ports, (overlayId) => this.#channels.get(overlayId))
    this.places = new Places(ports)
    this.#upgrades = new Upgrades(ports, this)
  }

  /** A commit of an overlay, in seq order. Costs nothing when nobody looks. `at` is database time, ms since 1970. */
  publish(overlayId: number, seq: number, events: readonly OverlayEvent[], at: number, cause?: Cause): void {
    this.#channels.get(overlayId)?.commit({ seq, events, at, cause })
  }

  /** An overlay's settings are now these. live-path 22 */
  changed(card: Card): void {
    this.#upgrades.changed(card)
    this.#channels.get(card.id)?.changed(card)
  }

  /** A record or actor changed, by its ref (`team/5`): followers of matches that show it are told. */
  recordChanged(ref: string, organizationId?: number): void {
    if (this.#followings.size === 0) return
    const [kind = '', id] = ref.split('/')
    if (kind === 'game-plan') {
      this.#followings.get(Number(id))?.planChanged()
      return
    }
    for (const [overlayId, following] of this.#followings) {
      const card = this.#channels.get(overlayId)?.known?.card
      const isTheirs = OF_MATCHES.has(kind) ? card?.matchId === Number(id) : card?.organizationId === organizationId
      if (isTheirs && (OF_MATCHES.has(kind) || IN_MATCHES.has(kind))) following.matchChanged()
    }
  }

  /** Records of this control room or theme changed; left out, those of any may have. */
  roomChanged(changed?: { room: number } | { theme: number }): void {
    for (const [overlayId, following] of this.#followings) {
      const card = this.#channels.get(overlayId)?.known?.card
      if (!changed || ('room' in changed ? card?.controlRoomId === changed.room : card?.themeId === changed.theme))
        following.roomChanged()
    }
  }

  /** The game plan of this theme profile has other rules; left out, any may have. */
  rulesChanged(profileId?: number): void {
    for (const [overlayId, following] of this.#followings) {
      const card = this.#channels.get(overlayId)?.known?.card
      if (profileId === undefined || card?.profileId === profileId) following.rulesChanged()
    }
  }

  /** An API key changed: followers that came with one show it again. */
  keysChanged(): void {
    for (const following of this.#followings.values()) following.check()
  }

  /** An overlay was deleted. live-path 15 */
  removed(overlayId: number): void {
    this.#channels.get(overlayId)?.remove()
    this.#forget(overlayId)
    this.#shared.late.delete(overlayId)
  }

  /** Reads an overlay anew: commits of it were missed that nobody can hand over. */
  reload(overlayId: number): void {
    this.#channels.get(overlayId)?.reload()
  }

  /** Closes the sockets of an overlay with 1012: this node was away while it moved, and another one has it right. */
  closeMissed(overlayId: number): void {
    const channel = this.#channels.get(overlayId)
    for (const member of channel?.members ?? []) member.end(1012, 'restarting')
    // also under a delay: what it would still release is of before
    if (channel?.members.size === 0) this.#forget(overlayId)
  }

  /** Closes every socket with 1012, and those that still come. */
  close(): void {
    this.#closing = true
    this.#cancelSweep?.()
    for (const [overlayId, channel] of this.#channels) {
      for (const member of channel.members) member.end(1012, 'restarting')
      this.#forget(overlayId)
    }
  }

  /** The overlays that somebody looks at. */
  overlays(): readonly number[] {
    return [...this.#channels.keys()]
  }

  /** Another node told of its renderers of this overlay. */
  othersTold(overlayId: number): void {
    this.#followings.get(overlayId)?.hearOthers()
  }

  /** No other node follows this overlay any more. */
  unfollowedElsewhere(overlayId: number): void {
    if (!this.#followings.has(overlayId)) this.rosters.forget(overlayId)
  }

  /** How many renderers of an overlay are connected, on all nodes. */
  renderers(overlayId: number): number {
    return this.#own(overlayId) + (this.#ports.elsewhere?.count(overlayId) ?? 0)
  }

  /** How many renderers are connected here, of each overlay that has any. */
  ownRenderers(): (readonly [overlayId: number, count: number])[] {
    return Array.from(this.#channels.keys(), (overlayId) => [overlayId, this.#own(overlayId)] as const).filter(
      ([, count]) => count > 0,
    )
  }

  #own(overlayId: number): number {
    const others = (this.#followings.get(overlayId)?.followers.size ?? 0) + (this.#pictures.get(overlayId) ?? 0)
    return (this.#channels.get(overlayId)?.members.size ?? 0) - others
  }

  /** How many sockets and channels there are, for metrics. */
  count(): { renderers: number; pictures: number; followers: number; channels: number } {
    let members = 0
    let followers = 0
    let pictures = 0
    for (const channel of this.#channels.values()) members += channel.members.size
    for (const following of this.#followings.values()) followers += following.followers.size
    for (const count of this.#pictures.values()) pictures += count
    return { renderers: members - followers - pictures, pictures, followers, channels: this.#channels.size }
  }

  endpoints(): SocketEndpoint[] {
    return this.#upgrades.endpoints()
  }

  now(): number {
    return this.#ports.clock.now()
  }

  wall(): number {
    return this.#ports.clock.wall()
  }

  opened(session: Session): void {
    if (this.#closing) {
      session.end(1012, 'restarting')
      return
    }
    if (!session.counts) this.#countPicture(session.overlayId, 1)
    this.#join(session)
    if (isPicture(session)) this.places.enter(session)
    // shut out at once, so it has left already
    if (!session.live) return
    if (session.counts) {
      this.#ports.connections?.opened(session, this.wall())
      this.#ports.elsewhere?.counted(session.overlayId)
    }
    this.#noteRenderer(session)
    this.#awaitingReady.add(session)
    if (session.heartbeatMs > 0) this.#heartbeats.add(session, this.now())
  }

  ready(session: Session, showing: readonly Showing[]): void {
    this.#awaitingReady.delete(session)
    this.#ports.connections?.ready(session, showing)
    this.#channels.get(session.overlayId)?.answer(session, showing)
    this.#noteRenderer(session)
    this.#buffering.add(session)
  }

  sent(session: Session, graphicId: string, seq: number): boolean {
    return this.#channels.get(session.overlayId)?.sent(graphicId, seq) ?? false
  }

  pushedAt(session: Session): number {
    const channel = this.#channels.get(session.overlayId)
    return !channel || channel.isOwed(session) ? 0 : channel.lastPushAt
  }

  painted(session: Session, graphicId: string, seq: number, at: number): void {
    if (!session.counts) return
    const { overlayId, name } = session
    this.#ports.paint({ overlayId, graphicId, seq, renderer: name, at })
    const releasedAt = this.#channels.get(overlayId)?.releasedAt(seq)
    // how long a source was out of view is not how long it takes to paint
    const isKnown = releasedAt !== undefined && releasedAt >= session.inViewSince
    const latencyMs = isKnown ? Math.max(0, at - releasedAt) : undefined
    if (latencyMs !== undefined) this.#ports.painted(latencyMs)
    this.rosters.painted(session, graphicId, { seq, at, latencyMs })
    this.#followings.get(overlayId)?.painted(graphicId, seq, at)
  }

  troubled({ counts }: Session, fresh: number): void {
    if (counts) this.#ports.troubled(fresh)
  }

  viewed(session: Session): void {
    if (session.counts) this.#ports.connections?.viewed(session, !session.outOfView, this.wall())
    this.#noteRenderer(session)
  }

  holds(session: Session): void {
    this.#holding.add(session)
  }

  closed(session: Session): void {
    this.#awaitingReady.delete(session)
    this.#holding.delete(session)
    if (!session.counts) this.#countPicture(session.overlayId, -1)
    if (isPicture(session)) this.places.leave(session)
    this.#ports.connections?.closed(session, this.wall())
    this.#leave(session)
    this.#noteRenderer(session, true)
    if (session.counts) this.#ports.elsewhere?.counted(session.overlayId)
  }

  #noteRenderer(session: Session, gone = false): void {
    this.rosters.noteRenderer(session, gone)
    this.#followings.get(session.overlayId)?.noteRenderer()
  }

  #countPicture(overlayId: number, change: 1 | -1): void {
    const count = (this.#pictures.get(overlayId) ?? 0) + change
    if (count > 0) this.#pictures.set(overlayId, count)
    else this.#pictures.delete(overlayId)
  }

  joined(follower: Follower): void {
    if (this.#closing) {
      follower.end(1012, 'restarting')
      return
    }
    const channel = this.#join(follower)
    this.places.enter(follower)
    // shut out at once, so it has left already
    if (!follower.isOpen) return
    const following =
      this.#followings.get(follower.overlayId) ?? new Following(this.#ports, channel, this.rosters.of(channel))
    this.#followings.set(follower.overlayId, following)
    following.add(follower)
  }

  left(follower: Follower): void {
    this.places.leave(follower)
    const following = this.#followings.get(follower.overlayId)
    following?.leave(follower)
    if (following?.followers.size === 0) {
      following.stop()
      this.#followings.delete(follower.overlayId)
      this.rosters.unfollowed(follower.overlayId)
    }
    this.#leave(follower)
  }

  #join(member: Member): Channel<Member> {
    const { overlayId } = member
    const open = this.#channels.get(overlayId)
    const channel = open && !open.closed ? open : new Channel<Member>(this.#ports, overlayId, this.#shared)
    this.#channels.set(overlayId, channel)
    if (channel !== open) this.#ports.channels?.opened(overlayId)
    channel.members.add(member)
    if (channel.known && !member.opens(channel.known.card)) member.end(1008, REPLACED)
    this.#cancelSweep ??= this.#ports.clock.after(sweepMs, () => this.#sweep())
    return channel
  }

  #leave(member: Member): void {
    this.#buffering.delete(member)
    const channel = this.#channels.get(member.overlayId)
    channel?.leave(member)
    if (channel) this.#closeUnused(channel)
  }

  #closeUnused(channel: Channel<Member>): void {
    if (channel.members.size > 0 || this.#channels.get(channel.overlayId) !== channel) return
    if (channel.lingerMs === 0) {
      this.#forget(channel.overlayId)
      return
    }
    this.#ports.clock.after(channel.lingerMs, () => {
      const isOpen = this.#channels.get(channel.overlayId) === channel
      if (isOpen && channel.members.size === 0 && channel.settled) this.#forget(channel.overlayId)
      else this.#closeUnused(channel)
    })
  }

  #forget(overlayId: number): void {
    this.#upgrades.forget(overlayId)
    this.#channels.get(overlayId)?.close()
    if (this.#channels.delete(overlayId)) this.#ports.channels?.closed(overlayId)
    this.#followings.get(overlayId)?.stop()
    this.#followings.delete(overlayId)
    this.rosters.forget(overlayId)
  }

  #sweep(): void {
    this.#cancelSweep = undefined
    try {
      this.#lookAtAll(this.now())
    } finally {
      // also after an error, or nobody's heart would beat any more
      if (this.#channels.size > 0) this.#cancelSweep = this.#ports.clock.after(sweepMs, () => this.#sweep())
    }
  }

  #lookAtAll(now: number): void {
    for (const session of this.#awaitingReady) {
      if (!session.checkDeadline(now)) break
      this.#awaitingReady.delete(session)
    }
    for (const session of this.#holding) if (session.releaseHeld(now)) this.#holding.delete(session)
    if (this.#ports.isLive?.() ?? true) this.#heartbeats.tick(now)
    this.#closeSlow()
    for (const following of this.#followings.values()) following.tick()
  }

  /** Looks at sockets that were sent something since the last sweep, and at those that were behind then. live-path 18 */
  #closeSlow(): void {
    for (const channel of this.#shared.pushed.splice(0))
      for (const member of channel.takePushed()) this.#buffering.add(member)
    for (const { followers } of this.#followings.values())
      for (const follower of followers) this.#buffering.add(follower)
    const looked = this.#buffering
    // a new set instead of many deletions. docs/performance.md: sets as queues
    this.#buffering = new Set()
    for (const member of looked) {
      const channel = this.#channels.get(member.overlayId)
      if (channel?.isOwed(member)) {
        this.#buffering.add(member)
        channel.goOn(member)
        continue
      }
      const bytes = member.bufferedBytes()
      if (bytes > maxBufferedBytes) member.end(1013, 'too slow')
      else if (bytes > 0) this.#buffering.add(member)
    }
  }
}

const isPicture = (session: Session): session is Session & Placed => session.way !== undefined
