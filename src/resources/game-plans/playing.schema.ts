import { z } from 'zod'
import { text } from '../../schema/fields.ts'

export const LayerHold = z.object({ layer: text(1, 80) }).meta({ id: 'GamePlanHold' })
/** A press that says nothing more releases all of them. */
export const LayerRelease = z
  .object({ layer: text(1, 80).optional().meta({ description: 'Left out, all of them' }) })
  .prefault({})
  .meta({ id: 'GamePlanRelease' })
export const RuleFire = z.object({ ruleId: z.string().min(1).max(100) }).meta({ id: 'GamePlanFire' })
