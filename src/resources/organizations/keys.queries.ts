import type { ISql } from 'postgres'
import type { z } from 'zod'
import type { ReadContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Paging } from '../../schema/paging.ts'
import { page } from '../page.ts'
import type { KeyShown } from './keys.schema.ts'
import { scopesShown } from './queries.ts'

type Row = {
  id: number
  name: string
  preview: string
  scopes: string[]
  legacy_access: 'read' | 'write' | null
  expires_at: Date | null
  created_at: Date
  last_used_at: Date | null
}

const columns = (sql: ISql) =>
  sql`k.id, k.name, k.preview, k.scopes, k.legacy_access, k.expires_at, k.created_at, k.last_used_at`

/** The keys of the organization, oldest first. */
export async function listKeysShown(ctx: ReadContext, paging: Paging) {
  const { sql } = ctx.db
  const { rows, total } = await page<Row>(sql, {
    select: columns(sql),
    from: sql`from api_key k where k.organization_id = ${ctx.organizationId}`,
    source: 'k',
    ...paging,
  })
  return { keys: rows.map(shown), total, returned: rows.length }
}

/** Throws notFound, also when it is another organization's. */
export async function getKeyShown(ctx: ReadContext, id: number, sql: ISql = ctx.db.sql) {
  const [row] = await sql<Row[]>`
    select ${columns(sql)} from api_key k where k.id = ${id} and k.organization_id = ${ctx.organizationId}`
  if (!row) throw notFound()
  return shown(row)
}

const shown = (row: Row): z.input<typeof KeyShown> => ({
  id: row.id,
  name: row.name,
  preview: row.preview,
  scopes: scopesShown(row),
  legacy: row.legacy_access !== null,
  expiresAt: row.expires_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
})
