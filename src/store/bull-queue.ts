import {
  type BackendClasses,
  createPostgresBackend,
  createRedisBackend,
  DelayedError,
  type IQueueBackend,
  type Job,
  type PostgresConnectionOptions,
  runMigrations,
  withBackend,
} from 'bullmq'
import pg from 'pg'
import type { Logger } from 'pino'
import { within } from '../waiting/within.ts'
import {
  type Delivery,
  type DeliveryResult,
  QUEUES,
  type QueueConnection,
  type QueueName,
  type Work,
  type WorkQueue,
} from './queue.ts'
import { listeningTogether } from './shared-listener.ts'

const ADD_DEADLINE_MS = 2_000
const CLOSE_DEADLINE_MS = 5_000
const CONNECT_RETRY_MS = 250
/** A connection that gives no answer for this long is given up: its server froze or was unplugged, and will never close it. */
const SILENCE_MS = 5_000
/** After so much quiet the system asks the far end of a connection that only listens. */
const KEEP_ALIVE_MS = 1_000
// whole, since PostgreSQL keeps it in a bigint
const backoffMs = (attempt: number) =>
  Math.round(Math.min(250 * 2 ** (attempt - 1), 5_000) * (0.75 + Math.random() / 2))

/** BullMQ on Redis or on PostgreSQL (schema `bullmq`, migrated here). Never emits an unhandled error. */
export function openBullQueue(connection: QueueConnection, log: Logger, silenceMs = SILENCE_MS): WorkQueue {
  return 'redisUrl' in connection
    ? onRedis(connection.redisUrl, log)
    : onPostgres(connection.databaseUrl, log, silenceMs)
}

function onPostgres(connectionString: string, log: Logger, silenceMs: number): WorkQueue {
  const pool = new pg.Pool({
    connectionString,
    max: 8,
    connectionTimeoutMillis: 2_000,
    keepAlive: true,
    // without it the system asks after two hours, and BullMQ waits for news up to one
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    query_timeout: silenceMs,
    application_name: 'tally queue',
    options: '-c search_path=bullmq',
  })
  // every queue and worker listens to the pool that they share
  pool.setMaxListeners(0)
  const lost = (error: Error) => log.debug({ err: error }, 'a queue connection was lost')
  pool.on('error', lost)
  // the pool hears of idle ones only; one that is lost while it prepares would end the process
  pool.on('connect', (client) => client.on('error', lost))
  const prepare = async () => {
    const client = await pool.connect()
    try {
      await runMigrations(client)
    } finally {
      client.release()
    }
  }
  const shared = asBullPool(listeningTogether(pool))
  const connections = { producer: shared, consumer: shared }
  const store = { prepare, release: () => pool.end() }
  return new BullQueue(withBackend(createPostgresBackend), connections, store, log)
}

// structurally a pool for BullMQ, whose parameter types are readonly where those of pg are not
const asBullPool = (pool: ReturnType<typeof listeningTogether>) => pool as unknown as PostgresConnectionOptions

function onRedis(redisUrl: string, log: Logger): WorkQueue {
  const { hostname, port, username, password, pathname, protocol } = new URL(redisUrl)
  let released = false
  const shared = {
    host: hostname,
    port: Number(port || 6379),
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
    db: Number(pathname.slice(1) || 0),
    ...(protocol === 'rediss:' ? { tls: {} } : {}),
    // BullMQ cuts the connections of a worker one after the other, and waits for the first: the other ends at its next try
    retryStrategy: (attempt: number) => (released ? null : Math.min(50 * attempt, 500)),
  }
  const connections = {
    producer: { ...shared, enableOfflineQueue: false, maxRetriesPerRequest: 1 },
    consumer: { ...shared, maxRetriesPerRequest: null },
  }
  const store = {
    prepare: async () => {},
    release: async () => {
      released = true
    },
  }
  return new BullQueue(withBackend(createRedisBackend), connections, store, log)
}

type Store = { prepare(): Promise<void>; release(): Promise<void> }

class BullQueue<B extends IQueueBackend, C> implements WorkQueue {
  readonly #classes: BackendClasses<B, C>
  readonly #connections: { producer: C; consumer: C }
  readonly #store: Store
  readonly #log: Logger
  readonly ready: Promise<void>
  readonly #queues: Promise<Record<QueueName, Producer>>
  readonly #open = new Set<Part>()
  #closing = false
  #giveUp = () => {}
  #lastComplaintAt = Number.NEGATIVE_INFINITY

  constructor(classes: BackendClasses<B, C>, connections: { producer: C; consumer: C }, store: Store, log: Logger) {
    this.#classes = classes
    this.#connections = connections
    this.#store = store
    this.#log = log
    const reached = this.#untilItWorks(() => store.prepare()).then(async () => ({
      actors: await this.#untilItWorks(() => this.#producer('actors')),
      syncs: await this.#untilItWorks(() => this.#producer('syncs')),
      imports: await this.#untilItWorks(() => this.#producer('imports')),
      jobs: await this.#untilItWorks(() => this.#producer('jobs')),
    }))
    // a connection that is cut between two tries never says that it has ended
    const closed = new Promise<never>((_resolve, reject) => {
      this.#giveUp = () => reject(wasClosed())
    })
    this.#queues = Promise.race([reached, closed])
    this.ready = this.#queues.then(() => {})
    this.ready.catch(() => {})
  }

  async add(work: readonly Work[]) {
    const added = async () => {
      const queues = await this.#queues
      for (const queue of QUEUES) {
        const jobs = work.filter((one) => one.queue === queue)
        if (jobs.length > 0) await queues[queue].addBulk(jobs.map(bullJob))
      }
    }
    await within(ADD_DEADLINE_MS, added(), noAnswer)
  }

  async lacks(queue: QueueName, ids: readonly string[]) {
    const asked = this.#queues.then((queues) => Promise.all(ids.map((id) => queues[queue].getJob(id))))
    const found = await within(ADD_DEADLINE_MS, asked, noAnswer)
    return ids.filter((_, index) => !found[index])
  }

  deliver(queue: QueueName, concurrency: number, run: (delivery: Delivery) => Promise<DeliveryResult>) {
    this.#queues
      .then(() => this.#untilItWorks(() => this.#consumer(queue, concurrency, run)))
      .catch((error) => {
        if (!this.#closing) this.#log.error({ err: error, queue }, 'a queue is not worked')
      })
  }

  async close() {
    this.#closing = true
    this.#giveUp()
    const closed = Promise.allSettled([...this.#open].map((part) => part.close().finally(() => cut(part))))
    await within(CLOSE_DEADLINE_MS, closed, noAnswer).catch(() => this.#log.warn('jobs were still running at the end'))
    for (const part of this.#open) cut(part)
    await this.#store.release().catch(() => {})
  }

  async #producer(name: QueueName): Promise<Producer> {
    const queue = new this.#classes.Queue<unknown, void, string>(name, {
      connection: this.#connections.producer,
      streams: { events: { maxLen: 100 } },
      defaultJobOptions: { backoff: { type: 'capped' }, removeOnComplete: true, removeOnFail: true },
    })
    await this.#keep(queue)
    return queue
  }

  async #consumer(name: QueueName, concurrency: number, run: (delivery: Delivery) => Promise<DeliveryResult>) {
    const worker = new this.#classes.Worker<unknown, void, string>(
      name,
      async (job, token) => {
        const outcome = await run(delivery(job))
        if (!outcome) return
        await job.moveToDelayed(Date.now() + outcome.againInMs, token)
        throw new DelayedError()
      },
      {
        connection: this.#connections.consumer,
        concurrency,
        lockDuration: 5_000,
        stalledInterval: 2_000,
        maxStalledCount: 100,
        runRetryDelay: 250,
        settings: { backoffStrategy: backoffMs },
      },
    )
    worker.on('failed', (job, error) => this.#log.warn({ err: error, job: job?.name, id: job?.id }, 'a job failed'))
    await this.#keep(worker)
  }

  /** Listens for errors and waits until it is usable; one that does not become usable is closed, to be made anew. */
  async #keep(part: Part) {
    part.on('error', (error) => this.#complain(error))
    this.#open.add(part)
    try {
      await part.waitUntilReady()
    } catch (error) {
      this.#open.delete(part)
      await part.close().catch(() => {})
      throw error
    }
  }

  async #untilItWorks<T>(attempt: () => Promise<T>): Promise<T> {
    for (;;) {
      if (this.#closing) throw wasClosed()
      try {
        return await attempt()
      } catch (error) {
        this.#complain(error)
        await new Promise((resolve) => setTimeout(resolve, CONNECT_RETRY_MS))
      }
    }
  }

  // every worker repeats it several times a second while the store is away
  #complain(error: unknown) {
    if (this.#closing || performance.now() - this.#lastComplaintAt < 5_000) return
    this.#lastComplaintAt = performance.now()
    this.#log.warn({ err: error }, 'the queue is out of reach')
  }
}

type Part = {
  on(event: 'error', listener: (error: Error) => void): unknown
  waitUntilReady(): Promise<unknown>
  close(): Promise<void>
  disconnect(): Promise<void>
}
type Producer = {
  addBulk(jobs: ReturnType<typeof bullJob>[]): Promise<unknown>
  getJob(id: string): Promise<unknown>
}

const wasClosed = () => new Error('the queue was closed')
const noAnswer = () => new Error('no answer from the queue in time')

/** For a close that found Redis away, and left connections trying for ever. Not waited for: one cut between two tries never says so. */
const cut = (part: Part) => void part.disconnect().catch(() => {})

const bullJob = ({ id, name, data, delayMs, attempts }: Work) => ({
  name,
  data,
  opts: { jobId: id, delay: Math.max(0, Math.round(delayMs)), attempts },
})

const delivery = (job: Job<unknown, void, string>): Delivery => ({
  id: job.id ?? '',
  name: job.name,
  data: job.data,
  last: job.attemptsMade + 1 >= (job.opts.attempts ?? 1),
})
