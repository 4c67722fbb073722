import { z } from 'zod'
import { IfUnchangedSince } from '../../schema/concurrency.ts'
import { text } from '../../schema/fields.ts'
import { evaluatedRow } from '../code-graphics/evaluate.schema.ts'
import { ControlVariable } from '../code-graphics/schema.ts'
import { CLEARS } from './schema.ts'
import {
  AssetExposure,
  BindingExposure,
  Expression,
  ImageTransform,
  InputValue,
  PropertySettings,
} from './state-machine.schema.ts'

const { name, type, defaultValue, description, options, exitMode } = ControlVariable.shape

/** spec: Motion graphics 25 */
export const ControlVariableCreation = z
  .object({ name, type, defaultValue, description, options, exitMode, ifUnchangedSince: IfUnchangedSince })
  .meta({ id: 'ControlVariableCreation' })

/** Only the members that are named change; the name never does. */
export const ControlVariableUpdate = z
  .object({
    type: type.optional(),
    defaultValue,
    description,
    options,
    exitMode,
    ifUnchangedSince: IfUnchangedSince,
  })
  .meta({ id: 'ControlVariableUpdate' })

/** spec: Motion graphics 26 */
export const UserExpressionCreation = z
  .object({
    name: text(1, 255),
    expression: Expression,
    description: z.string().optional(),
    ifUnchangedSince: IfUnchangedSince,
  })
  .meta({ id: 'UserExpressionCreation' })

/** spec: Motion graphics 27 */
export const UserExpressionUpdate = z
  .object({ expression: Expression.optional(), description: z.string().optional(), ifUnchangedSince: IfUnchangedSince })
  .meta({ id: 'UserExpressionUpdate' })

const COMPUTED = 'In CEL, as user expressions; empty: nothing computes it'
const computed = Expression.optional().meta({ description: COMPUTED })

/** Only the members that are named change. */
export const DataBindingUpdate = z
  .object({
    expression: computed,
    value: z
      .string()
      .nullable()
      .optional()
      .meta({ description: `What it is while nothing computes it; ${CLEARS}` }),
    exposed: BindingExposure.nullable().optional().meta({ description: CLEARS }),
    imageTransform: ImageTransform.nullable().optional().meta({ description: CLEARS }),
    viewModelProperty: PropertySettings.nullable().optional().meta({ description: CLEARS }),
    ifUnchangedSince: IfUnchangedSince,
  })
  .meta({ id: 'DataBindingUpdate' })

/** Only the members that are named change. */
export const StateMachineInputUpdate = z
  .object({
    expression: computed,
    value: InputValue.optional().meta({ description: 'What it is while nothing computes it; null: its default' }),
    ifUnchangedSince: IfUnchangedSince,
  })
  .meta({ id: 'StateMachineInputUpdate' })

/** Only the members that are named change. */
export const MotionAssetUpdate = z
  .object({
    expression: computed,
    exposed: AssetExposure.nullable().optional().meta({ description: CLEARS }),
    ifUnchangedSince: IfUnchangedSince,
  })
  .meta({ id: 'MotionAssetUpdate' })

const Evaluated = z.object(evaluatedRow)

/** spec: Motion graphics 28 */
export const MotionEvaluationAnswer = z
  .object({
    rows: z
      .array(Evaluated)
      .meta({ description: 'One of each data binding; one without an expression gives its value' }),
    userExpressions: z.array(Evaluated),
    inputs: z.array(Evaluated).meta({ description: 'Those of the state machine that have an expression' }),
    assets: z.array(Evaluated).meta({ description: 'Those that have an expression' }),
    unresolved: z.int().min(0).meta({ description: 'How many of the data bindings and user expressions failed' }),
  })
  .meta({ id: 'MotionEvaluationAnswer' })
