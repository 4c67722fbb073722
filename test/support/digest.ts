import type { TestDatabase } from './database.ts'

/** What changes without a request: when a key was used, kept first answers, what renderers painted, work that is done, rounds of retention, that the server lives. */
const BESIDE = ['api_key', 'idempotency', 'paint', 'outbox', 'migration', 'retention', 'server_run']

/** Makes the function that answers a text which changes whenever any row of any organization is written, also with what it held. */
export async function digester({ sql }: Pick<TestDatabase, 'sql'>): Promise<() => Promise<string>> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ${sql(BESIDE)} order by 1`
  const parts = tables.map(
    ({ name }) =>
      // who wrote a row and where it lies, not the documents in it; a sum, unlike a text of all rows, needs no order
      `select '${name} ' || count(*) || ' ' || coalesce(sum(hashtextextended(t.xmin || ' ' || t.ctid, 0)::numeric), 0) as line from ${name} t`,
  )
  return async () => {
    const rows = await sql.unsafe<{ line: string }[]>(`${parts.join(' union all ')} order by 1`, [], { prepare: true })
    return rows.map(({ line }) => line).join('\n')
  }
}
