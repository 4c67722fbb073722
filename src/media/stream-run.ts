import { serviceTime } from '../waiting/service-time.ts'
import type { Inputs } from './inputs.ts'
import { destinationStep, type Feed } from './plan-destination.ts'
import { streamReport } from './plan-stream.ts'
import type {
  DestinationWish,
  MediaEngine,
  Need,
  Observation,
  ProgramSpec,
  StartProgram,
  StartRelay,
  StreamWish,
} from './ports.ts'
import type { MediaLog } from './process.ts'
import { RunningProgram } from './running-program.ts'
import { RunningRelay } from './running-relay.ts'
import { type Share, streamLease } from './share.ts'

export type StreamParts = {
  engine: MediaEngine
  inputs: Inputs
  startRelay: StartRelay
  startProgram: StartProgram
  observe(observation: Observation): Promise<void>
  /** Why nothing can run just now. */
  down(): string | null
  lacks(need: Need): string | undefined
  share: Share
  /** Look at this stream again, now or after this time. */
  again(streamId: number, afterMs?: number): void
  log: MediaLog
}

/** A source that a relay may have lost is looked at again this soon. */
const DOUBT_MS = 300

/** The processes of one stream: its program where graphics are burned in, and a relay for each destination that is wanted. */
export class StreamRun {
  readonly #parts: StreamParts
  readonly #streamId: number
  readonly #relays = new Map<number, RunningRelay>()
  #feed: Feed & { key: string; path: string } = { up: false, generation: 0, key: '', path: '' }
  readonly program: RunningProgram
  wish: StreamWish | undefined

  constructor(parts: StreamParts, streamId: number) {
    this.#parts = parts
    this.#streamId = streamId
    this.program = new RunningProgram({
      start: parts.startProgram,
      again: (afterMs) => parts.again(streamId, afterMs),
      log: parts.log,
    })
  }

  /** Whether nothing runs and nothing is wanted. */
  get over(): boolean {
    return this.wish === undefined && this.program.sight.state === 'none' && this.#relays.size === 0
  }

  get relays(): ReadonlyMap<number, RunningRelay> {
    return this.#relays
  }

  /** Makes everything as it is wanted, as far as that takes no waiting, and tells the actors new observations. */
  async look(wish: StreamWish | undefined): Promise<void> {
    this.wish = wish
    const runs = wish !== undefined && wish.phase !== 'stopping'
    this.#lookAtProgram(runs ? wish : undefined)
    this.#follow(wish)
    await this.#doubtFeed()
    const destinations = runs ? wish.destinations : []
    const wanted = new Set(destinations.map(({ destinationId }) => destinationId))
    for (const [id, relay] of this.#relays) if (!wanted.has(id)) this.#end(id, relay)
    const told = destinations.map((destination) => this.#step(wish?.organizationId ?? 0, destination))
    if (wish) told.push(this.#report(wish))
    // a failure of one destination is nothing to the others
    for (const outcome of await Promise.allSettled(told)) if (outcome.status === 'rejected') throw outcome.reason
  }

  /** Ends all that runs. */
  async close(): Promise<void> {
    await Promise.all([...this.#relays.values()].map((relay) => relay.stop()))
    await this.program.end()
  }

  async #report(wish: StreamWish): Promise<void> {
    const { down, lacks, inputs } = this.#parts
    const sight = {
      down: down(),
      lacks: (wish.burn && lacks('burnIn')) ?? null,
      inputUp: inputs.source(wish.inputId).state === 'up',
      program: this.program.sight,
      relaying: this.#relays.size > 0,
    }
    const report = streamReport(wish, sight, serviceTime())
    if (!report || !this.#isHere) return
    this.#parts.log.info({ streamId: wish.streamId, run: wish.run }, report.type)
    await this.#parts.observe(report)
  }

  /** What another node runs by now is told by that node. */
  get #isHere(): boolean {
    return this.wish !== undefined && this.#parts.share.runs(streamLease(this.wish))
  }

  #lookAtProgram(wish: StreamWish | undefined): void {
    const { engine, inputs, lacks, down } = this.#parts
    const { state } = this.program.sight
    const inputUp = inputs.source(wish?.inputId ?? null).state === 'up'
    // a program that ended with its input is no fault, and comes back with it
    if (!wish?.burn || wish.inputId === null || (state === 'failed' && !inputUp)) {
      this.program.look(undefined, false)
      return
    }
    const spec: ProgramSpec = {
      streamId: this.#streamId,
      run: wish.run,
      readUrl: engine.readUrl(engine.inputPath(wish.inputId)),
      publishUrl: engine.publishUrl(this.#programPath),
      ...wish.burn,
      hidden: wish.overlayHidden,
      ...this.#parts.share.named(streamLease(wish)),
    }
    const mayRetry = state !== 'failed' || wish.phase === 'running'
    this.program.look(spec, inputUp && mayRetry && down() === null && lacks('burnIn') === undefined)
  }

  get #programPath(): string {
    return `program-${this.#streamId}`
  }

  #follow(wish: StreamWish | undefined): void {
    const { engine, inputs } = this.#parts
    const inputId = wish?.inputId ?? null
    const { state, generation } = inputs.source(inputId)
    const burnt = wish?.burn != null
    const path = burnt || inputId === null ? this.#programPath : engine.inputPath(inputId)
    const up = state === 'up' && (!burnt || this.program.sight.state === 'up')
    const key = `${path} ${generation} ${burnt ? this.program.generation : 0}`
    const before = this.#feed
    const cameUp = up && (!before.up || before.key !== key)
    this.#feed = { up, key, path, generation: before.generation + (cameUp ? 1 : 0) }
    if (before.up !== up) for (const relay of this.#relays.values()) relay.pause(!up)
  }

  /** A relay may have lost its source before the engine told so; the far end is not to be blamed for it. */
  async #doubtFeed(): Promise<void> {
    if (!this.#feed.up || ![...this.#relays.values()].some(({ state }) => state === 'failed')) return
    if ((await this.#parts.engine.stats(this.#feed.path)) !== null) return
    this.#feed = { ...this.#feed, up: false }
    for (const relay of this.#relays.values()) relay.pause(true)
    this.#parts.again(this.#streamId, DOUBT_MS)
  }

  async #step(organizationId: number, wish: DestinationWish): Promise<void> {
    const { destinationId, attempt, target } = wish
    const { path } = this.#feed
    const relay = this.#relays.get(destinationId)
    const sight = relay?.sight(path, target)
    const told = { now: serviceTime(), random: Math.random(), organizationId }
    const { act, report } = destinationStep(wish, sight, this.#feed, told)
    if (act === 'start') {
      const { startRelay, engine, share } = this.#parts
      const lease = this.wish && share.named(streamLease(this.wish))
      const spec = { destinationId, attempt, target, path, readUrl: engine.readUrl(path), ...lease }
      const watch = { sourceGeneration: () => this.#feed.generation, changed: () => this.#again() }
      this.#relays.set(destinationId, new RunningRelay(spec, path, startRelay, watch))
    } else if (act === 'stop' && relay) this.#end(destinationId, relay)
    else if (act === 'forget') this.#relays.delete(destinationId)
    else if (act === 'keep' && relay) relay.attempt = attempt
    if (act === 'forget' || act === 'keep') this.#again()
    if (report && this.#isHere) await this.#tell(destinationId, attempt, report)
  }

  #tell(destinationId: number, attempt: number, report: Observation): Promise<void> {
    const { log, observe } = this.#parts
    if (report.type === 'destination.failed') {
      const { error, retryInMs } = report
      log.warn({ destinationId, attempt, error, retryInMs }, report.type)
    } else log.info({ destinationId, attempt }, report.type)
    return observe(report)
  }

  #end(id: number, relay: RunningRelay): void {
    if (relay.state === 'ending') return
    const forget = () => {
      if (this.#relays.get(id) === relay) this.#relays.delete(id)
    }
    if (relay.state === 'failed') forget()
    else
      void relay.stop().then(() => {
        forget()
        this.#again()
      })
  }

  #again(): void {
    this.#parts.again(this.#streamId)
  }
}
