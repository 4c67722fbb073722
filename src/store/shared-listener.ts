import { EventEmitter } from 'node:events'
import type { Notification, Pool, PoolClient } from 'pg'
import { inTurn } from './in-turn.ts'

/** What a worker of the queue asks of a client that it takes out of the pool. */
export type Lease = EventEmitter & {
  query(text: string, values?: unknown[]): Promise<unknown>
  release(destroy?: boolean): void
}

const LISTENS = /^listen /im
const NAMES_ITSELF = /^select set_config\('application_name'/i

/**
 * A pool whose clients listen on one connection together. Each worker of BullMQ takes a client for itself to hear of new jobs, and
 * they all listen to one channel: what they ask goes through the pool, what they listen to through the shared connection. When it
 * is lost each of them hears it as an error of its own client, and listens anew.
 */
export function listeningTogether(pool: Pool) {
  const leases = new Set<Lease>()
  let shared: Promise<PoolClient> | undefined

  const connect = async (): Promise<PoolClient> => {
    const client = await pool.connect()
    const mine = shared
    client.on('error', (error) => {
      // the first of its errors ends it
      if (shared !== mine) return
      shared = undefined
      client.release(true)
      for (const lease of [...leases]) if (lease.listenerCount('error') > 0) lease.emit('error', error)
    })
    client.on('notification', (message: Notification) => {
      for (const lease of leases) lease.emit('notification', message)
    })
    return client
  }

  const listen = async (text: string): Promise<unknown> => {
    shared ??= connect()
    const connecting = shared
    try {
      const client = await connecting
      return await inTurn(client, () => client.query(text))
    } catch (error) {
      // one that never came, or does not answer, makes place for the next
      if (shared === connecting) shared = undefined
      connecting.then((client) => client.release(true)).catch(() => {})
      throw error
    }
  }

  const letGo = (lease: Lease) => {
    leases.delete(lease)
    if (leases.size > 0 || !shared) return
    const last = shared
    shared = undefined
    last.then((client) => client.release(true)).catch(() => {})
  }

  const lend = (): Lease => {
    const lease: Lease = Object.assign(new EventEmitter(), {
      async query(text: string, values?: unknown[]) {
        if (LISTENS.test(text)) return listen(text)
        // the connection is nobody's own
        return NAMES_ITSELF.test(text) ? undefined : pool.query(text, values)
      },
      release: () => letGo(lease),
    })
    leases.add(lease)
    return lease
  }

  return {
    options: pool.options,
    query: pool.query.bind(pool),
    connect: async () => lend(),
    on: pool.on.bind(pool),
    end: () => pool.end(),
  }
}
