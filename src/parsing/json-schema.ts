import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { RE2JS } from 're2js'
import { MAX_PROBLEMS, type Problem, Unreadable, unreadable } from './problem.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

/** The faults of a value, each at its JSON pointer. */
type Validate = (value: unknown) => readonly { pointer: string; message: string }[]

export const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])
const LISTS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items'])
const SINGLE = new Set(
  'items additionalItems additionalProperties unevaluatedItems unevaluatedProperties contains propertyNames not if then else'.split(
    ' ',
  ),
)

/** `nullable: true` of OpenAPI 3.0 in the words of JSON Schema. Only where schemas stand: a column may be called so. */
function withoutNullable(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  const plain: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'nullable') continue
    if (MAPS.has(key) && isObject(value))
      plain[key] = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutNullable(one)]))
    else if (LISTS.has(key) && Array.isArray(value)) plain[key] = value.map(withoutNullable)
    else plain[key] = SINGLE.has(key) ? withoutNullable(value) : value
  }
  if (schema.nullable !== true) return plain
  const { $schema, $defs, definitions, ...rest } = plain
  if (Object.keys(rest).length === 0) return plain
  if (typeof rest.type !== 'string' && !Array.isArray(rest.type)) return { ...plain, ...orNull(rest) }
  const allowed = Array.isArray(rest.enum) ? { enum: [...rest.enum, null] } : {}
  if ('const' in rest) return { ...plain, ...orNull(rest) }
  return { ...plain, type: [...new Set([rest.type, 'null'].flat())], ...allowed }
}

/** Overwrites each keyword that would refuse null, and says them again beside null. */
const orNull = (rest: JsonSchema) => ({
  ...Object.fromEntries(Object.keys(rest).map((key) => [key, undefined])),
  anyOf: [{ type: 'null' }, rest],
})

/** Patterns run on RE2, in time linear to the text: a pattern of a client must not hold a thread. */
const linear = Object.assign(
  (pattern: string) => {
    const compiled = RE2JS.compile(pattern)
    // the compiler keeps patterns by their text
    return { test: (text: string) => compiled.matcher(text).find(), toString: () => `/${pattern}/` }
  },
  { code: 're2' },
)

const SETTINGS = {
  strict: false,
  allErrors: true,
  validateFormats: false,
  logger: false,
  messages: true,
  code: { regExp: linear },
} as const

/** Places where a reference leads out of the schema, or names are given that other schemas could mean. */
function* strayReferences(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* strayReferences(item)
  else if (isObject(value))
    for (const [key, item] of Object.entries(value)) {
      if ((key === '$ref' || key === '$dynamicRef') && typeof item === 'string' && !item.startsWith('#')) yield item
      else yield* strayReferences(item)
    }
}

/** Makes a JSON Schema (2020-12, or draft-07 where it says so) ready to run. Throws Unreadable, naming `schema`. */
export function compileSchema(text: string): Validate {
  const schema: unknown = JSON.parse(text)
  const refuse = (message: string) => unreadable('schema', message)
  if (!isObject(schema)) throw refuse('a JSON Schema must be an object')
  for (const reference of strayReferences(schema)) throw refuse(`the reference ${reference} leads out of the schema`)
  const { $schema, $id, ...own } = schema
  if (
    $schema !== undefined &&
    !/^https?:\/\/json-schema\.org\/(draft\/2020-12|draft-07)\/schema#?$/.test(String($schema))
  )
    throw refuse('only JSON Schema 2020-12 and draft-07 are taken')
  const ajv = /draft-07/.test(String($schema)) ? new Ajv(SETTINGS) : new Ajv2020(SETTINGS)
  const plain = JSON.parse(JSON.stringify(withoutNullable(own)))
  if (!ajv.validateSchema(plain)) throw new Unreadable(schemaProblems(ajv.errors ?? []))
  let run: ValidateFunction
  try {
    run = ajv.compile(plain)
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : String(error))
  }
  const holds = (value: unknown) => {
    try {
      return run(value)
    } catch (error) {
      // the stack is over
      if (error instanceof RangeError) throw refuse('the schema refers to itself without end')
      throw error
    }
  }
  return (value) => {
    if (holds(value)) return []
    const found = new Map<string, string>()
    for (const error of run.errors ?? []) {
      const pointer = pointerOf(error)
      if (!found.has(pointer) || error.keyword === 'type') found.set(pointer, sentenceOf(error))
      if (found.size >= MAX_PROBLEMS) break
    }
    return [...found].map(([pointer, message]) => ({ pointer, message }))
  }
}

/** The place that is wrong: of a missing or unknown member its own, not that of its object. */
function pointerOf({ instancePath, params }: ErrorObject): string {
  const member: unknown = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty
  return typeof member === 'string'
    ? `${instancePath}/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`
    : instancePath
}

function sentenceOf({ keyword, params, message }: ErrorObject): string {
  if (keyword === 'type') return `expected ${[params.type].flat().join(' or ')}`
  if (keyword === 'required') return 'is missing'
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') return 'is not in the schema'
  if (keyword === 'enum') return `expected one of ${params.allowedValues.map(String).join(', ')}`
  return message ?? keyword
}

const schemaProblems = (errors: readonly ErrorObject[]): Problem[] =>
  errors.map((error) => ({ at: `schema${placeOf(error.instancePath)}`, message: sentenceOf(error) }))

/** `/3/points` as `[3].points`. */
export const placeOf = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join('')

/** The value at a JSON pointer of another. */
export function valueAt(value: unknown, pointer: string): unknown {
  let found = value
  for (const part of pointer.split('/').slice(1)) {
    if (typeof found !== 'object' || found === null) return undefined
    found = Reflect.get(found, part.replaceAll('~1', '/').replaceAll('~0', '~'))
  }
  return found
}
