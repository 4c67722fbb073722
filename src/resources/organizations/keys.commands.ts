import type { TransactionSql } from 'postgres'
import type { Context, WriteContext } from '../../context.ts'
import { invalid, notFound } from '../../errors.ts'
import { hashApiKey, keyPreview, newApiKey } from '../../secrets/api-key.ts'
import { serviceTime } from '../../waiting/service-time.ts'
import { shownOnce } from '../shown-once.ts'
import { expiryOf } from './expiry.ts'
import { getKeyShown } from './keys.queries.ts'
import type { KeyCreation } from './keys.schema.ts'

/** A key as asked for; `expiresAt` is ISO 8601, null for never. */
export type NewKey = {
  name: string
  scopes: readonly string[]
  expiresAt: string | null
  legacyAccess: 'read' | 'write' | null
}

/** Journals and stores a key by its hash; the result is `shape` of its row. spec: Authentication 1 */
export const insertKey = <T>(
  ctx: WriteContext,
  key: string,
  row: NewKey,
  shape: (id: number, tx: TransactionSql) => Promise<T> | T,
): Promise<T> => {
  const hash = hashApiKey(key)
  return ctx.db.write(ctx, { ref: 'api-key/new', type: 'create', asked: row }, async (tx) => {
    const [created] = await tx<{ id: number }[]>`
      insert into api_key (organization_id, name, hash, preview, scopes, legacy_access, expires_at)
      values (${ctx.organizationId}, ${row.name}, ${hash}, ${keyPreview(key)}, ${[...row.scopes]}::text[], ${row.legacyAccess}, ${row.expiresAt})
      returning id`
    if (!created) throw new Error('insert returned no row')
    await tx`select pg_notify('api_key', ${hash.toString('hex')})`
    return { result: await shape(created.id, tx), events: [{ type: 'key.created' }], ref: `api-key/${created.id}` }
  })
}

/** Running servers hear it with the commit and refuse the key at once. False when there is none. spec: Authentication 10 */
export const removeKey = (ctx: WriteContext, id: number): Promise<boolean> =>
  ctx.db.write(ctx, { ref: `api-key/${id}`, type: 'delete' }, async (tx) => {
    const [gone] = await tx<{ hash: Buffer; name: string; preview: string }[]>`
      delete from api_key where id = ${id} and organization_id = ${ctx.organizationId} returning hash, name, preview`
    if (!gone) return { result: false, events: [] }
    await tx`select pg_notify('api_key', ${gone.hash.toString('hex')})`
    return { result: true, events: [{ type: 'key.deleted', name: gone.name, preview: gone.preview }] }
  })

/** The only answer that has the key. Throws invalid. spec: Authentication 1, 8 */
export async function createOwnKey(ctx: Context, { name, scopes, expiry, expiresAt }: KeyCreation) {
  const now = new Date(serviceTime())
  const expires = expiry === 'none' ? null : new Date(expiry === 'custom' ? (expiresAt ?? now) : expiryOf(expiry, now))
  if (expires && expires <= now) throw invalid({ 'body.expiresAt': { message: 'is in the past', value: expiresAt } })
  const key = newApiKey()
  const row = {
    name,
    scopes: [...new Set(scopes)],
    expiresAt: expires?.toISOString() ?? null,
    legacyAccess: null,
  }
  const created = await insertKey(ctx, key, row, async (id, tx) => ({ ...(await getKeyShown(ctx, id, tx)), key: null }))
  return shownOnce({ ...created, key })
}

/** At once, on every node. Throws notFound. spec: Authentication 10 */
export async function deleteOwnKey(ctx: Context, id: number): Promise<undefined> {
  if (!(await removeKey(ctx, id))) throw notFound()
}
