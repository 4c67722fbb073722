import type { Logger } from 'pino'
import type { Sql, TransactionSql } from 'postgres'
import { isKeptUp, OutboxTask, type Reaction } from '../src/jobs.ts'
import { findOutboxEntry, finishOutboxRow, finishOutboxRows, jobIdOf, reactionsHanded } from '../src/store/outbox.ts'
import type { Delivery, WorkQueue } from '../src/store/queue.ts'
import { overdueRunner } from './overdue.ts'

/** How a reaction is carried out, and whether it is for this node to do, by a ref. */
type Reacting = { react: React; owns(ref: string): boolean }

/** A reaction that was taken is carried out in milliseconds, or is tried again by the queue, or went away with its process or the queue. */
const HANDED_MS = 1_000
const LIMIT = 50

/** The work of one job, all of it in the transaction that ends it. Throws to be tried again. */
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

/** Runs `reaction` rows that failed at first; the row goes after the reaction is durable. */
export const reactionRunner = (sql: Sql, react: React, log: Logger) =>
  giveUpAtLast(sql, log, async (outboxId, { last }) => {
    const entry = await findOutboxEntry(sql, outboxId)
    if (entry?.kind !== 'reaction') return
    await react(entry.payload, outboxId, last)
    await finishOutboxRow(sql, outboxId, async () => {})
  })

/**
 * Carries out reactions that a process took before it died, or the queue took and has lost, or keeps to itself while it is away. `underWay`: those
 * that this process carries out now.
 */
export function reactionsLost(
  sql: Sql,
  queue: WorkQueue,
  { react, owns }: Reacting,
  log: Logger,
  underWay: () => readonly number[] = () => [],
): () => Promise<void> {
  const round = overdueRunner({
    // of several nodes each takes its share
    find: async (failing) => {
      const except = [...failing.map(Number), ...underWay()]
      const handed = (await reactionsHanded(sql, HANDED_MS, except, LIMIT)).filter(({ id }) => owns(`outbox/${id}`))
      if (handed.length === 0) return []
      const jobs = handed.map(({ id }) => jobIdOf(id))
      const lacking = await queue.lacks('actors', jobs).catch(() => undefined)
      if (!lacking) return handed
      // one that is kept up has had its tries, and is handed over again in its time
      return handed.filter(({ id, reaction }) => lacking.includes(jobIdOf(id)) && !isKeptUp(reaction))
    },
    keyOf: ({ id }) => String(id),
    run: ({ id, reaction }) => react(reaction, id, false),
    failed: ({ id }, error) => log.warn({ err: error, outboxId: id }, 'a reaction failed without the queue'),
  })
  return async () => {
    const done = await round()
    // at once for all: one connection is enough
    if (done.length > 0)
      await finishOutboxRows(
        sql,
        done.map(({ id }) => id),
      )
  }
}

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

/** Whether the row of a job that failed stays, so that the job is handed over again. */
async function isKept(sql: Sql, outboxId: number): Promise<boolean> {
  const entry = await findOutboxEntry(sql, outboxId)
  return entry?.kind === 'reaction' && isKeptUp(entry.payload)
}
