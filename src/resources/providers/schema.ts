import { z } from 'zod'

/** Providers that a connector exists for. */
export const ConnectedProvider = z.enum(['custom']).meta({ id: 'ConnectedProvider' })
export const ProviderSchemaParams = z.object({ providerName: ConnectedProvider }).meta({ id: 'ProviderSchemaParams' })
export const ProviderFeedSchema = z
  .record(z.string(), z.unknown())
  .meta({ id: 'ProviderFeedSchema', description: 'JSON Schema (2020-12) of one page of a feed' })

/** Where a feed is; a password in the URL would be listed and logged. */
export const FeedUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .max(2_048)
  .refine(
    (url) => !/^[^/]*\/\/[^/?#]*@/.test(url) && !url.includes('#'),
    'must not hold a user, a password or a fragment',
  )

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }

/** `15m` as seconds; 30 s to 7 days. */
export const SyncInterval = z
  .string()
  .regex(/^\d{1,6}[smhd]$/, 'must look like 90s, 15m, 6h or 1d')
  .transform((text) => Number(text.slice(0, -1)) * (unitSeconds[text.slice(-1)] ?? 0))
  .refine((seconds) => seconds >= 30 && seconds <= 604_800, 'must be from 30s to 7d')

/** A token that `Authorization: Bearer` may carry. */
export const FeedToken = z.string().regex(/^[\x21-\x7e]{1,4096}$/, 'must be 1 to 4096 visible characters')

/** As `providers list` shows it. Times are ISO 8601. */
export type Connection = {
  id: number
  organizationId: number
  provider: string
  /** Without its query, which may hold a secret. */
  url: string
  intervalSeconds: number
  hasToken: boolean
  syncing: boolean
  loadedAt: string | null
  dueAt: string
  lastSuccessAt: string | null
  lastFinishedAt: string | null
  lastError: string | null
}
