import { Client } from 'pg'
import type { Logger } from 'pino'
import { inTurn } from './in-turn.ts'

/** One connection of our own, outside the pool, whose loss is known at once. */
export type Session = {
  /** True from the end of `setUp` until the connection is lost. */
  isUp(): boolean
  /** Ends the connection and stops reconnecting. */
  close(): Promise<void>
}

export type SessionOptions = {
  url: string
  applicationName: string
  log: Logger
  /** Runs on each new connection before it counts as up; an error closes the connection and is retried. */
  setUp(client: Client): Promise<void>
  onUp?: () => void
  onDown?: () => void
  /** A `setUp` that takes longer is cut off and tried anew: the server froze meanwhile. */
  setUpWithinMs?: number
}

const HEARTBEAT_MS = 2_000
const CONNECT_MS = 2_000
/** While a process starts, its own work and the server's for it share the cores. */
const FIRST_CONNECT_MS = 10_000
const SET_UP_MS = 6_000
const backoffMs = (attempt: number) => Math.min(20 * 2 ** attempt, 300)

/** Opens a session and keeps it: reconnects for ever. Resolves when it is up for the first time; rejects when the first `setUp` fails. */
export async function openSession(options: SessionOptions): Promise<Session> {
  let client: Client | undefined
  let up = false
  let closed = false
  let retry: NodeJS.Timeout | undefined
  let attempt = 0

  const lost = (of: Client) => {
    if (client !== of) return
    client = undefined
    if (up) {
      up = false
      if (!closed) options.onDown?.()
    }
    if (!closed) schedule()
  }

  const schedule = () => {
    clearTimeout(retry)
    retry = setTimeout(() => {
      connect().catch((error: unknown) => options.log.debug({ err: error }, 'session not up yet'))
    }, backoffMs(attempt++))
    retry.unref()
  }

  const connect = async (withinMs = CONNECT_MS) => {
    const next = new Client({
      connectionString: options.url,
      application_name: options.applicationName,
      connectionTimeoutMillis: withinMs,
      keepAlive: true,
    })
    client = next
    next.on('error', () => lost(next))
    next.on('end', () => lost(next))
    let overdue: NodeJS.Timeout | undefined
    try {
      await next.connect()
      // with a query under way `end` waits for nobody, and the query fails
      overdue = setTimeout(() => void next.end().catch(() => {}), options.setUpWithinMs ?? SET_UP_MS)
      await options.setUp(next)
    } catch (error) {
      // `end` waits for the server's answer, which a dead server never gives
      next.end().catch(() => {})
      lost(next)
      throw error
    } finally {
      clearTimeout(overdue)
    }
    if (client !== next || closed) return
    attempt = 0
    up = true
    options.onUp?.()
  }

  // a server that is frozen or unplugged closes nothing: ask it
  const heartbeat = setInterval(() => {
    const asked = client
    if (!up || !asked) return
    const overdue = setTimeout(() => {
      lost(asked)
      asked.end().catch(() => {})
    }, HEARTBEAT_MS)
    inTurn(asked, () => asked.query('select 1'))
      .catch(() => lost(asked))
      .finally(() => clearTimeout(overdue))
  }, HEARTBEAT_MS)
  heartbeat.unref()

  const close = async () => {
    closed = true
    up = false
    clearTimeout(retry)
    clearInterval(heartbeat)
    const last = client
    client = undefined
    if (!last) return
    await Promise.race([last.end().catch(() => {}), new Promise((resolve) => setTimeout(resolve, 500).unref())])
  }

  try {
    await connect(FIRST_CONNECT_MS)
  } catch (error) {
    await close()
    throw error
  }
  return { isUp: () => up, close }
}
