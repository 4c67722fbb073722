import type { Logger } from 'pino'
import type { Sql, TransactionSql } from 'postgres'
import { isKeptUp, OutboxTask, type Reaction } from '../src/jobs.ts'
import { findOutboxEntry, finishOutboxRow } from '../src/store/outbox.ts'
import type { Delivery } from '../src/store/queue.ts'

/** What one job does, all of it in the transaction that ends it. Throws to be tried again. */
export type JobHandler = (tx: TransactionSql, data: unknown) => Promise<void>

/** Carries a reaction out: idempotent, since it may be asked again after a crash. `last`: nobody asks again when this fails. */
export type React = (reaction: Reaction, outboxId: number, last: boolean) => Promise<void>

/** Runs `job` rows by name. Delivered twice, the second finds the row gone and does nothing. */
export const jobRunner = (sql: Sql, handlers: Readonly<Record<string, JobHandler>>, log: Logger) =>
  giveUpAtLast(sql, log, async (outboxId, { name }) => {
    const handle = Object.hasOwn(handlers, name) ? handlers[name] : undefined
    if (!handle) throw new Error(`no job is named ${name}`)
    const entry = await findOutboxEntry(sql, outboxId)
    if (entry?.kind === 'job') await finishOutboxRow(sql, outboxId, (tx) => handle(tx, entry.payload.data))
  })

/** Runs `reaction` rows; the row goes after the reaction is durable. */
export const reactionRunner = (sql: Sql, react: React, log: Logger) =>
  giveUpAtLast(sql, log, async (outboxId, { last }) => {
    const entry = await findOutboxEntry(sql, outboxId)
    if (entry?.kind !== 'reaction') return
    await react(entry.payload, outboxId, last)
    await finishOutboxRow(sql, outboxId, async () => {})
  })

/** After its last attempt a job is dropped with an error in the log: it must not come back for ever, but for the one that says it may. */
const giveUpAtLast =
  (sql: Sql, log: Logger, run: (outboxId: number, delivery: Delivery) => Promise<void>) =>
  async (delivery: Delivery): Promise<undefined> => {
    const { outboxId } = OutboxTask.parse(delivery.data)
    try {
      await run(outboxId, delivery)
    } catch (error) {
      if (delivery.last && !(await isKept(sql, outboxId))) {
        log.error({ err: error, job: delivery.name, outboxId }, 'a job was given up after its last attempt')
        await finishOutboxRow(sql, outboxId, async () => {})
      }
      throw error
    }
  }

/** Its row stays, and is handed over again. */
async function isKept(sql: Sql, outboxId: number): Promise<boolean> {
  const entry = await findOutboxEntry(sql, outboxId)
  return entry?.kind === 'reaction' && isKeptUp(entry.payload)
}
