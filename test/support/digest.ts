import type { TestDatabase } from './database.ts'

/** What changes without a request: when a key was used, kept first answers, what renderers painted, work that is done. */
const BESIDE = ['api_key', 'idempotency', 'paint', 'outbox', 'migration']

/** A text that changes whenever any row of any organization does. */
export async function digestOf({ sql }: Pick<TestDatabase, 'sql'>): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ${sql(BESIDE)} order by 1`
  const parts = await Promise.all(
    tables.map(async ({ name }) => {
      const [row] = await sql<{ digest: string | null }[]>`
        select md5(string_agg(t::text, ',' order by t::text)) as digest from ${sql(name)} t`
      return `${name} ${row?.digest ?? 'empty'}`
    }),
  )
  return parts.join('\n')
}
