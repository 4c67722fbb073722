import { z } from 'zod'

const text = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((value) => !/\p{Surrogate}/u.test(value) && !value.includes('\0'), 'must be well-formed text')

export const OrganizationName = text(255)
export const KeyName = text(255)
export const Email = z.email().max(254).toLowerCase()
export const Role = z.enum(['owner', 'admin', 'user', 'operator'])
export type Role = z.output<typeof Role>
/** Any key made before scopes existed. spec: Authentication 9 */
export const LegacyKey = z.string().regex(/^service_[\x21-\x7e]{1,500}$/, 'must start with service_ and hold no spaces')
export const LegacyAccess = z.enum(['read', 'write'])

/** As `keys list` shows it. */
export type ApiKeyRow = {
  id: number
  name: string
  preview: string
  scopes: string[]
  expiresAt: string | null
  createdAt: string
  lastUsedAt: string | null
}

/** After so long without a request a session is over. */
export const SESSION_IDLE_MS = 12 * 3_600_000
