import { randomUUID } from 'node:crypto'
import type { OverlayEvent } from '../../machines/overlay.ts'
import { Channel, type Shared } from './channel.ts'
import { Heartbeats } from './heartbeats.ts'
import type { Card, Ports, Token } from './ports.ts'
import type { Showing } from './protocol.ts'
import { Session, type SessionHost } from './session.ts'
import type { SocketEndpoint, UpgradeRequest } from './socket.ts'
import { type Member, Watch, Watcher } from './watch.ts'

const sweepMs = 100
const maxBufferedBytes = 256 * 1024

/** Takes commits to the sockets of their overlays. contract: The overlay page and its socket; live-path 14 to 22 */
export class Hub implements SessionHost {
  readonly #ports: Ports
  readonly #channels = new Map<number, Channel<Member>>()
  readonly #watches = new Map<number, Watch>()
  readonly #heartbeats = new Heartbeats()
  /** In the order of their deadlines. */
  readonly #awaitingReady = new Set<Session>()
  readonly #holding = new Set<Session>()
  /** Had bytes waiting when last seen, or were just sent much. */
  #buffering = new Set<Member>()
  readonly #shared: Shared<Member> = { pushed: [], late: new Map() }
  /** Overlays that somebody looks at, by their key, and the other way round. */
  readonly #idOf = new Map<string, number>()
  readonly #keyOf = new Map<number, string>()
  #cancelSweep: (() => void) | undefined
  #closing = false

  constructor(ports: Ports) {
    this.#ports = ports
  }

  /** A commit of an overlay, in seq order. Costs nothing when nobody looks. `at` is database time, ms since 1970. */
  publish(overlayId: number, seq: number, events: readonly OverlayEvent[], at: number): void {
    this.#channels.get(overlayId)?.commit({ seq, events, at })
  }

  /** An overlay's settings are now these. live-path 22 */
  changed(card: Card): void {
    this.#channels.get(card.id)?.changed(card)
  }

  /** An overlay was deleted. live-path 15 */
  removed(overlayId: number): void {
    this.#channels.get(overlayId)?.remove()
    this.#forget(overlayId)
    this.#shared.late.delete(overlayId)
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

  /** How many renderers of an overlay are connected. */
  renderers(overlayId: number): number {
    const watchers = this.#watches.get(overlayId)?.watchers.size ?? 0
    return (this.#channels.get(overlayId)?.members.size ?? 0) - watchers
  }

  /** How many sockets and channels there are, for metrics. */
  count(): { renderers: number; watchers: number; channels: number } {
    let members = 0
    let watchers = 0
    for (const channel of this.#channels.values()) members += channel.members.size
    for (const watch of this.#watches.values()) watchers += watch.watchers.size
    return { renderers: members - watchers, watchers, channels: this.#channels.size }
  }

  endpoints(): SocketEndpoint[] {
    const on = { joined: (watcher: Watcher) => this.#joined(watcher), left: (watcher: Watcher) => this.#left(watcher) }
    const watching = (path: string, token: Token): SocketEndpoint => ({
      path,
      accept: async ({ params }) => {
        const overlayId = await this.#ports.find(token, params.token ?? '')
        return overlayId === undefined ? undefined : new Watcher(overlayId, on)
      },
    })
    return [
      { path: '/overlay/{key}/socket', accept: (request) => this.#acceptRenderer(request) },
      watching('/monitor/{token}/socket', 'monitoring'),
      watching('/control/{token}/socket', 'control'),
    ]
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
    this.#join(session)
    this.#awaitingReady.add(session)
    if (session.heartbeatMs > 0) this.#heartbeats.add(session, this.now())
  }

  ready(session: Session, showing: readonly Showing[]): void {
    this.#awaitingReady.delete(session)
    this.#channels.get(session.overlayId)?.answer(session, showing)
    this.#buffering.add(session)
  }

  sent(session: Session, graphicId: string, seq: number): boolean {
    return this.#channels.get(session.overlayId)?.sent(graphicId, seq) ?? false
  }

  pushedAt(session: Session): number {
    return this.#channels.get(session.overlayId)?.lastPushAt ?? 0
  }

  painted({ overlayId, name }: Session, graphicId: string, seq: number, at: number): void {
    this.#ports.paint({ overlayId, graphicId, seq, renderer: name, at })
    const releasedAt = this.#channels.get(overlayId)?.releasedAt(seq)
    if (releasedAt !== undefined) this.#ports.painted(Math.max(0, at - releasedAt))
    this.#watches.get(overlayId)?.noteRenderers()
  }

  holds(session: Session): void {
    this.#holding.add(session)
  }

  closed(session: Session): void {
    this.#awaitingReady.delete(session)
    this.#holding.delete(session)
    this.#leave(session)
  }

  #acceptRenderer({ params, query }: UpgradeRequest): Session | Promise<Session | undefined> {
    const { key = '' } = params
    const open = (overlayId: number) => {
      const name = rendererName(query.get('renderer')) ?? randomUUID().slice(0, 13)
      return new Session(this, overlayId, { name, heartbeatMs: heartbeatMs(query.get('heartbeat')) })
    }
    // an overlay's key never changes
    const known = this.#idOf.get(key)
    if (known !== undefined) return open(known)
    return this.#ports.find('key', key).then((overlayId) => {
      if (overlayId === undefined) return undefined
      this.#idOf.set(key, overlayId)
      this.#keyOf.set(overlayId, key)
      return open(overlayId)
    })
  }

  #joined(watcher: Watcher): void {
    if (this.#closing) {
      watcher.end(1012, 'restarting')
      return
    }
    const channel = this.#join(watcher)
    const watch = this.#watches.get(watcher.overlayId) ?? new Watch(this.#ports, channel)
    this.#watches.set(watcher.overlayId, watch)
    watch.add(watcher)
  }

  #left(watcher: Watcher): void {
    const watch = this.#watches.get(watcher.overlayId)
    watch?.watchers.delete(watcher)
    if (watch?.watchers.size === 0) {
      watch.stop()
      this.#watches.delete(watcher.overlayId)
    }
    this.#leave(watcher)
  }

  #join(member: Member): Channel<Member> {
    const { overlayId } = member
    const open = this.#channels.get(overlayId)
    const channel = open && !open.closed ? open : new Channel<Member>(this.#ports, overlayId, this.#shared)
    this.#channels.set(overlayId, channel)
    channel.members.add(member)
    this.#watches.get(overlayId)?.noteRenderers()
    this.#cancelSweep ??= this.#ports.clock.after(sweepMs, () => this.#sweep())
    return channel
  }

  #leave(member: Member): void {
    this.#buffering.delete(member)
    const channel = this.#channels.get(member.overlayId)
    channel?.leave(member)
    this.#watches.get(member.overlayId)?.noteRenderers()
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
    this.#idOf.delete(this.#keyOf.get(overlayId) ?? '')
    this.#keyOf.delete(overlayId)
    this.#channels.get(overlayId)?.close()
    this.#channels.delete(overlayId)
    this.#watches.get(overlayId)?.stop()
    this.#watches.delete(overlayId)
  }

  #sweep(): void {
    this.#cancelSweep = undefined
    const now = this.now()
    for (const session of this.#awaitingReady) {
      if (!session.checkDeadline(now)) break
      this.#awaitingReady.delete(session)
    }
    for (const session of this.#holding) if (session.releaseHeld(now)) this.#holding.delete(session)
    this.#heartbeats.tick(now)
    this.#closeSlow()
    for (const watch of this.#watches.values()) watch.tick()
    if (this.#channels.size > 0) this.#cancelSweep = this.#ports.clock.after(sweepMs, () => this.#sweep())
  }

  /** Looks at sockets that were sent something since the last sweep, and at those that were behind then. live-path 18 */
  #closeSlow(): void {
    for (const channel of this.#shared.pushed.splice(0))
      for (const member of channel.takePushed()) this.#buffering.add(member)
    for (const { watchers } of this.#watches.values()) for (const watcher of watchers) this.#buffering.add(watcher)
    const looked = this.#buffering
    // a new set instead of many deletions, whose old tables would outlive young collections
    this.#buffering = new Set()
    for (const member of looked) {
      const bytes = member.bufferedBytes()
      if (bytes > maxBufferedBytes) member.end(1013, 'too slow')
      else if (bytes > 0) this.#buffering.add(member)
    }
  }
}

/** A name as people give it, or undefined when nothing sane is left. */
function rendererName(given: string | null): string | undefined {
  const name = (given ?? '')
    .replace(/[^\p{L}\p{N} ._:@/-]/gu, '')
    .trim()
    .slice(0, 64)
  return name === '' ? undefined : name
}

/** Whole seconds, 1 to 60; anything else is no heartbeat: a typing error must not keep a picture off air. */
function heartbeatMs(given: string | null): number {
  return given !== null && /^([1-9]|[1-5]\d|60)$/.test(given) ? Number(given) * 1000 : 0
}
