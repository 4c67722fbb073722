import type { Client } from 'pg'
import type { Logger } from 'pino'
import type { Sql } from 'postgres'
import { openSession } from './session.ts'

/** One node per database: a second one would own the same actors. */
export interface NodeLock {
  /** False while the connection that holds it is lost. */
  isHeld(): boolean
  release(): Promise<void>
}

const NODE_LOCK = 7_225_003
const TAKEN = 'Another Tally server runs on this database: stop it first, or use another DATA_DIR or DATABASE_URL'
/** A killed node's connection may take a moment to disappear. */
const PATIENCE_MS = 2_000
/** PostgreSQL itself ends a lock that nobody has spoken for: that of a machine without power, which it would keep for two hours. */
const SILENCE_MS = 10_000

/**
 * Takes the database for this node; throws one line when another node has it. After its connection was lost it is taken again, and
 * `onTaken` is called when another node was faster: this one must stop.
 */
export async function takeNodeLock(url: string, log: Logger, onTaken: (message: string) => void): Promise<NodeLock> {
  let mine: number | undefined
  const session = await openSession({
    url,
    applicationName: `tally:${process.pid}:node`,
    log,
    async setUp(client) {
      await client.query(`set idle_session_timeout = ${SILENCE_MS}`)
      const until = performance.now() + PATIENCE_MS
      for (;;) {
        const { rows } = await client.query<{ held: boolean }>(`select pg_try_advisory_lock(${NODE_LOCK}) as held`)
        if (rows[0]?.held) break
        const late = performance.now() > until
        // a node that had the lock and is not its owner any more has no time to lose: it may be asked for commands
        if (late || mine !== undefined) {
          const holder = await holderOf(client)
          if (holder === undefined) continue
          if (holder !== mine) {
            if (mine !== undefined) onTaken(TAKEN)
            throw new Error(TAKEN)
          }
          // our own connection, frozen or cut off: the server has not noticed its end yet
          if (late) {
            await client.query('select pg_terminate_backend($1)', [holder])
            throw new Error('the lost connection of this node still holds the node lock')
          }
        }
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
      mine = rows[0]?.pid
    },
    onDown: () => log.warn('the connection that holds the node lock was lost'),
    onUp: () => log.debug('node lock held'),
  })
  return { isHeld: session.isUp, release: session.close }
}

const ALONE =
  'A Tally server without REDIS_URL runs on this database, and shares it with nobody: stop it first, or start it with REDIS_URL'

/**
 * Keeps nodes that are alone away from a database that several nodes share. Throws one line when one serves on it; after the
 * connection was lost it is taken again, and `onTaken` is called when one was faster: this node must stop.
 */
export async function shareNodeLock(url: string, log: Logger, onTaken: (message: string) => void): Promise<NodeLock> {
  let shared = false
  const session = await openSession({
    url,
    applicationName: `tally:${process.pid}:node`,
    log,
    async setUp(client) {
      await client.query(`set idle_session_timeout = ${SILENCE_MS}`)
      const until = performance.now() + PATIENCE_MS
      for (;;) {
        const { rows } = await client.query<{ held: boolean }>(
          `select pg_try_advisory_lock_shared(${NODE_LOCK}) as held`,
        )
        if (rows[0]?.held) break
        if (performance.now() > until) {
          if (shared) onTaken(ALONE)
          throw new Error(ALONE)
        }
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      shared = true
    },
    onDown: () => log.debug('the connection that keeps other servers away was lost'),
  })
  return { isHeld: session.isUp, release: session.close }
}

/** Whether a node serves on this database now. */
export async function isNodeRunning(sql: Sql): Promise<boolean> {
  const rows = await sql`
    select from pg_locks where locktype = 'advisory' and classid = 0 and objid = ${NODE_LOCK} and granted
      and database = (select oid from pg_database where datname = current_database())`
  return rows.length > 0
}

/** The backend that holds the lock on this database now. */
async function holderOf(client: Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_locks where locktype = 'advisory' and classid = 0 and objid = $1 and granted
       and database = (select oid from pg_database where datname = current_database())`,
    [NODE_LOCK],
  )
  return rows[0]?.pid
}
