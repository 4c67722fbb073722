import { z } from 'zod'
import { Id, Timestamp } from '../../schema/fields.ts'
import { ConnectedProvider, FeedToken, FeedUrl, SyncInterval } from './schema.ts'

/** What came of the last sync: how many records of each kind, and what of the feed was refused, each with its reason. */
const SyncReport = z
  .object({
    counts: z.record(z.string(), z.record(z.string(), z.int32())).optional(),
    problems: z.array(z.string()).optional(),
    details: z.array(z.string()).optional(),
  })
  .meta({ id: 'ProviderSyncReport' })

export const ProviderConnection = z
  .object({
    id: Id,
    provider: z.string(),
    url: z.string().meta({ description: 'Without its query, which may hold a secret' }),
    intervalSeconds: z.int32(),
    hasToken: z.boolean(),
    syncing: z.boolean(),
    dueAt: Timestamp,
    loadedAt: Timestamp.nullable().meta({ description: 'When the initial load was complete' }),
    lastSuccessAt: Timestamp.nullable(),
    lastFinishedAt: Timestamp.nullable(),
    lastError: z.string().nullable(),
    lastReport: SyncReport.nullable(),
  })
  .meta({ id: 'ProviderConnection' })
export const ProviderConnectionList = z
  .object({ connections: z.array(ProviderConnection) })
  .meta({ id: 'ProviderConnectionList' })
export const ProviderConnectionParams = z.object({ connectionId: Id }).meta({ id: 'ProviderConnectionParams' })
export const ProviderConnectionCreation = z
  .strictObject({
    provider: ConnectedProvider,
    url: FeedUrl,
    interval: SyncInterval.meta({ description: '30s to 7d, such as 15m' }).optional(),
    token: FeedToken.optional().meta({ description: 'Sent to the provider as a bearer token; never told again' }),
  })
  .meta({ id: 'ProviderConnectionCreation' })
