import type { Description, Schema } from '../support/description.ts'

type Wrap = (value: unknown) => unknown

/** One place of a request: `key` as `details` names it, `wrap` puts a value there and nothing else. */
export type Field = {
  key: string
  schema: Schema
  wrap: Wrap
  /** The object that it is a property of, and its name there. */
  of?: { key: string; wrap: Wrap; name: string }
}

const MAX_DEPTH = 6

const entriesOf = (value: unknown): [string, Schema][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : []

/** Every place of a body, the body itself first. */
export function fieldsOf(
  description: Description,
  schema: Schema,
  key = 'body',
  wrap: Wrap = (value) => value,
  depth = 0,
  of?: Field['of'],
): Field[] {
  const resolved = description.resolve(schema)
  const here: Field = { key, schema, wrap, ...(of && { of }) }
  if (depth === MAX_DEPTH) return [here]
  const below = entriesOf(resolved.properties).flatMap(([name, property]) =>
    fieldsOf(description, property, `${key}.${name}`, (value) => wrap({ [name]: value }), depth + 1, {
      key,
      wrap,
      name,
    }),
  )
  const items = entriesOf({ item: resolved.items }).flatMap(([, item]) =>
    item ? fieldsOf(description, item, `${key}[0]`, (value) => wrap([value]), depth + 1) : [],
  )
  return [here, ...below, ...items]
}

/** One request: the body, and which field has which value in it. */
export type Round = { body: unknown; sent: { field: Field; value: unknown }[] }

/** As few requests as it takes to send each of these values once: properties of one object go together. */
export function roundsOf(fields: readonly Field[], valuesOf: (field: Field) => readonly unknown[]): Round[] {
  const groups = new Map<string, Field[]>()
  for (const field of fields) {
    const together = field.of?.key ?? `alone ${field.key}`
    groups.set(together, [...(groups.get(together) ?? []), field])
  }
  return [...groups.values()].flatMap((members) => {
    const lists = members.map((field) => ({ field, values: valuesOf(field) }))
    const most = Math.max(...lists.map(({ values }) => values.length))
    return Array.from({ length: most }, (_, nth) => {
      const sent = lists.flatMap(({ field, values }) => (nth < values.length ? [{ field, value: values[nth] }] : []))
      return { body: bodyOf(sent), sent }
    })
  })
}

function bodyOf(sent: Round['sent']): unknown {
  const [first] = sent
  if (!first?.field.of) return first?.field.wrap(first.value)
  return first.field.of.wrap(Object.fromEntries(sent.map(({ field, value }) => [field.of?.name ?? '', value])))
}

/** A value of each JSON type, and numbers at the ends of int32. */
const ANYTHING = [
  null,
  true,
  7.5,
  -1,
  0,
  2_147_483_647,
  2_147_483_648,
  'text',
  '',
  [],
  {},
  [{}],
  ['text'],
  { nonsense: 1 },
]

const numbersOf = ({ minimum, maximum }: Schema) =>
  [minimum, maximum].flatMap((limit) => (typeof limit === 'number' ? [limit - 1, limit, limit + 1] : []))

const lengthsOf = (least: unknown, most: unknown): number[] =>
  [least, most]
    .flatMap((limit) => (typeof limit === 'number' ? [limit - 1, limit, limit + 1] : []))
    .filter((length) => length >= 0)

/** Values worth sending: every type, and minimum, maximum and one beyond of what the description limits. */
export function probesOf(description: Description, field: Field): unknown[] {
  const schema = description.resolve(field.schema)
  const { enum: allowed, items } = schema
  const item = typeof items === 'object' && items !== null ? sampleOf(description, items as Schema, {}) : 'text'
  return [
    ...ANYTHING,
    ...numbersOf(schema),
    // outside the basic plane, where one character is two code units
    ...lengthsOf(schema.minLength, schema.maxLength).map((length) => '𝒜'.repeat(length)),
    ...lengthsOf(schema.minItems, schema.maxItems).map((length) => Array.from({ length }, () => item)),
    ...(Array.isArray(allowed) ? allowed : []),
  ]
}

export const isClosed = (description: Description, { schema }: Field) =>
  description.resolve(schema).additionalProperties === false

/** The smallest value that the description accepts; `known` gives the values of fields by name, such as ids that exist. */
export function sampleOf(description: Description, schema: Schema, known: Readonly<Record<string, unknown>>): unknown {
  const resolved = description.resolve(schema)
  const { type, enum: allowed, anyOf, required, properties, items, minLength, minItems, minimum } = resolved
  if (resolved.const !== undefined) return resolved.const
  if (Array.isArray(allowed)) return allowed[0]
  if (Array.isArray(anyOf)) return sampleOf(description, anyOf[0], known)
  if (resolved.format === 'date-time') return '2027-03-01T18:00:00Z'
  if (resolved.format === 'uuid') return '3bf83a74-8f07-4b0b-9c1f-5d6f1c2f9a10'
  if (type === 'string') return 'a'.repeat(Math.max(1, Number(minLength ?? 1)))
  if (type === 'integer' || type === 'number') return Math.max(1, Number(minimum ?? 1))
  if (type === 'boolean') return true
  if (type === 'array')
    return Array.from({ length: Number(minItems ?? 0) }, () => sampleOf(description, items as Schema, known))
  const names = Array.isArray(required) ? required.map(String) : []
  return Object.fromEntries(
    entriesOf(properties)
      .filter(([name]) => names.includes(name))
      .map(([name, property]) => [name, known[name] ?? sampleOf(description, property, known)]),
  )
}
