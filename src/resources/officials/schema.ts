import { z } from 'zod'
import { madeWith } from '../../schema/batch.ts'
import { MOST } from '../../schema/batch-sizes.ts'
import { Id, PersonNameFilter, text } from '../../schema/fields.ts'
import { paged, paging } from '../../schema/paging.ts'
import { Provider, providerFilters, withProviderFilters } from '../../schema/provider.ts'

export const OfficialRole = z
  .enum(['referee', 'assistantReferee', 'umpire', 'videoReferee', 'scorer', 'timekeeper'])
  .meta({ id: 'OfficialRole' })

/** A referee, umpire or the like; a match says in which role. */
export const Official = z
  .object({
    id: Id,
    firstName: z.string(),
    lastName: z.string(),
    role: OfficialRole.nullable(),
    gfxName: z.string().nullable(),
    dataProvider: Provider.optional(),
  })
  .meta({ id: 'Official' })

export const OfficialList = paged('officials', Official).meta({ id: 'OfficialList' })
export const OfficialParams = z.object({ officialId: Id }).meta({ id: 'OfficialParams' })
export const OfficialFilter = withProviderFilters(
  z.object({ name: PersonNameFilter, ...providerFilters, ...paging }),
).meta({
  id: 'OfficialFilter',
})

/** Fields of an official beside the name; null takes a value away. */
const details = { role: OfficialRole.nullable().optional(), gfxName: text(1, 35).nullable().optional() }

export const OfficialCreation = z
  .strictObject({ firstName: text(1, 35), lastName: text(1, 35), ...details })
  .meta({ id: 'OfficialCreation' })
/** Fields left out keep their value. */
export const OfficialUpdate = z
  .strictObject({ firstName: text(1, 35).optional(), lastName: text(1, 35).optional(), ...details })
  .meta({ id: 'OfficialUpdate' })

const BatchItem = madeWith(
  z.strictObject({ id: Id.optional(), ...OfficialUpdate.shape }),
  'firstName',
  'lastName',
).meta({ id: 'OfficialBatchItem' })
/** Made without an id, else changed; all of them or none. */
export const OfficialBatch = z.object({ officials: z.array(BatchItem).min(1).max(MOST) }).meta({ id: 'OfficialBatch' })
export const OfficialBatchResult = z.object({ officials: z.array(Official) }).meta({ id: 'OfficialBatchResult' })
