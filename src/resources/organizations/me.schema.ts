import { z } from 'zod'
import { Role } from './schema.ts'

/** Who is signed in, and what the role opens; what a write includes is named too. */
export const Me = z
  .strictObject({
    id: z.int(),
    email: z.string(),
    role: Role,
    organization: z.strictObject({ id: z.int(), name: z.string() }),
    scopes: z.array(z.string()),
  })
  .meta({ id: 'Me' })
