import type { OnAir } from '../../machines/overlay.ts'
import { missedSince } from './catch-up.ts'
import type { Channel, Commit } from './channel.ts'
import { cursorOf, type Place, readCursor } from './cursor.ts'
import type { Follower } from './follower.ts'
import type { LiveGraphic } from './live-protocol.ts'
import { actionOf, changeText, liveGraphic, liveOverlay, moment, type Shown, textOf } from './live-text.ts'
import type { Committed, Ports } from './ports.ts'
import { type Member, Renderers } from './renderers.ts'
import { createReread } from './reread.ts'
import type { Session } from './session.ts'

const paintsSpacingMs = 100
const renderersSpacingMs = 1000
const pulseMs = 2000
const checkMs = 2000
const retryMs = 500

/** What the followers of one overlay are told: the committed state (not the delayed view), who renders it, its match. */
export class Following {
  readonly followers = new Set<Follower>()
  readonly #ports: Ports
  readonly #channel: Channel<Member>
  readonly #topic: string
  readonly #rereadMatch: (key: 'match') => void
  #onAir = new Map<string, Shown>()
  /** Up to where they were told; undefined while the state is being read. */
  #place: Place | undefined
  /** Commits while it is being read; undefined: it is not. */
  #early: Commit[] | undefined
  /** Who waits for the state. */
  readonly #waiting = new Set<Follower>()
  #overlay = ''
  #match = 'null'
  readonly #renderers: Renderers
  #rendererList = '[]'
  #painted = new Map<string, string>()
  readonly #repainted = new Set<string>()
  #roomChanged = false
  #toldAt = 0
  #paintsAt = 0
  #renderersAt = 0
  #checkedAt = 0
  #stopped = false

  constructor(ports: Ports, channel: Channel<Member>) {
    this.#ports = ports
    this.#channel = channel
    this.#topic = `live/${channel.overlayId}`
    this.#renderers = new Renderers(channel, ports.clock)
    channel.onChange = (commit) => (commit ? this.#committed(commit) : this.#read())
    this.#rereadMatch = createReread({
      read: async () => {
        const card = this.#channel.known?.card
        if (!card || this.#stopped) return
        this.#match = JSON.stringify(await this.#ports.match(card.organizationId, card.matchId))
        if (this.#place) this.#publish(`{"type":"MATCH","payload":{"match":${this.#match}}}`)
      },
      failed: (_, error) => this.#warn(error, 'a match could not be read for followers'),
    })
    void this.#prepare()
  }

  add(follower: Follower): void {
    this.followers.add(follower)
    if (this.#place) this.#welcome(follower, this.#place)
    else this.#waiting.add(follower)
  }

  leave(follower: Follower): void {
    this.followers.delete(follower)
    this.#waiting.delete(follower)
  }

  stop(): void {
    this.#stopped = true
    this.#channel.onChange = undefined
  }

  /** A renderer came, went or said READY. */
  noteRenderer(session: Session, gone: boolean): void {
    if (gone) this.#renderers.forget(session)
    for (const graphicId of this.#onAir.keys()) this.#repainted.add(graphicId)
  }

  /** A paint report. `latencyMs` is undefined when what it reports went out too long ago to know. */
  painted(
    session: Session,
    graphicId: string,
    report: { seq: number; at: number; latencyMs: number | undefined },
  ): void {
    if (report.latencyMs !== undefined) this.#renderers.note(session, report.latencyMs)
    const shown = this.#onAir.get(graphicId)
    if (!shown || report.seq < shown.seq) return
    if (shown.paintedAt === 0) shown.paintedAt = report.at
    this.#repainted.add(graphicId)
    const now = this.#ports.clock.now()
    if (now - this.#paintsAt >= paintsSpacingMs) this.#tellPaints(now)
  }

  /** The match, its line-ups or its teams changed. */
  matchChanged(): void {
    this.#rereadMatch('match')
  }

  /** Presets, sections or the theme version changed. */
  roomChanged(): void {
    this.#roomChanged = true
  }

  /** API keys changed: whoever came with one shows it again. */
  check(): void {
    for (const follower of this.followers) void follower.check()
  }

  /** Called by the sweep. */
  tick(): void {
    if (!this.#place) return
    const now = this.#ports.clock.now()
    if (this.#roomChanged) this.#tellRoom()
    if (this.#repainted.size > 0 && now - this.#paintsAt >= paintsSpacingMs) this.#tellPaints(now)
    if (now - this.#renderersAt >= renderersSpacingMs) this.#tellRenderers(now)
    if (now - this.#checkedAt >= checkMs) {
      this.#checkedAt = now
      this.check()
    }
    if (now - this.#toldAt >= pulseMs)
      this.#publish(textOf({ type: 'PULSE', payload: { cursor: this.#cursor(this.#place), serverTime: this.#now() } }))
  }

  #committed(commit: Commit): void {
    if (!this.#place) {
      this.#early?.push(commit)
      return
    }
    if (commit.seq <= this.#place.seq) return
    if (commit.seq > this.#place.seq + 1) this.#readAnew()
    else this.#tell(commit)
  }

  /** The overlay's row or its state was read. */
  #read(): void {
    const known = this.#channel.known
    if (!known) return
    if (!this.#place) void this.#prepare()
    else if (known.committed.seq !== this.#place.seq) this.#readAnew()
    else {
      const overlay = JSON.stringify(liveOverlay(known.card))
      if (overlay === this.#overlay) return
      this.#overlay = overlay
      this.#publish(`{"type":"OVERLAY","payload":{"overlay":${overlay}}}`)
    }
  }

  #readAnew(): void {
    this.#place = undefined
    void this.#prepare()
  }

  /** Reads what the committed state does not say, then tells it to whoever waits and, anew, to everybody else. */
  async #prepare(): Promise<void> {
    if (this.#early) return
    this.#early = []
    while (!this.#stopped && !this.#place) {
      const known = this.#channel.known
      if (!known) break
      this.#early = []
      try {
        const { card, committed } = known
        const match = this.#ports.match(card.organizationId, card.matchId)
        const [state, found] = await Promise.all([this.#stateOf(committed), match])
        if (this.#stopped) break
        this.#match = JSON.stringify(found)
        this.#onAir = state.onAir
        this.#take(state.place)
      } catch (error) {
        this.#warn(error, 'an overlay could not be read for its followers')
        await new Promise<void>((resolve) => this.#ports.clock.after(retryMs, resolve))
      }
    }
    this.#early = undefined
  }

  async #stateOf({ seq, context }: Committed): Promise<{ place: Place; onAir: Map<string, Shown> }> {
    const graphics = Object.values(context.graphics)
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
    return { place: { seq, at: times.get(seq) ?? 0 }, onAir: new Map(shown) }
  }

  /** One turn: the state, the commits that came meanwhile, then everybody who is to hear it. */
  #take(place: Place): void {
    let at = place
    for (const commit of this.#early ?? []) {
      if (commit.seq !== at.seq + 1) continue
      this.#apply(commit)
      at = commit
    }
    // what was read is older than a state that came otherwise than by commits
    const known = this.#channel.known
    if (known?.committed.seq !== at.seq) return
    this.#place = { seq: at.seq, at: at.at }
    this.#overlay = JSON.stringify(liveOverlay(known.card))
    this.#rendererList = JSON.stringify(this.#renderers.list())
    this.#painted = new Map(this.#liveGraphics().map(({ graphicId, painted }) => [graphicId, JSON.stringify(painted)]))
    const snapshot = this.#snapshot(this.#place)
    if (this.followers.size > this.#waiting.size) this.#publish(snapshot)
    for (const follower of this.followers)
      if (follower.missed && !this.#waiting.has(follower)) this.#settle(follower, snapshot)
    for (const follower of this.#waiting) this.#welcome(follower, this.#place)
    this.#waiting.clear()
  }

  #apply({ seq, events, at }: Commit): void {
    for (const event of events)
      if (event.type === 'graphic.hidden') {
        this.#onAir.delete(event.graphicId)
        this.#painted.delete(event.graphicId)
      } else if (event.type !== 'data.refreshed') {
        const { graphic } = event
        const since = event.type === 'graphic.shown' ? at : this.#sinceOf(graphic)
        this.#onAir.set(graphic.graphicId, { graphic, seq, since, paintedAt: 0 })
        this.#painted.delete(graphic.graphicId)
      }
  }

  #tell(commit: Commit): void {
    const { seq, at, events, cause } = commit
    this.#apply(commit)
    this.#place = { seq, at }
    const row = {
      seq,
      at,
      events,
      principal: cause?.principal ?? { type: 'system' as const },
      action: actionOf(cause?.command, events),
    }
    const told = { sinceOf: (graphic: OnAir) => this.#sinceOf(graphic), renderers: this.#renderers.count }
    const text = changeText(this.#channel.overlayId, row, told)
    for (const follower of this.followers) follower.missed?.push({ seq, text })
    this.#publish(text)
  }

  #sinceOf({ graphicId }: OnAir): number {
    return this.#onAir.get(graphicId)?.since ?? 0
  }

  #welcome(follower: Follower, place: Place): void {
    const from = readCursor(this.#channel.overlayId, follower.cursor)
    if (from && place.at > 0 === place.seq > 0) void this.#resume(follower, from, place)
    else this.#settle(follower, this.#snapshot(place))
  }

  /** From now on it hears what all hear. */
  #settle(follower: Follower, ...texts: string[]): void {
    follower.missed = undefined
    for (const text of texts) follower.send(text)
    follower.subscribe(this.#topic)
  }

  /** Tells what happened since `from`, then how things stand beside that; what happens meanwhile is kept for it. */
  async #resume(follower: Follower, from: Place, to: Place): Promise<void> {
    follower.missed = []
    const { overlayId } = this.#channel
    const asked = { overlayId, from, to, renderers: this.#renderers.count }
    const missed = await missedSince(this.#ports, asked).catch((error: unknown) => {
      this.#warn(error, 'what a follower missed could not be read')
      return undefined
    })
    const meanwhile = follower.missed
    // closed, or told the state anew
    if (!follower.isOpen || !meanwhile) return
    if (!this.#place) {
      follower.missed = undefined
      this.#waiting.add(follower)
    } else if (!missed) this.#settle(follower, this.#snapshot(this.#place))
    else {
      const last = missed.at(-1)?.seq ?? from.seq
      const texts = [...missed, ...meanwhile.filter(({ seq }) => seq > last)].map(({ text }) => text)
      this.#settle(follower, ...texts, ...this.#beside())
    }
  }

  /** Everything but what is on air: it may all have changed while a follower was away. */
  #beside(): string[] {
    const graphics = this.#liveGraphics().map(({ graphicId, seq, painted }) => ({ graphicId, seq, painted }))
    return [
      `{"type":"OVERLAY","payload":{"overlay":${this.#overlay}}}`,
      `{"type":"MATCH","payload":{"match":${this.#match}}}`,
      `{"type":"RENDERERS","payload":{"renderers":${this.#rendererList}}}`,
      ...(graphics.length > 0 ? [textOf({ type: 'PAINTED', payload: { graphics } })] : []),
      this.#room(),
    ]
  }

  #snapshot(place: Place): string {
    const { seq } = place
    const head = JSON.stringify({ cursor: this.#cursor(place), serverTime: this.#now(), seq }).slice(0, -1)
    const onAir = JSON.stringify(this.#liveGraphics())
    const parts = `"overlay":${this.#overlay},"onAir":${onAir},"renderers":${this.#rendererList},"match":${this.#match}`
    return `{"type":"SNAPSHOT","payload":${head},${parts}}}`
  }

  #room(): string {
    return textOf({ type: 'ROOM', payload: { controlRoomId: this.#channel.known?.card.controlRoomId ?? null } })
  }

  #tellRoom(): void {
    this.#roomChanged = false
    this.#publish(this.#room())
  }

  #tellPaints(now: number): void {
    const graphics: Pick<LiveGraphic, 'graphicId' | 'seq' | 'painted'>[] = []
    for (const graphicId of this.#repainted) {
      const shown = this.#onAir.get(graphicId)
      if (!shown) continue
      const painted = this.#renderers.painted(shown)
      const text = JSON.stringify(painted)
      if (this.#painted.get(graphicId) === text) continue
      this.#painted.set(graphicId, text)
      graphics.push({ graphicId, seq: shown.seq, painted })
    }
    this.#repainted.clear()
    this.#paintsAt = now
    if (graphics.length > 0) this.#publish(textOf({ type: 'PAINTED', payload: { graphics } }))
  }

  #tellRenderers(now: number): void {
    this.#renderersAt = now
    const text = JSON.stringify(this.#renderers.list())
    if (text === this.#rendererList) return
    this.#rendererList = text
    this.#publish(`{"type":"RENDERERS","payload":{"renderers":${text}}}`)
  }

  #liveGraphics(): LiveGraphic[] {
    return Array.from(this.#onAir.values(), (shown) => liveGraphic(shown, this.#renderers.painted(shown)))
  }

  #cursor(place: Place): string {
    return cursorOf(this.#channel.overlayId, place)
  }

  #now(): string {
    return moment(this.#ports.clock.wall())
  }

  #publish(text: string): void {
    this.#toldAt = this.#ports.clock.now()
    this.#ports.publish(this.#topic, text)
  }

  #warn(error: unknown, message: string): void {
    this.#ports.log.warn({ overlayId: this.#channel.overlayId, err: error }, message)
  }
}
