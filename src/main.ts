import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { type Config, configFromProcess } from './config.ts'
import { createLog } from './log.ts'
import type { Opened } from './serve.ts'

/** The promise is 10 s, and stopping PostgreSQL is part of it. */
const SHUTDOWN_MS = 9_000
/** A second signal so soon is the first one again; a later one means that somebody does not want to wait. */
const SAME_SIGNAL_MS = 1_000

async function closeAll({ closes }: Opened, log: Logger): Promise<void> {
  for (const close of closes.splice(0).reverse()) {
    try {
      await close()
    } catch (error) {
      log.error({ err: error }, 'closing failed')
    }
  }
}

/** `node 2`: the second of several on one port, started by a process that keeps them. */
function placeFrom([, , what, number]: readonly string[]): number | undefined {
  return what === 'node' ? Number(number) : undefined
}

async function main(): Promise<void> {
  const place = placeFrom(process.argv)
  let config: Config
  try {
    config = configFromProcess(place)
  } catch (error) {
    return fail(error)
  }
  const { nodes } = config
  const id = randomBytes(5).toString('hex')
  const log = createLog(config.logLevel, config.redisUrl && nodes === undefined ? id : undefined)
  const opened: Opened = { closes: [] }
  // the server is a second's worth of code, which nobody whose environment is refused waits for
  const tell = (banner: string) =>
    void (place === undefined ? process.stderr.write(banner) : process.send?.({ banner }))
  const starting =
    nodes === undefined
      ? import('./serve.ts').then(({ serve }) => serve(config, log, opened, { id, tell }))
      : import('./several.ts').then(({ runSeveral }) => runSeveral(config, log, opened, nodes))

  let stoppingSince = 0
  const stop = async (signal: NodeJS.Signals) => {
    if (stoppingSince > 0) {
      // Ctrl-C comes from the terminal, and from npm once more
      if (performance.now() - stoppingSince < SAME_SIGNAL_MS) return
      log.warn({ signal }, 'stopping at once')
      process.exit(1)
    }
    stoppingSince = performance.now()
    log.info({ signal }, 'stopping')
    setTimeout(() => {
      // work that is cut off here is in its rows, or was never promised
      const answered = opened.app?.isAnswered() ?? true
      log.error({ answered }, 'stopping takes too long, leaving the rest to the next start')
      process.exit(answered ? 0 : 1)
    }, SHUTDOWN_MS).unref()
    await starting.catch(() => {})
    await closeAll(opened, log)
    log.info('stopped')
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // nobody would start this node again, or stop it
  if (place !== undefined) process.on('disconnect', () => void stop('SIGTERM'))
  // every write is fenced and committed before it is seen, so going on is safer for a show than going away
  process.on('uncaughtException', (error) => log.error({ err: error }, 'uncaught exception'))
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'))

  try {
    await starting
  } catch (error) {
    if (stoppingSince > 0) return
    await closeAll(opened, log)
    fail(error)
  }
}

/** One line that names the fault, for people and for the log of the program that started this. */
function fail(error: unknown): never {
  const line = error instanceof Error ? error.message : String(error)
  if (line) process.stderr.write(`${line}\n`)
  process.exit(1)
}

await main()
