import { z } from 'zod'
import { madeWith } from '../../schema/batch.ts'
import { MOST } from '../../schema/batch-sizes.ts'
import { Id, Name, NullableGfxName, Timezone, text } from '../../schema/fields.ts'
import { paged, paging } from '../../schema/paging.ts'
import { Provider, providerFilters, withProviderFilters } from '../../schema/provider.ts'

const some = z.string().nullable()

export const Venue = z
  .object({
    id: Id,
    name: z.string(),
    gfxName: some,
    address: some,
    city: some,
    state: some,
    country: some,
    timezone: some.meta({ description: 'IANA time zone' }),
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
    courts: z.array(z.string()),
    dataProvider: Provider.optional(),
  })
  .meta({ id: 'Venue' })

const place = text(0, 255).nullable().optional()

/** Fields of a venue beside its name; null takes a value away. */
const details = {
  gfxName: NullableGfxName.optional(),
  address: place,
  city: place,
  state: place,
  country: place,
  timezone: Timezone.nullable().optional(),
  latitude: z.number().min(-90).max(90).nullable().optional(),
  longitude: z.number().min(-180).max(180).nullable().optional(),
  courts: z.array(text(1, 64)).max(100).optional(),
}

export const VenueCreation = z.object({ name: Name, ...details }).meta({ id: 'VenueCreation' })
/** Fields left out keep their value; `courts` replaces the whole list. */
export const VenueUpdate = z.object({ name: Name.optional(), ...details }).meta({ id: 'VenueUpdate' })

const BatchItem = madeWith(z.object({ id: Id.optional(), ...VenueUpdate.shape }), 'name').meta({ id: 'VenueBatchItem' })
/** Made without an id, else changed; all of them or none. */
export const VenueBatch = z.object({ venues: z.array(BatchItem).min(1).max(MOST) }).meta({ id: 'VenueBatch' })
export const VenueBatchResult = z.object({ venues: z.array(Venue) }).meta({ id: 'VenueBatchResult' })

export const VenueList = paged('venues', Venue).meta({ id: 'VenueList' })
export const VenueParams = z.object({ venueId: Id }).meta({ id: 'VenueParams' })
export const VenueFilter = withProviderFilters(
  z.object({
    name: z.string().optional().meta({ description: 'Part of the name, in any case' }),
    ...providerFilters,
    ...paging,
  }),
).meta({ id: 'VenueFilter' })
