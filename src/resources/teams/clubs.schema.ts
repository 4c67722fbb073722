import { z } from 'zod'
import { madeWith } from '../../schema/batch.ts'
import { MOST } from '../../schema/batch-sizes.ts'
import { Id, Name } from '../../schema/fields.ts'
import { paged, paging } from '../../schema/paging.ts'
import { Colour, colours } from './schema.ts'

/** The values of its teams that have none of their own. domain 1.1 */
export const Club = z
  .object({
    id: Id,
    name: Name,
    primaryBackgroundColor: z.string().optional(),
    primaryTextColor: z.string().optional(),
    secondaryBackgroundColor: z.string().optional(),
    secondaryTextColor: z.string().optional(),
    defaultVenueId: Id.optional(),
    logoUrl: z.string().optional(),
  })
  .meta({ id: 'Club' })
export const ClubCreation = z
  .strictObject({ name: Name, defaultVenueId: Id.optional(), ...colours })
  .meta({ id: 'ClubCreation' })
/** Fields left out keep their value; null takes it away. */
export const ClubUpdate = z
  .strictObject({
    name: Name.optional(),
    defaultVenueId: Id.nullable().optional(),
    primaryBackgroundColor: Colour.nullable().optional(),
    primaryTextColor: Colour.nullable().optional(),
    secondaryBackgroundColor: Colour.nullable().optional(),
    secondaryTextColor: Colour.nullable().optional(),
  })
  .meta({ id: 'ClubUpdate' })
const BatchItem = madeWith(z.strictObject({ id: Id.optional(), ...ClubUpdate.shape }), 'name').meta({
  id: 'ClubBatchItem',
})
/** Made without an id, else changed; all of them or none. */
export const ClubBatch = z.object({ clubs: z.array(BatchItem).min(1).max(MOST) }).meta({ id: 'ClubBatch' })
export const ClubBatchResult = z.object({ clubs: z.array(Club) }).meta({ id: 'ClubBatchResult' })
export const ClubParams = z.object({ clubId: Id }).meta({ id: 'ClubParams' })
export const ClubList = paged('clubs', Club).meta({ id: 'ClubList' })
export const ClubFilter = z
  .object({
    name: z.string().optional().meta({ description: 'Part of the name, in any case' }),
    ...paging,
  })
  .meta({ id: 'ClubFilter' })
