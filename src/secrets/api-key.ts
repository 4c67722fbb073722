import { createHash, randomBytes } from 'node:crypto'

/** Every key starts with this. spec: Authentication 2 */
export const KEY_PREFIX = 'service_'

/** A new key: the prefix and 256 random bits in base64url. */
export const newApiKey = () => KEY_PREFIX + randomBytes(32).toString('base64url')

/** SHA-256 of the whole key; the only form in which a key is stored. */
export const hashApiKey = (key: string): Buffer => createHash('sha256').update(key).digest()

/** First four and last four characters, all that is shown after creation. spec: Authentication 1 */
export const keyPreview = (key: string) => `${key.slice(0, 4)}…${key.slice(-4)}`

/** The resources that scopes name. spec: Authentication 4 */
export const SCOPE_RESOURCES = [
  'matches',
  'competitions',
  'teams',
  'players',
  'venues',
  'overlays',
  'streams',
  'data-sources',
  'themes',
] as const

/** Those, and the resources beyond the specification: a key that stands for everything does not stand for these. integrations: Webhooks */
export const KEY_RESOURCES = [...SCOPE_RESOURCES, 'webhooks'] as const

/** Every scope that a key may have. spec: Authentication 4 */
export const KEY_SCOPES = KEY_RESOURCES.flatMap((resource) => [`${resource}:read`, `${resource}:write`] as const)
