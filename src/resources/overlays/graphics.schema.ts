import { z } from 'zod'
import { alsoWhenInvalid, Id } from '../../schema/fields.ts'
import { ManualGraphicState } from './schema.ts'

/** The values that operators and presets set on a graphic. */
export const VariableValues = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
  .meta({ id: 'VariableValues', description: 'Overrides by variable name; null clears a variable to its default' })

/** spec: Overlays 12 */
export const GraphicAction = z
  .object({
    action: z.enum(['show', 'update', 'hide']),
    presetId: Id,
    variableValues: VariableValues.optional(),
  })
  .meta({ id: 'GraphicAction' })

/** A graphic named by preset, id or name; `hideAll` needs none. */
export const GraphicsCommand = z
  .object({
    action: z.enum(['show', 'update', 'hide', 'hideAll']),
    presetId: Id.optional(),
    graphicId: z.string().min(1).optional(),
    graphicName: z.string().min(1).optional(),
    variableValues: VariableValues.optional(),
    sectionId: z.string().min(1).optional(),
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
