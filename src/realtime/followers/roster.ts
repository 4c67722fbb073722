import type { OnAir } from '../../../machines/overlay.ts'
import type { Channel } from '../channel.ts'
import type { Clock } from '../ports.ts'
import { Session } from '../renderers/session.ts'
import { iso, moment, type Shown } from './change-text.ts'
import type { Follower } from './follower.ts'
import { Latencies } from './latencies.ts'
import type { LiveGraphic, LiveRenderer } from './live-protocol.ts'

export type Member = Session | Follower

const maxRenderers = 500
/** Of all of them together: a graphic that is broken everywhere must not make a list that nobody can be told. */
const maxProblems = 100
/** A frame that went out so lately cannot be painted yet. */
const paintPatienceMs = 1500

const isRenderer = (member: Member): member is Session => member instanceof Session && member.counts

/** The renderers of one overlay, and the graphics that each has on screen. */
export class Roster {
  readonly #channel: Channel<Member>
  readonly #clock: Clock
  readonly #latencies = new Latencies<Session>()

  constructor(channel: Channel<Member>, clock: Clock) {
    this.#channel = channel
    this.#clock = clock
  }

  /** How long a paint of it took, ms. */
  note(session: Session, latencyMs: number): void {
    this.#latencies.note(session, latencyMs)
  }

  forget(session: Session): void {
    this.#latencies.forget(session)
  }

  /** `painted` of a graphic whose newest seq no renderer can have painted yet. */
  unpainted(graphic: OnAir): LiveGraphic['painted'] {
    const told = { renderers: 0, of: 0, outOfView: 0, at: null }
    for (const member of this.#channel.members) {
      if (!isRenderer(member) || !member.wants(graphic)) continue
      told.of++
      if (member.outOfView) told.outOfView++
    }
    return told
  }

  /** The first 500. */
  list(): LiveRenderer[] {
    const sessions = this.#sessions().slice(0, maxRenderers)
    const troubled = sessions.filter(({ problems }) => problems.length > 0).slice(0, maxProblems)
    const share = Math.floor(maxProblems / troubled.length)
    const telling = new Set(troubled)
    return sessions.map((session) => ({
      id: session.id,
      name: session.name,
      engine: session.engine,
      state: this.#stateOf(session),
      outOfView: session.outOfView,
      connectedAt: moment(session.connectedAt),
      lastPaintAt: iso(session.lastPaintAt),
      lastSeq: session.lastPaintAt > 0 ? session.lastSeq : null,
      latency: this.#latencies.of(session),
      problems: telling.has(session)
        ? session.problems.slice(0, share).map((problem) => ({ ...problem, at: moment(problem.at) }))
        : [],
    }))
  }

  /** How many have a graphic on screen as of its seq. */
  painted({ graphic, seq, paintedAt }: Shown): LiveGraphic['painted'] {
    const sessions = this.#sessions().filter((session) => session.wants(graphic))
    const painting = sessions.filter((session) => session.shown(graphic.graphicId) >= seq)
    const outOfView = sessions.filter((session) => session.outOfView && session.shown(graphic.graphicId) < seq)
    // a report that is not written yet, or a renderer that had it on screen when it came back
    const at = paintedAt || Math.min(...painting.map(({ lastPaintAt, connectedAt }) => lastPaintAt || connectedAt))
    return {
      renderers: painting.length,
      of: sessions.length,
      outOfView: outOfView.length,
      at: iso(Number.isFinite(at) ? at : 0),
    }
  }

  /** The state of a renderer against the view that it is to show by now, the delayed one. */
  #stateOf(session: Session): LiveRenderer['state'] {
    if (!session.subscribed) return 'waiting'
    const now = this.#clock.wall()
    const lacks = (graphic: OnAir) =>
      session.shown(graphic.graphicId) < graphic.seq &&
      now - (this.#channel.releasedAt(graphic.seq) ?? 0) > paintPatienceMs &&
      session.wants(graphic)
    return Object.values(this.#channel.view.context.graphics).some(lacks) ? 'behind' : 'current'
  }

  #sessions(): Session[] {
    const sessions: Session[] = []
    for (const member of this.#channel.members) if (isRenderer(member)) sessions.push(member)
    return sessions
  }
}
