import type { ISql } from 'postgres'
import type { KeySource } from '../../secrets/open.ts'

/** Tells every server of the database that another key is in use. */
export const KEYS_CHANGED = 'secrets_key'

type KeyRow = { id: string; current: boolean }

const keyRows = (sql: ISql) => sql<KeyRow[]>`select id, current from secrets_key order by current desc, id`

/**
 * Uses the key that the database is sealed with. One that holds nothing sealed yet takes the preferred key, which is made
 * when there is none; one that does never gets another by itself. Throws one line that names SECRETS_KEY when a key is missing.
 */
export async function settleKeys(sql: ISql, { ring, from, file }: KeySource): Promise<void> {
  let rows: readonly KeyRow[] = await keyRows(sql)
  if (rows.length === 0) {
    if (!ring.preferred) file?.make()
    await sql`insert into secrets_key (id) values (${ring.preferred?.id ?? ''}) on conflict do nothing`
    rows = await keyRows(sql)
  }
  if (rows.some(({ id }) => !ring.key(id))) ring.reread()
  const missing = rows.find(({ id }) => !ring.key(id))
  if (missing) throw new KeyMissing(missing.id, from, ring.ids)
  const current = rows.find((row) => row.current)
  if (!current) throw new Error('the database does not say which key its secrets are sealed with')
  ring.use(current.id)
}

/** For people who start a server without the key of its secrets. */
export class KeyMissing extends Error {
  constructor(id: string, from: string, known: readonly string[]) {
    const has = known.length === 0 ? 'is not there' : `has ${known.join(', ')}`
    super(
      `SECRETS_KEY: the secrets of this database are sealed with key ${id}; ${from} ${has}. Put back the key that it was used with`,
    )
  }
}
