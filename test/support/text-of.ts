import type { Sql } from 'postgres'

/** Everything that stands in a database, of every schema that is not PostgreSQL's own, as one text; bytes as they are, too. */
export async function textOf(sql: Sql): Promise<string> {
  const tables = await sql<{ name: string; bytes: string[] }[]>`
    select format('%I.%I', table_schema, table_name) as name,
      array(select column_name::text from information_schema.columns c
        where c.table_schema = t.table_schema and c.table_name = t.table_name and c.data_type = 'bytea') as bytes
    from information_schema.tables t
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1`
  const parts: string[] = []
  for (const { name, bytes } of tables) {
    const [rows] = await sql.unsafe<{ text: string | null }[]>(
      `select string_agg(t::text, E'\\n') as text from ${name} t`,
    )
    parts.push(rows?.text ?? '')
    for (const column of bytes) {
      const [found] = await sql.unsafe<{ text: string | null }[]>(
        `select string_agg(encode("${column}", 'escape'), E'\\n') as text from ${name}`,
      )
      parts.push(found?.text ?? '')
    }
  }
  return parts.join('\n')
}
