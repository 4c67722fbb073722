import { z } from 'zod'
import { text } from '../../schema/fields.ts'

export const OfficialRole = z.enum(['referee', 'assistantReferee', 'umpire', 'videoReferee', 'scorer', 'timekeeper'])

export const OfficialCreation = z.object({
  firstName: text(1, 35),
  lastName: text(1, 35),
  role: OfficialRole.optional(),
  gfxName: text(1, 35).optional(),
})
