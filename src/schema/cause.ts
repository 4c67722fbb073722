import { z } from 'zod'

/** Who or what asked for something, as answers show it; the id of a rule of a game plan is a text. */
export const CausedBy = z.strictObject({
  type: z.string().meta({ description: 'key, person, link, desk, system or gamePlan' }),
  id: z.union([z.int(), z.string()]).nullable(),
  name: z.string().nullable(),
})
