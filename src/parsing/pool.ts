import { Worker } from 'node:worker_threads'
import { unavailable } from '../errors.ts'
import { Unreadable, unreadable } from './problem.ts'
import type { Answer, Message } from './thread.ts'
import type { Made, ParsingJob } from './work.ts'

/**
 * Reads what clients send as files, holds what they push against their schemas and tries their expressions, away from the loop
 * that serves everybody.
 */
export type Parsing = {
  /**
   * Does one job; those of one owner one after the other, in order, and one of each owner before a second of any. Trials of
   * expressions leave threads to reads, whose result may be on air. Throws Unreadable with the faults of the file or value,
   * also when the job takes too long or too much memory, and unavailable when too many wait or it waited too long.
   */
  run<J extends ParsingJob>(owner: number, job: J): Promise<Made<J>>
  /** Starts a thread before there is work, so that the first job need not wait for its libraries; another follows one that ended. */
  warm(): void
  /** Ends the threads; jobs under way are unavailable. */
  close(): Promise<void>
}

export type ParsingOptions = {
  threads?: number
  jobMs?: number
  /** How long expressions are tried. */
  trialMs?: number
  memoryMb?: number
  maxWaiting?: number
  /** Of one owner. */
  maxWaitingOfOne?: number
  /** How long a job waits for a thread. Its sender was told to try again soon after, so it must not be done any more. */
  waitMs?: number
  log: { error(fields: object, message: string): void }
}

/** Jobs of one owner that wait, in order. */
type Queue = { isTrial: boolean; tasks: Task[] }
type Task = { since: number; job: ParsingJob; resolve(made: unknown): void; reject(error: unknown): void }

// a test runs the sources, but a thread needs the built file
const MODULE = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/src/parsing/thread.js' : './thread.js',
  import.meta.url,
)

/** A few threads, started when they are first needed. */
export function createParsing({
  threads = 3,
  jobMs = 1_500,
  trialMs = 1_000,
  memoryMb = 160,
  maxWaiting = 500,
  maxWaitingOfOne = 100,
  waitMs = 1_500,
  log,
}: ParsingOptions): Parsing {
  // the owner that was served last stands last
  const queues = new Map<string, Queue>()
  const busy = new Set<string>()
  const idle: Thread[] = []
  const all = new Set<Thread>()
  const trialThreads = Math.max(1, threads - 2)
  let waiting = 0
  let trials = 0
  let closed = false
  let warmed = false

  const giveUp = () => {
    const late = performance.now() - waitMs
    for (const [key, { tasks }] of queues) {
      while (tasks[0] && tasks[0].since < late) {
        waiting--
        tasks.shift()?.reject(unavailable())
      }
      if (tasks.length === 0 && !busy.has(key)) queues.delete(key)
    }
  }

  const mayStart = (key: string, { isTrial, tasks }: Queue) =>
    tasks.length > 0 && !busy.has(key) && !(isTrial && trials >= trialThreads)

  const next = () => {
    giveUp()
    while (!closed && (idle.length > 0 || all.size < threads)) {
      const [key, queue] = [...queues].find((entry) => mayStart(...entry)) ?? []
      const task = queue?.tasks.shift()
      if (key === undefined || !queue || !task) return
      waiting--
      queues.delete(key)
      queues.set(key, queue)
      start(key, queue, task)
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

  const start = (key: string, queue: Queue, task: Task) => {
    const thread = living() ?? new Thread(memoryMb)
    all.add(thread)
    busy.add(key)
    if (queue.isTrial) trials++
    thread.run(task.job, queue.isTrial ? trialMs : jobMs).then(
      (answer) => {
        if ('made' in answer) task.resolve(answer.made)
        else if ('problems' in answer) task.reject(new Unreadable(answer.problems))
        else {
          log.error({ kind: task.job.kind, failed: answer.failed }, 'a job of a parsing thread failed')
          task.reject(new Error('a job of a parsing thread failed'))
        }
        if (thread.full) void retire(thread)
        else idle.push(thread)
        finished(key, queue)
      },
      (error: unknown) => {
        void retire(thread)
        task.reject(error)
        finished(key, queue)
      },
    )
  }

  const finished = (key: string, { isTrial, tasks }: Queue) => {
    busy.delete(key)
    if (isTrial) trials--
    if (tasks.length === 0) queues.delete(key)
    next()
  }

  return {
    run: <J extends ParsingJob>(owner: number, job: J) =>
      new Promise<Made<J>>((resolve, reject) => {
        const isTrial = job.kind === 'evaluate'
        const key = `${isTrial ? 'trials' : 'files'} of ${owner}`
        const queue = queues.get(key) ?? { isTrial, tasks: [] }
        if (closed || waiting >= maxWaiting || queue.tasks.length >= maxWaitingOfOne) return reject(unavailable())
        queues.set(key, queue)
        queue.tasks.push({ since: performance.now(), job, resolve: (made) => resolve(asMade<J>(made)), reject })
        waiting++
        next()
      }),
    warm() {
      warmed = true
      warm()
    },
    async close() {
      closed = true
      for (const { tasks } of queues.values()) for (const { reject } of tasks.splice(0)) reject(unavailable())
      await Promise.all([...all].map((thread) => thread.end()))
    },
  }
}

/** A thread answers a job with the result of that kind of job. */
const asMade = <J extends ParsingJob>(made: unknown) => made as Made<J>

const exhausted = (job: ParsingJob, what: string): Unreadable =>
  unreadable(
    job.kind === 'sample' ? job.at : job.kind === 'schema' ? 'schema' : '',
    `takes ${what} to ${job.kind === 'evaluate' ? 'evaluate' : 'read'}`,
  )

type Pending = { job: ParsingJob; resolve(answer: Answer): void; reject(error: unknown): void }

/** One worker thread, one job at a time. It is of no more use once a job was rejected: for its time, its memory, or an exit. */
class Thread {
  readonly #worker: Worker
  readonly #ready: Promise<unknown>
  #pending: Pending | undefined
  /** The thread has ended, on its own or by `end`. */
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
  async run(job: ParsingJob, jobMs: number): Promise<Answer> {
    this.#worker.ref()
    let timer: NodeJS.Timeout | undefined
    try {
      return await new Promise<Answer>((resolve, reject) => {
        this.#pending = { job, resolve, reject }
        void this.#ready.then(() => {
          timer = setTimeout(() => {
            reject(exhausted(job, `more than ${jobMs / 1000} s`))
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

function asRefusal(error: unknown, job: ParsingJob): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ERR_WORKER_OUT_OF_MEMORY' ? exhausted(job, 'too much memory') : error
}
