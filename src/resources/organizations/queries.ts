import type { Sql } from 'postgres'
import { SCOPE_RESOURCES } from '../../api-key.ts'
import type { ApiKeyRow } from './schema.ts'

export async function findOrganization(sql: Sql, id: number): Promise<{ id: number; name: string } | undefined> {
  const [row] = await sql<{ id: number; name: string }[]>`select id, name from organization where id = ${id}`
  return row
}

/** Whether the database holds no organization at all: the first start makes the demo. */
export async function hasNoOrganization(sql: Sql): Promise<boolean> {
  return (await sql`select from organization limit 1`).length === 0
}

/** Every key of the organization, oldest first; a legacy key shows the scopes that it stands for. */
export async function listKeys(sql: Sql, organizationId: number): Promise<ApiKeyRow[]> {
  const rows = await sql<
    {
      id: number
      name: string
      preview: string
      scopes: string[]
      legacy_access: string | null
      expires_at: Date | null
      created_at: Date
      last_used_at: Date | null
    }[]
  >`
    select id, name, preview, scopes, legacy_access, expires_at, created_at, last_used_at
    from api_key where organization_id = ${organizationId} order by id`
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    preview: row.preview,
    scopes: row.legacy_access ? SCOPE_RESOURCES.map((name) => `${name}:${row.legacy_access}`) : row.scopes,
    expiresAt: row.expires_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  }))
}
