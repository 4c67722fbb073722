import type { ISql } from 'postgres'
import type { z } from 'zod'
import type { ReadContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Paging } from '../../schema/paging.ts'
import { page } from '../page.ts'
import type { Person } from './people.schema.ts'
import { type Role, SESSION_IDLE_MS } from './schema.ts'

type Row = { id: number; email: string; role: Role; created_at: Date; last_seen_at: Date | null; sessions: number }

const columns = (sql: ISql) => sql`p.id, p.email, p.role, p.created_at, open.last_seen_at, open.sessions`
// a session that nobody has used for so long has ended, though its row may still be there
const source = (sql: ISql) => sql`
  from person p cross join lateral (
    select max(s.seen_at) as last_seen_at, count(*)::int as sessions from person_session s
    where s.person_id = p.id and s.expires_at > now() and s.seen_at > now() - ${SESSION_IDLE_MS} * interval '1 ms'
  ) as open`

/** The people of the organization, oldest first. */
export async function listPeople(ctx: ReadContext, paging: Paging) {
  const { sql } = ctx.db
  const { rows, total } = await page<Row>(sql, {
    select: columns(sql),
    from: sql`${source(sql)} where p.organization_id = ${ctx.organizationId}`,
    source: 'p',
    ...paging,
  })
  return { people: rows.map(shown), total, returned: rows.length }
}

/** Throws notFound, also for a person of another organization. */
export async function getPerson(ctx: ReadContext, id: number, sql: ISql = ctx.db.sql) {
  const [row] = await sql<Row[]>`
    select ${columns(sql)} ${source(sql)} where p.id = ${id} and p.organization_id = ${ctx.organizationId}`
  if (!row) throw notFound()
  return shown(row)
}

/** The organization of a person. */
export async function findOrganizationOf(sql: ISql, personId: number): Promise<number | undefined> {
  const [row] = await sql<{ organization_id: number }[]>`select organization_id from person where id = ${personId}`
  return row?.organization_id
}

/** The hash that the person's password is judged by; empty when the person is gone. */
export async function findPasswordHash(sql: ISql, personId: number): Promise<string> {
  const [row] = await sql<{ password_hash: string }[]>`select password_hash from person where id = ${personId}`
  return row?.password_hash ?? ''
}

/** The same by e-mail address; empty when it is nobody's. */
export async function findPasswordHashOf(sql: ISql, email: string): Promise<string> {
  const [row] = await sql<{ password_hash: string }[]>`select password_hash from person where email = ${email}`
  return row?.password_hash ?? ''
}

const shown = (row: Row): z.input<typeof Person> => ({
  id: row.id,
  email: row.email,
  role: row.role,
  createdAt: row.created_at.toISOString(),
  lastSeenAt: row.last_seen_at?.toISOString() ?? null,
  sessions: row.sessions,
})
