import { z } from 'zod'
import { Role } from './schema.ts'

/** The person who is signed in, with the scopes of the role; those that a write includes are named too. */
export const Me = z
  .strictObject({
    id: z.int(),
    email: z.string(),
    role: Role,
    organization: z.strictObject({ id: z.int(), name: z.string() }),
    scopes: z.array(z.string()),
  })
  .meta({ id: 'Me' })
