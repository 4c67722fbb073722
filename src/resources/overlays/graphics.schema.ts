import { z } from 'zod'
import { alsoWhenInvalid, Id, Moment } from '../../schema/fields.ts'
import { GRAPHIC_ACTIONS } from '../../schema/logged-action.ts'
import { SetValue } from '../../schema/set-value.ts'
import { SlotChoice } from '../control-variables.ts'
import { ManualGraphicState, OverlayParams, PreviewState, Schedule } from './schema.ts'

/** The values that operators and presets set on a graphic. */
export const VariableValues = z.record(z.string(), z.union([SlotChoice, SetValue])).meta({
  id: 'VariableValues',
  description:
    'Overrides by variable name; null clears a variable to its default. Only one of type `ad` takes a sponsor slot, and only an OGraf graphic lists and objects',
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

/** What all commands about one graphic may say. */
const AboutOne = z.object({
  require: z.boolean().optional().meta({
    description:
      'Beta. With `show`: refused when a connected renderer is none that the graphic is for (`renderRequirements` of OGraf, `runtime.engine` of a code graphic); else `warnings` tell it',
  }),
  presetId: Id.optional(),
  graphicId: z.string().min(1).optional(),
  graphicName: z.string().min(1).optional(),
  variableValues: VariableValues.optional(),
  sectionId: z.string().min(1).optional(),
  durationSeconds: DurationSeconds.nullable().optional().meta({
    description:
      'Beta. With `show` and `take`: it goes off air by itself after so many seconds; a later show of it starts anew. With `update`: `null` takes the time away, and left out leaves it',
  }),
})

/** Of an OGraf graphic. integrations: OGraf import */
const Steps = {
  goto: z
    .int32()
    .min(0)
    .optional()
    .meta({ description: 'Beta. With `step`: to this step, from 0; beyond the last one it is off air' }),
  delta: z.int32().optional().meta({ description: 'Beta. With `step`: so many steps on, or back; 1 unless said' }),
}

type Action = (typeof GRAPHIC_ACTIONS)[number]

const NAMES = ['presetId', 'graphicId', 'graphicName'] as const
const VALUES = [...NAMES, 'variableValues', 'sectionId'] as const

/** The members that each command may have beside `durationSeconds`: in others they would be taken and do nothing. */
const TAKES = {
  show: [...VALUES, 'require', 'at', 'skipAnimation'],
  update: [...VALUES, 'skipAnimation'],
  hide: [...VALUES, 'at', 'skipAnimation'],
  hideAll: [...VALUES, 'skipAnimation', 'scheduled'],
  cue: VALUES,
  uncue: ['presetId'],
  take: ['presetId', 'at', 'skipAnimation'],
  batch: ['skipAnimation', 'commands'],
  undo: ['seq'],
  step: [...NAMES, 'goto', 'delta', 'skipAnimation'],
  custom: [...NAMES, 'skipAnimation', 'customActionId', 'payload'],
} as const satisfies Record<Action, readonly string[]>
type Member = (typeof TAKES)[Action][number]

/** Those that are about one graphic, which they have to name. */
const OF_ONE: readonly Action[] = ['show', 'update', 'hide', 'cue', 'step', 'custom']

type Said = { action: Action; [member: string]: unknown }

/** A rule over the members of a command, that names one of them. */
type Rule = { path: string; error: string; holds(command: Said): boolean }

const goesWith = (path: Member): Rule => {
  const actions = GRAPHIC_ACTIONS.filter((action) => TAKES[action].some((member) => member === path))
  return {
    path,
    error: `goes with ${actions.join(', ')} only`,
    holds: (command) => command[path] === undefined || actions.includes(command.action),
  }
}

const RULES: readonly Rule[] = [
  {
    path: 'durationSeconds',
    error: 'goes with show and take; an update takes null only',
    holds: ({ action, durationSeconds }) =>
      durationSeconds === undefined ||
      action === 'show' ||
      action === 'take' ||
      (action === 'update' && durationSeconds === null),
  },
  {
    path: 'graphicName',
    error: 'graphicName, graphicId or presetId is required',
    holds: ({ action, presetId, graphicId, graphicName }) =>
      !OF_ONE.includes(action) || (presetId ?? graphicId ?? graphicName) !== undefined,
  },
  ...VALUES.map(goesWith),
  goesWith('goto'),
  goesWith('delta'),
  {
    path: 'delta',
    error: 'goto says where, or delta how far',
    holds: ({ goto, delta }) => goto === undefined || delta === undefined,
  },
  goesWith('require'),
]

function ruled<Schema extends z.ZodObject>(schema: Schema, rules: readonly Rule[]): Schema {
  return rules.reduce(
    (ruledBy, { path, error, holds }) =>
      ruledBy.refine((command) => holds(command as Said), { path: [path], error, ...alsoWhenInvalid }),
    schema,
  )
}

/** One of the commands of a `batch`. */
export const BatchedCommand = ruled(
  z.strictObject({ ...AboutOne.shape, ...Steps, action: z.enum(['show', 'update', 'hide', 'cue', 'uncue', 'step']) }),
  RULES,
).meta({ id: 'BatchedCommand' })

export const MOST_AT_ONCE = 20

/** A graphic named by preset, id or name; `hideAll`, `uncue`, `take`, `batch` and `undo` need none. */
export const GraphicsCommand = ruled(
  AboutOne.extend({
    ...Steps,
    customActionId: z.string().min(1).max(255).optional().meta({
      description: 'Beta. With `custom`: one of the `customActions` of an OGraf graphic',
    }),
    payload: z.unknown().optional().meta({ description: 'Beta. With `custom`: as the action has it in its `schema`' }),
    action: z.enum(GRAPHIC_ACTIONS).meta({
      description:
        '`cue`, `uncue`, `take`, `batch`, `undo`, `step` and `custom` are Beta. `cue` puts a preset on preview, `take` what is there on air; `batch` does all of its commands or none; `undo` takes back what the last command changed on air, within 30 s',
    }),
    skipAnimation: z.boolean().optional().meta({
      description:
        'Beta. Not with `at`, `cue`, `uncue` and `undo`: graphics come and go without their animation; an OGraf graphic is told `skipAnimation`, others `settled`',
    }),
    at: Moment.optional().meta({
      description:
        'Beta. With `show`, `hide` and `take`: carried out then, at most 24 hours ahead, also when the server was stopped meanwhile; one that is more than 30 s late is dropped',
    }),
    commands: z
      .array(BatchedCommand)
      .min(1)
      .max(MOST_AT_ONCE)
      .optional()
      .meta({ description: 'Beta. Of a `batch`, carried out in this order as one' }),
    seq: z.int().min(1).optional().meta({
      description:
        'Beta. With `undo`: only the command with this `seq`, as followers are told of it in `UNDO`; when another one came since, there is nothing to undo',
    }),
    scheduled: z
      .boolean()
      .optional()
      .meta({ description: 'Beta. With `hideAll`: takes everything off preview and off the schedule, too' }),
  }),
  [
    ...RULES,
    goesWith('at'),
    goesWith('skipAnimation'),
    {
      path: 'skipAnimation',
      error: 'goes with no at',
      holds: ({ skipAnimation, at }) => skipAnimation === undefined || at === undefined,
    },
    goesWith('customActionId'),
    goesWith('payload'),
    {
      path: 'customActionId',
      error: 'customActionId is required',
      holds: ({ action, customActionId }) => action !== 'custom' || customActionId !== undefined,
    },
    goesWith('commands'),
    goesWith('scheduled'),
    goesWith('seq'),
    {
      path: 'commands',
      error: 'commands are required',
      holds: ({ action, commands }) => action !== 'batch' || commands !== undefined,
    },
    {
      path: 'scheduled',
      error: 'goes with no sectionId: what is scheduled is of no section',
      holds: ({ scheduled, sectionId }) => !scheduled || sectionId === undefined,
    },
  ],
).meta({ id: 'GraphicsCommand' })

/** `id`: as `scheduled` lists it. */
export const ScheduledParams = OverlayParams.extend({ id: Id }).meta({ id: 'ScheduledParams' })

/** What is on air after the command. spec: Overlays 12 */
export const ControlGraphicAnswer = z
  .object({ overlayId: Id, manualGraphicState: ManualGraphicState })
  .meta({ id: 'ControlGraphicAnswer' })

/** The whole state of the overlay after the command. show-control: Commands */
export const GraphicsAnswer = z
  .object({
    overlayId: Id,
    manualGraphicState: ManualGraphicState,
    previewState: PreviewState,
    scheduled: Schedule,
    warnings: z.array(z.string()).optional().meta({
      description:
        'Beta. Connected renderers that an OGraf graphic is not made for, in words; left out when there are none',
    }),
  })
  .meta({ id: 'GraphicsAnswer' })
