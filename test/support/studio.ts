import { decide, type OverlayCommand } from '../../machines/overlay/decide.ts'
import { fold, stagedEvents } from '../../machines/overlay/events.ts'
import { type OnAir, type Overlay, staged } from '../../machines/overlay/model.ts'
import { touchesOf, undoable } from '../../machines/overlay/undo.ts'
import type { Unstamped } from '../../machines/transition.ts'
import type { LiveMatch } from '../../src/realtime/followers/live-protocol.ts'
import { Hub } from '../../src/realtime/hub.ts'
import type {
  Card,
  Cause,
  Connected,
  Live,
  MaybePromise,
  Paint,
  Past,
  Ports,
  Principal,
  RecentCommands,
} from '../../src/realtime/ports.ts'
import type { Socket, SocketEvents } from '../../src/realtime/socket.ts'
import type { GamePlanState } from '../../src/schema/game-plan-state.ts'
import { digestOf } from '../../src/secrets/digest.ts'
import { apart } from './apart.ts'
import { ManualClock } from './clock.ts'
import { Picture } from './picture.ts'

/** The far end of one WebSocket. What it sends goes into the events; what it gets is kept. */
export class FakeSocket implements Socket {
  readonly frames: string[] = []
  readonly topics = new Set<string>()
  closedWith: { code: number; reason: string } | undefined
  /** Bytes that a slow peer has not taken. */
  buffered = 0
  /** Whether what it is sent waits there. */
  slow = false
  readonly #events: SocketEvents
  readonly #all: Set<FakeSocket>
  onFrame: ((text: string) => void) | undefined

  constructor(events: SocketEvents, all: Set<FakeSocket>) {
    this.#events = events
    this.#all = all
    all.add(this)
    events.open(this)
  }

  send(text: string): boolean {
    if (this.closedWith) return false
    this.frames.push(text)
    if (this.slow) this.buffered += text.length
    this.onFrame?.(text)
    return true
  }

  subscribe(topic: string): void {
    this.topics.add(topic)
  }

  unsubscribe(topic: string): void {
    this.topics.delete(topic)
  }

  bufferedBytes(): number {
    return this.buffered
  }

  end(code: number, reason: string): void {
    if (this.closedWith) return
    this.closedWith = { code, reason }
    this.#all.delete(this)
    this.#events.closed(code)
  }

  /** The peer says something. */
  says(message: unknown): void {
    if (!this.closedWith) this.#events.message(typeof message === 'string' ? message : JSON.stringify(message))
  }

  ready(showing: { graphicId: string; seq: number }[] = []): void {
    this.says({ type: 'READY', payload: { showing } })
  }

  painted(graphicId: string, seq: number): void {
    this.says({ type: 'READY', payload: { graphicId, seq } })
  }

  problems(...problems: { graphicId: string; graphicName: string; message: string }[]): void {
    this.says({ type: 'PROBLEMS', payload: { problems } })
  }

  /** Its program does not show it, or does so again. */
  outOfView(outOfView = true): void {
    this.says({ type: 'PROBLEMS', payload: { problems: [], outOfView } })
  }

  /** Frames after HELLO, parsed. */
  messages(): { type: string; payload: Record<string, unknown> }[] {
    return this.frames.map((text) => JSON.parse(text)).filter(({ type }) => type !== 'HELLO')
  }
}

/** A renderer of the outside world: a socket with a picture that follows it. */
export type FakeRenderer = { socket: FakeSocket; picture: Picture }

type Journaled = ReturnType<typeof apart> & { seq: number; committedAt: number; cause: Cause }

/** What the manual clock adds to its time. */
const WALL = 1_700_000_000_000

const empty: Overlay = { graphics: {}, revisions: {} }

/** Everything around the hub: clock, journal, live data, sockets. One overlay per id, key `key-<id>`. */
export class Studio {
  readonly clock = new ManualClock()
  readonly sockets = new Set<FakeSocket>()
  readonly paints: Paint[] = []
  readonly latencies: number[] = []
  /** How many problems renderers told. */
  troubles = 0
  /** Renderers that are noted as connected. */
  readonly noted = new Set<Connected>()
  /** When renderers came into view, or left it. */
  readonly views: { name: string; inView: boolean; at: number }[] = []
  readonly published: { topic: string; text: string }[] = []
  readonly journal = new Map<number, Journaled[]>()
  readonly delays = new Map<number, number>()
  readonly floors = new Map<number, number>()
  readonly deleted = new Set<number>()
  /** What the match data is now. */
  data = 0
  /** Makes each load and whole update so much larger. */
  padding = ''
  /** Replaced by tests that want to answer late or to fail. */
  live: (overlayId: number) => MaybePromise<Live> = () => this.liveNow()
  beforeRead: () => Promise<void> = async () => {}
  beforeJournal: () => Promise<void> = async () => {}
  /** Of the sockets that open from now on. */
  userAgent = 'test'
  /** Replaces the tokens of overlays. */
  readonly tokens = new Map<number, Card['tokens']>()
  /** Whether its node has leases. */
  isLive = true
  /** Whether API keys still open what they opened. */
  keysHold = true
  match: LiveMatch | null = null
  /** How often it was read. */
  matchReads = 0
  /** What the game plan of each overlay does; none is told unless a test sets one. */
  plan: GamePlanState | null = null
  /** How often the plan was read. */
  planReads = 0
  /** What records are called that a graphic's values name. */
  names: NonNullable<Live['names']> = () => ({})
  /** Who sends the commands. */
  principal: Principal = { type: 'key', name: 'desk' }
  hub: Hub

  constructor() {
    this.hub = new Hub(this.ports())
  }

  liveNow = (): Live => ({
    themeVariables: { colour: '#fff', ...(this.padding && { padding: this.padding }) },
    data: { score: this.data },
    revisions: {},
    names: this.names,
  })

  /** The server goes away and comes back: sockets are lost, journal and delays stay. */
  restart(): void {
    this.hub.close()
    this.hub = new Hub(this.ports())
  }

  /** Changes the setting as the API does: a longer delay leaves its floor in the same commit. live-path 22 */
  setDelay(overlayId: number, seconds: number): void {
    const before = this.delays.get(overlayId) ?? 0
    if (seconds > before) this.floors.set(overlayId, this.past(overlayId, before * 1000).view.seq)
    this.delays.set(overlayId, seconds)
    this.hub.changed(this.cardOf(overlayId))
  }

  state(overlayId: number, upTo = Number.POSITIVE_INFINITY): { seq: number; context: Overlay } {
    const rows = (this.journal.get(overlayId) ?? []).filter(({ seq }) => seq <= upTo)
    return {
      seq: rows.at(-1)?.seq ?? 0,
      context: rows.flatMap(({ events, asides = [] }) => [...events, ...asides]).reduce(fold, empty),
    }
  }

  /** Commits one command and publishes it; answers its seq, or undefined when it changed nothing. */
  command(overlayId: number, command: Unstamped<OverlayCommand>): number | undefined {
    const row = this.commitSilently(overlayId, command)
    if (row) this.publish(overlayId, row)
    return row?.seq
  }

  publish(overlayId: number, { committedAt, ...commit }: Journaled): void {
    this.hub.publish(overlayId, { ...commit, at: committedAt + WALL })
  }

  /** Commits without telling the hub, as when the publish is still under way. */
  commitSilently(overlayId: number, command: Unstamped<OverlayCommand>): Journaled | undefined {
    const { seq, context } = this.state(overlayId)
    // the host stamps the seq
    const facts = decide(context, { ...command, seq: seq + 1 } as OverlayCommand)
    if (facts.length === 0) return undefined
    const cause = { principal: this.principal, command: JSON.stringify(command) }
    const row = { seq: seq + 1, ...apart(facts), committedAt: this.clock.now(), cause }
    this.journal.set(overlayId, [...(this.journal.get(overlayId) ?? []), row])
    return row
  }

  show(overlayId: number, graphicId: string, values: Record<string, string | number> = {}): number | undefined {
    return this.command(overlayId, { type: 'show', graphic: shown(graphicId, values) })
  }

  update(overlayId: number, graphicId: string, values: Record<string, string | number>): number | undefined {
    return this.command(overlayId, { type: 'update', graphicId, presetId: 2, sectionId: 's', values })
  }

  /** A renderer connects: HELLO was sent when this resolves. */
  async connect(overlayId: number, query = ''): Promise<FakeSocket> {
    const socket = await this.upgrade(`/overlay/{key}/socket`, { key: `key-${overlayId}` }, query)
    if (!socket) throw new Error('the upgrade was refused')
    return socket
  }

  async upgrade(path: string, params: Record<string, string>, query = ''): Promise<FakeSocket | undefined> {
    const endpoint = this.hub.endpoints().find((candidate) => candidate.path === path)
    const request = {
      params,
      query: new URLSearchParams(query),
      authorization: '',
      serviceApiKey: '',
      userAgent: this.userAgent,
      remoteAddress: '127.0.0.1',
    }
    const events = await endpoint?.accept(request)
    return events && new FakeSocket(events, this.sockets)
  }

  /** A renderer that says READY with its picture and follows what it is sent. */
  async render(overlayId: number, picture = new Picture(), query = '', slow = false): Promise<FakeRenderer> {
    const socket = await this.connect(overlayId, query)
    socket.slow = slow
    for (const text of socket.frames) picture.apply(text)
    socket.onFrame = (text) => void picture.apply(text)
    socket.ready(picture.showing())
    await settle()
    return { socket, picture }
  }

  cardOf(id: number): Card {
    return {
      id,
      organizationId: 1,
      name: `Overlay ${id}`,
      matchId: id,
      sport: 'football',
      encodingDelaySeconds: this.delays.get(id) ?? 0,
      controlRoomId: 1,
      themeId: 1,
      profileId: 1,
      autoMode: true,
      adType: null,
      tokens: this.tokens.get(id) ?? {
        key: `key-${id}`,
        monitoring: digestOf(`monitoring-${id}`),
        control: digestOf(`control-${id}`),
      },
    }
  }

  ports(): Ports {
    return {
      clock: this.clock,
      isLive: () => this.isLive,
      log: { warn: () => {} },
      publicUrl: () => 'http://tally.test',
      publish: (topic, text) => {
        this.published.push({ topic, text })
        for (const socket of [...this.sockets]) if (socket.topics.has(topic)) socket.send(text)
      },
      find: async (token, value) => {
        const id = Number(new RegExp(`^${token}-(\\d+)$`).exec(value)?.[1])
        return id > 0 && !this.deleted.has(id) ? id : undefined
      },
      card: async (id): Promise<Card | undefined> => {
        await this.beforeRead()
        if (this.deleted.has(id)) return undefined
        return this.cardOf(id)
      },
      read: async (id) => this.state(id),
      live: (id) => this.live(id),
      past: async (id, delayMs) => this.past(id, delayMs),
      commitTimes: async (id, seqs) => {
        const rows = (this.journal.get(id) ?? []).filter(({ seq }) => seqs.includes(seq))
        return new Map(rows.map(({ seq, committedAt }) => [seq, committedAt + WALL]))
      },
      commitsFrom: async (id, from, limit) => {
        await this.beforeJournal()
        const rows = (this.journal.get(id) ?? []).filter(({ seq }) => seq >= from).slice(0, limit)
        return rows.map(({ seq, events, asides, committedAt, cause }) => ({
          seq,
          at: committedAt + WALL,
          events,
          ...(asides && { asides }),
          principal: cause.principal,
          action: JSON.parse(cause.command).type,
        }))
      },
      recentCommands: async (id, rehearsal) => this.recentCommands(id, rehearsal),
      firstPaints: async (id, graphics) => {
        const first = graphics.flatMap(({ graphicId, seq }): [string, number][] => {
          const report = this.paints.find(
            (one) => one.overlayId === id && one.graphicId === graphicId && one.seq >= seq,
          )
          return report ? [[graphicId, report.at]] : []
        })
        return new Map(first)
      },
      match: async () => {
        this.matchReads++
        return this.match
      },
      buttons: async () => [],
      plan: async () => {
        this.planReads++
        return this.plan
      },
      admit: async ({ params }) => ({
        overlayId: Number(params.overlayId),
        opens: () => true,
        holds: async () => this.keysHold,
      }),
      paint: (report) => this.paints.push(report),
      connections: {
        opened: (renderer) => void this.noted.add(renderer),
        ready: () => {},
        viewed: (renderer, inView, at) => this.views.push({ name: renderer.name, inView, at }),
        closed: (renderer) => void this.noted.delete(renderer),
      },
      painted: (latencyMs) => this.latencies.push(latencyMs),
      troubled: (problems) => {
        this.troubles += problems
      },
    }
  }

  recentCommands(overlayId: number, rehearsal = 0): RecentCommands {
    const all = (this.journal.get(overlayId) ?? []).filter(({ seq }) => seq > rehearsal)
    const rows = all.map((row) => ({ ...row, events: stagedEvents(row.events, row.asides) })).reverse()
    const recent = rows
      .filter(({ events, committedAt }) => touchesOf({ events }).length > 0 && committedAt + 30_000 > this.clock.now())
      .map(({ seq, events, committedAt, cause: { principal, command } }) => ({
        ...{ seq, events, at: committedAt + WALL, principal, action: JSON.parse(command).type },
      }))
    const last = undoable(recent)
    const graphics = last ? staged(this.state(overlayId, last.command.seq - 1).context).graphics : {}
    const before = Object.values(graphics).map((graphic): [string, { graphic: OnAir; until: number | undefined }] => {
      const shownAt = rows.find(({ seq }) => seq === graphic.loadSeq)?.committedAt ?? 0
      const { durationSeconds } = graphic
      const until = durationSeconds === undefined ? undefined : shownAt + WALL + durationSeconds * 1000
      return [graphic.graphicId, { graphic, until }]
    })
    return { recent, before: new Map(before) }
  }

  past(overlayId: number, delayMs: number): Past {
    const rows = this.journal.get(overlayId) ?? []
    const now = this.clock.now()
    const floor = this.floors.get(overlayId) ?? 0
    const since = rows.filter(({ seq, committedAt }) => seq > floor && committedAt + delayMs > now)
    const view = this.state(overlayId, (since[0]?.seq ?? Number.POSITIVE_INFINITY) - 1)
    return {
      view,
      committed: this.state(overlayId),
      since: since.map(({ seq, events, committedAt }) => ({ seq, events, ageMs: now - committedAt })),
    }
  }
}

/** A promise that a test keeps in its hand. */
export function held(): { promise: Promise<void>; release(): void } {
  let release = () => {}
  const promise = new Promise<void>((resolve) => {
    release = resolve
  })
  return { promise, release: () => release() }
}

/** Lets everything that is only waiting for promises go on. */
export const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

export const shown = (graphicId: string, values: Record<string, string | number> = {}) => ({
  graphicId,
  graphicName: `Graphic ${graphicId}`,
  kind: 'code' as const,
  version: 1,
  url: `/bundles/${graphicId}/index.html`,
  themeId: 1,
  themeVersion: 1,
  roomId: 1,
  sectionId: 's',
  presetId: 1,
  values,
})
