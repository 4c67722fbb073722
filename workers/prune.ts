import type { Sql, TransactionSql } from 'postgres'
import type { JobRequest } from '../src/jobs.ts'
import { deleteImports } from '../src/resources/motion-graphics/imports.queries.ts'

const BATCH_ROWS = 10_000
/** Of up to 2,000 uploads each. */
const SESSIONS = 100
const EVERY_MS = 600_000

/**
 * Deletes a batch of what retention no longer keeps, and asks for the next round. Idempotency rows and uploads are kept 24 h,
 * imports as long after they ended, previews until they expire.
 */
export async function prune(tx: TransactionSql): Promise<void> {
  const { count } = await tx`
    delete from idempotency where ctid = any(array(
      select ctid from idempotency where created_at < clock_timestamp() - interval '24 hours' limit ${BATCH_ROWS}))`
  await tx`
    delete from upload where ctid = any(array(
      select ctid from upload
      where session_id is null and created_at < clock_timestamp() - interval '24 hours' limit ${BATCH_ROWS}))`
  // a session may have been renewed for days, and takes its uploads with it
  await tx`
    delete from upload_session where ctid = any(array(
      select ctid from upload_session where expires_at < clock_timestamp() - interval '24 hours' limit ${SESSIONS}))`
  await tx`
    delete from preview where ctid = any(array(
      select ctid from preview where expires_at < clock_timestamp() limit ${BATCH_ROWS}))`
  await deleteImports(
    tx,
    tx`job_id in (
    select job_id from motion_import where expires_at < clock_timestamp() - interval '24 hours' limit ${SESSIONS})`,
  )
  await ensurePruning(tx, count === BATCH_ROWS ? 1_000 : EVERY_MS)
}

/** Asks for a round unless one is asked for already. */
export async function ensurePruning(sql: Sql | TransactionSql, delayMs: number): Promise<void> {
  const request: JobRequest = { name: 'prune', data: {}, delayMs, attempts: 20 }
  await sql`
    insert into outbox (kind, payload) select 'job', ${JSON.stringify(request)}::text::json
    where not exists (select from outbox where kind = 'job' and payload ->> 'name' = 'prune')`
}
