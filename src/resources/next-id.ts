import type { TransactionSql } from 'postgres'
import type { SealedTable } from '../secrets/secrets.ts'

/** The id that a row is going to have, which its secrets are sealed for. */
export async function nextId(tx: TransactionSql, table: SealedTable): Promise<number> {
  const [row] = await tx<{ id: number }[]>`select nextval(pg_get_serial_sequence(${table}, 'id'))::int as id`
  if (!row) throw new Error('a sequence gave no number')
  return row.id
}
