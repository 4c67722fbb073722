import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { isConnectionError } from '../postgres.ts'
import { openSession, type Session } from '../session.ts'
import { keepBallast } from './ballast.ts'
import { PostgresServer } from './postgres-server.ts'
import { keepWalAhead } from './wal-ahead.ts'

export type EmbeddedPostgres = {
  /** With user and password, for the database `tally`. */
  readonly url: string
  /** Of another database of the same server. */
  urlOf(database: string): string
  /** Whether it ran already when this process came. */
  readonly adopted: boolean
  /** Of the postmaster that runs now. */
  pid(): number | undefined
  /** Leaves; stops PostgreSQL when nobody else is connected. Resolves whether it was stopped. */
  leave(): Promise<boolean>
}

const DATABASE = 'tally'
const START_DEADLINE_MS = 30_000
const REVIVE_AGAIN_MS = 250
/** Every process that uses the server holds the lock shared; one that gets it alone may stop the server. */
const USERS_LOCK = 7_225_002
/** How long our own closed connections may take to disappear. */
const GONE_MS = 1_000
/** A server that is asked whether somebody is connected and says nothing for this long is left as it is. */
const SILENT_MS = 2_000

/**
 * Makes the server under `dataDir` when there is none, then starts it, or adopts the one that a killed process or a running
 * one left there; starts it again whenever it dies, until `leave`.
 */
export async function startEmbedded(
  dataDir: string,
  log: Logger,
  { nodes = 1 }: { nodes?: number } = {},
): Promise<EmbeddedPostgres> {
  const server = new PostgresServer(dataDir, nodes)
  await server.initialize()
  const until = performance.now() + START_DEADLINE_MS
  let leaving = false
  let reviving = false
  let kept = false

  const revive = async () => {
    if (leaving || reviving) return
    reviving = true
    log.warn('PostgreSQL was lost, looking after it')
    // until the keeper is back: before that nobody would be told that it died again
    while (!leaving && !kept) {
      try {
        const ran = await server.start({ deadlineMs: START_DEADLINE_MS, mayMove: false, cancelled: () => leaving })
        log.warn({ pid: server.pid() }, ran ? 'PostgreSQL runs' : 'PostgreSQL was started again')
      } catch (error) {
        if (!leaving) log.error({ err: error }, 'PostgreSQL does not start')
      }
      // without files to open it fails at once, and would take every turn of the loop
      await delay(REVIVE_AGAIN_MS)
    }
    reviving = false
  }

  const keep = (): Promise<Session> =>
    openSession({
      url: server.url('postgres'),
      applicationName: 'tally:keeper',
      log,
      setUp: async (client) => {
        await client.query(`select pg_advisory_lock_shared(${USERS_LOCK})`)
      },
      onUp: () => {
        kept = true
      },
      onDown: () => {
        kept = false
        void revive()
      },
    })

  for (;;) {
    const adopted = await server.start({ deadlineMs: START_DEADLINE_MS, mayMove: true })
    try {
      await createDatabase(server)
      const keeper = await keep()
      const ballast = keepBallast(dataDir).catch(() => {})
      const walAhead = keepWalAhead(server.dir)
      return {
        url: server.url(DATABASE),
        urlOf: (database) => server.url(database),
        adopted,
        pid: () => server.pid(),
        async leave() {
          leaving = true
          await ballast
          await walAhead.stop()
          const [alone] = await Promise.all([isAlone(server), keeper.close()])
          if (alone) await server.stop()
          return alone
        },
      }
    } catch (error) {
      // the process that left last stopped the server between our start and our lock
      if (!isConnectionError(error) || performance.now() > until) throw error
    }
  }
}

async function createDatabase(server: PostgresServer): Promise<void> {
  await server.use(async (client) => {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE])
    if (rowCount) return
    try {
      await client.query(`create database ${DATABASE}`)
    } catch (error) {
      // made by another process in the meantime
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (code !== '42P04' && code !== '23505') throw error
    }
  })
}

const ALONE = {
  text: `select pg_try_advisory_lock(${USERS_LOCK}) and not exists (
    select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()) as alone`,
  query_timeout: SILENT_MS,
}

/** Whether nobody else uses the server. The lock is held until the connection ends with the server, so nobody can come in between. */
async function isAlone(server: PostgresServer): Promise<boolean> {
  try {
    return await server.use(async (client) => {
      const until = performance.now() + GONE_MS
      for (;;) {
        const { rows } = await client.query<{ alone: boolean }>(ALONE)
        if (rows[0]?.alone) {
          await server.stop()
          return true
        }
        if (performance.now() > until) return false
        await delay(10)
      }
    })
  } catch (error) {
    if (error instanceof Error && error.message === 'Query read timeout') return false
    if (!isConnectionError(error)) throw error
    // one that is full, or too slow to let us in, serves others; any other is down
    const isFull = error instanceof Error && 'code' in error && error.code === '53300'
    return !isFull && !(error instanceof Error && error.message === 'timeout expired')
  }
}
