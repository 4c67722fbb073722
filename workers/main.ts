import { setTimeout as pause } from 'node:timers/promises'
import { type Logger, pino } from 'pino'
import type { Sql } from 'postgres'
import { configFromProcess } from '../src/config.ts'
import { isMigrated } from '../src/store/migrate.ts'
import { reachDatabase } from '../src/store/open.ts'
import { connectDatabase, isOutOfReach } from '../src/store/postgres.ts'
import { startWorkers, type Workers } from './start.ts'

const LOOK_AGAIN_MS = 1_000

/** A process that only works jobs; timers and reactions stay with the node that owns the actors. */
async function main() {
  const config = configFromProcess()
  if (!config.databaseUrl) throw new Error('DATABASE_URL: a worker process needs it')
  const log = pino({ level: config.logLevel })
  const url = await reachDatabase(config.databaseUrl)
  const db = connectDatabase(url, { connections: 3, applicationName: 'tally:worker' })
  const queue = config.redisUrl ? { redisUrl: config.redisUrl } : { databaseUrl: url }
  const stopping = new AbortController()
  let workers: Workers | undefined
  const stop = async () => {
    if (stopping.signal.aborted) return
    stopping.abort()
    await workers?.close()
    await db.close()
    log.info('stopped')
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  try {
    await serverHasMigrated(db.sql, log, stopping.signal)
  } catch (error) {
    await db.close()
    throw error
  }
  if (stopping.signal.aborted) return
  workers = startWorkers({ queue, sql: db.sql, log, retention: config.retention })
  log.info('working jobs')
}

/** Jobs are written for the schema of this code. Throws one clear line when it is newer. */
async function serverHasMigrated(sql: Sql, log: Logger, signal: AbortSignal): Promise<void> {
  for (let told = false; !signal.aborted; told = true) {
    try {
      if (await isMigrated(sql)) return
      if (!told) log.warn('the database is older than this version of Tally: waiting for its server')
    } catch (error) {
      if (signal.aborted) return
      if (!isOutOfReach(error)) throw error
      if (!told) log.warn({ err: error }, 'the database is out of reach')
    }
    await pause(LOOK_AGAIN_MS, undefined, { signal }).catch(() => {})
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
