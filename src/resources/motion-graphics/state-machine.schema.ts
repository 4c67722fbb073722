import { z } from 'zod'
import { SportKey } from '../../schema/sport.ts'
import { ControlVariable, UserExpression } from '../code-graphics/schema.ts'

const number = z.number()
const Scalar = z.union([z.boolean(), z.number(), z.string(), z.null()])
const EntityType = z.enum(['player', 'team', 'competition', 'ad'])

const PICTURED =
  'Of a picture that no expression computes: team, player and ad draw that of the record that the first control variable of the type selects'

/** Text in CEL; empty where nothing computes the value. */
export const Expression = z.string().max(10_000)

/** Members of a property that people set, not the motion file. spec: Motion graphics state machine */
export const PropertySettings = z
  .object({
    listModel: z.string().meta({ description: 'Of a list, the view model of its items' }),
    sourceArrayPath: z
      .string()
      .meta({ description: 'Of a list, where in the data its items are when nothing computes them: `table.rows`' }),
    imageDimensions: z
      .object({ height: number, width: number })
      .meta({ description: 'Of an image, the size in pixels that the graphic has room for' }),
  })
  .partial()
  .meta({ id: 'PropertySettings' })

/** spec: Motion graphics state machine */
const ViewModelProperty = z.object({
  viewModelId: z.string(),
  viewModelName: z.string(),
  type: z.string(),
  path: z.string(),
  ...PropertySettings.shape,
  enumValues: z.array(z.string()).optional(),
})

/** spec: Motion graphics state machine */
export const BindingExposure = z
  .object({
    name: z.string().meta({ description: 'What it is called where a missing value is told' }),
    expression: Expression,
    required: z
      .boolean()
      .meta({ description: 'Nothing is published while nothing gives it a value; a trial says when it has none' }),
    entityType: EntityType.meta({ description: PICTURED }),
    width: number,
    height: number.meta({
      description: 'With `width` the size of the picture, where the property has no `imageDimensions`',
    }),
  })
  .partial()
  .meta({ id: 'BindingExposure' })

/** spec: Motion graphics state machine */
export const ImageTransform = z
  .object({
    outWidth: number,
    outHeight: number,
    scaleX: number,
    scaleY: number,
    rotateDeg: number,
    skewXDeg: number,
    skewYDeg: number,
    translateX: number,
    translateY: number,
    fit: z.enum(['cover', 'contain', 'stretch']),
    padding: z.object({ top: number, right: number, bottom: number, left: number }).partial(),
    background: z.object({ r: number, g: number, b: number, a: number }).partial(),
    anchor: z.enum([
      'center',
      'top-left',
      'top',
      'top-right',
      'left',
      'right',
      'bottom-left',
      'bottom',
      'bottom-right',
    ]),
  })
  .partial()
  .meta({ id: 'ImageTransform' })

/** spec: Motion graphics state machine */
export const DataBinding = z
  .object({
    id: z.string(),
    name: z.string(),
    expression: z.string(),
    defaultValue: z.string().optional(),
    value: z.string().optional(),
    viewModelProperty: ViewModelProperty,
    exposed: BindingExposure.optional(),
    imageTransform: ImageTransform.optional(),
  })
  .meta({ id: 'DataBinding' })

/** The value of an input of a state machine; null is that of a trigger. */
export const InputValue = z.union([z.boolean(), z.number(), z.null()])

/** spec: Motion graphics state machine */
export const StateMachineInput = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.enum(['boolean', 'number', 'trigger']),
    defaultValue: InputValue,
    value: InputValue,
    expression: z.string().optional(),
  })
  .meta({ id: 'StateMachineInput' })

/** spec: Motion graphics state machine */
export const AssetExposure = z
  .object({
    name: z.string().meta({ description: 'What it is called where it is told to be missing' }),
    defaultFileId: z
      .int32()
      .min(1)
      .meta({ description: 'Kept for the tool that set it: files of this service have no such ids' }),
    required: z.boolean().meta({ description: 'Nothing is published while nothing is drawn for it' }),
    expression: Expression,
    entityType: EntityType.meta({ description: PICTURED }),
  })
  .partial()
  .meta({ id: 'AssetExposure' })

/** spec: Motion graphics state machine */
export const MotionAsset = z
  .object({
    id: z.string(),
    name: z.string(),
    uniqueFileName: z.string(),
    type: z.enum(['image', 'font', 'audio']),
    expression: z.string().optional(),
    unresolved: z
      .boolean()
      .optional()
      .meta({ description: 'The file only names it, and nobody has uploaded it: nothing is drawn for it' }),
    metadata: z
      .object({
        size: number,
        width: number.optional(),
        height: number.optional(),
        fileId: number.optional(),
        storageKey: z.string().optional().meta({ description: 'Of an uploaded file: its name in the bundle' }),
        sha256: z.string().optional(),
      })
      .optional(),
    exposed: AssetExposure.optional(),
  })
  .meta({ id: 'MotionAsset' })

/** Members that control variables of motion graphics have beside those of code graphics. */
const MotionControlVariable = ControlVariable.extend({
  value: Scalar.optional(),
  data: z.unknown().optional(),
  dataSchema: z.unknown().optional(),
})

/** As it is stored: without the version, which is that of its row. */
export const StoredStateMachine = z.object({
  currentArtboard: z.string(),
  currentStateMachine: z.string(),
  controlVariables: z.array(MotionControlVariable),
  dataBindings: z.array(DataBinding),
  stateMachineInputs: z.array(StateMachineInput),
  userExpressions: z.array(UserExpression),
  selectedSport: SportKey.optional(),
  selectedSchemas: z.array(z.string()).optional(),
  assets: z.array(MotionAsset),
  scale: number,
  x: number,
  y: number,
  artboardWidth: number,
  artboardHeight: number,
  renderer: z.enum(['webgl2', 'canvas']).optional(),
  deferInitialShow: z.boolean().optional(),
})
export type StoredStateMachine = z.output<typeof StoredStateMachine>

/** spec: Motion graphics state machine */
export const MotionStateMachine = StoredStateMachine.extend({
  version: z.int32(),
  userExpressions: z.array(UserExpression).optional(),
}).meta({ id: 'MotionStateMachine' })

/** The state machine of a new motion graphic before its first file. */
export const EMPTY: StoredStateMachine = {
  currentArtboard: '',
  currentStateMachine: '',
  controlVariables: [],
  dataBindings: [],
  stateMachineInputs: [],
  userExpressions: [],
  assets: [],
  scale: 1,
  x: 0,
  y: 0,
  artboardWidth: 0,
  artboardHeight: 0,
}
