import type { ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, realpathSync, statSync, truncateSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { isConnectionError } from '../postgres.ts'
import { releaseBallast } from './ballast.ts'
import { findBinaries, runAs } from './binaries.ts'
import { ENVIRONMENT, initializeDataDir, USER, writePrivate } from './initdb.ts'
import { isAlive, readPostmaster } from './postmaster.ts'

/** With its pools at their fullest. */
export const CONNECTIONS_OF_NODE = 40
const MAX_LOG_BYTES = 10_000_000

// latency of the group commit first, never less durable: fsync, synchronous_commit and full_page_writes keep their default, on
const settings: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '128MB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  // the server clears all of it when it starts; a group commit writes far less
  wal_buffers: '4MB',
  max_wal_size: '256MB',
  // none of its files is given back, so none has to be made while a commit waits
  min_wal_size: '256MB',
  io_method: 'sync',
  // nothing is replicated, and a query that takes the second core is in the way of a show
  max_worker_processes: '0',
  max_logical_replication_workers: '0',
  max_replication_slots: '0',
  autovacuum_worker_slots: '3',
  // what only serializable transactions use
  max_pred_locks_per_transaction: '10',
  jit: 'off',
  timezone: 'UTC',
  autovacuum_naptime: '10s',
  autovacuum_vacuum_cost_delay: '0',
  log_checkpoints: 'off',
  log_line_prefix: '%m [%p] ',
}

/** One PostgreSQL cluster on disk: made, started, found running, stopped. Several processes may do so at once. */
export class PostgresServer {
  readonly #dataDir: string
  readonly #dir: string
  readonly #binaries = findBinaries()
  readonly #as
  #password = ''

  readonly #nodes: number

  constructor(dataDir: string, nodes = 1) {
    this.#nodes = nodes
    mkdirSync(dataDir, { recursive: true })
    this.#dataDir = realpathSync(dataDir)
    this.#dir = join(this.#dataDir, 'postgres')
    const { initdb, postgres, share } = this.#binaries
    this.#as = runAs([initdb, postgres, share, this.#dataDir])
  }

  /** Of the cluster. */
  get dir(): string {
    return this.#dir
  }

  /** Of the running postmaster. */
  pid(): number | undefined {
    return readPostmaster(this.#dir)?.pid
  }

  url(database: string): string {
    return `postgres://${USER}:${this.#password}@127.0.0.1:${this.#port()}/${database}`
  }

  /** Makes the cluster when there is none. */
  async initialize(): Promise<void> {
    this.#password = await initializeDataDir(this.#dir, this.#binaries.initdb, this.#as)
  }

  /**
   * Waits until PostgreSQL answers; starts it when nothing runs, as often as needed. Resolves true when it ran already.
   * Throws the last lines of its log after the deadline, or when `cancelled`. `mayMove`: a taken port may be changed for another.
   */
  async start(options: { deadlineMs: number; mayMove: boolean; cancelled?: () => boolean }): Promise<boolean> {
    const until = performance.now() + options.deadlineMs
    let started: number | undefined
    let exited = true
    let attempt = 0
    for (;;) {
      const running = readPostmaster(this.#dir)
      if (running?.status === 'ready' && (await this.#answers(running.port))) {
        this.#remember(running.port)
        return running.pid !== started
      }
      if (options.cancelled?.() || performance.now() > until)
        throw new Error(`The embedded PostgreSQL does not start: ${this.#lastLog()}`)
      if (!running && exited) {
        if (attempt > 0) {
          const full = !releaseBallast(this.#dataDir) && /No space left/.test(this.#lastLog())
          if (full && options.mayMove && attempt > 3)
            throw new Error(`DATA_DIR: the disk under ${this.#dataDir} is full`)
          if (options.mayMove && /could not bind|could not create any TCP/.test(this.#lastLog()))
            await this.#choosePort()
          // the children of a killed postmaster need a moment to go
          await delay(Math.min(50 * 2 ** attempt, 1_000))
        } else if (!existsSync(this.#portFile())) await this.#choosePort()
        attempt++
        exited = false
        const child = this.#spawn()
        started = child.pid
        const gone = () => {
          exited = true
        }
        child.once('exit', gone)
        child.once('error', gone)
      }
      await delay(10)
    }
  }

  /** Stops with SIGINT (fast shutdown), then harder. */
  async stop(): Promise<void> {
    const pid = this.pid()
    if (pid === undefined) return
    for (const [signal, patienceMs] of [
      ['SIGINT', 6_000],
      ['SIGQUIT', 2_000],
      ['SIGKILL', 1_000],
    ] as const) {
      if (!isAlive(pid)) return
      process.kill(pid, signal)
      const until = performance.now() + patienceMs
      while (isAlive(pid) && performance.now() < until) await delay(5)
    }
  }

  /** A short connection to the maintenance database. */
  async use<T>(run: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client({ connectionString: this.url('postgres'), connectionTimeoutMillis: 2_000 })
    client.on('error', () => {})
    await client.connect()
    try {
      return await run(client)
    } finally {
      await client.end().catch(() => {})
    }
  }

  async #answers(port: number): Promise<boolean> {
    this.#remember(port)
    try {
      await this.use((client) => client.query('select 1'))
      return true
    } catch (error) {
      if (isConnectionError(error)) return false
      throw error
    }
  }

  #spawn(): ChildProcess {
    const logFile = `${this.#dir}.log`
    if ((statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES) truncateSync(logFile)
    const output = openSync(logFile, 'a', 0o600)
    const parameters = Object.entries({
      ...settings,
      max_connections: String(Math.max(100, CONNECTIONS_OF_NODE * this.#nodes + 40)),
    }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    try {
      const child = this.#as.spawn(
        this.#binaries.postgres,
        ['-D', this.#dir, '-p', String(this.#port()), ...parameters],
        // its own session: Ctrl-C shall stop us, and we stop PostgreSQL when accepted commands are finished
        { stdio: ['ignore', output, output], detached: true, cwd: '/', env: ENVIRONMENT },
      )
      child.unref()
      return child
    } finally {
      closeSync(output)
    }
  }

  #portFile() {
    return join(this.#dir, 'tally.port')
  }

  #port(): number {
    return Number(readFileSync(this.#portFile(), 'utf8'))
  }

  #remember(port: number): void {
    if (!existsSync(this.#portFile()) || this.#port() !== port) writePrivate(this.#portFile(), String(port), this.#as)
  }

  /** Below the range from which systems take ports for outgoing connections, so that it is still free at the next start. */
  async #choosePort(): Promise<void> {
    for (;;) {
      const port = randomInt(20_000, 32_000)
      if (await isFree(port)) return this.#remember(port)
    }
  }

  #lastLog(): string {
    try {
      return readFileSync(`${this.#dir}.log`, 'utf8').trim().split('\n').slice(-4).join(' | ')
    } catch {
      return 'it wrote no log'
    }
  }
}

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
