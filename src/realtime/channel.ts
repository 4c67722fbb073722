import { type OverlayAside, type OverlayEvent, stagedEvents } from '../../machines/overlay/events.ts'
import { type Shown, staged } from '../../machines/overlay/model.ts'
import type { Card, Cause, Committed, Past, Ports } from './ports.ts'
import type { Receiver } from './receiver.ts'
import { Audience } from './renderers/audience.ts'
import { Backlog } from './renderers/backlog.ts'
import { type LiveText, liveText } from './renderers/live-text.ts'
import type { Showing } from './renderers/protocol.ts'
import { advance, isEmpty, nothing, Screen, type Step } from './renderers/screen.ts'

/** Facts of one commit. `at` is database time, ms since 1970. */
export type Commit = {
  seq: number
  events: readonly OverlayEvent[]
  /** What it did to preview and schedule, and in rehearsal: nothing that renderers show. */
  asides?: readonly OverlayAside[]
  at: number
  cause: Cause | undefined
}

/** The parts of the hub that outlive a channel. */
export type Shared<R extends Receiver> = {
  /** Channels that sent frames to all since the last sweep. */
  pushed: Channel<R>[]
  /** Per overlay the newest seq that went out before the live data that belongs to it, if that ever happened. */
  late: Map<number, number>
}

const retryMs = 500

/** Told to a socket that came in by an address that was replaced. */
export const REPLACED = 'this address was replaced'

/** Told to pictures when a rehearsal begins or ends: they come again, for another screen. */
const REHEARSAL = 'rehearsal'

/** The graphics of an overlay that a screen shows, and what a commit does to them. */
type Bus = {
  topic(overlayId: number): string
  view(committed: Committed): Committed
  events(commit: Commit): readonly OverlayEvent[]
}

const AIR: Bus = {
  topic: (overlayId) => `overlay/${overlayId}`,
  view: (committed) => committed,
  events: ({ events }) => events,
}

const STAGE: Bus = {
  topic: (overlayId) => `overlay/${overlayId}/rehearsal`,
  view: ({ seq, context }) => ({ seq, context: staged(context) }),
  events: ({ events, asides }) => stagedEvents(events, asides),
}

const isShow = (event: OverlayEvent) => event.type === 'graphic.shown'

/** Whether something on air is of the same theme version: then live data is known to be as new as that version. */
const isKnown = ({ context }: Committed, { themeId, themeVersion }: Shown) =>
  Object.values(context.graphics).some((one) => one.themeId === themeId && one.themeVersion === themeVersion)

/**
 * A refresh announces new data; while nothing is on air none is announced. Nor is it for a theme version, whose graphics may
 * ask for other data than those before.
 */
const needsLive = (before: Committed, events: readonly OverlayEvent[]) =>
  events.some((event) => event.type === 'data.refreshed' || (isShow(event) && !isKnown(before, event.graphic)))

/** One overlay with open sockets: its committed state, its view as late as its delay asks, and its sockets. live-path 16 to 18, 22 */
export class Channel<R extends Receiver> {
  readonly overlayId: number
  readonly topic: string
  readonly members = new Set<R>()
  /** When frames last went out to all, ms. */
  lastPushAt = 0
  /** Told after each commit, and when the state was read anew. */
  onChange: ((commit: Commit | undefined) => void) | undefined
  readonly #ports: Ports
  readonly #shared: Shared<R>
  readonly #bus: Bus
  /** Of a rehearsal that pictures look at: what would be on air, at once whatever the delay. It has no members of its own. */
  #stage: Channel<R> | undefined
  #pushed = false
  readonly #screen: Screen
  readonly #backlog: Backlog
  readonly #audience: Audience<R>
  /** Commits that came while the state is being read; undefined once it is there. */
  #early: Commit[] | undefined = []
  #committed = nothing
  #card: Card | undefined
  #changedWhileReading = false
  /** True: live data is current, or a refresh will be announced. With nothing on air none is. */
  #liveFollowed = false
  #closed = false

  constructor(ports: Ports, overlayId: number, shared: Shared<R>, bus = AIR) {
    this.#ports = ports
    this.#shared = shared
    this.#bus = bus
    this.overlayId = overlayId
    this.topic = bus.topic(overlayId)
    this.#screen = new Screen(ports.publicUrl())
    this.#audience = new Audience(this.topic, this.#screen)
    this.#backlog = new Backlog(ports, overlayId, {
      release: (step) => this.#release(step),
      knowsLive: () => this.#screen.hasLive,
    })
    void this.#load()
  }

  /** The overlay's row and committed state; undefined while they are being read. */
  get known(): { card: Card; committed: Committed } | undefined {
    return this.#early === undefined && this.#card ? { card: this.#card, committed: this.#committed } : undefined
  }

  /** The state that renderers are to show by now: the committed one as it was before the delay. */
  get view(): Committed {
    return this.#screen.view
  }

  get closed(): boolean {
    return this.#closed
  }

  /** How long it must outlive its last member: the live data of a delayed view is nowhere else. */
  get lingerMs(): number {
    return this.#backlog.delayMs
  }

  /** Nothing waits to be released. */
  get settled(): boolean {
    return this.#backlog.empty
  }

  /** The sockets that frames were sent to since the last call. */
  takePushed(): ReadonlySet<R> {
    this.#pushed = false
    return this.#audience.told
  }

  /** A commit, in seq order. */
  commit(commit: Commit): void {
    if (this.#early) {
      this.#early.push(commit)
      return
    }
    if (commit.seq <= this.#committed.seq) return
    if (commit.seq > this.#committed.seq + 1) {
      this.#ports.log.warn({ overlayId: this.overlayId, seq: commit.seq }, 'commits were missed, reading it anew')
      this.reload()
      this.commit(commit)
      return
    }
    const before = this.#committed.context.rehearsal
    this.#accept(commit)
    this.#stage?.commit(commit)
    if (this.#committed.context.rehearsal?.since !== before?.since) this.#endPictures()
    this.onChange?.(commit)
  }

  /** Pictures that were told something come again, and find the other screen. */
  #endPictures(): void {
    if (this.#bus === STAGE) return
    for (const member of this.members) if (member.isPicture && this.#isTold(member)) member.end(1012, REHEARSAL)
    this.#stage?.close()
    this.#stage = undefined
  }

  #isTold(member: R): boolean {
    const staged = this.#stage
    return this.#audience.has(member) || (staged ? staged.#isTold(member) : false)
  }

  /** Reads the state anew and brings every renderer to it. */
  reload(): void {
    if (this.#early) return
    this.#stage?.reload()
    this.#early = []
    this.#backlog.clear()
    void this.#load()
  }

  /** READY. live-path 16 */
  answer(member: R, showing: readonly Showing[]): void {
    if (this.#early) this.#audience.ask(member, showing)
    else if (this.#bus === AIR && member.isPicture && this.#committed.context.rehearsal)
      this.#rehearsed().answer(member, showing)
    else this.#audience.answer(member, showing, this.#lateSeq, this.#ports.clock.now())
  }

  #rehearsed(): Channel<R> {
    this.#stage ??= new Channel(this.#ports, this.overlayId, this.#shared, STAGE)
    return this.#stage
  }

  /** Whether the member is still being brought to the state on air: then it does not hear frames for all others. */
  isOwed(member: R): boolean {
    return this.#audience.isOwed(member) || (this.#stage?.isOwed(member) ?? false)
  }

  /** Its line may have room again. */
  goOn(member: R): void {
    this.#tell(member, () => this.#audience.goOn(member, this.#ports.clock.now()))
    this.#stage?.goOn(member)
  }

  leave(member: R): void {
    this.members.delete(member)
    this.#audience.leave(member)
    this.#stage?.leave(member)
  }

  sent(graphicId: string, seq: number): boolean {
    return this.#screen.sent(graphicId, seq)
  }

  releasedAt(seq: number): number | undefined {
    return this.#screen.releasedAt(seq)
  }

  /** New settings. Raising the delay freezes the view, lowering it releases in order. live-path 22 */
  changed(card: Card): void {
    this.#card = card
    this.#backlog.delayMs = card.encodingDelaySeconds * 1000
    if (this.#early) this.#changedWhileReading = true
    else this.#backlog.drain()
    this.#shutOut(card)
    this.onChange?.(undefined)
  }

  /** Closes sockets that came in by an address that was replaced. */
  #shutOut(card: Card): void {
    for (const member of this.members) if (!member.opens(card)) member.end(1008, REPLACED)
  }

  /** The overlay is deleted: everything goes off at once, then the sockets close. live-path 15 */
  remove(): void {
    for (const text of this.#screen.cleared(this.#committed.seq + 1))
      for (const member of this.#audience.told) member.send(text)
    for (const member of this.members) member.end(1008, 'the overlay was deleted')
    this.close()
  }

  close(): void {
    this.#closed = true
    this.#backlog.stop()
    this.#stage?.close()
  }

  #accept(commit: Commit): void {
    const { seq, asides = [], at } = commit
    const before = this.#bus.view(this.#committed)
    this.#committed = advance(this.#committed, seq, asides.length > 0 ? [...commit.events, ...asides] : commit.events)
    const view = this.#bus.view(this.#committed)
    const events = this.#bus.events(commit)
    const reads = needsLive(before, events) || (!this.#liveFollowed && events.some(isShow))
    this.#liveFollowed = (reads || this.#liveFollowed) && !isEmpty(view)
    if (this.#backlog.delayMs === 0) this.#screen.noteRelease(seq, at)
    this.#backlog.add({ view, events }, this.#ports.clock.now(), reads)
  }

  #release(step: Step): void {
    const now = this.#ports.clock.now()
    if (step.view && this.#backlog.delayMs > 0) this.#screen.noteRelease(step.view.seq, this.#ports.clock.wall())
    if (step.late) this.#noteLate((step.view ?? this.#screen.view).seq)
    try {
      const frames = this.#screen.apply(step, this.#audience.told.size > 0)
      for (const text of frames) this.#ports.publish(this.topic, text)
      if (frames.length > 0) this.#notePush(now)
    } catch (error) {
      // neither the committer nor a timer may stumble over one bad record
      this.#warn(error, 'a commit could not be pushed')
      this.reload()
    }
  }

  #noteLate(seq: number): void {
    this.#shared.late.set(this.overlayId, seq)
    this.#audience.noteLate(seq)
  }

  get #lateSeq(): number {
    return this.#shared.late.get(this.overlayId) ?? 0
  }

  #notePush(now: number): void {
    this.lastPushAt = now
    if (this.#pushed) return
    this.#pushed = true
    this.#shared.pushed.push(this)
  }

  async #load(): Promise<void> {
    while (!this.#closed) {
      try {
        this.#changedWhileReading = false
        const card = await this.#ports.card(this.overlayId)
        if (!card) return this.remove()
        const past = await this.#past(card)
        const someLive = !isEmpty(past.view) || past.since.length > 0
        const live = someLive ? liveText(await this.#ports.live(this.overlayId, this.#delayMsOf(card))) : undefined
        // perhaps the view was read for another delay
        if (this.#changedWhileReading) continue
        return this.#take(card, past, live)
      } catch (error) {
        this.#warn(error, 'an overlay could not be read for its renderers')
        await new Promise<void>((resolve) => this.#ports.clock.after(retryMs, resolve))
      }
    }
  }

  async #past(card: Card): Promise<Past> {
    const delayMs = this.#delayMsOf(card)
    if (delayMs > 0) return this.#ports.past(this.overlayId, delayMs)
    const committed = (await this.#ports.read(this.overlayId)) ?? nothing
    return { view: this.#bus.view(committed), committed, since: [] }
  }

  /** A rehearsal is shown at once: nothing that is encoded comes to meet it. */
  #delayMsOf(card: Card): number {
    return this.#bus === STAGE ? 0 : card.encodingDelaySeconds * 1000
  }

  /** In one turn of the loop: the state, then the commits that came meanwhile, then the renderers that waited. */
  #take(card: Card, past: Past, live: LiveText | undefined): void {
    if (this.#closed) return
    const now = this.#ports.clock.now()
    this.#card = card
    this.#shutOut(card)
    const before = this.#committed.context.rehearsal
    this.#committed = past.committed
    if (this.#committed.context.rehearsal?.since !== before?.since) this.#endPictures()
    this.#liveFollowed = live !== undefined && !isEmpty(this.#bus.view(past.committed))
    this.#backlog.clear()
    this.#backlog.delayMs = this.#delayMsOf(card)
    // under a delay the known live data belong to the delayed view, and those read now may be newer
    const sameView = past.view.seq === this.#screen.view.seq && past.since.length > 0
    const viewLive = sameView && this.#screen.hasLive ? undefined : live
    const framesWanted = this.#audience.told.size > 0
    const early = (this.#early ?? []).filter(({ seq }) => seq > past.committed.seq)
    // while these frames cannot be made it is as if the state were still being read
    this.#early = early
    const frames = this.#screen.reset(past.view, viewLive, { sport: card.sport, lateSeq: this.#lateSeq, framesWanted })
    this.#early = undefined
    for (const text of frames) this.#ports.publish(this.topic, text)
    this.#notePush(now)
    let view = past.view
    for (const { seq, events, ageMs } of past.since) {
      const reads = needsLive(view, events)
      view = advance(view, seq, events)
      this.#backlog.add({ view, events }, now - ageMs, reads && live ? live : false)
    }
    for (const commit of early) this.commit(commit)
    if (this.#bus === AIR) this.#ports.channels?.read(this.overlayId, this.#committed.seq, card.organizationId)
    for (const [member, showing] of this.#audience.takeAsked()) this.#tell(member, () => this.answer(member, showing))
    this.onChange?.(undefined)
  }

  #tell(member: R, run: () => void): void {
    try {
      run()
    } catch (error) {
      // a frame that cannot be made ends the socket that needs it and no other
      this.#warn(error, 'a renderer could not be answered')
      member.end(1011, 'Unexpected error')
    }
  }

  #warn(error: unknown, message: string): void {
    this.#ports.log.warn({ overlayId: this.overlayId, seq: this.#committed.seq, err: error }, message)
  }
}
