import { z } from 'zod'
import { Id, Moment, Timestamp } from '../../schema/fields.ts'
import { paged } from '../../schema/paging.ts'
import { KEY_SCOPES } from '../../secrets/api-key.ts'
import { EXPIRIES } from './expiry.ts'
import { KeyName } from './schema.ts'

/** Never the key: the first and last four characters of it. spec: Authentication 1 */
const shown = {
  id: Id,
  name: z.string(),
  preview: z.string().meta({ description: 'The first and last four characters' }),
  scopes: z.array(z.string()),
  legacy: z.boolean().meta({ description: 'Made before scopes existed' }),
  expiresAt: Timestamp.nullable(),
  createdAt: Timestamp,
  lastUsedAt: Timestamp.nullable(),
}

export const KeyShown = z.strictObject(shown).meta({ id: 'KeyShown' })
export const KeyList = paged('keys', KeyShown).meta({ id: 'KeyList' })

/** `key` is null when the request was repeated: it is shown once. spec: Authentication 1 */
export const KeyCreated = z.strictObject({ ...shown, key: z.string().nullable() }).meta({ id: 'KeyCreated' })

/** spec: Authentication 4, 8 */
export const KeyCreation = z
  .strictObject({
    name: KeyName,
    scopes: z.array(z.enum(KEY_SCOPES)).min(1, 'at least one scope'),
    expiry: z.enum([...EXPIRIES, 'custom', 'none']).default('30d'),
    expiresAt: Moment.optional().meta({ description: 'Only with the expiry `custom`' }),
  })
  .refine(({ expiry, expiresAt }) => (expiry === 'custom') === (expiresAt !== undefined), {
    path: ['expiresAt'],
    error: 'is given with the expiry custom, and only with it',
  })
  .meta({ id: 'KeyCreation' })
export type KeyCreation = z.output<typeof KeyCreation>

export const KeyParams = z.object({ keyId: Id })
