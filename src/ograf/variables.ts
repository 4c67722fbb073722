import { type Gdd, gddTypeOf, isGdd } from './gdd.ts'

/** How a property of a manifest's `schema` becomes a control variable. */
export type OgrafVariable = {
  id: string
  name: string
  type: 'string' | 'number' | 'boolean' | 'enum' | 'object' | 'array'
  /** For people. */
  title?: string
  description?: string
  options?: string[]
  defaultValue?: unknown
  /** The one that editors know. */
  gddType?: string
  order?: number
  hidden?: true
  /** Values are held against it. */
  schema: Gdd
}

/** The control variables that a manifest's `schema` stands for, in the order in which people see them. */
export function variablesOf(schema: unknown): OgrafVariable[] {
  const properties = isGdd(schema) && isGdd(schema.properties) ? schema.properties : {}
  const whole = isGdd(schema) && isGdd(schema.default) ? schema.default : {}
  const variables = Object.entries(properties).flatMap(([name, property]) =>
    isGdd(property) ? [variableOf(name, property, Object.hasOwn(whole, name) ? whole[name] : undefined)] : [],
  )
  const placeOf = ({ order }: OgrafVariable) => order ?? Number.POSITIVE_INFINITY
  // those without an order come last, as they stand
  return variables.sort((one, other) => (placeOf(one) === placeOf(other) ? 0 : placeOf(one) - placeOf(other)))
}

/** One property as a control variable. */
export function variableOf(name: string, schema: Gdd, ofWhole?: unknown): OgrafVariable {
  const { title, description, order, hidden, type, enum: choices } = schema
  const gddType = gddTypeOf(schema)
  const isChoice = type === 'string' && Array.isArray(choices) && choices.every((choice) => typeof choice === 'string')
  const defaultValue = schema.default ?? ofWhole
  return {
    id: name,
    name,
    type: isChoice ? 'enum' : (TYPES[String(type)] ?? 'string'),
    ...(typeof title === 'string' && title !== '' && { title }),
    ...(typeof description === 'string' && description !== '' && { description }),
    ...(isChoice && { options: [...choices] }),
    ...(defaultValue !== undefined && defaultValue !== null && { defaultValue }),
    ...(gddType !== undefined && { gddType }),
    ...(typeof order === 'number' && { order }),
    ...(hidden === true && { hidden }),
    schema,
  }
}

const TYPES: Readonly<Record<string, OgrafVariable['type']>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  object: 'object',
  array: 'array',
}
