import { z } from 'zod'
import { Id } from '../../schema/fields.ts'
import { SetValue } from '../../schema/set-value.ts'
import { RoomMode, Section } from '../control-rooms/schema.ts'
import { SlotChoice } from '../control-variables.ts'
import { OgrafAction } from '../ograf-graphics/schema.ts'

/** A variable that an operator may set on a preset before and while it is on air. */
export const ExposedVariable = z
  .object({
    name: z.string(),
    label: z.string().meta({ description: 'Its name in words' }),
    type: z.string().meta({ description: 'Of a control variable; for what names something of the match, see choices' }),
    options: z.array(z.string()).optional(),
    defaultValue: SetValue.optional(),
    gddType: z.string().optional().meta({ description: 'Of an OGraf graphic: which editor it has' }),
    schema: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'Of an OGraf graphic: JSON Schema with GDD' }),
    description: z.string().optional(),
  })
  .meta({ id: 'ExposedVariable' })

export const StillParams = z.object({ presetId: Id }).meta({ id: 'OperatorStillParams' })

export const OperatorPreset = z
  .object({
    id: Id,
    name: z.string(),
    sectionId: z.string(),
    graphicId: z.string(),
    graphicName: z.string(),
    problem: z.string().nullable().meta({ description: 'Why it cannot be shown now; null when it can' }),
    variableValues: z
      .record(z.string(), z.union([SlotChoice, SetValue]))
      .meta({ description: 'What a show without values puts on air' }),
    leftOut: z
      .array(z.string())
      .meta({ description: 'Stored values that the version of the graphic does not take any more' }),
    variables: z.array(ExposedVariable).meta({ description: 'The exposed ones' }),
    requirements: z
      .array(z.unknown())
      .optional()
      .meta({ description: 'What a renderer must be, as `renderRequirements` of OGraf; left out: any' }),
    ograf: z
      .object({ stepCount: z.int(), customActions: z.array(OgrafAction) })
      .optional()
      .meta({ description: 'Of an OGraf graphic: its steps, and what it can do at once' }),
  })
  .meta({ id: 'OperatorPreset' })

/** A rule of the game plan that the overlay plays, as operators see it. */
export const OperatorRule = z
  .object({
    id: z.string(),
    name: z.string(),
    enabled: z.boolean(),
    presetId: Id,
    layer: z
      .string()
      .meta({ description: 'Rules of one layer never overlap: that of the rule, or the id of the graphic' }),
    problem: z.string().nullable().meta({ description: 'Why it cannot be shown now; null when it can' }),
    condition: z.string().nullable().meta({ description: 'The expression that must hold; null: none' }),
  })
  .meta({ id: 'OperatorRule' })

/** The room of the overlay as it stands now, for its page. */
export const OperatorRoom = z
  .object({
    overlay: z
      .object({ id: Id, name: z.string(), matchId: Id, encodingDelay: z.int(), autoMode: z.boolean() })
      .meta({ id: 'OperatedOverlay' }),
    room: z
      .object({
        id: Id,
        name: z.string(),
        defaultMode: RoomMode,
        themeName: z.string(),
        themeVersion: z.int32().nullable(),
      })
      .nullable()
      .meta({ id: 'OperatedRoom', description: 'Null when the overlay has no control room' }),
    sections: z.array(Section).meta({ description: 'In order' }),
    presets: z.array(OperatorPreset).meta({ description: 'By section, then in order' }),
    rules: z.array(OperatorRule).meta({ description: 'Of the game plan that the overlay plays when it is automatic' }),
  })
  .meta({ id: 'OperatorRoom' })

const Choice = z
  .object({ value: z.union([z.string(), z.number(), SlotChoice]), label: z.string(), group: z.string().optional() })
  .meta({ id: 'OperatorChoice' })

/** By type of control variable: `player`, `team`, `fact` … */
export const OperatorChoices = z.object({ choices: z.record(z.string(), z.array(Choice)) }).meta({
  id: 'OperatorChoices',
  description: 'What there is to choose in the match of the overlay now',
})
