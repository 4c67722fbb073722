import { stagedEvents } from '../../../machines/overlay/events.ts'
import { type OnAir, staged } from '../../../machines/overlay/model.ts'
import { touchesOf } from '../../../machines/overlay/undo.ts'
import { unavailable } from '../../errors.ts'
import type { Channel, Commit } from '../channel.ts'
import type { Committed, Ports } from '../ports.ts'
import { createReread } from '../reread.ts'
import { moment, type Shown, textOf } from './change-text.ts'
import { cursorOf, type Position, readCursor } from './cursor.ts'
import type { Follower } from './follower.ts'
import { type Beginning, LiveView } from './live-view.ts'
import { PlanNews } from './plan-news.ts'
import { missedSince } from './resync.ts'
import type { Member, Roster } from './roster.ts'
import type { Told } from './told.ts'

const paintsSpacingMs = 100
const renderersSpacingMs = 1000
const pulseMs = 2000
const checkMs = 2000
const retryMs = 500
/** Another node takes longer to announce what one that was lost has committed and told nobody of. */
const heardMs = 1000

/** Followers hear of a rehearsal as of the air; that it is one they are told beside. */
const asStaged = <Told extends Pick<Commit, 'events' | 'asides'>>(commit: Told): Told =>
  commit.asides === undefined ? commit : { ...commit, events: stagedEvents(commit.events, commit.asides) }

/** Tells the followers of one overlay the committed state (not the delayed view), its renderers, its match and its room. */
export class Following {
  readonly followers = new Set<Follower>()
  /** Rises with everything that followers are told. */
  version = 0
  /** Rises with each time that they are told that the room is out of date. */
  roomVersion = 0
  readonly #ports: Ports
  readonly #channel: Channel<Member>
  readonly #topic: string
  readonly #renderers: Roster
  readonly #view: LiveView
  readonly #rereadMatch: (key: 'match') => void
  readonly #rereadNames: (key: 'names') => void
  readonly #plan: PlanNews
  /** Up to where they were told; undefined while the state is being read. */
  #position: Position | undefined
  /** Commits while it is being read; undefined: it is not. */
  #early: Commit[] | undefined
  /** Followers that wait for the state. */
  readonly #waiting = new Set<Follower>()
  #roomChanged = false
  #matchChangedAt = Number.NEGATIVE_INFINITY
  /** Records that values name may have other names now: the next sweep looks, so that no commit waits for it. */
  #namesDue = false
  /** What is on air changed, and with it what an undo would do. */
  #undoDue = false
  /** Whose rules the plan plays. */
  #profileId: number | null | undefined
  #toldAt = 0
  #paintsAt = 0
  #renderersAt = 0
  #checkedAt = 0
  #stopped = false
  /** The other nodes have told of their renderers, or were waited for long enough. */
  readonly #othersTold: Promise<void> | undefined

  constructor(ports: Ports, channel: Channel<Member>, renderers: Roster) {
    this.#ports = ports
    this.#channel = channel
    this.#topic = `live/${channel.overlayId}`
    this.#renderers = renderers
    this.#view = new LiveView(channel, this.#renderers)
    channel.onChange = (commit) => (commit ? this.#committed(asStaged(commit)) : this.#read())
    this.#rereadMatch = createReread({
      read: async () => {
        const card = this.#channel.known?.card
        if (!card || this.#stopped) return
        const text = this.#view.match(await this.#ports.match(card.organizationId, card.matchId))
        if (this.#position) this.#publish(text)
      },
      failed: (_, error) => this.#warn(error, 'a match could not be read for followers'),
    })
    this.#rereadNames = createReread({
      read: async () => {
        if (this.#stopped || this.#view.isEmpty) return
        const { names } = await this.#ports.live(this.#channel.overlayId, 0)
        if (this.#position && names) this.#publish(this.#view.names(names))
      },
      failed: (_, error) => this.#warn(error, 'the names of records could not be read for followers'),
    })
    this.#plan = new PlanNews({
      read: async () => {
        if (this.#stopped) return
        const text = this.#view.plan(await this.#ports.plan(this.#channel.overlayId))
        if (this.#position) this.#publish(text)
      },
      failed: (error) => this.#warn(error, 'a game plan could not be read for followers'),
    })
    this.#othersTold = ports.elsewhere?.follow(channel.overlayId)
    void this.#prepare()
  }

  add(follower: Follower): void {
    this.followers.add(follower)
    // its key may have been deleted since it was let in
    void follower.check()
    if (this.#position) this.#welcome(follower, this.#position)
    else this.#waiting.add(follower)
  }

  leave(follower: Follower): void {
    this.followers.delete(follower)
    this.#waiting.delete(follower)
  }

  /** All of it at this moment, as of the newest commit that followers were told. Throws unavailable while it is being read. */
  told(): Told {
    const known = this.#channel.known
    if (!known || !this.#position) throw unavailable()
    return { seq: this.#position.seq, card: known.card, ...this.#view.told() }
  }

  stop(): void {
    this.#stopped = true
    this.#channel.onChange = undefined
    this.#ports.elsewhere?.unfollow(this.#channel.overlayId)
  }

  /** A renderer came, went, said READY, or came into view. */
  noteRenderer(): void {
    this.#view.repaintAll()
  }

  /** A paint report. */
  painted(graphicId: string, seq: number, at: number): void {
    if (this.#view.repaint(graphicId, seq, at)) this.#tellPaintsAlready()
  }

  /** Another node told of its renderers. */
  hearOthers(): void {
    const paintings = this.#ports.elsewhere?.paintings(this.#channel.overlayId) ?? []
    for (const [graphicId, seq, at] of paintings.flatMap(({ first }) => first)) this.#view.repaint(graphicId, seq, at)
    this.#view.repaintAll()
    this.#tellPaintsAlready()
  }

  /** The match, its line-ups or its teams changed. */
  matchChanged(): void {
    this.#matchChangedAt = this.#ports.clock.now()
    this.#rereadMatch('match')
    this.#namesDue = true
    // its clock says when rules come next
    if (this.#channel.known?.card.autoMode) this.#plan.changed()
  }

  /** Renderers are told of a change of the match: one that was heard of a moment ago is that change. */
  matchAnnounced(): void {
    if (this.#ports.clock.now() - this.#matchChangedAt >= heardMs) this.matchChanged()
  }

  /** The game plan did something, or somebody told it to. */
  planChanged(): void {
    this.#plan.changed()
  }

  /** The rules of the plan changed: a control room lists them. */
  rulesChanged(): void {
    this.#roomChanged = true
    this.#plan.changed()
  }

  /** Presets, sections or the theme version changed. */
  roomChanged(): void {
    this.#roomChanged = true
    this.#namesDue = true
  }

  /** API keys changed: followers that came with one show it again. */
  check(): void {
    for (const follower of this.followers) void follower.check()
  }

  /** Called by the sweep. */
  tick(): void {
    if (!this.#position) return
    const now = this.#ports.clock.now()
    if (this.#roomChanged) {
      this.#roomChanged = false
      this.roomVersion++
      this.#publish(this.#view.room())
    }
    if (this.#namesDue) {
      this.#namesDue = false
      this.#rereadNames('names')
    }
    if (this.#undoDue) {
      this.#undoDue = false
      this.#publish(this.#view.undo(this.#ports.clock.wall()))
    }
    this.#plan.tick(now)
    if (this.#view.hasRepaints && now - this.#paintsAt >= paintsSpacingMs) this.#tellPaints(now)
    if (now - this.#renderersAt >= renderersSpacingMs) {
      this.#renderersAt = now
      this.#publish(this.#view.renderers())
      this.#publish(this.#view.pictures())
    }
    if (now - this.#checkedAt >= checkMs) {
      this.#checkedAt = now
      this.check()
    }
    if (now - this.#toldAt < pulseMs) return
    const cursor = cursorOf(this.#channel.overlayId, this.#position)
    const serverTime = moment(this.#ports.clock.wall())
    this.#send(textOf({ type: 'PULSE', payload: { cursor, serverTime } }))
  }

  /** Unless it was a moment ago: then the sweep does. */
  #tellPaintsAlready(): void {
    const now = this.#ports.clock.now()
    if (this.#position && now - this.#paintsAt >= paintsSpacingMs) this.#tellPaints(now)
  }

  #tellPaints(now: number): void {
    this.#paintsAt = now
    this.#publish(this.#view.paints())
  }

  #committed(commit: Commit): void {
    if (!this.#position) {
      this.#early?.push(commit)
      return
    }
    if (commit.seq <= this.#position.seq) return
    if (commit.seq > this.#position.seq + 1) {
      this.#readAnew()
      return
    }
    const { seq, at } = commit
    this.#view.apply(commit)
    this.#position = { seq, at }
    this.#namesDue = true
    // a rehearsal begins or ends: what was before is not undone
    if (touchesOf(commit).length > 0 || commit.asides) this.#undoDue = true
    const text = this.#view.change(commit)
    for (const follower of this.followers) follower.missed?.push({ seq, text })
    this.#publish(text)
    // another node may have told of its paint before its commit came
    if (this.#renderers.hasElsewhere(seq)) this.hearOthers()
  }

  /** The overlay's row or its state was read. */
  #read(): void {
    const known = this.#channel.known
    if (!known) return
    if (this.#profileId !== undefined && this.#profileId !== known.card.profileId) this.#roomChanged = true
    this.#profileId = known.card.profileId
    if (!this.#position) void this.#prepare()
    else if (known.committed.seq !== this.#position.seq) this.#readAnew()
    else {
      // it may have become automatic, or plays another plan
      this.#plan.changed()
      this.#publish(this.#view.overlay(known.card))
    }
  }

  #readAnew(): void {
    this.#position = undefined
    void this.#prepare()
  }

  /** Reads the parts that the committed state lacks, then tells the whole to followers that wait and, anew, to all others. */
  async #prepare(): Promise<void> {
    if (this.#early) return
    this.#early = []
    while (!this.#stopped && !this.#position) {
      const known = this.#channel.known
      if (!known) break
      this.#early = []
      try {
        const { card, committed } = known
        const [match, plan, commands, { position, onAir }] = await Promise.all([
          this.#ports.match(card.organizationId, card.matchId),
          this.#ports.plan(card.id),
          this.#ports.recentCommands(card.id, committed.context.rehearsal?.since),
          this.#stateOf(committed),
          this.#othersTold,
        ])
        if (!this.#stopped) this.#take(position, { onAir, match, plan, commands })
      } catch (error) {
        this.#warn(error, 'an overlay could not be read for its followers')
        await new Promise<void>((resolve) => this.#ports.clock.after(retryMs, resolve))
      }
    }
    this.#early = undefined
  }

  async #stateOf({ seq, context }: Committed): Promise<{ position: Position; onAir: Map<string, Shown> }> {
    const graphics = Object.values(staged(context).graphics)
    const { overlayId } = this.#channel
    const seqs = seq > 0 ? [...new Set([seq, ...graphics.map(({ loadSeq }) => loadSeq)])] : []
    const [times, paints] = await Promise.all([
      seqs.length > 0 ? this.#ports.commitTimes(overlayId, seqs) : new Map<number, number>(),
      graphics.length > 0 ? this.#ports.firstPaints(overlayId, graphics) : new Map<string, number>(),
    ])
    const shown = graphics.map((graphic): [string, Shown] => {
      const since = times.get(graphic.loadSeq) ?? 0
      return [graphic.graphicId, { graphic, seq: graphic.seq, since, paintedAt: paints.get(graphic.graphicId) ?? 0 }]
    })
    return { position: { seq, at: times.get(seq) ?? 0 }, onAir: new Map(shown) }
  }

  /** In one turn of the loop: the state, the commits that came meanwhile, then every follower that is to hear of them. */
  #take(read: Position, beginning: Omit<Beginning, 'card'>): void {
    const known = this.#channel.known
    const early = (this.#early ?? []).filter((commit, index) => commit.seq === read.seq + 1 + index)
    const { seq, at } = early.at(-1) ?? read
    // the read state is older than one that came otherwise than by commits
    if (known?.committed.seq !== seq) return
    this.#view.begin({ ...beginning, card: known.card }, early)
    this.#position = { seq, at }
    this.#namesDue = true
    this.version++
    const whole = this.#view.whole(this.#position, this.#ports.clock.wall())
    if (this.followers.size > this.#waiting.size) for (const text of whole) this.#publish(text)
    for (const follower of this.followers) if (follower.missed) this.#settle(follower, ...whole)
    for (const follower of this.#waiting) this.#welcome(follower, this.#position)
    this.#waiting.clear()
  }

  #welcome(follower: Follower, position: Position): void {
    const from = readCursor(this.#channel.overlayId, follower.cursor)
    if (from) void this.#resume(follower, from, position)
    else this.#settle(follower, ...this.#view.whole(position, this.#ports.clock.wall()))
  }

  /** From now on the follower hears what all hear. */
  #settle(follower: Follower, ...texts: string[]): void {
    follower.missed = undefined
    for (const text of texts) follower.send(text)
    follower.subscribe(this.#topic)
  }

  /** Tells a follower the changes since `from`, then the rest of the state; changes meanwhile are kept for it. */
  async #resume(follower: Follower, from: Position, to: Position): Promise<void> {
    follower.missed = []
    const { overlayId } = this.#channel
    const unpainted = (graphic: OnAir) => this.#renderers.unpainted(graphic)
    const asked = { overlayId, from, to, unpainted }
    const missed = await missedSince(this.#ports, asked).catch((error: unknown) => {
      this.#warn(error, 'what a follower missed could not be read')
      return undefined
    })
    const meanwhile = follower.missed
    // closed, or told the state anew
    if (!follower.isOpen || !meanwhile) return
    if (!this.#position) {
      follower.missed = undefined
      this.#waiting.add(follower)
    } else if (!missed) this.#settle(follower, ...this.#view.whole(this.#position, this.#ports.clock.wall()))
    else {
      // a row beyond that position is told with its commit, to everybody
      const told = missed.filter(({ seq }) => seq <= to.seq)
      this.#settle(
        follower,
        ...[...told, ...meanwhile].map(({ text }) => text),
        ...this.#view.beside(this.#ports.clock.wall()),
      )
    }
  }

  #publish(text: string | undefined): void {
    if (text === undefined) return
    this.version++
    this.#send(text)
  }

  #send(text: string): void {
    this.#toldAt = this.#ports.clock.now()
    this.#ports.publish(this.#topic, text)
  }

  #warn(error: unknown, message: string): void {
    this.#ports.log.warn({ overlayId: this.#channel.overlayId, err: error }, message)
  }
}
