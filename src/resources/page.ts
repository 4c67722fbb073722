import type { ISql, PendingQuery, Row } from 'postgres'
import type { Paging } from '../schema/paging.ts'

type Fragment = PendingQuery<Row[]>

/** The rows of one page by id of `source`, an alias in `from`, and how many there are on all pages. */
export async function page<Found extends object>(
  sql: ISql,
  { select, from, source, limit, offset }: Paging & { select: Fragment; from: Fragment; source: string },
): Promise<{ rows: Found[]; total: number }> {
  const [rows, [counted]] = await Promise.all([
    sql<Found[]>`select ${select} ${from} order by ${sql(source)}.id limit ${limit} offset ${offset}`,
    sql<{ total: number }[]>`select count(*)::int as total ${from}`,
  ])
  return { rows: [...rows], total: counted?.total ?? 0 }
}
