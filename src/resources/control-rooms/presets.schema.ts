import { z } from 'zod'
import { IfUnchangedSince, UpdatedAt } from '../../schema/concurrency.ts'
import { Id, text } from '../../schema/fields.ts'
import { SetValue } from '../../schema/set-value.ts'
import { SlotChoice } from '../control-variables.ts'
import { VariableValues } from '../overlays/graphics.schema.ts'

/** spec: Control room, section, preset */
export const Preset = z
  .object({
    id: Id,
    controlRoomId: Id,
    sectionId: z.string(),
    graphicId: z.string(),
    name: z.string(),
    orderIndex: z.int32().meta({ description: 'Place in its section, from 0 without gaps' }),
    variableValues: z.record(z.string(), z.union([SlotChoice, SetValue])),
    exposedVariables: z.array(z.string()),
    updatedAt: UpdatedAt,
  })
  .meta({ id: 'Preset' })

/** spec: Control rooms 30 */
export const PresetWithGraphic = Preset.extend({
  graphicName: z.string().meta({ description: 'Empty when the graphic is gone' }),
}).meta({ id: 'PresetWithGraphic' })

export const PresetList = z.array(Preset).meta({ id: 'PresetList' })

const PresetName = text(1, 255)
/** How many others stand before one. */
export const OrderIndex = z.int32().min(0).meta({ description: 'From 0; beyond the last one it is the end' })
const values = VariableValues.meta({
  id: 'PresetValues',
  description: 'By names of control variables of the graphic; null stands for the default',
})
const exposed = z
  .array(z.string().min(1))
  .max(500)
  .meta({ description: 'Names of the control variables that operators see on the preset' })

/** `ifUnchangedSince` is that of the control room. */
export const PresetCreation = z
  .object({
    sectionId: z.string().min(1),
    graphicId: z.string().min(1),
    name: PresetName,
    orderIndex: OrderIndex.optional(),
    variableValues: values.default({}),
    exposedVariables: exposed.optional(),
    ifUnchangedSince: IfUnchangedSince,
  })
  .meta({
    id: 'PresetCreation',
    description: 'At the end of its section unless `orderIndex` says where; every variable is exposed unless said',
  })

/** Fields left out stay; `variableValues` and `exposedVariables` replace the stored ones. */
export const PresetUpdate = z
  .object({
    sectionId: z.string().min(1).optional(),
    graphicId: z.string().min(1).optional().meta({ description: 'Only the one it has: a preset keeps its graphic' }),
    name: PresetName.optional(),
    orderIndex: OrderIndex.optional(),
    variableValues: values.optional(),
    exposedVariables: exposed.optional(),
    ifUnchangedSince: IfUnchangedSince,
  })
  .meta({ id: 'PresetUpdate' })

export const StillQuery = z
  .object({
    matchId: Id.optional().meta({
      description:
        'A match whose own records it shows, as it stands, in the look of its competition; needs `matches:read`, too. Left out, one that is made up',
    }),
  })
  .meta({ id: 'StillQuery' })

export const PresetParams = z.object({ roomId: Id, presetId: Id }).meta({ id: 'PresetParams' })
