import { z } from 'zod'
import { GfxName, Name, text } from '../../schema/fields.ts'

/** What a venue is created from; everything but the name may be unknown. */
export const VenueCreation = z.object({
  name: Name,
  gfxName: GfxName.optional(),
  address: text(0, 255).optional(),
  city: text(0, 255).optional(),
  state: text(0, 255).optional(),
  country: text(0, 255).optional(),
  timezone: text(1, 64).optional(),
  latitude: z.number().min(-90).max(90).optional(),
  longitude: z.number().min(-180).max(180).optional(),
  courts: z.array(text(1, 64)).default([]),
})
