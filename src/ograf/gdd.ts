/**
 * A property of a graphic's data: JSON Schema with the words of GDD (https://superflytv.github.io/GraphicsDataDefinition), as far as values are
 * held against it. Everything else of it is kept for editors.
 */
export type Gdd = Readonly<Record<string, unknown>>

export const isGdd = (value: unknown): value is Gdd =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Types of GDD that an editor may know. */
const KNOWN = new Set([
  'single-line',
  'multi-line',
  'file-path',
  'file-path/image-path',
  'select',
  'select-multiple',
  'color-rrggbb',
  'color-rrggbbaa',
  'percentage',
  'duration-ms',
])

/** The GDD type that an editor is for: an unknown `a/b` falls back to `a`, and one that nobody knows to none. */
export function gddTypeOf({ gddType }: Gdd): string | undefined {
  if (typeof gddType !== 'string') return undefined
  for (let type = gddType; type !== ''; type = type.slice(0, Math.max(0, type.lastIndexOf('/'))))
    if (KNOWN.has(type)) return type
  return undefined
}

/** How deep values may be nested, and how many parts one may have: they go into every frame and into the state of an overlay. */
const MAX_DEPTH = 8
const MAX_PARTS = 2_000
const MAX_CHARACTERS = 20_000

const COLOURS: Readonly<Record<string, RegExp>> = {
  'color-rrggbb': /^#[0-9a-f]{6}$/,
  'color-rrggbbaa': /^#[0-9a-f]{8}$/,
}

type Left = { parts: number; characters: number }

/**
 * The fault of a value, undefined when there is none; `at` of one inside of it. Takes time in proportion to the value, whatever the
 * schema says, since commands wait for it: patterns other than those of colours are the graphic's own affair.
 */
export function gddFault(schema: Gdd, value: unknown): string | undefined {
  return fault(schema, value, '', { parts: MAX_PARTS, characters: MAX_CHARACTERS }, 0)
}

function fault(schema: Gdd, value: unknown, at: string, left: Left, depth: number): string | undefined {
  const told = (message: string) => (at === '' ? message : `${at}: ${message}`)
  if (depth > MAX_DEPTH) return told(`nested more than ${MAX_DEPTH} deep`)
  if (--left.parts < 0) return told(`more than ${MAX_PARTS} parts`)
  const { type, enum: choices } = schema
  if (!isOfType(type, value)) return told(`expected ${typeof type === 'string' ? article(type) : 'a value'}`)
  if (typeof value === 'string') {
    left.characters -= value.length
    if (left.characters < 0) return told(`more than ${MAX_CHARACTERS} characters`)
  }
  if (Array.isArray(choices) && !isContainer(value) && !choices.includes(value))
    return told(`expected one of ${few(choices)}`)
  if (typeof value === 'string') return mapped(textFault(schema, value), told)
  if (typeof value === 'number') return mapped(numberFault(schema, value), told)
  if (Array.isArray(value)) return listFault(schema, value, at, left, depth)
  return isGdd(value) ? objectFault(schema, value, at, left, depth) : undefined
}

/** A long list tells nobody anything. */
const MOST_TOLD = 20
const few = (choices: readonly unknown[]) =>
  [...choices.slice(0, MOST_TOLD).map(String), ...(choices.length > MOST_TOLD ? ['…'] : [])].join(', ')

const mapped = (message: string | undefined, told: (message: string) => string) =>
  message === undefined ? undefined : told(message)
const article = (type: string) => (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`)
const isContainer = (value: unknown) => typeof value === 'object' && value !== null

function isOfType(type: unknown, value: unknown): boolean {
  switch (type) {
    case 'string':
    case 'boolean':
      return typeof value === type
    case 'number':
      return typeof value === 'number' && Number.isFinite(value)
    case 'integer':
      return Number.isInteger(value)
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isGdd(value)
    default:
      // a schema inside of another may leave it out
      return value !== undefined
  }
}

function textFault(schema: Gdd, value: string): string | undefined {
  const colour = COLOURS[gddTypeOf(schema) ?? '']
  if (colour && !colour.test(value))
    return `expected a colour as ${colour === COLOURS['color-rrggbb'] ? '#rrggbb' : '#rrggbbaa'}`
  const { minLength, maxLength } = schema
  if (typeof maxLength === 'number' && [...value].length > maxLength) return `at most ${maxLength} characters`
  if (typeof minLength === 'number' && [...value].length < minLength) return `at least ${minLength} characters`
  return undefined
}

function numberFault(schema: Gdd, value: number): string | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  if (typeof minimum === 'number' && value < minimum) return `at least ${minimum}`
  if (typeof maximum === 'number' && value > maximum) return `at most ${maximum}`
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) return `more than ${exclusiveMinimum}`
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) return `less than ${exclusiveMaximum}`
  return undefined
}

function listFault(schema: Gdd, value: readonly unknown[], at: string, left: Left, depth: number) {
  const { items, minItems, maxItems } = schema
  const told = (message: string) => (at === '' ? message : `${at}: ${message}`)
  if (typeof maxItems === 'number' && value.length > maxItems) return told(`at most ${maxItems} items`)
  if (typeof minItems === 'number' && value.length < minItems) return told(`at least ${minItems} items`)
  const inner = isGdd(items) ? items : {}
  for (const [index, item] of value.entries()) {
    const wrong = fault(inner, item, `${at}[${index}]`, left, depth + 1)
    if (wrong !== undefined) return wrong
  }
  return undefined
}

function objectFault(schema: Gdd, value: Gdd, at: string, left: Left, depth: number) {
  const properties = isGdd(schema.properties) ? schema.properties : {}
  const place = (name: string) => (at === '' ? name : `${at}.${name}`)
  for (const name of Array.isArray(schema.required) ? schema.required : [])
    if (typeof name === 'string' && !Object.hasOwn(value, name)) return `${place(name)}: is missing`
  for (const [name, part] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined
    const wrong = fault(isGdd(known) ? known : {}, part, place(name), left, depth + 1)
    if (wrong !== undefined) return wrong
  }
  return undefined
}
