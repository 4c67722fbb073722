import type { Logger } from 'pino'
import type { Sql } from 'postgres'
import { jobPayloads, OutboxTask } from '../src/jobs.ts'
import type { Imports } from '../src/resources/motion-graphics/import-work.ts'
import { findOutboxEntry, finishOutboxRow } from '../src/store/outbox.ts'
import type { Delivery } from '../src/store/queue.ts'

/** Looks at files that were received. The import's actor says how far it is; the row goes when it is as far as it goes. */
export const importRunner =
  (sql: Sql, imports: Imports, log: Logger) =>
  async ({ data, last }: Delivery): Promise<undefined> => {
    const { outboxId } = OutboxTask.parse(data)
    const entry = await findOutboxEntry(sql, outboxId)
    if (entry?.kind !== 'job') return undefined
    const { jobId } = jobPayloads['motion-import'].parse(entry.payload.data)
    try {
      await imports.advance(jobId)
    } catch (error) {
      if (!last) throw error
      log.error({ err: error, jobId }, 'an import was given up after its last attempt')
      await imports.giveUp(jobId)
    }
    await finishOutboxRow(sql, outboxId, async () => {})
    return undefined
  }
