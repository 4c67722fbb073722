import type { OnAir } from '../../../machines/overlay/model.ts'
import type { Channel } from '../channel.ts'
import type { Painting, Ports } from '../ports.ts'
import { Session } from '../renderers/session.ts'
import { iso, moment, type Shown } from './change-text.ts'
import type { Follower } from './follower.ts'
import { Latencies } from './latencies.ts'
import type { LiveGraphic, LivePictureProblem, LiveRenderer } from './live-protocol.ts'
import { type First, paintingOf, shownBy, wants } from './paintings.ts'

export type Member = Session | Follower

const maxRenderers = 500
/** Of all of them together: a graphic that is broken everywhere must not make a list that nobody can be told. */
const maxProblems = 100
/** A frame that went out so lately cannot be painted yet. */
const paintPatienceMs = 1500

const isRenderer = (member: Member): member is Session => member instanceof Session && member.counts

/** The renderers of one overlay, and the graphics that each has on screen: those connected here, and those that other nodes tell of. */
export class Roster {
  readonly channel: Channel<Member>
  readonly #ports: Pick<Ports, 'clock' | 'elsewhere'>
  readonly #latencies = new Latencies<Session>()
  /** The first paint of each graphic as of its newest seq, for other nodes. */
  readonly #first = new Map<string, First>()

  constructor(channel: Channel<Member>, ports: Pick<Ports, 'clock' | 'elsewhere'>) {
    this.channel = channel
    this.#ports = ports
  }

  /** A paint report, and how long it took, ms. */
  note(
    session: Session,
    graphicId: string,
    { seq, at, latencyMs }: { seq: number; at: number; latencyMs: number | undefined },
  ): void {
    if (latencyMs !== undefined) this.#latencies.note(session, latencyMs)
    if (this.#ports.elsewhere && seq > (this.#first.get(graphicId)?.seq ?? 0)) this.#first.set(graphicId, { seq, at })
  }

  forget(session: Session): void {
    this.#latencies.forget(session)
  }

  /** What the renderers here paint, for other nodes. */
  painting(): Painting {
    const onAir = this.channel.known?.committed.context.graphics
    const isOnAir = (graphicId: string) => onAir === undefined || Object.hasOwn(onAir, graphicId)
    for (const graphicId of this.#first.keys()) if (!isOnAir(graphicId)) this.#first.delete(graphicId)
    return paintingOf(this.#sessions(), this.#first, isOnAir)
  }

  /** `painted` of a graphic whose newest seq no renderer can have painted yet. */
  unpainted(graphic: OnAir): LiveGraphic['painted'] {
    const told = { renderers: 0, of: 0, outOfView: 0, at: null }
    for (const member of this.channel.members) {
      if (!isRenderer(member) || !member.wants(graphic)) continue
      told.of++
      if (member.outOfView) told.outOfView++
    }
    for (const alike of this.#elsewhere()) {
      if (!wants(alike, graphic)) continue
      told.of += alike.count
      if (alike.outOfView) told.outOfView += alike.count
    }
    return told
  }

  /** Whether another node told of a paint as of this seq or a later one. */
  hasElsewhere(seq: number): boolean {
    return this.#elsewhere().some(({ shown }) => shown.some(([, shownSeq]) => shownSeq >= seq))
  }

  /** The first 500 of all nodes. */
  list(): LiveRenderer[] {
    const others = this.#ports.elsewhere?.renderers(this.channel.overlayId) ?? []
    if (others.length === 0) return this.ownList()
    const all = [...this.ownList(), ...others]
    // as they came, so that it is the same list on every node
    return limited(all.sort((one, other) => (one.connectedAt < other.connectedAt ? -1 : 1)))
  }

  /** The first 500 of those connected here. */
  ownList(): LiveRenderer[] {
    const rows = this.#sessions()
      .slice(0, maxRenderers)
      .map((session) => ({
        id: session.id,
        name: session.name,
        engine: session.engine,
        state: this.#stateOf(session),
        outOfView: session.outOfView,
        connectedAt: moment(session.connectedAt),
        lastPaintAt: iso(session.lastPaintAt),
        lastSeq: session.lastPaintAt > 0 ? session.lastSeq : null,
        latency: this.#latencies.of(session),
        problems: session.problems.map((problem) => ({ ...problem, at: moment(problem.at) })),
      }))
    return limited(rows)
  }

  /** What the pictures beside the air say to be wrong, on all nodes; what several of them say is told once. */
  pictureProblems(): LivePictureProblem[] {
    const byProblem = new Map<string, LivePictureProblem>()
    for (const problem of [...this.ownPictureProblems(), ...this.#picturesElsewhere()]) {
      const key = JSON.stringify([problem.bus, problem.graphicId, problem.message])
      const known = byProblem.get(key)
      if (!known || problem.at < known.at) byProblem.set(key, problem)
    }
    const oldestFirst = (one: LivePictureProblem, other: LivePictureProblem) => (one.at < other.at ? -1 : 1)
    return [...byProblem.values()].sort(oldestFirst).slice(0, maxProblems)
  }

  /** Of the pictures that are connected here. */
  ownPictureProblems(): LivePictureProblem[] {
    const rehearses = this.channel.known?.committed.context.rehearsal !== undefined
    const problems: LivePictureProblem[] = []
    for (const member of this.channel.members) {
      if (!(member instanceof Session) || member.counts) continue
      const { bus = 'program' } = member
      // what is on air is told by those that have it on air
      if (bus === 'program' && !rehearses) continue
      for (const { at, ...problem } of member.problems) problems.push({ bus, ...problem, at: moment(at) })
      if (problems.length >= maxProblems) break
    }
    return problems.slice(0, maxProblems)
  }

  #picturesElsewhere(): readonly LivePictureProblem[] {
    return this.#ports.elsewhere?.pictures(this.channel.overlayId) ?? []
  }

  /** How many have a graphic on screen as of its seq. */
  painted({ graphic, seq, paintedAt }: Shown): LiveGraphic['painted'] {
    const sessions = this.#sessions().filter((session) => session.wants(graphic))
    const painting = sessions.filter((session) => session.shown(graphic.graphicId) >= seq)
    const outOfView = sessions.filter((session) => session.outOfView && session.shown(graphic.graphicId) < seq)
    const told = { renderers: painting.length, of: sessions.length, outOfView: outOfView.length }
    // a report that is not written yet, or a renderer that had it on screen when it came back
    let latest = Math.min(...painting.map(({ lastPaintAt, connectedAt }) => lastPaintAt || connectedAt))
    for (const alike of this.#elsewhere()) {
      if (!wants(alike, graphic)) continue
      told.of += alike.count
      if (shownBy(alike, graphic.graphicId) >= seq) {
        told.renderers += alike.count
        latest = Math.min(latest, alike.at)
      } else if (alike.outOfView) told.outOfView += alike.count
    }
    const at = paintedAt || latest
    return { ...told, at: iso(Number.isFinite(at) ? at : 0) }
  }

  #elsewhere() {
    return this.#ports.elsewhere?.paintings(this.channel.overlayId).flatMap(({ renderers }) => renderers) ?? []
  }

  /** The state of a renderer against the view that it is to show by now, the delayed one. */
  #stateOf(session: Session): LiveRenderer['state'] {
    if (!session.subscribed) return 'waiting'
    const now = this.#ports.clock.wall()
    const lacks = (graphic: OnAir) =>
      session.shown(graphic.graphicId) < graphic.seq &&
      now - (this.channel.releasedAt(graphic.seq) ?? 0) > paintPatienceMs &&
      session.wants(graphic)
    return Object.values(this.channel.view.context.graphics).some(lacks) ? 'behind' : 'current'
  }

  #sessions(): Session[] {
    const sessions: Session[] = []
    for (const member of this.channel.members) if (isRenderer(member)) sessions.push(member)
    return sessions
  }
}

/** The first 500, with problems that share what may be told of them. */
function limited(all: readonly LiveRenderer[]): LiveRenderer[] {
  const rows = all.slice(0, maxRenderers)
  const troubled = rows.filter(({ problems }) => problems.length > 0).slice(0, maxProblems)
  const share = Math.floor(maxProblems / troubled.length)
  const telling = new Set(troubled)
  return rows.map((row) => ({ ...row, problems: telling.has(row) ? row.problems.slice(0, share) : [] }))
}
