import type { ISql, Sql } from 'postgres'
import type { KeySource } from '../../secrets/open.ts'
import { newSecretKey, seal, unseal } from '../../secrets/sealing.ts'
import { type KeyRing, placeOf } from '../../secrets/secrets.ts'
import { KEYS_CHANGED, settleKeys } from './settle.ts'
import { SEALED } from './tables.ts'

/** Held while the keys of a database change, so that two do not at once. */
const ROTATION_LOCK = 7_225_005
const BATCH_ROWS = 200

export type RotationReport = {
  /** Fingerprint of the key in use. */
  key: string
  /** Where it is: the variable, or the file. */
  from: string
  /** How many rows of each table were sealed anew. */
  sealed: Record<string, number>
  /** Keys that no row needs any more; older backups do. */
  retired: string[]
}

/**
 * Gives a database another key and seals everything anew, also under running servers. Of a file, a new key is made; of the variable,
 * its first one is taken. What was cut off goes on where it was: no third key is made. `forgetOld` takes retired keys out of the file.
 */
export async function rotateKeys(
  sql: Sql,
  keys: KeySource,
  { forgetOld = false, cut }: { forgetOld?: boolean; cut?: (table: string) => Promise<void> | void } = {},
): Promise<RotationReport> {
  const session = await sql.reserve()
  try {
    await session`select pg_advisory_lock(${ROTATION_LOCK})`
    await settleKeys(sql, keys)
    const { ring, file, from } = keys
    const unfinished = (await sql`select from secrets_key where not current`).length > 0
    if (!unfinished && ring.preferred?.id === ring.current?.id) {
      if (!file)
        throw new Error(
          'SECRETS_KEY: put a new key before the one in use, with a comma between them (openssl rand -base64 32), in every node; restart them; then rotate',
        )
      file.write([newSecretKey(), ...file.read()])
    }
    const key = ring.preferred
    if (!key) throw new Error(`SECRETS_KEY: ${from} has no key`)
    await takeIntoUse(sql, key.id)
    ring.use(key.id)
    const sealed = await sealAnew(sql, ring, cut)
    const retired = await sql<{ id: string }[]>`delete from secrets_key where not current returning id`
    if (forgetOld) file?.write([key])
    return { key: key.id, from, sealed, retired: retired.map(({ id }) => id) }
  } finally {
    await session`select pg_advisory_unlock(${ROTATION_LOCK})`.catch(() => {})
    session.release()
  }
}

/** From this commit on servers seal with this key, and open what older ones sealed. */
const takeIntoUse = (sql: Sql, id: string) =>
  sql.begin(async (tx) => {
    await tx`update secrets_key set current = false where current and id <> ${id}`
    await tx`insert into secrets_key (id) values (${id}) on conflict (id) do update set current = true`
    await tx`select pg_notify(${KEYS_CHANGED}, '')`
  })

/** Seals with the current key whatever another sealed; how many rows of each table. */
export async function sealAnew(
  sql: Sql,
  ring: KeyRing,
  cut?: (table: string) => Promise<void> | void,
): Promise<Record<string, number>> {
  const sealed: Record<string, number> = {}
  for (const { table, column, row } of SEALED) {
    sealed[table] = 0
    for (;;) {
      const count = await sql.begin((tx) => sealBatch(tx, ring, { table, column, row }))
      sealed[table] += count
      await cut?.(table)
      if (count < BATCH_ROWS) break
    }
  }
  return sealed
}

async function sealBatch(tx: ISql, ring: KeyRing, { table, column, row }: (typeof SEALED)[number]): Promise<number> {
  const key = ring.current
  if (!key) throw new Error('no key for secrets was opened')
  // whoever changes a row meanwhile seals it anew as well
  const rows = await tx<{ at: string; row: string; sealed: string }[]>`
    select ctid::text as at, ${row(tx)} as row, ${tx(column)} as sealed from ${tx(table)}
    where split_part(${tx(column)}, ':', 2) <> ${key.id} limit ${BATCH_ROWS} for no key update`
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
