import type { Client } from 'pg'
import type { Logger } from 'pino'
import { isConnectionError } from './postgres.ts'
import { openSession } from './session.ts'

/** Notifications of the database, on one connection. */
export interface Listener {
  /** Calls `onMessage` with the payload of each NOTIFY on the channel, now and after each reconnect. */
  listen(channel: string, onMessage: (payload: string) => void): Promise<void>
  /** Runs each time the connection is back with every channel on it: what was notified meanwhile is lost, so read again. */
  onUp(run: () => void): void
  /** Runs as soon as the connection is lost: trust nothing that a notification would have changed. */
  onDown(run: () => void): void
  /** Whether every notification committed now will arrive. */
  isUp(): boolean
  close(): Promise<void>
}

/** Opens the one LISTEN connection of this process; rejects when the database is out of reach. */
export async function openListener(url: string, log: Logger): Promise<Listener> {
  const channels = new Map<string, ((payload: string) => void)[]>()
  const ups: (() => void)[] = []
  const downs: (() => void)[] = []
  let current: Client | undefined

  // each throws away what it knows of the database: one that fails must not leave the others with theirs
  const each = <T>(listeners: readonly T[], tell: (listener: T) => void) => {
    for (const listener of listeners) {
      try {
        tell(listener)
      } catch (error) {
        log.error({ err: error }, 'a listener of the database failed')
      }
    }
  }

  const session = await openSession({
    url,
    applicationName: `tally:${process.pid}:listen`,
    log,
    async setUp(client) {
      client.on('notification', ({ channel, payload }) => {
        each(channels.get(channel) ?? [], (onMessage) => onMessage(payload ?? ''))
      })
      for (const channel of channels.keys()) await client.query(`listen ${client.escapeIdentifier(channel)}`)
      current = client
    },
    onUp: () => {
      each(ups, (run) => run())
    },
    onDown: () => {
      current = undefined
      each(downs, (run) => run())
    },
  })

  return {
    async listen(channel, onMessage) {
      const listeners = channels.get(channel)
      if (listeners) {
        listeners.push(onMessage)
        return
      }
      channels.set(channel, [onMessage])
      const client = current
      try {
        await client?.query(`listen ${client.escapeIdentifier(channel)}`)
      } catch (error) {
        // a lost connection is set up again with every channel
        if (!isConnectionError(error)) throw error
      }
    },
    onUp: (run) => void ups.push(run),
    onDown: (run) => void downs.push(run),
    isUp: session.isUp,
    close: session.close,
  }
}
