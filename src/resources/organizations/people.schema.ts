import { z } from 'zod'
import { Id, Timestamp } from '../../schema/fields.ts'
import { paged } from '../../schema/paging.ts'
import { Email, Role } from './schema.ts'

const person = {
  id: Id,
  email: z.string(),
  role: Role,
  createdAt: Timestamp,
  lastSeenAt: Timestamp.nullable().meta({ description: 'Last request of a session that is open' }),
  sessions: z.int32().min(0).meta({ description: 'Sessions that are open' }),
}

export const Person = z.strictObject(person).meta({ id: 'Person' })
export const PersonList = paged('people', Person).meta({ id: 'PersonList' })

/** `password` is null when the request was repeated: it is shown once, and every person can choose another. */
export const PersonWithPassword = z
  .strictObject({ ...person, password: z.string().nullable() })
  .meta({ id: 'PersonWithPassword' })

export const PersonCreation = z.strictObject({ email: Email, role: Role }).meta({ id: 'PersonCreation' })
export type PersonCreation = z.output<typeof PersonCreation>

export const PersonUpdate = z.strictObject({ role: Role }).meta({ id: 'PersonUpdate' })
export type PersonUpdate = z.output<typeof PersonUpdate>

export const PersonParams = z.object({ personId: Id })
