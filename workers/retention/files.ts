import type { Logger } from 'pino'
import type { Sql, TransactionSql } from 'postgres'
import { type JobRequest, OutboxTask } from '../../src/jobs.ts'
import { BACKUP_LOCK } from '../../src/store/backup/locks.ts'
import { blobReferences } from '../../src/store/blob-references.ts'
import type { SweptBlobs } from '../../src/store/blobs.ts'
import { findOutboxEntry, finishOutboxRow } from '../../src/store/outbox.ts'
import type { Delivery } from '../../src/store/queue.ts'
import { noteDeleted } from '../prune.ts'

const NAME = 'prune-files'
const EVERY_MS = 3_600_000
const DAY_MS = 86_400_000

/** The store of uploaded files, and for how many days one is kept that no row names. */
export type FileRetention = Pick<SweptBlobs, 'sweep'> & { days: number }

/** Deletes the files that no row has named for a while; none while a backup is made, which may still read them. */
export async function sweepFiles(sql: Sql, { sweep, days }: FileRetention, now = Date.now()): Promise<void> {
  await sql.begin(async (tx) => {
    // a folder may take longer than a transaction is usually allowed to wait
    await tx`set local idle_in_transaction_session_timeout = 0`
    const [lock] = await tx<{ taken: boolean }[]>`select pg_try_advisory_xact_lock(${BACKUP_LOCK}) as taken`
    if (!lock?.taken) return
    const named = new Set((await blobReferences(tx)).map(({ hash }) => hash))
    const files = await sweep(new Date(now - days * DAY_MS), named)
    await noteDeleted(tx, { files })
  })
}

/** Sweeps, and asks for the next round in the commit that ends this one. */
export const fileRunner =
  (sql: Sql, files: FileRetention, log: Logger) =>
  async ({ data, last }: Delivery): Promise<undefined> => {
    const { outboxId } = OutboxTask.parse(data)
    const entry = await findOutboxEntry(sql, outboxId)
    if (entry?.kind !== 'job') return
    try {
      await sweepFiles(sql, files)
    } catch (error) {
      if (!last) throw error
      log.error({ err: error }, 'files that nobody names wait for the next round')
    }
    await finishOutboxRow(sql, outboxId, (tx) => ensureFilePruning(tx, EVERY_MS))
  }

/** Asks for a round unless one is asked for already. */
export async function ensureFilePruning(sql: Sql | TransactionSql, delayMs: number): Promise<void> {
  const request: JobRequest = { name: NAME, data: {}, delayMs, attempts: 5 }
  await sql`
    insert into outbox (kind, payload) select 'job', ${JSON.stringify(request)}::text::json
    where not exists (select from outbox where kind = 'job' and payload ->> 'name' = ${NAME})`
}
