import { hashApiKey, keyPreview, newApiKey } from '../../api-key.ts'
import type { WriteContext } from '../../context.ts'
import { hashPassword } from '../../passwords.ts'
import { administratorOf, Refused } from '../administrator.ts'
import { findOrganization } from './queries.ts'

type Database = WriteContext['db']

const contextIn = async (db: Database, organizationId: number): Promise<WriteContext> => {
  if (!(await findOrganization(db.sql, organizationId))) throw new Refused(`There is no organization ${organizationId}`)
  return administratorOf(db, organizationId)
}

const refusing = async <T>(constraint: string, message: string, work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof Error && 'constraint_name' in error && error.constraint_name === constraint)
      throw new Refused(message)
    throw error
  }
}

export async function createOrganization(
  db: Database,
  name: string,
  { complete = true }: { complete?: boolean } = {},
): Promise<{ id: number; name: string }> {
  const [row] = await db.sql<{ id: number }[]>`
    insert into organization (name, complete) values (${name}, ${complete}) returning id`
  if (!row) throw new Error('insert returned no row')
  return { id: row.id, name }
}

/** What was begun as not complete is so now. */
export async function completeOrganization(db: Database, id: number): Promise<void> {
  await db.sql`update organization set complete = true where id = ${id}`
}

/** The only time that the key is shown. spec: Authentication 1 */
export async function createKey(
  db: Database,
  organizationId: number,
  wanted: { name: string; scopes: readonly string[]; expiresAt: Date | null },
): Promise<{ id: number; name: string; key: string; scopes: readonly string[]; expiresAt: string | null }> {
  const key = newApiKey()
  const { name, scopes } = wanted
  const expiresAt = wanted.expiresAt?.toISOString() ?? null
  const id = await addKey(await contextIn(db, organizationId), key, { name, scopes, expiresAt, legacyAccess: null })
  return { id, name, key, scopes, expiresAt }
}

/** Takes over a key made before scopes existed. spec: Authentication 9 */
export async function importLegacyKey(
  db: Database,
  organizationId: number,
  given: { name: string; access: 'read' | 'write'; key: string },
): Promise<{ id: number; name: string; access: 'read' | 'write' }> {
  const { name, access, key } = given
  const id = await addKey(await contextIn(db, organizationId), key, {
    name,
    scopes: [],
    expiresAt: null,
    legacyAccess: access,
  })
  return { id, name, access }
}

const addKey = (
  ctx: WriteContext,
  key: string,
  row: { name: string; scopes: readonly string[]; expiresAt: string | null; legacyAccess: 'read' | 'write' | null },
): Promise<number> => {
  const hash = hashApiKey(key)
  const work = ctx.db.write(ctx, { ref: 'api-key/new', type: 'create', asked: row }, async (tx) => {
    const [created] = await tx<{ id: number }[]>`
      insert into api_key (organization_id, name, hash, preview, scopes, legacy_access, expires_at)
      values (${ctx.organizationId}, ${row.name}, ${hash}, ${keyPreview(key)}, ${[...row.scopes]}::text[], ${row.legacyAccess}, ${row.expiresAt})
      returning id`
    if (!created) throw new Error('insert returned no row')
    await tx`select pg_notify('api_key', ${hash.toString('hex')})`
    return { result: created.id, events: [{ type: 'key.created' }], ref: `api-key/${created.id}` }
  })
  return refusing('api_key_hash_key', 'This key is known already', work)
}

/** Running servers hear it with the commit and refuse the key at once. spec: Authentication 10 */
export async function deleteKey(db: Database, id: number): Promise<{ deleted: true }> {
  const [owner] = await db.sql<{ organization_id: number }[]>`select organization_id from api_key where id = ${id}`
  if (!owner) throw new Refused(`There is no API key ${id}`)
  return db.write(administratorOf(db, owner.organization_id), { ref: `api-key/${id}`, type: 'delete' }, async (tx) => {
    const [gone] = await tx<{ hash: Buffer }[]>`delete from api_key where id = ${id} returning hash`
    if (!gone) throw new Refused(`There is no API key ${id}`)
    await tx`select pg_notify('api_key', ${gone.hash.toString('hex')})`
    return { result: { deleted: true as const }, events: [{ type: 'key.deleted' }] }
  })
}

export async function createUser(
  db: Database,
  organizationId: number,
  given: { email: string; role: 'owner' | 'admin' | 'user' | 'operator'; password: string },
): Promise<{ id: number }> {
  const { email, role } = given
  const passwordHash = await hashPassword(given.password)
  const ctx = await contextIn(db, organizationId)
  const work = db.write(ctx, { ref: 'person/new', type: 'create', asked: { email, role } }, async (tx) => {
    const [row] = await tx<{ id: number }[]>`
      insert into person (organization_id, email, role, password_hash)
      values (${organizationId}, ${email}, ${role}, ${passwordHash}) returning id`
    if (!row) throw new Error('insert returned no row')
    return { result: { id: row.id }, events: [{ type: 'person.created' }], ref: `person/${row.id}` }
  })
  return refusing('person_email_key', `There is a user with the e-mail address ${email} already`, work)
}
