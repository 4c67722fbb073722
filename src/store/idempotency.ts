import type { Sql } from 'postgres'
import type { IdempotencyStore } from '../http/idempotency.ts'
import { isSealed } from '../secrets/sealing.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { createLookUps } from './look-ups.ts'

type Row = { method: string; path: string; bodyHash: string; status: number; body: string; fresh: boolean }
type Asked = { organizationId: number; key: string }

/** Each is found by the primary key, or not, however many are asked for. */
async function rowsOf(sql: Sql, asked: readonly Asked[]): Promise<(Row | undefined)[]> {
  const rows = await sql<(Row & { nth: number })[]>`
    select nth, method, path, encode(body_hash, 'hex') as "bodyHash", status, body, created_at > now() - interval '24 hours' as fresh
    from unnest(${asked.map(({ organizationId }) => organizationId)}::int[], ${asked.map(({ key }) => key)}::text[])
      with ordinality as given(organization_id, key, nth)
    cross join lateral (
      select * from idempotency kept where kept.organization_id = given.organization_id and kept.key = given.key limit 1
    ) kept`
  const found: (Row | undefined)[] = asked.map(() => undefined)
  for (const row of rows) found[row.nth - 1] = row
  return found
}

/** The rows of Idempotency-Keys; they count for 24 h. An answer may hold secrets, so it is sealed unless its commit knew better. live-path 7 */
export function createIdempotencyStore({ sql, secrets }: { sql: Sql; secrets: Secrets }): IdempotencyStore {
  const lookUp = createLookUps((asked: readonly Asked[]) => rowsOf(sql, asked))
  return {
    async find(organizationId, key) {
      const row = await lookUp({ organizationId, key })
      if (!row) return undefined
      const { method, path, bodyHash, status, body, fresh } = row
      if (fresh) {
        const answer = isSealed(body) ? secrets.open('idempotency', `${organizationId}/${key}`, body) : { body }
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
        values (${organizationId}, ${key}, ${method}, ${path}, decode(${bodyHash}, 'hex'), ${status}, ${sealed})
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
