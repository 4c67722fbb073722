import type { Logger } from 'pino'
import type { Sql } from 'postgres'
import { jobPayloads, OutboxTask, WebhookTask } from '../src/jobs.ts'
import { findOutboxEntry, finishOutboxRow } from '../src/store/outbox.ts'
import type { Delivery, WorkQueue } from '../src/store/queue.ts'
import type { Webhooks } from '../src/webhooks/open.ts'

/** The part of webhooks that the workers drive. */
export type WebhookWork = Pick<Webhooks, 'record' | 'offer' | 'retry' | 'retryBy' | 'sweepSoon' | 'sweep'>

/** Makes the deliveries of a record's change in the transaction that ends its job, and sends them. */
export const webhookRecordRunner =
  (sql: Sql, webhooks: WebhookWork, log: Logger) =>
  async ({ data, last }: Delivery): Promise<undefined> => {
    const { outboxId } = OutboxTask.parse(data)
    const entry = await findOutboxEntry(sql, outboxId)
    if (entry?.kind !== 'job') return undefined
    const { ref, commandId } = jobPayloads['webhook-record'].parse(entry.payload.data)
    let made: Awaited<ReturnType<WebhookWork['record']>> = []
    try {
      await finishOutboxRow(sql, outboxId, async (tx) => {
        made = await webhooks.record(tx, ref, commandId)
      })
    } catch (error) {
      if (!last) throw error
      made = []
      log.error({ err: error, outboxId, ref }, 'webhooks were not told of a change')
      await finishOutboxRow(sql, outboxId, async () => {})
    }
    webhooks.offer(made)
    return undefined
  }

/**
 * Retries wait in the queue, one job of a webhook for each second: the rows say what is due, a job only says when to look. A sweep finds
 * what the queue lost.
 */
export function queueRetries(queue: Pick<WorkQueue, 'add'>, webhooks: WebhookWork, log: Logger): void {
  webhooks.retryBy((webhookId, delayMs) => {
    const id = `webhook-${webhookId}-${Math.ceil((Date.now() + delayMs) / 1000)}`
    // the release before takes it for a row of the outbox that is done
    const data = { webhookId, outboxId: 0 }
    // a moment later than the row, by whichever clock
    const work = { queue: 'actors', id, name: 'webhook', data, delayMs: delayMs + 20, attempts: 3 } as const
    queue.add([work]).catch((error: unknown) => log.debug({ err: error, webhookId }, 'a retry waits without the queue'))
  })
}

/** A retry is due. */
export const webhookRetryRunner =
  (webhooks: WebhookWork) =>
  async ({ data }: Delivery): Promise<undefined> => {
    await webhooks.retry(WebhookTask.parse(data).webhookId)
    return undefined
  }
