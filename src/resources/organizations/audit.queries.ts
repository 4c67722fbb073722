import type { z } from 'zod'
import type { ReadContext } from '../../context.ts'
import type { JournalPrincipal } from '../../principal.ts'
import { causedBy } from '../caused-by.ts'
import type { AuditEntry, AuditQuery } from './audit.schema.ts'

type Row = {
  id: number
  at: Date
  ref: string
  command: { type: string; asked?: unknown }
  events: { type: string }[]
  principal: JournalPrincipal
  request_id: string
}

/**
 * Changes by people, keys and the system to the records of the organization, newest first. Overlays, matches and streams have
 * their own logs, and so have rows that are pushed many times a second.
 */
export async function findAudit({ db, organizationId }: ReadContext, query: AuditQuery) {
  const { sql } = db
  const { kind, recordId, event, byType, byId, from, to, limit, offset } = query
  const kinds = kind?.split(',')
  // the kinds that are left out are those of the index `journal_audit`
  const where = sql`
    j.organization_id = ${organizationId}
    and split_part(j.ref, '/', 1)
      not in ('overlay', 'match', 'stream', 'destination', 'input', 'graphic-lock', 'upload', 'data-source')
    ${kinds === undefined ? sql`` : sql`and split_part(j.ref, '/', 1) = any(${kinds}::text[])`}
    ${recordId === undefined ? sql`` : sql`and split_part(j.ref, '/', 2) = ${String(recordId)}`}
    ${event === undefined ? sql`` : sql`and exists (select from json_array_elements(j.events) e where e->>'type' = ${event})`}
    ${byType === undefined ? sql`` : sql`and j.principal->>'type' = ${byType}`}
    ${byId === undefined ? sql`` : sql`and j.principal->>'id' = ${String(byId)}`}
    ${from === undefined ? sql`` : sql`and j.at >= ${from}`}
    ${to === undefined ? sql`` : sql`and j.at < ${to}`}`
  const [rows, [counted]] = await Promise.all([
    sql<Row[]>`
      select j.seq as id, j.at, j.ref, j.command, j.events, j.principal, j.request_id from journal j
      where ${where} order by j.at desc, j.seq desc limit ${limit} offset ${offset}`,
    sql<{ total: number }[]>`select count(*)::int as total from journal j where ${where}`,
  ])
  return { audit: rows.map(entry), total: counted?.total ?? 0, returned: rows.length }
}

const entry = (row: Row): z.input<typeof AuditEntry> => ({
  id: row.id,
  at: row.at.toISOString(),
  ref: row.ref,
  command: row.command.type,
  asked: row.command.asked ?? null,
  events: row.events,
  by: causedBy(row.principal),
  requestId: row.request_id,
})
