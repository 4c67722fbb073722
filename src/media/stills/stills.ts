import { fileURLToPath } from 'node:url'
import type { Child, MediaLog, Processes } from '../process.ts'
import type { FromStills, StillTools, ToStills } from './messages.ts'
import { StillQueue, type Wanted } from './queue.ts'

// a test runs the sources, but a process needs the built file
const MODULE = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/src/media/stills/child.js' : './child.js',
  import.meta.url,
)

const MOST_OF_ONE = 500
const IDLE_MS = 60_000
/** Between two pictures while this node burns graphics into streams. */
const REST_MS = 1_000
const STARTS_WITHIN_MS = 20_000
const MADE_WITHIN_MS = 10_000
/** A graphic that could not be drawn is not drawn again so soon, whoever asks: it may have held up those of others. */
const BROKEN_FOR_MS = 60_000
const MOST_BROKEN = 1_000
/** A browser that does not come is not started anew for each picture. */
const AGAIN_AFTER_MS = 10_000

export type StillParts = {
  processes: Processes
  tools(): Promise<StillTools>
  /** Whether programs with graphics run here, which go first. */
  isBusy(): boolean
  log: MediaLog
}

export type Stills = {
  /** The PNG of a graphic, 480 by 270. Rejects with QueueFull, and with a line for people. */
  make(wanted: Wanted): Promise<Buffer>
  close(): Promise<void>
}

type Made = Extract<FromStills, { type: 'made' | 'failed' }>

/** Makes pictures of graphics, one after the other, in a browser that is there while some are wanted. */
export function createStills({ processes, tools, isBusy, log }: StillParts): Stills {
  const queue = new StillQueue(MOST_OF_ONE)
  let worker: Worker | undefined
  let isMaking = false
  let isClosed = false
  let idle: NodeJS.Timeout | undefined
  let failedAt = Number.NEGATIVE_INFINITY
  const broken = new Broken()

  const begin = async (): Promise<Worker> => {
    if (worker?.isThere) return worker
    if (performance.now() - failedAt < AGAIN_AFTER_MS) throw new Error('The browser for stills does not start')
    try {
      worker = new Worker(processes)
      await worker.start(await tools())
      return worker
    } catch (error) {
      failedAt = performance.now()
      log.warn({ error: String(error) }, 'the browser for stills does not start')
      await worker?.stop()
      throw error
    }
  }

  const makeAll = async () => {
    isMaking = true
    clearTimeout(idle)
    for (let one = queue.next(); one && !isClosed; one = queue.next()) {
      try {
        const browser = await begin()
        one.resolve(await browser.make(one.payload).catch((error: Error) => broken.note(one.key, error)))
      } catch (error) {
        one.reject(error instanceof Error ? error : new Error(String(error)))
      }
      if (isBusy()) await new Promise((resolve) => setTimeout(resolve, REST_MS))
    }
    isMaking = false
    idle = setTimeout(() => void worker?.stop(), IDLE_MS).unref()
  }

  return {
    make(wanted) {
      if (isClosed) return Promise.reject(new Error('The server is stopping'))
      const reason = broken.reasonOf(wanted.key)
      if (reason !== undefined) return Promise.reject(new Error(reason))
      const picture = queue.add(wanted)
      if (!isMaking) void makeAll()
      return picture
    },
    async close() {
      isClosed = true
      clearTimeout(idle)
      queue.refuse('The server is stopping')
      await worker?.stop()
    },
  }
}

/** Why graphics could not be drawn, by the key of their picture. */
class Broken {
  readonly #byKey = new Map<string, { reason: string; at: number }>()

  /** Undefined: it could, or it is time to try again. */
  reasonOf(key: string): string | undefined {
    const known = this.#byKey.get(key)
    if (known && performance.now() - known.at < BROKEN_FOR_MS) return known.reason
    this.#byKey.delete(key)
    return undefined
  }

  note(key: string, error: Error): never {
    this.#byKey.set(key, { reason: error.message, at: performance.now() })
    const [oldest] = this.#byKey.size > MOST_BROKEN ? this.#byKey.keys() : []
    if (oldest !== undefined) this.#byKey.delete(oldest)
    throw error
  }
}

/** The process with the browser, from its start to its end. */
class Worker {
  readonly #child: Child
  #made: (answer: Made) => void = () => {}
  #ready: () => void = () => {}
  #failed: (error: Error) => void = () => {}
  #ids = 0
  isThere = false

  constructor(processes: Processes) {
    this.#child = processes.start({
      kind: 'stills',
      of: 'node',
      command: process.execPath,
      args: [fileURLToPath(MODULE)],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    this.#child.process.on('message', (message: FromStills) => {
      if (message.type === 'ready') this.#ready()
      else if (message.type === 'ended') this.#end(message.reason)
      else this.#made(message)
    })
    void this.#child.ended.then(({ error }) => this.#end(error))
  }

  start(tools: StillTools): Promise<void> {
    return this.#within(STARTS_WITHIN_MS, (resolve) => {
      this.#ready = () => {
        this.isThere = true
        resolve()
      }
      this.#send({ type: 'start', tools })
    })
  }

  /** One that is not made takes its browser with it: a graphic may keep it busy for ever, and with it all that come after. */
  make(payload: string): Promise<Buffer> {
    const id = ++this.#ids
    return this.#within(MADE_WITHIN_MS, (resolve, reject) => {
      this.#made = (answer) => {
        if (answer.id !== id) return
        if (answer.type === 'made') resolve(Buffer.from(answer.png, 'base64'))
        else {
          reject(new Error(answer.reason))
          void this.stop()
        }
      }
      this.#send({ type: 'make', id, payload })
    })
  }

  async stop(): Promise<void> {
    this.isThere = false
    await this.#child.stop()
  }

  #within<T>(ms: number, run: (resolve: (value: T) => void, reject: (error: Error) => void) => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const late = setTimeout(() => {
        this.isThere = false
        void this.#child.kill()
        reject(new Error('The browser for stills does not answer'))
      }, ms)
      const settle =
        <V>(then: (value: V) => void) =>
        (value: V) => {
          clearTimeout(late)
          then(value)
        }
      this.#failed = settle(reject)
      run(settle(resolve), settle(reject))
    })
  }

  #end(reason: string): void {
    this.isThere = false
    this.#failed(new Error(reason))
  }

  #send(message: ToStills): void {
    if (this.#child.process.connected) this.#child.process.send(message, () => {})
  }
}
