import type { Sql, TransactionSql } from 'postgres'
import type { JobRequest } from '../src/jobs.ts'
import { pruneJournal } from './retention/journal.ts'
import { pruneRows, pruneUnused, type Retention } from './retention/rows.ts'

const BUSY_ROWS = 5_000
const AGAIN_MS = 1_000
const EVERY_MS = 600_000

/** As long as an installation keeps things that says nothing else. */
export const DEFAULT_RETENTION: Retention = { journalDays: 400, paintDays: 90, deletedDays: 30, fileDays: 7 }

/**
 * Deletes a batch of rows that retention no longer keeps, and asks for the next round: soon while there is more, so that no
 * round is long. Idempotency rows and uploads are kept 24 h, imports as long after they ended, previews until they expire.
 */
export async function prune(tx: TransactionSql, retention = DEFAULT_RETENTION): Promise<void> {
  const rows = await pruneRows(tx, retention)
  const unused = await pruneUnused(tx, retention)
  const journal = await pruneJournal(tx, retention.journalDays)
  const deleted = { ...rows, ...unused, journal: journal.deleted }
  await noteDeleted(tx, deleted)
  await tx`
    update retention set kept_from = clock_timestamp() - make_interval(days => ${retention.paintDays})
    where what = 'paints' and deleted > 0`
  const more = journal.more || Object.values(deleted).some((count) => count >= BUSY_ROWS)
  await ensurePruning(tx, more ? AGAIN_MS : EVERY_MS)
}

/** Adds up the rows that retention deleted, for the metrics of every process. */
export async function noteDeleted(sql: Sql | TransactionSql, deleted: Readonly<Record<string, number>>): Promise<void> {
  await sql`
    insert into retention (what, deleted)
    select * from unnest(${Object.keys(deleted)}::text[], ${Object.values(deleted)}::bigint[])
    on conflict (what) do update set deleted = retention.deleted + excluded.deleted, looked_at = clock_timestamp()`
}

/** Asks for a round unless one is asked for already. */
export async function ensurePruning(sql: Sql | TransactionSql, delayMs: number): Promise<void> {
  const request: JobRequest = { name: 'prune', data: {}, delayMs, attempts: 20 }
  await sql`
    insert into outbox (kind, payload) select 'job', ${JSON.stringify(request)}::text::json
    where not exists (select from outbox where kind = 'job' and payload ->> 'name' = 'prune')`
}
