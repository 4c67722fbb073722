import type { Sql } from 'postgres'
import type { IdempotencyStore } from '../http/idempotency.ts'
import type { Secrets } from '../secrets/secrets.ts'

/** The rows of Idempotency-Keys; they count for 24 h. An answer may hold secrets, so it is sealed. live-path 7 */
export function createIdempotencyStore({ sql, secrets }: { sql: Sql; secrets: Secrets }): IdempotencyStore {
  return {
    async find(organizationId, key) {
      const [row] = await sql<
        { method: string; path: string; body_hash: Buffer; status: number; body: string; fresh: boolean }[]
      >`
        select method, path, body_hash, status, body, created_at > now() - interval '24 hours' as fresh
        from idempotency where organization_id = ${organizationId} and key = ${key}`
      if (!row) return undefined
      const { method, path, body_hash: bodyHash, status, body, fresh } = row
      if (fresh) {
        const answer = secrets.open('idempotency', `${organizationId}/${key}`, body)
        return { method, path, bodyHash, status, body: answer.body }
      }
      // the commit of the request that comes now will insert its own
      await sql`
        delete from idempotency where organization_id = ${organizationId} and key = ${key}
          and created_at <= now() - interval '24 hours'`
      return undefined
    },
    async store(organizationId, key, { method, path, bodyHash, status, body }) {
      const sealed = secrets.seal('idempotency', `${organizationId}/${key}`, { body })
      await sql`
        insert into idempotency (organization_id, key, method, path, body_hash, status, body)
        values (${organizationId}, ${key}, ${method}, ${path}, ${bodyHash}, ${status}, ${sealed})
        on conflict (organization_id, key) do update set status = excluded.status, body = excluded.body
          where idempotency.method = excluded.method and idempotency.path = excluded.path
            and idempotency.body_hash = excluded.body_hash`
    },
  }
}

/** Deletes rows that no longer count; resolves with their number. */
export async function pruneIdempotency(sql: Sql): Promise<number> {
  const { count } = await sql`delete from idempotency where created_at < now() - interval '24 hours'`
  return count
}
