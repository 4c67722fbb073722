import { Worker } from 'node:worker_threads'
import { unavailable } from '../errors.ts'
import { Unreadable, unreadable } from './problem.ts'
import type { Answer, Message } from './thread.ts'
import type { Job, Made } from './work.ts'

/** Reads what clients send as files, and holds what they push against their schemas, away from the loop that serves everybody. */
export type Parsing = {
  /**
   * Does one job; those of one owner one after the other, in order. Throws Unreadable with what is wrong with what was sent,
   * also when it takes too long or too much memory, and unavailable when too much waits or it waited too long.
   */
  run<J extends Job>(owner: number, job: J): Promise<Made<J>>
  /** Starts a thread before there is work, so that the first job need not wait for its libraries; another follows one that ended. */
  warm(): void
  /** Ends the threads; what is under way is unavailable. */
  close(): Promise<void>
}

export type ParsingOptions = {
  threads?: number
  jobMs?: number
  memoryMb?: number
  maxWaiting?: number
  /** How long a job waits for its turn. Its sender was told to try again soon after, so it must not be done any more. */
  waitMs?: number
  log: { error(fields: object, message: string): void }
}

type Task = { since: number; owner: number; job: Job; resolve(made: unknown): void; reject(error: unknown): void }

// a test runs the sources, but a thread needs what was built
const MODULE = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/src/parsing/thread.js' : './thread.js',
  import.meta.url,
)

/** A few threads, started when they are first needed. */
export function createParsing({
  threads = 2,
  jobMs = 1_500,
  memoryMb = 160,
  maxWaiting = 500,
  waitMs = 1_500,
  log,
}: ParsingOptions): Parsing {
  const waiting: Task[] = []
  const busy = new Set<number>()
  const idle: Thread[] = []
  const all = new Set<Thread>()
  let closed = false
  let warmed = false

  const giveUp = () => {
    const late = performance.now() - waitMs
    while (waiting[0] && waiting[0].since < late) waiting.shift()?.reject(unavailable())
  }

  const next = () => {
    giveUp()
    while (!closed) {
      const index = waiting.findIndex(({ owner }) => !busy.has(owner))
      if (index < 0 || (idle.length === 0 && all.size >= threads)) return
      const [task] = waiting.splice(index, 1)
      if (task) start(task)
    }
  }

  /** A thread that waits for work; one that ended by itself is forgotten. */
  const living = (): Thread | undefined => {
    for (let thread = idle.pop(); thread; thread = idle.pop()) {
      if (!thread.dead) return thread
      all.delete(thread)
    }
    return undefined
  }

  const retire = async (thread: Thread) => {
    all.delete(thread)
    if (warmed) warm()
    await thread.end()
  }

  const warm = () => {
    if (closed || all.size > 0) return
    const thread = new Thread(memoryMb)
    all.add(thread)
    idle.push(thread)
  }

  const start = (task: Task) => {
    const thread = living() ?? new Thread(memoryMb)
    all.add(thread)
    busy.add(task.owner)
    thread.run(task.job, jobMs).then(
      (answer) => {
        if ('made' in answer) task.resolve(answer.made)
        else if ('problems' in answer) task.reject(new Unreadable(answer.problems))
        else {
          log.error({ kind: task.job.kind, failed: answer.failed }, 'a job of a parsing thread failed')
          task.reject(new Error('a job of a parsing thread failed'))
        }
        if (thread.full) void retire(thread)
        else idle.push(thread)
        finished(task)
      },
      (error: unknown) => {
        void retire(thread)
        task.reject(error)
        finished(task)
      },
    )
  }

  const finished = ({ owner }: Task) => {
    busy.delete(owner)
    next()
  }

  return {
    run: <J extends Job>(owner: number, job: J) =>
      new Promise<Made<J>>((resolve, reject) => {
        if (closed || waiting.length >= maxWaiting) return reject(unavailable())
        waiting.push({ since: performance.now(), owner, job, resolve: (made) => resolve(asMade<J>(made)), reject })
        next()
      }),
    warm() {
      warmed = true
      warm()
    },
    async close() {
      closed = true
      for (const { reject } of waiting.splice(0)) reject(unavailable())
      await Promise.all([...all].map((thread) => thread.end()))
    },
  }
}

/** A thread answers a job with what that kind of job makes. */
const asMade = <J extends Job>(made: unknown) => made as Made<J>

const exhausted = (job: Job, message: string): Unreadable =>
  unreadable(job.kind === 'sample' ? job.at : job.kind === 'schema' ? 'schema' : '', message)

type Pending = { job: Job; resolve(answer: Answer): void; reject(error: unknown): void }

/** One worker thread, one job at a time. It is of no more use once a job was rejected: for its time, its memory, or an exit. */
class Thread {
  readonly #worker: Worker
  readonly #ready: Promise<unknown>
  #pending: Pending | undefined
  /** It has ended, on its own or by `end`. */
  dead = false
  /** Its memory is better given back than used for another job. */
  full = false

  constructor(memoryMb: number) {
    const worker = new Worker(MODULE, {
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
      env: {},
    })
    this.#worker = worker
    this.#ready = new Promise((resolve) => worker.once('message', resolve))
    worker.on('message', (message: Message | 'ready') => {
      if (message === 'ready') return
      this.full = message.full
      this.#pending?.resolve(message.answer)
    })
    worker.on('error', (error) => this.#pending?.reject(asRefusal(error, this.#pending.job)))
    worker.on('exit', () => {
      this.dead = true
      this.#pending?.reject(unavailable())
    })
    // it outlives its jobs, but must not keep the process
    worker.unref()
  }

  /** The clock runs from when the thread has loaded its libraries. */
  async run(job: Job, jobMs: number): Promise<Answer> {
    this.#worker.ref()
    let timer: NodeJS.Timeout | undefined
    try {
      return await new Promise<Answer>((resolve, reject) => {
        this.#pending = { job, resolve, reject }
        void this.#ready.then(() => {
          timer = setTimeout(() => {
            reject(exhausted(job, `takes more than ${jobMs / 1000} s to read`))
            void this.end()
          }, jobMs)
          this.#worker.postMessage(job)
        })
      })
    } finally {
      clearTimeout(timer)
      this.#pending = undefined
      this.#worker.unref()
    }
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }
}

function asRefusal(error: unknown, job: Job): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ERR_WORKER_OUT_OF_MEMORY' ? exhausted(job, 'takes too much memory to read') : error
}
