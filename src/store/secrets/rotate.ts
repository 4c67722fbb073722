import type { ISql, Sql, TransactionSql } from 'postgres'
import type { KeySource } from '../../secrets/open.ts'
import { newSecretKey, type SecretKey, seal, unseal } from '../../secrets/sealing.ts'
import { type KeyRing, placeOf } from '../../secrets/secrets.ts'
import { KEYS_CHANGED, settleKeys } from './settle.ts'
import { SEALED } from './tables.ts'

/** Held while the keys of a database change, so that two do not at once. */
const ROTATION_LOCK = 7_225_005
const BATCH_ROWS = 200
/** A server that does not hear of the new key at all must not keep a rotation going for ever. */
const LATE_PASSES = 3

export type RotationReport = {
  /** Fingerprint of the key in use. */
  key: string
  /** Where it is: the variable, or the file. */
  from: string
  /** How many rows of each table were sealed anew. */
  sealed: Record<string, number>
  /** Keys that no row needs any more; backups from before do. */
  retired: string[]
}

/**
 * Gives a database another key and seals everything anew, also under a running server. Of a file, a new key is made; of the
 * variable, its first one is taken. A rotation that was cut off goes on where it was: no third key. `forgetOld` takes the others out
 * of the file. `each` is called after each batch.
 */
export async function rotateKeys(
  sql: Sql,
  keys: KeySource,
  { forgetOld = false, each = () => {} }: { forgetOld?: boolean; each?: () => Promise<void> | void } = {},
): Promise<RotationReport> {
  const session = await sql.reserve()
  try {
    await session`select pg_advisory_lock(${ROTATION_LOCK})`
    await settleKeys(sql, keys)
    const key = await nextKey(sql, keys)
    await sql.begin((tx) => takeIntoUse(tx, key.id))
    keys.ring.use(key.id)
    const pass = () =>
      sealAnew(keys.ring, async (run) => {
        const count = await sql.begin((tx) => run(tx))
        await each()
        return count
      })
    const sealed = await pass()
    // rows that a server sealed before it heard of the new key; no foreign key holds on to the key of kept answers
    for (let left = LATE_PASSES; left > 0; left--) {
      const late = await pass()
      for (const [table, rows] of Object.entries(late)) sealed[table] = (sealed[table] ?? 0) + rows
      if (Object.values(late).every((rows) => rows === 0)) break
    }
    const retired = await retire(sql)
    if (forgetOld) keys.file?.write([key])
    return { key: key.id, from: keys.from, sealed, retired }
  } finally {
    await session`select pg_advisory_unlock(${ROTATION_LOCK})`.catch(() => {})
    session.release()
  }
}

/** The key to rotate to. Throws one line that says how to give one. */
async function nextKey(sql: Sql, { ring, file, from }: KeySource): Promise<SecretKey> {
  const unfinished = (await sql`select from secrets_key where not current`).length > 0
  if (!unfinished && ring.preferred?.id === ring.current?.id) {
    if (!file)
      throw new Error(
        'SECRETS_KEY: put a new key before the one in use, with a comma between them (openssl rand -base64 32), in every node; restart them; then rotate',
      )
    file.write([newSecretKey(), ...file.read()])
  }
  if (!ring.preferred) throw new Error(`SECRETS_KEY: ${from} has no key`)
  return ring.preferred
}

/** Seals everything with the preferred key, in the transaction in which it was restored. */
export async function sealWithPreferred(tx: TransactionSql, keys: KeySource): Promise<void> {
  await settleKeys(tx, keys)
  const { preferred, current } = keys.ring
  if (!preferred || preferred.id === current?.id) return
  await takeIntoUse(tx, preferred.id)
  keys.ring.use(preferred.id)
  await sealAnew(keys.ring, (run) => run(tx))
  await retire(tx)
}

/** From this commit on servers seal with this key, and still open rows sealed with older ones. */
export async function takeIntoUse(tx: TransactionSql, id: string): Promise<void> {
  await tx`update secrets_key set current = false where current and id <> ${id}`
  await tx`insert into secrets_key (id) values (${id}) on conflict (id) do update set current = true`
  await tx`select pg_notify(${KEYS_CHANGED}, '')`
}

/** No row can be sealed with the others from now on; the database refuses while one still is. */
const retire = async (sql: ISql): Promise<string[]> =>
  (await sql<{ id: string }[]>`delete from secrets_key where not current returning id`).map(({ id }) => id)

/** Seals rows of other keys with the current one, a batch at a time; answers how many rows of each table. */
async function sealAnew(
  ring: KeyRing,
  inTransaction: (run: (tx: TransactionSql) => Promise<number>) => Promise<number>,
): Promise<Record<string, number>> {
  const sealed: Record<string, number> = {}
  for (const place of SEALED) {
    let rows = 0
    for (let count = BATCH_ROWS; count === BATCH_ROWS; rows += count)
      count = await inTransaction((tx) => sealBatch(tx, ring, place))
    sealed[place.table] = rows
  }
  return sealed
}

async function sealBatch(
  tx: TransactionSql,
  ring: KeyRing,
  { table, column, row }: (typeof SEALED)[number],
): Promise<number> {
  const key = ring.current
  if (!key) throw new Error('no key for secrets was opened')
  // a writer of such a row waits meanwhile, and then seals it with the current key
  const rows = await tx<{ at: string; row: string; sealed: string }[]>`
    select ctid::text as at, ${row(tx)} as row, ${tx(column)} as sealed from ${tx(table)}
    where starts_with(${tx(column)}, 's1:') and split_part(${tx(column)}, ':', 2) <> ${key.id} limit ${BATCH_ROWS} for no key update`
  for (const { at, row: id, sealed } of rows) {
    const place = placeOf(table, id)
    const old = ring.key(sealed.split(':')[1] ?? '')
    if (!old) throw new Error(`SECRETS_KEY: ${place} is sealed with a key that is not known here`)
    await tx`
      update ${tx(table)} set ${tx({ [column]: seal(key, place, unseal(old, place, sealed)) })}
      where ctid = ${at}::text::tid`
  }
  return rows.length
}
