import type { TransactionSql } from 'postgres'
import type { Context, WriteContext } from '../../context.ts'
import { emailTaken, lastOwner, notFound, ownersOnly } from '../../errors.ts'
import { hashPassword, newPassword } from '../../secrets/passwords.ts'
import { shownOnce } from '../shown-once.ts'
import { getPerson } from './people.queries.ts'
import type { PersonCreation, PersonUpdate } from './people.schema.ts'
import type { Role } from './schema.ts'

/** Throws when the caller may do nothing to people of the role, or with such a password. */
type Judge = (role: Role, passwordHash: string) => void

const anybody: Judge = () => {}

/** Admins are no owners, and make none. Throws ownersOnly. */
const judgeOf =
  ({ scopes }: Pick<Context, 'scopes'>) =>
  (role: Role): void => {
    if (role === 'owner' && !scopes.has('owners:write')) throw ownersOnly()
  }

type Locked = { id: number; email: string; role: Role; passwordHash: string }

/** The person and whether another owner is there, until the transaction ends. Throws notFound. */
async function lock(ctx: WriteContext, tx: TransactionSql, id: number) {
  const rows = await tx<Locked[]>`
    select id, email, role, password_hash as "passwordHash" from person
    where organization_id = ${ctx.organizationId} and (id = ${id} or role = 'owner') order by id for update`
  const person = rows.find((row) => row.id === id)
  if (!person) throw notFound()
  return { ...person, isLastOwner: person.role === 'owner' && rows.length === 1 }
}

/** Journals and stores a person who may sign in; the result is `shape` of the row. Throws emailTaken. */
export const insertPerson = <T>(
  ctx: WriteContext,
  { email, role, passwordHash }: { email: string; role: Role; passwordHash: string },
  shape: (id: number, tx: TransactionSql) => Promise<T> | T,
): Promise<T> =>
  ctx.db.write(ctx, { ref: 'person/new', type: 'create', asked: { email, role } }, async (tx) => {
    const [row] = await tx<{ id: number }[]>`
      insert into person (organization_id, email, role, password_hash)
      values (${ctx.organizationId}, ${email}, ${role}, ${passwordHash})
      on conflict (email) do nothing returning id`
    if (!row) throw emailTaken(email)
    const events = [{ type: 'person.created', email, role }]
    return { result: await shape(row.id, tx), events, ref: `person/${row.id}` }
  })

/** Every session of the person ends with the commit. Throws notFound, and errors of `judge` for the role and the password of before. */
export const setPassword = <T>(
  ctx: WriteContext,
  id: number,
  passwordHash: string,
  shape: (tx: TransactionSql) => Promise<T> | T,
  judge = anybody,
): Promise<T> =>
  ctx.db.write(ctx, { ref: `person/${id}`, type: 'password' }, async (tx) => {
    const { email, role, passwordHash: before } = await lock(ctx, tx, id)
    judge(role, before)
    await tx`update person set password_hash = ${passwordHash} where id = ${id}`
    return { result: await shape(tx), events: [{ type: 'person.password-changed', email }] }
  })

/** The last owner stays. Throws notFound, lastOwner, and errors of `judge`. */
export const removePerson = (ctx: WriteContext, id: number, judge = anybody): Promise<void> =>
  ctx.db.write(ctx, { ref: `person/${id}`, type: 'delete' }, async (tx) => {
    const { email, role, passwordHash, isLastOwner } = await lock(ctx, tx, id)
    judge(role, passwordHash)
    if (isLastOwner) throw lastOwner()
    await tx`delete from person where id = ${id}`
    return { result: undefined, events: [{ type: 'person.deleted', email, role }] }
  })

/** With a password that only this answer has. Throws ownersOnly, emailTaken. */
export async function createPerson(ctx: Context, { email, role }: PersonCreation) {
  judgeOf(ctx)(role)
  const password = newPassword()
  const passwordHash = await hashPassword(password)
  const created = await insertPerson(ctx, { email, role, passwordHash }, async (id, tx) => ({
    ...(await getPerson(ctx, id, tx)),
    password: null,
  }))
  return shownOnce({ ...created, password })
}

/** Every session of the person ends with the commit. Throws notFound, ownersOnly, lastOwner. */
export const updatePerson = (ctx: Context, id: number, { role }: PersonUpdate) =>
  ctx.db.write(ctx, { ref: `person/${id}`, type: 'update', asked: { role } }, async (tx) => {
    const judge = judgeOf(ctx)
    const before = await lock(ctx, tx, id)
    judge(before.role)
    judge(role)
    if (before.role === role) return { result: await getPerson(ctx, id, tx), events: [] }
    if (before.isLastOwner) throw lastOwner()
    await tx`update person set role = ${role} where id = ${id}`
    const event = { type: 'person.role-changed', email: before.email, from: before.role, to: role }
    return { result: await getPerson(ctx, id, tx), events: [event] }
  })

/** A new password that only this answer has; every session of the person ends. Throws notFound, ownersOnly. */
export async function resetPassword(ctx: Context, id: number) {
  const password = newPassword()
  const shape = async (tx: TransactionSql) => ({ ...(await getPerson(ctx, id, tx)), password: null })
  const person = await setPassword(ctx, id, await hashPassword(password), shape, judgeOf(ctx))
  return shownOnce({ ...person, password })
}

/** Throws notFound, ownersOnly, lastOwner. */
export async function deletePerson(ctx: Context, id: number): Promise<undefined> {
  await removePerson(ctx, id, judgeOf(ctx))
}

/** Wherever the person is signed in, that ends. Throws notFound, ownersOnly. */
export const endSessions = (ctx: Context, id: number): Promise<undefined> =>
  ctx.db.write(ctx, { ref: `person/${id}`, type: 'end-sessions' }, async (tx) => {
    const { email, role } = await lock(ctx, tx, id)
    judgeOf(ctx)(role)
    const { count } = await tx`delete from person_session where person_id = ${id}`
    return { result: undefined, events: count > 0 ? [{ type: 'person.sessions-ended', email }] : [] }
  })
