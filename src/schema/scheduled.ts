import { z } from 'zod'
import { Id, Timestamp } from './fields.ts'
import { SetValue } from './set-value.ts'

/** A command that is carried out at its time. show-control: Commands */
export const ScheduledCommand = z
  .object({
    id: z.int().min(1),
    at: Timestamp,
    action: z.enum(['show', 'hide', 'take']),
    presetId: Id.nullable().meta({
      description: 'Null: a `take` of all that is on preview then, or a graphic that was named otherwise',
    }),
    variableValues: z
      .record(z.string(), SetValue)
      .meta({ description: 'As they were sent: the preset is read at its time' }),
    by: z
      .object({ type: z.string().meta({ description: 'key, person or link' }), name: z.string().nullable() })
      .meta({ description: 'Who scheduled it, and is named in the as-run log when it is carried out' }),
    durationSeconds: z.int32().optional(),
  })
  .meta({ id: 'ScheduledCommand' })
