import { pino } from 'pino'
import { configFromProcess } from '../src/config.ts'
import { connectDatabase } from '../src/store/postgres.ts'
import { startWorkers } from './start.ts'

/** A process that only works jobs; timers and reactions stay with the node that owns the actors. */
function main() {
  const config = configFromProcess()
  if (!config.databaseUrl) throw new Error('DATABASE_URL: a worker process needs it')
  const log = pino({ level: config.logLevel })
  const db = connectDatabase(config.databaseUrl, { connections: 3, applicationName: 'tally:worker' })
  const queue = config.redisUrl ? { redisUrl: config.redisUrl } : { databaseUrl: config.databaseUrl }
  const workers = startWorkers({ queue, sql: db.sql, log, retention: config.retention })
  log.info('working jobs')
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    await workers.close()
    await db.close()
    log.info('stopped')
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

try {
  main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
