import { z } from 'zod'
import { sourceOf } from '../../motion/source-of.ts'
import { SetValue } from '../../schema/set-value.ts'
import { isRecordType } from './selected-records.ts'

const Variable = z.object({
  name: z.string(),
  type: z.string(),
  options: z.array(z.string()).catch([]).default([]),
  defaultValue: SetValue.catch(null).default(null),
})
const Expression = z.object({ id: z.string(), name: z.string(), expression: z.string() })

/** A control variable of a version of a graphic. */
export type WantedVariable = z.output<typeof Variable>

const Bound = z.object({
  id: z.string(),
  name: z.string(),
  expression: z.string().catch(''),
  exposed: z
    .object({ expression: z.string().catch(''), entityType: z.string().optional().catch(undefined) })
    .optional()
    .catch(undefined),
  /** Of an asset; a binding's is that of its property. */
  type: z.string().optional().catch(undefined),
  viewModelProperty: z.object({ type: z.string() }).optional().catch(undefined),
})

/** The kinds of binding of a motion graphic, as the members of `data` that carry their values. */
export const BOUND_KINDS = ['bindings', 'inputs', 'assets'] as const
export type BoundKind = (typeof BOUND_KINDS)[number]

/** The parts of a state machine that say which data it wants, as they are stored. */
export type Given = Partial<
  Record<
    'selectedSchemas' | 'controlVariables' | 'userExpressions' | 'dataBindings' | 'stateMachineInputs' | 'assets',
    unknown
  >
>

/** A brand that is the default goes on air with the values, unless the overlay shows none; a record is named by no list or object. */
const hasNoDefault = ({ type, defaultValue }: WantedVariable): boolean =>
  type === 'ad' || (isRecordType(type) && typeof defaultValue === 'object')

/** The parts of the data that a state machine wants; entries that are no variable or expression are left out. */
export function wantsIn(given: Given) {
  const { selectedSchemas, controlVariables, userExpressions } = given
  const variables = listOf(Variable, controlVariables).map((one) =>
    hasNoDefault(one) ? { ...one, defaultValue: null } : one,
  )
  return {
    /** The schemas that it selects; all of them when undefined. */
    schemas: Array.isArray(selectedSchemas) ? listOf(z.string(), selectedSchemas) : undefined,
    variables,
    /** Those that name something of the match. */
    records: variables.filter(({ type }) => isRecordType(type)),
    expressions: listOf(Expression, userExpressions),
    bound: [
      ...boundIn('bindings', given.dataBindings, variables),
      ...boundIn('inputs', given.stateMachineInputs, variables),
      ...boundIn('assets', given.assets, variables),
    ],
  }
}

/** Those that something computes. */
const boundIn = (kind: BoundKind, members: unknown, variables: readonly WantedVariable[]) =>
  listOf(Bound, members).flatMap(({ id, name, type, viewModelProperty, ...bound }) => {
    const isPicture = (viewModelProperty?.type ?? type) === 'image'
    const expression = sourceOf({ ...bound, isPicture }, variables)
    return expression === '' ? [] : [{ kind, id, name, expression }]
  })

export type Wants = ReturnType<typeof wantsIn>

const listOf = <T>(schema: z.ZodType<T>, value: unknown): T[] =>
  (Array.isArray(value) ? value : []).flatMap((one) => {
    const { success, data } = schema.safeParse(one)
    return success ? [data] : []
  })
