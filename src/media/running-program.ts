import { backoffMs } from './backoff.ts'
import { isSameEncoding, type Programming } from './plan-stream.ts'
import type { Program, ProgramEvent, ProgramSpec, StartProgram } from './ports.ts'
import type { MediaLog } from './process.ts'

type Parts = {
  start: StartProgram
  /** Look at its stream again, now or after this time. */
  again(afterMs?: number): void
  log: MediaLog
}

type Running = {
  spec: ProgramSpec
  handle: Program
  state: 'opening' | 'up' | 'failed' | 'ending'
  error: string | null
}

/** A program that ran this long starts its waits anew when it fails. */
const STEADY_MS = 30_000

/** The program of a stream over all its encoders: started, started again with backoff, changed while it runs, ended. */
export class RunningProgram {
  readonly #parts: Parts
  #running: Running | undefined
  #failures = 0
  #upAt = 0
  #retryAt = 0
  #graphics: string | null = null
  /** Rises each time that its picture comes up. */
  generation = 0

  constructor(parts: Parts) {
    this.#parts = parts
  }

  get sight(): Programming {
    const { state = 'none', error = null } = this.#running ?? {}
    return { state, error: error ?? this.#graphics }
  }

  get handle(): Program | undefined {
    return this.#running?.handle
  }

  /** Makes it as it is wanted: `spec` undefined to have none, `canStart` false to start none now. Takes no waiting. */
  look(spec: ProgramSpec | undefined, canStart: boolean): void {
    const running = this.#running
    if (running?.state === 'ending') return
    if (running && running.state !== 'failed') {
      if (!spec || !isSameEncoding(running.spec, spec)) return void this.end()
      if (running.spec.hidden !== spec.hidden) running.handle.setHidden(spec.hidden)
      if (running.spec.pageUrl !== spec.pageUrl) running.handle.setPage(spec.pageUrl)
      running.spec = spec
    } else if (!spec) {
      this.#running = undefined
      this.#retryAt = 0
    } else if (canStart && performance.now() >= this.#retryAt) this.#start(spec)
  }

  /** Resolves when its processes have ended. */
  async end(): Promise<void> {
    const running = this.#running
    if (running?.state === 'failed') this.#running = undefined
    if (!running || running.state === 'failed') return
    running.state = 'ending'
    await running.handle.stop()
    if (this.#running === running) this.#running = undefined
    this.#parts.again()
  }

  #start(spec: ProgramSpec): void {
    const { start, log } = this.#parts
    const { streamId, run } = spec
    log.info({ streamId, run }, 'program starts')
    this.#graphics = null
    const handle = start(spec, (event) => this.#hear(handle, event))
    // the last error is told until the program is up
    this.#running = { spec, handle, state: 'opening', error: this.#running?.error ?? null }
  }

  #hear(handle: Program, event: ProgramEvent): void {
    const running = this.#running
    if (running?.handle !== handle || running.state === 'ending') return
    const { again, log } = this.#parts
    const { streamId } = running.spec
    if (event.type === 'up') {
      this.generation += 1
      this.#upAt = performance.now()
      this.#running = { ...running, state: 'up', error: null }
      log.info({ streamId }, 'program is up')
    } else if (event.type === 'failed') {
      const { error } = event
      const steady = running.state === 'up' && performance.now() - this.#upAt > STEADY_MS
      this.#failures = steady ? 1 : this.#failures + 1
      const retryInMs = backoffMs(this.#failures, Math.random())
      // timers count whole milliseconds
      this.#retryAt = Math.floor(performance.now()) + retryInMs
      this.#running = { ...running, state: 'failed', error }
      log.warn({ streamId, error, retryInMs }, 'program failed')
      // the old program must be gone before the next one publishes
      void handle.stop().then(() => again())
      again(retryInMs)
    } else {
      this.#graphics = event.error
      if (event.error !== null) log.warn({ streamId, error: event.error }, 'graphics of the program failed')
    }
    again()
  }
}
