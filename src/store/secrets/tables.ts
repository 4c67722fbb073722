import type { ISql } from 'postgres'
import type { SealedTable } from '../../secrets/secrets.ts'

/** Every table with something sealed: in which column, and how a row is named to the sealing. */
export const SEALED: readonly { table: SealedTable; column: string; row: (sql: ISql) => ReturnType<ISql> }[] = [
  { table: 'overlay', column: 'secrets', row: (sql) => sql`id::text` },
  { table: 'match_desk', column: 'secrets', row: (sql) => sql`id::text` },
  { table: 'stream_input', column: 'secrets', row: (sql) => sql`id::text` },
  { table: 'stream_destination', column: 'secrets', row: (sql) => sql`id::text` },
  { table: 'provider_connection', column: 'secrets', row: (sql) => sql`id::text` },
  { table: 'provider_page', column: 'secrets', row: (sql) => sql`connection_id || '/' || position` },
  { table: 'sign_in_secret', column: 'secrets', row: (sql) => sql`'1'` },
  { table: 'webhook', column: 'secrets', row: (sql) => sql`id::text` },
  { table: 'idempotency', column: 'body', row: (sql) => sql`organization_id || '/' || key` },
]
