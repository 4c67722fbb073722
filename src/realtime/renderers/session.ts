import type { Way } from '../followers/places.ts'
import type { Admission, Card } from '../ports.ts'
import type { Receiver } from '../receiver.ts'
import type { Socket, SocketEvents } from '../socket.ts'
import type { Beating } from './heartbeats.ts'
import {
  type Answered,
  helloText,
  type Problem,
  parseClientFrame,
  type Showing,
  type ToldProblems,
} from './protocol.ts'

/** The rest of the hub, as one renderer's socket needs it. */
export interface SessionHost {
  now(): number
  /** Since 1970, ms. */
  wall(): number
  opened(session: Session): void
  /** READY: subscribes, and answers the difference, now or once the overlay's state is there. */
  ready(session: Session, showing: readonly Showing[]): void
  /** Whether the overlay ever put this graphic on this renderer's screen at this seq. */
  sent(session: Session, graphicId: string, seq: number): boolean
  /** When a frame last went to all renderers of the overlay. */
  pushedAt(session: Session): number
  painted(session: Session, graphicId: string, seq: number, at: number): void
  /** The renderer told its problems, `fresh` of which are new. */
  troubled(session: Session, fresh: number): void
  /** A graphic that plays out by itself has, as of a seq. */
  played(session: Session, graphicId: string, seq: number): void
  /** How a call ended in a graphic. */
  answered(session: Session, answer: Answered): void
  /** The program that holds the renderer as a source shows it again, or does so no more. */
  viewed(session: Session): void
  /** Reports over the limit are held until the next second. */
  holds(session: Session): void
  closed(session: Session): void
}

type State = { is: 'opening' } | { is: 'awaitingReady'; since: number } | { is: 'subscribed' } | { is: 'draining' }

// shared by all sockets: ten thousand idle ones must stay small
const opening: State = { is: 'opening' }
const subscribed: State = { is: 'subscribed' }
const draining: State = { is: 'draining' }

export const readyDeadlineMs = 10_000
const reportsPerSecond = 10
/** Our page tells its problems once a second, and those that a slow line gathered come at once. */
const problemsPerSecond = 10
const notOurs = 'not a message of this protocol'
const nothingShown: ReadonlyMap<string, number> = new Map()
const noProblems: readonly Noted[] = []
/** A sign of life that says nothing about the answer to READY. */
const pulseText = JSON.stringify({ type: 'PULSE', payload: {} })

export type SessionOptions = {
  id: string
  name: string
  heartbeatMs: number
  /** HELLO again behind the answer to READY: all frames before it are the past. */
  marksCaughtUp: boolean
  /** The renderer may tell its problems. */
  tellsProblems: boolean
  /** It answers the calls of frames. */
  answers: boolean
  engine: string
  /** How a picture that is only looked at came in; undefined: it is a renderer. */
  way: Way | undefined
  /** Which picture it is sent; undefined: program. */
  bus: 'preview' | undefined
  /** Lower-case names or ids of the graphics that it shows; undefined: all. */
  layers: ReadonlySet<string> | undefined
}

type Held = { seq: number; at: number }

/** `at`: when it was said first, ms since 1970. */
type Noted = Problem & { at: number }

const keyOf = ({ graphicId, message }: Problem) => `${graphicId}\n${message}`

/** One renderer's socket, from HELLO to close. contract: The overlay page and its socket */
export class Session implements SocketEvents, Receiver, Beating {
  readonly overlayId: number
  /** Of this connection. */
  readonly id: string
  /** Its `?renderer=`, or the id of this connection. live-path 21 */
  readonly name: string
  /** 0: HELLO comes once. live-path 19 */
  readonly heartbeatMs: number
  /** Host and engine, as people read them. */
  readonly engine: string
  /** False: a picture inside a page of ours, or of preview: it is no renderer, and its paints do not count. */
  readonly counts: boolean
  readonly way: Way | undefined
  readonly bus: 'preview' | undefined
  readonly #marksCaughtUp: boolean
  readonly #tellsProblems: boolean
  /** It answers the calls of frames. */
  readonly answers: boolean
  readonly #layers: ReadonlySet<string> | undefined
  readonly #opens: (card: Card) => boolean
  /** Since 1970, ms; 0 is never. */
  connectedAt = 0
  lastPaintAt = 0
  lastSeq = 0
  /** The problems that the renderer told last. */
  problems = noProblems
  /** Since when its program shows the page, as told: ms since 1970, 0 from the beginning, Infinity while it does not. */
  inViewSince = 0
  /** When a frame last went to this socket alone. */
  #sentAt = 0
  /** READY waits for its answer. */
  #owed = false
  readonly #host: SessionHost
  #socket: Socket | undefined
  #state: State = opening
  #secondStart = 0
  #reports = 0
  #tellings = 0
  #held: Map<string, Held> | undefined
  /** The newest seq of each graphic that it said to have on screen. */
  #shown: Map<string, number> | undefined

  constructor(host: SessionHost, { overlayId, opens }: Admission, options: SessionOptions) {
    this.#host = host
    this.overlayId = overlayId
    this.#opens = opens
    this.id = options.id
    this.name = options.name
    this.heartbeatMs = options.heartbeatMs
    this.#marksCaughtUp = options.marksCaughtUp
    this.#tellsProblems = options.tellsProblems
    this.answers = options.answers
    this.engine = options.engine
    this.counts = options.way === undefined
    this.way = options.way
    this.bus = options.bus
    this.#layers = options.layers
  }

  get isPicture(): boolean {
    return !this.counts
  }

  opens(card: Card): boolean {
    return this.#opens(card)
  }

  /** Whether it shows such a graphic at all: some outputs are only for a few. */
  wants({ graphicId, graphicName }: { graphicId: string; graphicName: string }): boolean {
    if (!this.#layers) return true
    return this.#layers.has(graphicId.toLowerCase()) || this.#layers.has(graphicName.toLowerCase())
  }

  /** Lower-case names or ids of the graphics that it shows; undefined: all. */
  get layers(): ReadonlySet<string> | undefined {
    return this.#layers
  }

  /** The graphics that it said to have on screen, each as of a seq. */
  get allShown(): ReadonlyMap<string, number> {
    return this.#shown ?? nothingShown
  }

  /** As of which seq it has a graphic on screen; 0 when it never said so. */
  shown(graphicId: string): number {
    return this.#shown?.get(graphicId) ?? 0
  }

  open(socket: Socket): void {
    const now = this.#host.now()
    this.#socket = socket
    this.#state = { is: 'awaitingReady', since: now }
    this.#secondStart = now
    this.connectedAt = this.#host.wall()
    this.send(helloText)
    this.#host.opened(this)
  }

  message(text: string): void {
    if (this.#state.is === 'draining') return
    const frame = parseClientFrame(text)
    if (!frame) this.end(1008, notOurs)
    else if ('showing' in frame) this.#ready(frame.showing)
    else if ('problems' in frame) this.#tell(frame)
    else if ('played' in frame) this.#played(frame.played)
    else if ('answered' in frame) this.#answer(frame.answered)
    else if (this.#state.is === 'subscribed') this.#report(frame.graphicId, frame.seq)
    else this.end(1008, 'a paint report before READY')
  }

  closed(): void {
    this.#state = draining
    this.#held = undefined
    this.#host.closed(this)
    this.#socket = undefined
  }

  send(text: string): void {
    if (this.#state.is === 'draining' || !this.#socket) return
    this.#sentAt = this.#host.now()
    if (!this.#socket.send(text)) this.end(1013, 'too slow')
  }

  /** HELLO again, unless a slow line still carries frames: they say as much, and HELLO would come behind them. */
  beat(): void {
    if (this.bufferedBytes() > 0) this.#sentAt = this.#host.now()
    else this.send(this.#marksCaughtUp && this.#owed ? pulseText : helloText)
  }

  subscribe(topic: string): void {
    this.#socket?.subscribe(topic)
  }

  caughtUp(): void {
    this.#owed = false
    if (this.#marksCaughtUp) this.send(helloText)
  }

  bufferedBytes(): number {
    return this.#state.is === 'draining' ? 0 : (this.#socket?.bufferedBytes() ?? 0)
  }

  end(code: number, reason: string): void {
    if (this.#state.is === 'draining') return
    this.#state = draining
    this.#socket?.end(code, reason)
  }

  get live(): boolean {
    return this.#state.is !== 'draining'
  }

  get outOfView(): boolean {
    return this.inViewSince === Number.POSITIVE_INFINITY
  }

  get subscribed(): boolean {
    return this.#state.is === 'subscribed'
  }

  get lastSentAt(): number {
    return this.subscribed ? Math.max(this.#sentAt, this.#host.pushedAt(this)) : this.#sentAt
  }

  /** Closes a socket that has not said READY in time. False: it is not due yet. */
  checkDeadline(now: number): boolean {
    if (this.#state.is !== 'awaitingReady') return true
    if (now - this.#state.since < readyDeadlineMs) return false
    this.end(1008, 'no READY')
    return true
  }

  /** Starts a new second when the last is over, and counts reports held in it. False: some reports are still held. */
  releaseHeld(now: number): boolean {
    if (now - this.#secondStart < 1000) return this.#held === undefined
    this.#secondStart = now
    this.#reports = 0
    this.#tellings = 0
    for (const [graphicId, { seq, at }] of this.#held ?? []) {
      if (this.#reports === reportsPerSecond) return false
      this.#held?.delete(graphicId)
      this.#count(graphicId, seq, at)
    }
    this.#held = undefined
    return true
  }

  #ready(showing: readonly Showing[]): void {
    if (this.#state.is === 'subscribed') {
      // answered too, but it costs a whole difference, so it counts against the limit of paint reports
      if (!this.#underLimit(this.#host.now())) {
        this.end(1008, 'too many READY')
        return
      }
      this.#reports++
    }
    this.#state = subscribed
    this.#shown = showing.length > 0 ? new Map(showing.map(({ graphicId, seq }) => [graphicId, seq])) : undefined
    this.#owed = true
    this.#host.ready(this, showing)
  }

  #report(graphicId: string, seq: number): void {
    if (!this.#host.sent(this, graphicId, seq)) return
    const at = this.#host.wall()
    if (this.#underLimit(this.#host.now())) {
      this.#count(graphicId, seq, at)
      return
    }
    this.#held ??= new Map()
    if (seq > (this.#held.get(graphicId)?.seq ?? -1)) this.#held.set(graphicId, { seq, at })
    this.#host.holds(this)
  }

  #tell({ problems, outOfView = false }: ToldProblems): void {
    const refusal = this.#refusal()
    if (refusal) {
      this.end(1008, refusal)
      return
    }
    this.#note(problems)
    if (outOfView === this.outOfView) return
    this.inViewSince = outOfView ? Number.POSITIVE_INFINITY : this.#host.wall()
    this.#host.viewed(this)
  }

  #refusal(): string | undefined {
    if (!this.#tellsProblems) return notOurs
    if (this.#state.is !== 'subscribed') return 'PROBLEMS before READY'
    this.releaseHeld(this.#host.now())
    return ++this.#tellings > problemsPerSecond ? 'too many PROBLEMS' : undefined
  }

  #note(problems: readonly Problem[]): void {
    const before = new Map(this.problems.map((problem) => [keyOf(problem), problem]))
    const at = this.#host.wall()
    this.problems = problems.map((problem) => before.get(keyOf(problem)) ?? { ...problem, at })
    this.#host.troubled(this, this.problems.filter((problem) => !before.has(keyOf(problem))).length)
  }

  #played({ graphicId, seq }: Showing): void {
    if (this.#state.is !== 'subscribed' || !this.counts || !this.#host.sent(this, graphicId, seq)) return
    if (!this.#underLimit(this.#host.now())) return
    this.#reports++
    this.#host.played(this, graphicId, seq)
  }

  #answer(answer: Answered): void {
    if (!this.answers) this.end(1008, notOurs)
    else if (this.#state.is !== 'subscribed') this.end(1008, 'ANSWER before READY')
    else this.#host.answered(this, answer)
  }

  #underLimit(now: number): boolean {
    this.releaseHeld(now)
    return this.#reports < reportsPerSecond
  }

  #count(graphicId: string, seq: number, at: number): void {
    this.#reports++
    this.lastPaintAt = at
    if (seq > this.lastSeq) this.lastSeq = seq
    this.#shown ??= new Map()
    this.#shown.set(graphicId, seq)
    this.#host.painted(this, graphicId, seq, at)
  }
}
