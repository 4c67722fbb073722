import { Channel, type Commit, REPLACED } from './channel.ts'
import type { Follower, FollowerHost } from './followers/follower.ts'
import { Followings } from './followers/followings.ts'
import { type Placed, Places } from './followers/places.ts'
import type { Member } from './followers/roster.ts'
import { Rosters } from './followers/rosters.ts'
import { WatchedOverlays } from './followers/watched.ts'
import type { Card, Engine, MaybePromise, Ports } from './ports.ts'
import { Calls } from './renderers/calls.ts'
import { Heartbeats } from './renderers/heartbeats.ts'
import type { Shared } from './renderers/output.ts'
import type { Answered, Asked, Showing } from './renderers/protocol.ts'
import { Session, type SessionHost } from './renderers/session.ts'
import { SlowLines } from './slow-lines.ts'
import type { SocketEndpoint } from './socket.ts'
import { Upgrades } from './upgrades.ts'

const sweepMs = 100

/** Takes commits to the sockets of their overlays. contract: The overlay page and its socket; live-path 14 to 22 */
export class Hub implements SessionHost, FollowerHost {
  /** What other nodes are told of the renderers here. */
  readonly rosters: Rosters
  readonly places: Places
  /** Overlays that somebody follows here. */
  readonly followings: Followings
  /** Calls of the OGraf Server API whose answers from renderers somebody waits for. */
  readonly calls: Calls
  /** Overlays that are asked for over REST. */
  readonly watched: WatchedOverlays
  readonly #ports: Ports
  readonly #channels = new Map<number, Channel<Member>>()
  /** How many pictures inside pages of ours look at an overlay. */
  readonly #pictures = new Map<number, number>()
  readonly #heartbeats = new Heartbeats()
  /** In the order of their deadlines. */
  readonly #awaitingReady = new Set<Session>()
  readonly #holding = new Set<Session>()
  readonly #shared: Shared<Member> = { pushed: [], late: new Map() }
  readonly #slow: SlowLines
  readonly #upgrades: Upgrades
  #cancelSweep: (() => void) | undefined
  #closing = false

  constructor(ports: Ports) {
    this.#ports = ports
    const channelOf = (overlayId: number) => this.#channels.get(overlayId)
    this.rosters = new Rosters(ports, channelOf)
    this.places = new Places(ports)
    this.calls = new Calls({
      clock: ports.clock,
      here: (asked) => this.#answering(asked),
      elsewhere: (asked, withinMs) => ports.elsewhere?.calls(asked, withinMs) ?? [],
    })
    this.followings = new Followings(ports, this.rosters, (overlayId) => channelOf(overlayId)?.known?.card)
    this.watched = new WatchedOverlays({ ports, host: this, following: (overlayId) => this.followings.get(overlayId) })
    this.#slow = new SlowLines({ shared: this.#shared, followings: this.followings, channelOf })
    this.#upgrades = new Upgrades(ports, this)
  }

  /** A commit of an overlay, in seq order. Costs nothing when nobody looks. */
  publish(overlayId: number, commit: Commit): void {
    this.#channels.get(overlayId)?.commit(commit)
  }

  /** An overlay's settings are now these. live-path 22 */
  changed(card: Card): void {
    this.#upgrades.changed(card)
    this.#channels.get(card.id)?.changed(card)
  }

  /** An overlay was deleted. live-path 15 */
  removed(overlayId: number): void {
    this.#channels.get(overlayId)?.remove()
    this.#forget(overlayId)
    for (const topic of [`overlay/${overlayId}`, `preview/${overlayId}`, `overlay/${overlayId}/rehearsal`])
      this.#shared.late.delete(topic)
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
    this.watched.close()
    for (const [overlayId, channel] of this.#channels) {
      for (const member of channel.members) member.end(1012, 'restarting')
      this.#forget(overlayId)
    }
  }

  /** The overlays that somebody looks at. */
  overlays(): readonly number[] {
    return [...this.#channels.keys()]
  }

  /** How many renderers of an overlay are connected, on all nodes. */
  renderers(overlayId: number): number {
    return this.#own(overlayId) + (this.#ports.elsewhere?.count(overlayId) ?? 0)
  }

  /** What the renderers of an overlay say that they are, on all nodes. */
  engines(overlayId: number): MaybePromise<readonly Engine[]> {
    const { elsewhere } = this.#ports
    const own = this.ownEngines(overlayId)
    if (!elsewhere || elsewhere.count(overlayId) === 0) return own
    return elsewhere.engines(overlayId).then((others) => [...own, ...others])
  }

  /** The same of those that are connected here. */
  ownEngines(overlayId: number): Engine[] {
    const engines: Engine[] = []
    for (const member of this.#channels.get(overlayId)?.members ?? [])
      if (member instanceof Session && member.counts) engines.push({ name: member.name, engine: member.engine })
    return engines
  }

  /** How many renderers are connected here, of each overlay that has any. */
  ownRenderers(): (readonly [overlayId: number, count: number])[] {
    return Array.from(this.#channels.keys(), (overlayId) => [overlayId, this.#own(overlayId)] as const).filter(
      ([, count]) => count > 0,
    )
  }

  #own(overlayId: number): number {
    const others = this.followings.count(overlayId) + (this.#pictures.get(overlayId) ?? 0)
    return (this.#channels.get(overlayId)?.members.size ?? 0) - others
  }

  /** How many sockets and channels there are, for metrics. */
  count(): { renderers: number; pictures: number; followers: number; channels: number } {
    const followers = this.followings.count()
    let members = 0
    let pictures = 0
    for (const channel of this.#channels.values()) members += channel.members.size
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
    this.#slow.watch(session)
  }

  sent(session: Session, graphicId: string, seq: number): boolean {
    return this.#channels.get(session.overlayId)?.sent(session, graphicId, seq) ?? false
  }

  pushedAt(session: Session): number {
    const channel = this.#channels.get(session.overlayId)
    return !channel || channel.isOwed(session) ? 0 : channel.pushedAt(session)
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
    this.followings.get(overlayId)?.painted(graphicId, seq, at)
  }

  troubled({ counts }: Session, fresh: number): void {
    if (counts) this.#ports.troubled(fresh)
  }

  played({ overlayId }: Session, graphicId: string, seq: number): void {
    this.#ports.played?.(overlayId, graphicId, seq)
  }

  answered(session: Session, answer: Answered): void {
    if (session.counts) this.calls.answered(session, answer)
  }

  /** The renderers that are connected here and will answer the call of a frame; under a delay none does in time. */
  #answering({ overlayId, ...graphic }: Asked): readonly Session[] {
    const channel = this.#channels.get(overlayId)
    if (!channel || channel.lingerMs > 0) return []
    const answering: Session[] = []
    for (const member of channel.members)
      if (member instanceof Session && member.counts && member.answers && member.subscribed && member.wants(graphic))
        answering.push(member)
    return answering
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
    this.calls.gone(session)
    if (!session.counts) this.#countPicture(session.overlayId, -1)
    if (isPicture(session)) this.places.leave(session)
    this.#ports.connections?.closed(session, this.wall())
    this.#leave(session)
    this.#noteRenderer(session, true)
    if (session.counts) this.#ports.elsewhere?.counted(session.overlayId)
  }

  #noteRenderer(session: Session, gone = false): void {
    this.rosters.noteRenderer(session, gone)
    this.followings.get(session.overlayId)?.noteRenderer()
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
    if (follower.isOpen) this.followings.add(follower, channel)
  }

  left(follower: Follower): void {
    this.places.leave(follower)
    this.followings.leave(follower)
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
    this.#slow.forget(member)
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
    this.followings.forget(overlayId)
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
    this.#slow.sweep()
    // whoever hears nothing looks for a node that knows more
    if (!(this.#ports.isLive?.() ?? true)) return
    this.#heartbeats.tick(now)
    for (const following of this.followings.all()) following.tick()
  }
}

const isPicture = (session: Session): session is Session & Placed => session.way !== undefined
