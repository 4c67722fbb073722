import { z } from 'zod'
import { alsoWhenInvalid, Id } from '../../schema/fields.ts'
import { SlotChoice } from '../control-variables.ts'
import { ManualGraphicState } from './schema.ts'

/** The values that operators and presets set on a graphic. */
export const VariableValues = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null(), SlotChoice]))
  .meta({
    id: 'VariableValues',
    description:
      'Overrides by variable name; null clears a variable to its default. Only one of type `ad` takes a sponsor slot',
  })

/** spec: Overlays 12 */
export const GraphicAction = z
  .object({
    action: z.enum(['show', 'update', 'hide']),
    presetId: Id,
    variableValues: VariableValues.optional(),
  })
  .meta({ id: 'GraphicAction' })

/** How long a graphic is on air that goes off by itself. show-control: Commands */
export const DurationSeconds = z.int32().min(1).max(3600)

/** Whether a command of this kind may say for how long: a show does, an update only that it is to stay. */
const mayLast = ({ action, durationSeconds }: { action: string; durationSeconds?: number | null | undefined }) =>
  durationSeconds === undefined || action === 'show' || (action === 'update' && durationSeconds === null)

/** A graphic named by preset, id or name; `hideAll` needs none. */
export const GraphicsCommand = z
  .object({
    action: z.enum(['show', 'update', 'hide', 'hideAll']),
    presetId: Id.optional(),
    graphicId: z.string().min(1).optional(),
    graphicName: z.string().min(1).optional(),
    variableValues: VariableValues.optional(),
    sectionId: z.string().min(1).optional(),
    durationSeconds: DurationSeconds.nullable().optional().meta({
      description:
        'Beta. With `show`: it goes off air by itself after so many seconds; a later show of it starts anew. With `update`: `null` takes the time away, and left out leaves it',
    }),
  })
  .refine(mayLast, {
    path: ['durationSeconds'],
    error: 'goes with show; an update takes null only',
    ...alsoWhenInvalid,
  })
  .refine(
    ({ action, presetId, graphicId, graphicName }) =>
      action === 'hideAll' || (presetId ?? graphicId ?? graphicName) !== undefined,
    { path: ['graphicName'], error: 'graphicName, graphicId or presetId is required', ...alsoWhenInvalid },
  )
  .meta({ id: 'GraphicsCommand' })

/** The whole state of the overlay after the command. spec: Overlays 12 */
export const GraphicsAnswer = z
  .object({ overlayId: Id, manualGraphicState: ManualGraphicState })
  .meta({ id: 'GraphicsAnswer' })
