import { z } from 'zod'
import { Id, text } from '../../schema/fields.ts'
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
export const OfficialFilter = withProviderFilters(z.object({ ...providerFilters, ...paging })).meta({
  id: 'OfficialFilter',
})

/** Officials as the demo and providers write them; there is no REST route for it. */
export const OfficialCreation = z.object({
  firstName: text(1, 35),
  lastName: text(1, 35),
  role: OfficialRole.optional(),
  gfxName: text(1, 35).optional(),
})
