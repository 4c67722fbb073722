import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { ControlVariable } from '../resources/code-graphics/schema.ts'
import { PropertySettings } from '../resources/motion-graphics/state-machine.schema.ts'
import { byText } from './listing.ts'

/** Where the folder of a motion graphic has its file and the assets of that file. */
export const MOTION_FILE = 'graphic.riv'
export const ASSETS_FOLDER = 'assets/'

const { name, type, defaultValue, description, options, exitMode } = ControlVariable.shape
const Variable = z.object({ name, type, defaultValue, description, options, exitMode })
const Expression = z.object({ name: z.string(), expression: z.string(), description: z.string().optional() })
const Anything = z.record(z.string(), z.unknown())
const Binding = z.object({
  name: z.string(),
  expression: z.string().default(''),
  value: z.string().optional(),
  exposed: Anything.optional(),
  imageTransform: Anything.optional(),
  viewModelProperty: PropertySettings.optional(),
})
const Input = z.object({
  name: z.string(),
  expression: z.string().default(''),
  value: z.union([z.boolean(), z.number()]).optional(),
})
const Asset = z.object({
  uniqueFileName: z.string(),
  expression: z.string().default(''),
  exposed: Anything.optional(),
})

const settings = {
  currentArtboard: z.string().optional().meta({ description: 'Left out, the first one of the file' }),
  currentStateMachine: z.string().optional(),
  selectedSport: z.string().nullable().default(null),
  selectedSchemas: z.array(z.string()).nullable().default(null),
  scale: z.number().default(1),
  x: z.number().default(0),
  y: z.number().default(0),
  renderer: z.enum(['webgl2', 'canvas']).nullable().default(null),
  deferInitialShow: z.boolean().default(false),
}
const lists = {
  controlVariables: z.array(Variable).default([]),
  userExpressions: z.array(Expression).default([]),
  dataBindings: z.array(Binding).default([]),
  stateMachineInputs: z.array(Input).default([]),
  assets: z.array(Asset).default([]),
}

/** The `stateMachine` of a motion graphic in a folder: the settings of people, beside the contents of its file. */
export const MotionParts = z.strictObject({ ...settings, ...lists })
export type MotionParts = z.output<typeof MotionParts>

/** The names of settings of the whole graphic. */
export const SETTINGS = Object.keys(settings).map((one) => one as keyof typeof settings)

/** As the server has it, with the contents of the file beside it. */
const Stored = z.object({
  ...settings,
  controlVariables: lists.controlVariables,
  userExpressions: z.array(Expression.extend({ description: z.string().nullish() })).default([]),
  dataBindings: lists.dataBindings,
  stateMachineInputs: z.array(z.object({ ...Input.shape, value: z.unknown(), defaultValue: z.unknown() })).default([]),
  assets: lists.assets,
})

/** The settings by people in a state machine of the server. */
export function partsOf(stateMachine: unknown): MotionParts {
  const stored = Stored.parse(stateMachine)
  return tidied({
    ...stored,
    userExpressions: stored.userExpressions.map(({ description: about, ...rest }) => ({
      ...rest,
      description: about ?? '',
    })),
    dataBindings: stored.dataBindings.map(({ viewModelProperty: set, ...rest }) => ({
      ...rest,
      ...(set && Object.keys(set).length > 0 && { viewModelProperty: set }),
    })),
    stateMachineInputs: stored.stateMachineInputs.map(({ value, defaultValue: usual, ...rest }) =>
      Input.parse({ ...rest, ...(value !== usual && value !== null && { value }) }),
    ),
  })
}

/** The same for the same meaning: sorted, without members that were not set. */
export function tidied(parts: MotionParts): MotionParts {
  const isSet = ({ expression, ...rest }: { expression: string }) =>
    expression !== '' ||
    Object.entries(rest).some(([key, value]) => !key.endsWith('ame') && !key.endsWith('Name') && value !== undefined)
  const byName = (one: { name: string }, other: { name: string }) => byText(one.name, other.name)
  return {
    ...parts,
    controlVariables: parts.controlVariables.map(saidOf).sort(byName),
    userExpressions: parts.userExpressions.map(({ description: about, ...rest }) => ({
      ...rest,
      ...(about && { description: about }),
    })),
    dataBindings: parts.dataBindings.filter(isSet).sort(byName),
    stateMachineInputs: parts.stateMachineInputs.filter(isSet).sort(byName),
    assets: parts.assets.filter(isSet).sort((one, other) => byText(one.uniqueFileName, other.uniqueFileName)),
  }
}

/** Without members that mean the same as none. */
const saidOf = ({ defaultValue, description, exitMode, ...variable }: MotionParts['controlVariables'][number]) => ({
  ...variable,
  ...(defaultValue !== undefined && defaultValue !== null && { defaultValue }),
  ...(description && { description }),
  ...(exitMode === 'immediate' && { exitMode }),
})

/** As a folder says it: members with their usual value are left out. */
export function asWritten({ dataBindings, stateMachineInputs, assets, ...others }: MotionParts) {
  const usual = new Map<string, unknown>(Object.entries(MotionParts.parse({})))
  const computed = <T extends { expression: string }>({ expression, ...rest }: T) => ({
    ...rest,
    ...(expression !== '' && { expression }),
  })
  const all = {
    ...others,
    dataBindings: dataBindings.map(computed),
    stateMachineInputs: stateMachineInputs.map(computed),
    assets: assets.map(computed),
  }
  return Object.fromEntries(Object.entries(all).filter(([name, value]) => !isDeepStrictEqual(value, usual.get(name))))
}

/** The parts of a folder, with members that it leaves to the server as the server has them. */
export const asWanted = (local: MotionParts, { currentArtboard, currentStateMachine }: Partial<MotionParts>) =>
  tidied({
    ...local,
    ...(local.currentArtboard === undefined && currentArtboard !== undefined && { currentArtboard }),
    ...(local.currentStateMachine === undefined && currentStateMachine !== undefined && { currentStateMachine }),
  })
