import { isObject, type JsonSchema } from './json-schema.ts'

/** The types of a value by its schema; undefined when the schema does not say. */
export type Types = ReadonlySet<string> | undefined

/**
 * Text that is a number and nothing else: text that would read differently as one stays text. So `07`, `+5`, `1e3`, `0x1F`,
 * `1,000`, `3,5`, `NaN` and numbers of more than 15 digits are text.
 */
export const isNumberText = (text: string) =>
  /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) && text.replace(/^-?(0\.0*)?|\./g, '').length <= 15

const typeName = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

/** Which types a schema allows; references within `root` are followed. */
export function typesOf(schema: unknown, root: JsonSchema, depth = 0): Types {
  if (!isObject(schema) || depth > 8) return undefined
  const types = saidTypes(schema, root, depth)
  return types && schema.nullable === true ? new Set([...types, 'null']) : types
}

function saidTypes(schema: JsonSchema, root: JsonSchema, depth: number): Types {
  if (typeof schema.$ref === 'string') return typesOf(at(root, schema.$ref), root, depth + 1)
  if (typeof schema.type === 'string' || Array.isArray(schema.type)) return new Set([schema.type].flat().map(String))
  if (Array.isArray(schema.enum)) return new Set(schema.enum.map(typeName))
  if ('const' in schema) return new Set([typeName(schema.const)])
  const branches = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (!Array.isArray(branches)) return undefined
  const all = branches.map((branch) => typesOf(branch, root, depth + 1)).filter((types) => types !== undefined)
  return all.length === 0 ? undefined : new Set(all.flatMap((types) => [...types]))
}

function at(root: JsonSchema, reference: string): unknown {
  let found: unknown = root
  for (const part of reference.split('/').slice(1))
    found = isObject(found) ? found[decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')] : undefined
  return found
}

/** Follows a reference of a schema that describes an object or a list. */
export const followed = (schema: unknown, root: JsonSchema, depth = 0): JsonSchema => {
  if (!isObject(schema)) return {}
  return typeof schema.$ref === 'string' && depth < 8 ? followed(at(root, schema.$ref), root, depth + 1) : schema
}

/**
 * A cell as its column wants it: empty is null, text that is a number becomes one where a number may stand, everything else
 * stays. spec: Data source template
 */
export function convert(value: unknown, types: Types): unknown {
  if (typeof value !== 'string') return value
  const text = value.trim()
  if (text === '') return null
  const asNumber = types === undefined || types.has('number') || types.has('integer')
  if (asNumber && isNumberText(text)) return Number(text) + 0
  if (types?.has('boolean') && !types.has('string') && /^(true|false)$/i.test(text))
    return text.toLowerCase() === 'true'
  return text
}

/** A cell of a file: its sender typed it, so where text must stand a number is the text that it shows. */
export function convertCell(value: unknown, types: Types): unknown {
  const textOnly = types?.has('string') && !types.has(typeof value)
  return convert(textOnly && (typeof value === 'number' || typeof value === 'boolean') ? String(value) : value, types)
}
