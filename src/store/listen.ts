import type { Client } from 'pg'
import type { Logger } from 'pino'
import { inTurn } from './in-turn.ts'
import { tellEach } from './listeners.ts'
import { isConnectionError } from './postgres.ts'
import { openSession } from './session.ts'

/** Notifications of the database, on one connection. */
export interface Listener {
  /** Calls `onMessage` with the payload of each NOTIFY on the channel, now and after each reconnect. */
  listen(channel: string, onMessage: (payload: string) => void): Promise<void>
  /** Runs each time the connection is back with every channel on it: notifications meanwhile are lost, so read again. */
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

  const session = await openSession({
    url,
    applicationName: `tally:${process.pid}:listen`,
    log,
    async setUp(client) {
      client.on('notification', ({ channel, payload }) => {
        tellEach(channels.get(channel) ?? [], (onMessage) => onMessage(payload ?? ''), log)
      })
      for (const channel of channels.keys()) await client.query(`listen ${client.escapeIdentifier(channel)}`)
      current = client
    },
    onUp: () => {
      tellEach(ups, (run) => run(), log)
    },
    onDown: () => {
      current = undefined
      tellEach(downs, (run) => run(), log)
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
        if (client) await inTurn(client, () => client.query(`listen ${client.escapeIdentifier(channel)}`))
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
