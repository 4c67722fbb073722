import { z } from 'zod'
import { CodeStateMachine } from '../resources/code-graphics/schema.ts'
import { RoomMode } from '../resources/control-rooms/schema.ts'
import { SlotChoice } from '../resources/control-variables.ts'
import { text } from '../schema/fields.ts'
import { SetValue } from '../schema/set-value.ts'
import { SportKey } from '../schema/sport.ts'
import { GamePlanManifest } from './game-plan-file.ts'
import { MotionParts } from './motion-parts.ts'

const Name = text(1, 255)
const Notes = text(0, 2_000)

const VariableEntry = z.strictObject({
  name: Name,
  type: z.enum(['string', 'number', 'boolean', 'enum']),
  defaultValue: z.string().nullable().default(null),
  description: z.string().nullable().default(null),
  enumOptions: z.array(z.string()).nullable().default(null),
  isStyle: z.boolean().default(false),
})

const TemplateEntry = z.strictObject({
  alias: z.string().regex(/^[a-z0-9_-]{1,64}$/, '1 to 64 of a to z, 0 to 9, _ and -'),
  sourceType: z.enum(['csv', 'xlsx']),
  shape: z.enum(['cell', 'kv', 'rows']),
  config: z.looseObject({}).nullable().default(null),
  sample: z
    .string()
    .min(1)
    .meta({ description: 'The file with the sample, beside theme.json: data-sources/table.csv' }),
  schema: z.looseObject({}).optional().meta({ description: 'Left out, it is inferred from the sample' }),
  description: z.string().nullable().default(null),
})

const PresetEntry = z.strictObject({
  name: Name,
  graphic: Name.meta({ description: 'The name of the graphic' }),
  variableValues: z.record(z.string(), z.union([SlotChoice, SetValue])).default({}),
  exposedVariables: z.array(z.string()).default([]),
})

const SectionEntry = z.strictObject({
  name: Name,
  colorKey: z.string().optional(),
  presets: z.array(PresetEntry).default([]),
})

const RoomEntry = z.strictObject({
  name: Name,
  defaultMode: RoomMode.optional().meta({
    description:
      'What a press on a preset does on its page. Left out, it stays as it is, and is `direct` in a new room',
  }),
  sections: z.array(SectionEntry).default([]),
})

/** `theme.json`: everything of a theme but its graphics. */
export const ThemeManifest = z
  .strictObject({
    $schema: z.string().optional(),
    name: Name,
    sports: z.array(SportKey).default([]),
    notes: Notes.optional().meta({ description: 'Notes of the theme version that a push publishes' }),
    variables: z.array(VariableEntry).default([]),
    dataSourceTemplates: z.array(TemplateEntry).default([]),
    controlRooms: z.array(RoomEntry).default([]),
  })
  .meta({ title: 'Tally theme', description: 'theme.json of a theme as files' })

/** `graphics/<slug>/graphic.json`: everything of a code graphic but the files of its bundle, which are beside it. */
export const GraphicManifest = z
  .strictObject({
    $schema: z.string().optional(),
    type: z.literal('code').optional(),
    name: Name,
    sports: z.array(z.string()).optional().meta({ description: 'Left out, those of the theme' }),
    stateMachine: CodeStateMachine,
    mime: z.record(z.string(), z.string()).default({}).meta({
      description: 'Types of files whose extension does not tell, by path: {"data/shape": "model/gltf+json"}',
    }),
  })
  .meta({ title: 'Tally code graphic', description: 'graphic.json of a code graphic of a theme as files' })

/** `graphics/<slug>/graphic.json` of a motion graphic: its file is `graphic.riv` beside it, uploaded assets are in `assets/`. */
export const MotionGraphicManifest = z
  .strictObject({
    $schema: z.string().optional(),
    type: z.literal('rive'),
    name: Name,
    sports: z.array(z.string()).optional().meta({ description: 'Left out, those of the theme' }),
    stateMachine: MotionParts.prefault({}),
  })
  .meta({ title: 'Tally motion graphic', description: 'graphic.json of a motion graphic of a theme as files' })

export type ThemeManifest = z.output<typeof ThemeManifest>
export type GraphicManifest = z.output<typeof GraphicManifest> | z.output<typeof MotionGraphicManifest>

/** The schema of a `graphic.json`, by the type that it says it has. */
export const graphicSchema = (value: unknown) =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'rive'
    ? MotionGraphicManifest
    : GraphicManifest
export type TemplateEntry = z.output<typeof TemplateEntry>
export type RoomEntry = z.output<typeof RoomEntry>
export type PresetEntry = z.output<typeof PresetEntry>
export type VariableEntry = z.output<typeof VariableEntry>

/** JSON Schemas (2020-12) of the manifests, with members that a default fills in left optional. */
export function manifestSchemas() {
  const options = { target: 'draft-2020-12', io: 'input' } as const
  return {
    theme: z.toJSONSchema(ThemeManifest, options),
    graphic: z.toJSONSchema(GraphicManifest, options),
    motionGraphic: z.toJSONSchema(MotionGraphicManifest, options),
    gamePlan: z.toJSONSchema(GamePlanManifest, options),
  }
}
