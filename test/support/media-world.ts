import { vi } from 'vitest'
import { createDirector, type Director } from '../../src/media/director.ts'
import type { EngineEvent, MediaEngine, ProgramEvent, RelayEvent } from '../../src/media/ports.ts'
import { LoneActor } from '../machines/lone-actor.ts'
import { chances, commandOf, DESTINATIONS, INPUT, stillEngine, wishesOf } from './media-wishes.ts'

const NOTHING = { bitrateKb: null, history: [] }

type FakeRelay = { id: number; over: boolean; listener: (event: RelayEvent) => void; paused: boolean }
type FakeProgram = { over: boolean; up: boolean; listener: (event: ProgramEvent) => void }

/**
 * One stream with its input and destinations: the real machines and the real director, with processes and an engine that do
 * what chance says. Everything takes its time, so that whatever can overtake something does.
 */
export class MediaWorld {
  readonly stream = new LoneActor('stream')
  readonly input = new LoneActor('input')
  readonly destinations = new Map(DESTINATIONS.map((id) => [id as number, new LoneActor('destination')]))
  readonly chance: () => number
  readonly burn: boolean
  readonly faults: string[] = []
  readonly log: string[] = []
  relays: FakeRelay[] = []
  programs: FakeProgram[] = []
  /** Far ends that refuse. */
  readonly refusing = new Set<number>()
  browserless = false
  director: Director
  #listeners: ((event: EngineEvent) => void)[] = []
  #sender: string | undefined
  #session = 0
  #engineUp = true
  /** Of the server process: what an earlier one still says is heard by nobody. */
  #life = 0
  #seq = 0

  constructor(seed: number, burn: boolean) {
    this.chance = chances(seed)
    this.burn = burn
    this.director = this.#serve()
  }

  note(text: string): void {
    this.log.push(`${this.stream.now % 1_000_000} ${text}`)
  }

  /** Time passes for everybody. */
  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 50) {
      await vi.advanceTimersByTimeAsync(50)
      for (const [name, actor] of this.#actors()) {
        const before = actor.facts.length
        actor.pass(50)
        if (actor.facts.length > before) this.#committed(name)
      }
    }
  }

  get senderIsUp(): boolean {
    return this.#sender !== undefined && this.#engineUp
  }

  send(): void {
    if (this.#sender || !this.#engineUp) return
    this.#sender = `session-${++this.#session}`
    this.note(`up ${this.#sender}`)
    this.#tell({ type: 'up', path: 'input-5', inputId: INPUT, session: this.#sender, protocol: 'rtmp', ip: '' })
  }

  /** The sender goes, with or without a goodbye. */
  leave(orderly: boolean): void {
    const session = this.#sender
    if (!session) return
    this.#sender = undefined
    this.note(`gone ${session} ${orderly}`)
    const of = { path: 'input-5', inputId: INPUT, session }
    if (orderly) this.#tell({ type: 'down', ...of })
    else {
      this.#tell({ type: 'gap', ...of, graceMs: 1_500 })
      setTimeout(() => this.#sender || this.#tell({ type: 'down', ...of }), 1_500)
    }
    this.#starve(orderly ? 50 : 1_600)
  }

  /** The process of the engine dies and comes back. */
  async crashEngine(): Promise<void> {
    this.note('engine lost')
    this.#engineUp = false
    this.#sender = undefined
    this.#tell({ type: 'lost', error: 'killed' })
    this.#starve(20)
    await this.pass(300)
    this.#engineUp = true
    this.#tell({ type: 'back' })
  }

  /** kill -9 of the server, and its next start. */
  async crashServer(): Promise<void> {
    this.note('server killed')
    this.#life += 1
    const old = this.director
    this.#listeners = []
    this.#sender = undefined
    for (const running of [...this.relays, ...this.programs]) running.over = true
    this.relays = []
    this.programs = []
    for (const [, actor] of this.#actors()) actor.restart()
    void old.close()
    await this.pass(Math.floor(this.chance() * 3) * 1_000)
    this.director = this.#serve()
  }

  /** One command of a person, when the API would take it. */
  command(kind: 'start' | 'stop' | 'goLive' | 'publish' | 'unpublish' | 'overlay'): void {
    const { phase } = this.stream.context
    const destinationIds = DESTINATIONS.filter(() => this.chance() < 0.5)
    const at = new Date().toISOString()
    if (kind === 'start' && phase === 'stopped') this.#ask('stream/1', { type: 'start', at })
    if (kind === 'stop' && (phase === 'running' || phase === 'stopping')) this.#ask('stream/1', { type: 'stop', at })
    if (kind === 'overlay')
      this.#ask('stream/1', { type: 'setOverlayHidden', hidden: !this.stream.context.overlayHidden })
    if (phase !== 'running' || destinationIds.length === 0) return
    if (kind === 'goLive') this.#ask('stream/1', { type: 'goLive', at, destinationIds })
    if (kind === 'publish') this.#ask('stream/1', { type: 'publish', destinationIds })
    if (kind === 'unpublish') this.#ask('stream/1', { type: 'unpublish', destinationIds })
    void this.#settle(this.chance() < 0.5)
  }

  /** Somebody changes their mind at once, and again. */
  flip(): void {
    const { phase } = this.stream.context
    if (phase !== 'running') return
    for (const type of ['publish', 'unpublish', 'publish', 'unpublish', 'publish'].slice(this.chance() * 4)) {
      this.#ask('stream/1', { type, destinationIds: [11, 12] })
      void this.#settle(this.chance() < 0.5)
    }
  }

  /** A far end or an encoder ends a connection. */
  breakOne(): void {
    const alive = [...this.relays, ...this.programs].filter(({ over }) => !over)
    const one = alive[Math.floor(this.chance() * alive.length)]
    if (!one) return
    one.over = true
    this.note('broke one')
    one.listener({ type: 'failed', error: 'broke' })
  }

  /** What is running for a destination now. */
  running(id: number): FakeRelay[] {
    return this.relays.filter((relay) => relay.id === id && !relay.over)
  }

  #actors() {
    return [
      ['stream/1', this.stream] as const,
      ['input/5', this.input] as const,
      ...[...this.destinations].map(([id, actor]) => [`destination/${id}`, actor] as const),
    ]
  }

  #ask(name: string, command: Record<string, unknown> & { type: string }): void {
    const actor = this.#actors().find(([ref]) => ref === name)?.[1]
    const came = actor?.ask(command)
    if (came === 'refused' || came?.length === 0) return
    this.note(`${name} ${JSON.stringify(command)}`)
    this.#committed(name)
  }

  #committed(name: string): void {
    this.#seq += 1
    this.director.changed(name)
    if (name === 'stream/1') void this.#settle(false)
  }

  async #settle(now: boolean): Promise<void> {
    const life = this.#life
    await Promise.all(
      DESTINATIONS.map(async (id) => {
        await this.#slow(30)
        // what a killed server did not do is done by the reaction to the commit, on the next one
        if (life !== this.#life) await this.#slow(500)
        const wanted = this.stream.context.publishing.includes(id)
        this.#ask(`destination/${id}`, { type: 'wish', wanted, wish: this.#seq, now })
      }),
    )
  }

  #slow(ms: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, Math.floor(this.chance() * ms)))
  }

  #tell(event: EngineEvent): void {
    for (const listener of this.#listeners) listener(event)
  }

  /** Whoever reads what does not come any more ends some time later. */
  #starve(afterMs: number): void {
    for (const running of [...this.relays, ...this.programs])
      setTimeout(
        () => {
          if (running.over || this.senderIsUp) return
          running.over = true
          running.listener({ type: 'failed', error: 'no source' })
        },
        afterMs * (0.5 + this.chance()),
      )
  }

  #programIsUp(): boolean {
    return this.senderIsUp && this.programs.some(({ over, up }) => up && !over)
  }

  #serve(): Director {
    const life = this.#life
    const engine: MediaEngine = {
      ...stillEngine,
      allow: () => this.#slow(20),
      revoke: () => this.#slow(20),
      stats: async (path) => {
        await this.#slow(20)
        const up = path.startsWith('program') ? this.#programIsUp() : this.senderIsUp
        return up ? { bytesIn: 1, clients: 0 } : null
      },
      listen: (listener) => void this.#listeners.push(listener),
    }
    const director = createDirector({
      engine,
      log: { debug: () => {}, info: () => {}, warn: (fields, text) => this.note(`${text} ${JSON.stringify(fields)}`) },
      lacks: () => undefined,
      startPull: () => ({ stop: async () => {} }),
      wishes: wishesOf(this, () => this.#slow(10)),
      gone: () => {},
      observe: async (seen) => {
        await this.#slow(30)
        if (life !== this.#life) throw new Error('killed')
        // the database may be away
        if (this.chance() < 0.03) throw new Error('unavailable')
        const { to, command } = commandOf(seen)
        this.#ask(to, command)
        await this.#slow(10)
      },
      startRelay: (spec, listener) => {
        const { destinationId: id, path } = spec
        const relay: FakeRelay = { id, over: false, listener, paused: false }
        this.note(`relay ${id} starts, attempt ${spec.attempt}`)
        if (this.running(id).length > 0) this.faults.push(`destination ${id} has two relays`)
        this.relays.push(relay)
        const connect = async () => {
          await this.#slow(800)
          if (relay.over || relay.paused) return
          const fed = path.startsWith('program') ? this.#programIsUp() : this.senderIsUp
          if (fed && !this.refusing.has(id)) return listener({ type: 'connected' })
          relay.over = true
          listener({ type: 'failed', error: fed ? 'refused' : 'no source' })
        }
        void Promise.resolve().then(connect)
        return {
          measured: () => NOTHING,
          activeClients: () => null,
          pauseWatch: (paused) => {
            relay.paused = paused
            if (!paused) void connect()
          },
          stop: async () => {
            if (!relay.over) await this.#slow(this.chance() < 0.1 ? 2_000 : 60)
            relay.over = true
          },
        }
      },
      startProgram: (_spec, listener) => {
        const program: FakeProgram = { over: false, up: false, listener }
        if (this.programs.some(({ over }) => !over)) this.faults.push('two programs')
        this.programs.push(program)
        void (async () => {
          await this.#slow(1_500)
          if (program.over) return
          program.up = this.senderIsUp
          program.over = !program.up
          listener(program.up ? { type: 'up' } : { type: 'failed', error: 'no source' })
        })()
        return {
          setHidden: () => {},
          setPage: () => {},
          measured: () => ({ ...NOTHING, cpuPercent: null, rssBytes: null }),
          stop: async () => {
            if (!program.over) await this.#slow(300)
            program.over = true
          },
        }
      },
    })
    director.start()
    void this.#slow(400).then(() => (life === this.#life ? director.engineStarted() : undefined))
    // the reaction to the last commit, which may not have run
    void this.#settle(false)
    return director
  }
}
