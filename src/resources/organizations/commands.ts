import type { WriteContext } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { newApiKey } from '../../secrets/api-key.ts'
import { hashPassword } from '../../secrets/passwords.ts'
import { administratorOf, Refused } from '../administrator.ts'
import { insertKey, removeKey } from './keys.commands.ts'
import { insertPerson, removePerson, setPassword } from './people.commands.ts'
import { findOrganizationOf } from './people.queries.ts'
import { findOrganization } from './queries.ts'
import type { Role } from './schema.ts'

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

/** Marks an organization complete that was begun as incomplete. */
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
  const row = { name, scopes, expiresAt, legacyAccess: null }
  const id = await insertKey(await contextIn(db, organizationId), key, row, (id) => id)
  return { id, name, key, scopes, expiresAt }
}

/** Takes over a key made before scopes existed. spec: Authentication 9 */
export async function importLegacyKey(
  db: Database,
  organizationId: number,
  given: { name: string; access: 'read' | 'write'; key: string },
): Promise<{ id: number; name: string; access: 'read' | 'write' }> {
  const { name, access, key } = given
  const row = { name, scopes: [], expiresAt: null, legacyAccess: access }
  const work = insertKey(await contextIn(db, organizationId), key, row, (id) => id)
  const id = await refusing('api_key_hash_key', 'This key is known already', work)
  return { id, name, access }
}

/** spec: Authentication 10 */
export async function deleteKey(db: Database, id: number): Promise<{ deleted: true }> {
  const [owner] = await db.sql<{ organization_id: number }[]>`select organization_id from api_key where id = ${id}`
  if (!owner || !(await removeKey(administratorOf(db, owner.organization_id), id)))
    throw new Refused(`There is no API key ${id}`)
  return { deleted: true }
}

/** Adds a person who may sign in at the dashboard. */
export async function createUser(
  db: Database,
  organizationId: number,
  given: { email: string; role: Role; password: string },
): Promise<{ id: number }> {
  const { email, role } = given
  const passwordHash = await hashPassword(given.password)
  const ctx = await contextIn(db, organizationId)
  return refusingAnswers(insertPerson(ctx, { email, role, passwordHash }, (id) => ({ id })))
}

const administratorFor = async (db: Database, personId: number): Promise<WriteContext> => {
  const organizationId = await findOrganizationOf(db.sql, personId)
  if (organizationId === undefined) throw new Refused(`There is no user ${personId}`)
  return administratorOf(db, organizationId)
}

/** Every session of the user ends. */
export async function changePassword(db: Database, id: number, password: string): Promise<{ changed: true }> {
  const ctx = await administratorFor(db, id)
  const passwordHash = await hashPassword(password)
  return refusingAnswers(setPassword(ctx, id, passwordHash, () => ({ changed: true as const })))
}

/** Every session of the user ends. The last owner stays. */
export async function deleteUser(db: Database, id: number): Promise<{ deleted: true }> {
  await refusingAnswers(removePerson(await administratorFor(db, id), id))
  return { deleted: true }
}

/** Errors that a server would answer, as messages for people at a terminal. */
const refusingAnswers = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof ApiError) throw new Refused(error.message)
    throw error
  }
}
