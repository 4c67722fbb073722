import type { Logger } from 'pino'
import type { QueueConnection, WorkQueue } from './queue.ts'

/**
 * A queue that connects in the background and for ever: until it is there `add` throws at once and nothing is delivered.
 * Uses Redis, or a schema of its own in PostgreSQL.
 */
export function openQueue(connection: QueueConnection, log: Logger): WorkQueue {
  // it takes longer to load than all the rest, and nobody needs it to serve
  const opening = import('./bull-queue.ts').then(({ openBullQueue }) => openBullQueue(connection, log))
  let connected: WorkQueue | undefined
  const ready = opening.then(async (queue) => {
    await queue.ready
    connected = queue
  })
  ready.catch(() => {})
  return {
    ready,
    async add(work) {
      if (!connected) throw new Error('the queue is not connected yet')
      await connected.add(work)
    },
    async lacks(queue, ids) {
      if (!connected) throw new Error('the queue is not connected yet')
      return connected.lacks(queue, ids)
    },
    deliver: (...delivery) => void opening.then((queue) => queue.deliver(...delivery)),
    close: async () => (await opening).close(),
  }
}
