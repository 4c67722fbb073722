import { type OverlayAside, type OverlayEvent, stagedEvents } from '../../machines/overlay/events.ts'
import type { Card, Cause, Committed, Past, Ports } from './ports.ts'
import type { Receiver } from './receiver.ts'
import { prepareFrame } from './renderers/frames.ts'
import { type LiveText, liveText } from './renderers/live-text.ts'
import { needsLive, Output, type Shared } from './renderers/output.ts'
import { PREVIEW, REHEARSAL } from './renderers/projections.ts'
import type { Showing } from './renderers/protocol.ts'
import { advance, isEmpty, nothing } from './renderers/screen.ts'
import { SidePicture } from './renderers/side-picture.ts'

/** Facts of one commit. `at` is database time, ms since 1970. */
export type Commit = {
  seq: number
  events: readonly OverlayEvent[]
  /** What it did to preview and schedule, and in rehearsal: nothing that renderers on air show. */
  asides?: readonly OverlayAside[]
  at: number
  cause: Cause | undefined
}

const retryMs = 500

/** Told to pictures when a rehearsal begins or ends: they come again, for another screen. */
const OTHER_SCREEN = 'rehearsal'

/** Told to a socket that came in by an address that was replaced. */
export const REPLACED = 'this address was replaced'

/**
 * One overlay with open sockets: its committed state, program as late as its delay asks, preview while somebody looks at it, and its sockets.
 * live-path 16 to 18, 22
 */
export class Channel<R extends Receiver> {
  readonly overlayId: number
  readonly members = new Set<R>()
  /** Told after each commit, and when the state was read anew. */
  onChange: ((commit: Commit | undefined) => void) | undefined
  readonly #ports: Ports
  readonly #shared: Shared<R>
  readonly #program: Output<R>
  #preview: SidePicture<R> | undefined
  /** Of a rehearsal that pictures look at. */
  #stage: SidePicture<R> | undefined
  /** Commits that came while the state is being read; undefined once it is there. */
  #early: Commit[] | undefined = []
  #committed = nothing
  #card: Card | undefined
  #changedWhileReading = false
  #closed = false

  constructor(ports: Ports, overlayId: number, shared: Shared<R>) {
    this.#ports = ports
    this.#shared = shared
    this.overlayId = overlayId
    this.#program = new Output({
      ports,
      shared,
      overlayId,
      topic: `overlay/${overlayId}`,
      failed: (error) => {
        this.#warn(error, 'a commit could not be pushed')
        this.reload()
      },
    })
    void this.#load()
  }

  /** The overlay's row and committed state; undefined while they are being read. */
  get known(): { card: Card; committed: Committed } | undefined {
    return this.#early === undefined && this.#card ? { card: this.#card, committed: this.#committed } : undefined
  }

  /** The state that renderers are to show by now: the committed one as it was before the delay. */
  get view(): Committed {
    return this.#program.screen.view
  }

  get closed(): boolean {
    return this.#closed
  }

  /** How long it must outlive its last member: the live data of a delayed view is nowhere else. */
  get lingerMs(): number {
    return this.#program.backlog.delayMs
  }

  /** Nothing waits to be released. */
  get settled(): boolean {
    return this.#program.backlog.empty
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
    if (this.#committed.context.rehearsal?.since !== before?.since) this.#endPictures()
    this.onChange?.(commit)
  }

  /** Pictures that were told something come again, and find the other screen. */
  #endPictures(): void {
    const isTold = (member: R) => [this.#program, this.#stage?.output].some((output) => output?.audience.has(member))
    for (const member of this.members)
      if (member.isPicture && member.bus === undefined && isTold(member)) member.end(1012, OTHER_SCREEN)
    this.#stage?.stop()
    this.#stage = undefined
  }

  /** Reads the state anew and brings every renderer to it. */
  reload(): void {
    if (this.#early) return
    this.#early = []
    this.#program.backlog.clear()
    void this.#load()
  }

  /** READY: of several nodes once this one knows all that the renderer was told elsewhere. live-path 16; cluster: one order */
  answer(member: R, showing: readonly Showing[]): void {
    const current = this.#ports.channels?.current(this.overlayId)
    if (!current) {
      this.#answerNow(member, showing)
      return
    }
    const { audience } = this.#program
    audience.ask(member, showing)
    void current.then(() => {
      const asked = audience.takeAskedOf(member)
      if (asked) this.#tell(member, () => this.#answerNow(member, asked))
    })
  }

  #answerNow(member: R, showing: readonly Showing[]): void {
    if (member.bus === 'preview') this.#previewed().answer(member, showing)
    else if (this.#early) this.#program.audience.ask(member, showing)
    else if (member.isPicture && this.#committed.context.rehearsal) this.#rehearsed().answer(member, showing)
    else this.#program.answer(member, showing)
  }

  /** Whether the member is still being brought to its picture: then it does not hear frames for all others. */
  isOwed(member: R): boolean {
    return this.#outputOf(member)?.audience.isOwed(member) ?? false
  }

  /** Its line may have room again. */
  goOn(member: R): void {
    this.#tell(member, () => this.#outputOf(member)?.audience.goOn(member, this.#ports.clock.now()))
  }

  leave(member: R): void {
    this.members.delete(member)
    for (const output of [this.#program, this.#preview?.output, this.#stage?.output]) output?.audience.leave(member)
    if (this.#preview?.output.audience.isEmpty) {
      this.#preview.stop()
      this.#preview = undefined
    }
    if (this.#stage?.output.audience.isEmpty) {
      this.#stage.stop()
      this.#stage = undefined
    }
  }

  /** Whether a member can have painted this seq. */
  sent(member: R, graphicId: string, seq: number): boolean {
    return this.#outputOf(member)?.screen.sent(graphicId, seq) ?? false
  }

  /** When frames last went out to all who see the picture of this member, ms. */
  pushedAt(member: R): number {
    return this.#outputOf(member)?.lastPushAt ?? 0
  }

  releasedAt(seq: number): number | undefined {
    return this.#program.screen.releasedAt(seq)
  }

  #outputOf(member: R): Output<R> | undefined {
    if (member.bus === 'preview') return this.#preview?.output
    const stage = member.isPicture ? this.#stage?.output : undefined
    return stage?.audience.has(member) || stage?.audience.isOwed(member) ? stage : this.#program
  }

  #previewed(): SidePicture<R> {
    this.#preview ??= this.#begun(new SidePicture(this.#ports, this.overlayId, this.#shared, PREVIEW))
    return this.#preview
  }

  #rehearsed(): SidePicture<R> {
    this.#stage ??= this.#begun(new SidePicture(this.#ports, this.overlayId, this.#shared, REHEARSAL))
    return this.#stage
  }

  /** With what is known; else with what is being read. It costs a commit nothing while nobody looks at it. */
  #begun(picture: SidePicture<R>): SidePicture<R> {
    if (!this.#early && this.#card) picture.begin(this.#committed, this.#card.sport)
    return picture
  }

  /** New settings. Raising the delay freezes the view, lowering it releases in order. live-path 22 */
  changed(card: Card): void {
    this.#card = card
    this.#program.backlog.delayMs = card.encodingDelaySeconds * 1000
    if (this.#early) this.#changedWhileReading = true
    else this.#program.backlog.drain()
    this.#shutOut(card)
    this.onChange?.(undefined)
  }

  /** Closes sockets that came in by an address that was replaced. */
  #shutOut(card: Card): void {
    for (const member of this.members) if (!member.opens(card)) member.end(1008, REPLACED)
  }

  /** The overlay is deleted: everything goes off at once, then the sockets close. live-path 15 */
  remove(): void {
    for (const output of [this.#program, this.#preview?.output, this.#stage?.output])
      for (const text of output?.screen.cleared(this.#committed.seq + 1) ?? [])
        for (const member of output?.audience.told ?? []) member.send(text)
    for (const member of this.members) member.end(1008, 'the overlay was deleted')
    this.close()
  }

  close(): void {
    this.#closed = true
    this.#program.backlog.stop()
    this.#preview?.stop()
    this.#stage?.stop()
  }

  #accept({ seq, events, asides = [], at }: Commit): void {
    const before = this.#committed
    const committed = advance(before, seq, asides.length > 0 ? [...events, ...asides] : events)
    this.#committed = committed
    if (this.#program.backlog.delayMs === 0) this.#program.screen.noteRelease(seq, at)
    this.#program.accept(before, { view: committed, events })
    for (const aside of asides) this.#prepare(aside, seq)
    if (!this.#preview && !this.#stage) return
    const change = { overlay: committed.context, seq, events: stagedEvents(events, asides) }
    this.#preview?.accept(change)
    this.#stage?.accept(change)
  }

  /**
   * An instance that is loaded is told as it happens. Where a delay holds everything back, and in rehearsal, of which renderers hear nothing, it
   * is loaded when it is played.
   */
  #prepare(aside: OverlayAside, seq: number): void {
    if (aside.type !== 'instance.loaded' || !aside.call) return
    if (this.#program.backlog.delayMs > 0 || this.#committed.context.rehearsal) return
    const { graphic, instanceId: instance, call, customAction } = aside
    const told = { instance, seq, sport: this.#card?.sport ?? '', call, customAction }
    this.#program.tell(prepareFrame(graphic, told, this.#ports.publicUrl()))
  }

  async #load(): Promise<void> {
    while (!this.#closed) {
      try {
        this.#changedWhileReading = false
        const card = await this.#ports.card(this.overlayId)
        if (!card) return this.remove()
        const past = await this.#past(card)
        const someLive = !isEmpty(past.view) || past.since.length > 0
        const live = someLive
          ? liveText(await this.#ports.live(this.overlayId, card.encodingDelaySeconds * 1000))
          : undefined
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
    if (card.encodingDelaySeconds > 0) return this.#ports.past(this.overlayId, card.encodingDelaySeconds * 1000)
    const committed = (await this.#ports.read(this.overlayId)) ?? nothing
    return { view: committed, committed, since: [] }
  }

  /** In one turn of the loop: the state, then the commits that came meanwhile, then the renderers that waited. */
  #take(card: Card, past: Past, live: LiveText | undefined): void {
    if (this.#closed) return
    const now = this.#ports.clock.now()
    const { screen, backlog } = this.#program
    this.#card = card
    this.#shutOut(card)
    const before = this.#committed.context.rehearsal
    this.#committed = past.committed
    if (this.#committed.context.rehearsal?.since !== before?.since) this.#endPictures()
    backlog.clear()
    backlog.delayMs = card.encodingDelaySeconds * 1000
    // under a delay the known live data belong to the delayed view, and those read now may be newer
    const sameView = past.view.seq === screen.view.seq && past.since.length > 0
    const viewLive = sameView && screen.hasLive ? undefined : live
    const early = (this.#early ?? []).filter(({ seq }) => seq > past.committed.seq)
    // while these frames cannot be made it is as if the state were still being read
    this.#early = early
    const { sport } = card
    this.#program.reset(past.view, viewLive, { sport, newest: past.committed, liveFollowed: live !== undefined })
    this.#early = undefined
    let view = past.view
    for (const { seq, events, ageMs } of past.since) {
      const reads = needsLive(view, events)
      view = advance(view, seq, events)
      backlog.add({ view, events }, now - ageMs, reads && live ? live : false)
    }
    for (const commit of early) this.commit(commit)
    this.#ports.channels?.read(this.overlayId, this.#committed.seq, card.organizationId)
    for (const [member, showing] of this.#program.audience.takeAsked())
      this.#tell(member, () => this.#answerNow(member, showing))
    this.#preview?.begin(this.#committed, sport)
    this.#stage?.begin(this.#committed, sport)
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
