import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import type { Logger } from 'pino'
import type { Sql } from 'postgres'
import { type KeySource, openKeys } from '../secrets/open.ts'
import { openDataDir } from './data-dir.ts'
import { type EmbeddedPostgres, startEmbedded } from './embedded/open.ts'
import { migrate } from './migrate.ts'
import { type NodeLock, shareNodeLock, takeNodeLock } from './node-lock.ts'
import { type ConnectedDatabase, connectDatabase, isConnectionError } from './postgres.ts'
import { KeyMissing, settleKeys } from './secrets/settle.ts'

/** The database of this process, migrated. */
export type Store = {
  readonly url: string
  readonly db: ConnectedDatabase
  readonly embedded: EmbeddedPostgres | undefined
  /** The keys that the secrets in the database are sealed with. */
  readonly keys: KeySource
  /** Releases its locks and closes the pool; stops the embedded PostgreSQL when no other process is connected. */
  close(): Promise<void>
}

export type StoreConfig = {
  databaseUrl: string | undefined
  dataDir: string
  databaseConnections: number
  secretsKey: string | undefined
}

const PATIENCE_MS = 5_000

/** A database as it is, of any version or empty. */
export type OpenDatabase = {
  readonly url: string
  readonly embedded: EmbeddedPostgres | undefined
  /** Stops the embedded PostgreSQL when nobody else is connected; false when it stays up. */
  leave(): Promise<boolean>
}

/** Starts or adopts the embedded PostgreSQL, for so many nodes, or takes DATABASE_URL, and leaves it as it is. Throws one clear line. */
export async function openDatabase(
  config: Pick<StoreConfig, 'databaseUrl' | 'dataDir'>,
  log: Logger,
  { nodes = 1 }: { nodes?: number } = {},
): Promise<OpenDatabase> {
  openDataDir(config.dataDir)
  if (config.databaseUrl !== undefined)
    return { url: await reachDatabase(config.databaseUrl), embedded: undefined, leave: async () => true }
  const embedded = await startEmbedded(config.dataDir, log, { nodes })
  return { url: embedded.url, embedded, leave: () => embedded.leave() }
}

/** Opens the database for a command, beside the node that may serve on it, and migrates it when none does. Throws one clear line. */
export const openStore = (config: StoreConfig, log: Logger): Promise<Store> => open(config, log, async () => undefined)

/**
 * Opens the database for a node that shares it with others, and migrates it, once `mayJoin` does not throw; `onTaken` as in
 * `shareNodeLock`. Throws one clear line.
 */
export const openSharedStore = (
  config: StoreConfig,
  log: Logger,
  { mayJoin, onTaken }: { mayJoin(sql: Sql): Promise<void>; onTaken(message: string): void },
) =>
  open(
    config,
    log,
    async (url) => {
      const pool = connectDatabase(url, { connections: 1, idleSeconds: 1, applicationName: 'tally:join' })
      await mayJoin(pool.sql).finally(() => pool.close(1))
      return shareNodeLock(url, log, onTaken)
    },
    true,
  )

/** Opens the database for the node that owns it, and migrates it; `onTaken` as in `takeNodeLock`. Throws one clear line. */
export const openOwnStore = (config: StoreConfig, log: Logger, onTaken: (message: string) => void) =>
  open(config, log, (url) => takeNodeLock(url, log, onTaken))

async function open<Lock extends NodeLock | undefined>(
  config: StoreConfig,
  log: Logger,
  own: (url: string) => Promise<Lock>,
  mayBeNewer = false,
): Promise<Store & { nodeLock: Lock }> {
  const keys = openKeys(config)
  const { url, embedded, leave } = await openDatabase(config, log)
  let held: NodeLock | undefined
  try {
    // first: a node of an older version may serve on this schema
    const nodeLock = await own(url)
    held = nodeLock
    const { applied } = await migrate(url, { alone: nodeLock !== undefined, mayBeNewer, keys })
    if (applied.length > 0) log.info({ applied }, 'migrated')
    const db = connectDatabase(url, { connections: config.databaseConnections, log, secrets: keys.ring })
    try {
      await settleKeys(db.sql, keys)
    } catch (error) {
      // without the key a command still works where it touches no secret
      if (nodeLock === undefined && error instanceof KeyMissing) keys.ring.lock(error.message)
      else {
        await db.close(1)
        throw error
      }
    }
    return {
      url,
      db,
      keys,
      embedded,
      nodeLock,
      async close() {
        // by now every caller has finished or given up: a statement that still runs is stuck
        await Promise.all([nodeLock?.release(), db.close(1)])
        if (!(await leave())) log.info('PostgreSQL stays up: others are connected, or it is too busy to tell')
      },
    }
  } catch (error) {
    await held?.release()
    await leave()
    throw error
  }
}

/** Waits a little for a database that is just starting. Throws one line that names DATABASE_URL. */
export async function reachDatabase(url: string): Promise<string> {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.end()
      return url
    } catch (error) {
      client.end().catch(() => {})
      const reason =
        error instanceof Error ? error.message || ('code' in error ? String(error.code) : '') : String(error)
      if (!isConnectionError(error) || performance.now() > until)
        throw new Error(`DATABASE_URL: cannot connect to ${withoutPassword(url)}: ${reason}`)
      await delay(200)
    }
  }
}

const withoutPassword = (url: string) => {
  const parsed = new URL(url)
  parsed.password = ''
  return parsed.href
}
