import { z } from 'zod'
import { alsoWhenInvalid } from './fields.ts'

/** The data providers; a closed list that may grow. spec: Enumerations */
export const PROVIDERS = [
  'opta',
  'statsPerform',
  'sportradar',
  'geniusSports',
  'championData',
  'playHq',
  'dribl',
  'gameDay',
  'squadi',
  'interactSport',
  'playCricket',
  'resultsVault',
  'comet',
  'fixturesLive',
  'footballAustralia',
  'imgArena',
  'sportzsoft',
  'custom',
] as const

/** spec: Enumerations */
export const ProviderName = z.enum(PROVIDERS).meta({ id: 'ProviderName' })
export type ProviderName = z.output<typeof ProviderName>

/** Where a record came from; absent on records of our own. spec: Provider */
export const Provider = z.strictObject({ name: ProviderName, id: z.string() }).meta({ id: 'Provider' })
export type Provider = z.output<typeof Provider>

/** Query fields of the provider filters; spread into the query object and give the object to `withProviderFilters`. */
export const providerFilters = {
  providerName: ProviderName.optional().meta({ description: 'Only what this data provider supplied' }),
  providerIds: z
    .string()
    .min(1)
    .refine((ids) => ids.split(',').length <= 100, { error: 'at most 100 comma-separated ids' })
    .optional()
    .meta({ description: 'Comma-separated ids at the provider, at most 100; needs providerName' }),
}

/** Adds the rule that `providerIds` needs `providerName`. spec: Players 8 */
export const withProviderFilters = <Query extends z.ZodObject>(query: Query): Query =>
  query.refine((value) => value.providerIds === undefined || value.providerName !== undefined, {
    path: ['providerIds'],
    error: 'needs providerName',
    ...alsoWhenInvalid,
  })
