import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Me } from './me.schema.ts'
import type { Role } from './schema.ts'

/** The person who is signed in. Throws notFound when the request comes from no person. */
export async function getMe({ db, actor, scopes }: Context): Promise<z.input<typeof Me>> {
  if (actor.type !== 'person') throw notFound()
  const [row] = await db.sql<{ id: number; email: string; role: Role; organization_id: number; name: string }[]>`
    select person.id, person.email, person.role, person.organization_id, organization.name
    from person join organization on organization.id = person.organization_id
    where person.id = ${actor.id}`
  if (!row) throw notFound()
  const { id, email, role, organization_id, name } = row
  return { id, email, role, organization: { id: organization_id, name }, scopes: [...scopes] }
}
