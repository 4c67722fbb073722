/** `actors`, `syncs`, which may take minutes, and `imports` are worked where the actors live, `jobs` by any process. */
export const QUEUES = ['actors', 'syncs', 'imports', 'jobs'] as const
export type QueueName = (typeof QUEUES)[number]

/** Work to hand over. The same id is accepted once while such a job is there. */
export type Work = { queue: QueueName; id: string; name: string; data: unknown; delayMs: number; attempts: number }

export type Delivery = {
  id: string
  name: string
  data: unknown
  /** No further attempt follows when this one throws. */
  last: boolean
}

/** Nothing: done. `againInMs`: deliver it again then, as the same attempt. */
export type DeliveryResult = undefined | { againInMs: number }

/** Delayed and retried work. Deliveries are at least once: the effect of a job must be fenced by a row of its own. */
export interface WorkQueue {
  /** Resolves when it was reached for the first time; rejects when it is closed before. */
  readonly ready: Promise<void>
  /** Throws when the queue is out of reach; then some of it may have been added all the same. */
  add(work: readonly Work[]): Promise<void>
  /** Which jobs of these ids it does not hold. Throws when it is out of reach. */
  lacks(queue: QueueName, ids: readonly string[]): Promise<string[]>
  /** Starts delivering; the promise a delivery returns decides whether it is tried again. */
  deliver(queue: QueueName, concurrency: number, run: (delivery: Delivery) => Promise<DeliveryResult>): void
  /** Waits for deliveries under way, at most 5 s. */
  close(): Promise<void>
}

export type QueueConnection = { redisUrl: string } | { databaseUrl: string }
