import { z } from 'zod'
import { Id, Moment, text } from '../../schema/fields.ts'
import { RundownPosition } from '../../schema/rundown-position.ts'
import { DurationSeconds, GraphicsAnswer, VariableValues } from '../overlays/graphics.schema.ts'

const itemId = z.string().min(1).max(100)

const itemFields = {
  presetId: Id,
  name: text(1, 80).optional().meta({ description: 'For people; left out: the name of the preset' }),
  variableValues: VariableValues.optional().meta({ description: 'Over those of the preset' }),
  durationSeconds: DurationSeconds.optional().meta({
    description: 'It goes off air by itself so long after it was taken; left out: it stays',
  }),
  untilNext: z
    .boolean()
    .default(false)
    .meta({ description: 'It goes off air when the next item is taken, if it is still there' }),
}

/** A show that was written beforehand. show-control: Commands */
export const RundownItemAsked = z
  .strictObject({ id: itemId.optional().meta({ description: 'Kept when given, else made' }), ...itemFields })
  .meta({ id: 'RundownItemAsked' })
export type RundownItemAsked = z.output<typeof RundownItemAsked>

const stored = z.object({ id: itemId, ...itemFields })
export type StoredItem = z.output<typeof stored>

export const RundownItem = stored
  .extend({
    problem: z.string().nullable().meta({
      description: 'Why it cannot be shown any more, such as a preset that was deleted: it is skipped. Null: it can',
    }),
  })
  .meta({ id: 'RundownItem' })

/** More than a show has, and few enough to be read, checked and drawn as a whole. */
export const MOST_ITEMS = 200

export const Rundown = z
  .object({
    overlayId: Id,
    items: z.array(RundownItem).meta({ description: 'In order' }),
    position: RundownPosition,
    updatedAt: Moment.meta({ description: 'Of the list; moves of the position leave it' }),
  })
  .meta({ id: 'Rundown' })

export const RundownReplacement = z
  .strictObject({ items: z.array(RundownItemAsked).max(MOST_ITEMS), ifUnchangedSince: Moment.optional() })
  .meta({ id: 'RundownReplacement' })

const ifPosition = z.string().nullable().optional().meta({
  description:
    'The `cuedId` that the caller knows of. When it is another by now, nothing happens and the answer is 409 `RUNDOWN_MOVED`: of two operators who press at once one moves it',
})

/** A button that sends nothing moves it as it is. */
export const RundownMove = z.strictObject({ ifPosition }).prefault({}).meta({ id: 'RundownMove' })
export const RundownCue = z.strictObject({ itemId, ifPosition }).meta({ id: 'RundownCue' })

export const RundownAnswer = GraphicsAnswer.extend({
  position: RundownPosition,
  skipped: z
    .array(z.object({ id: itemId, reason: z.string() }).meta({ id: 'SkippedItem' }))
    .meta({ description: 'Items on the way that cannot be shown any more, and why' }),
}).meta({ id: 'RundownAnswer' })
