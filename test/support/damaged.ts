import type { Sql } from 'postgres'

/**
 * Puts something else in the place of a part of a stored state, as if another had written it: its actor cannot be loaded, and answers 503. The
 * returned function puts back what was there.
 */
export async function damaged(sql: Sql, ref: string, part: string, value: unknown): Promise<() => Promise<void>> {
  const [stored] = await sql`select snapshot::text as snapshot from actor where ref = ${ref}`
  await sql`
    update actor set epoch = epoch + 1, snapshot = jsonb_set(snapshot::jsonb, ${['context', part]}::text[],
      ${JSON.stringify(value)}::text::jsonb)::json where ref = ${ref}`
  return async () => {
    await sql`update actor set epoch = epoch + 1, snapshot = ${stored?.snapshot}::text::json where ref = ${ref}`
  }
}
