type Check = (value: unknown) => string | undefined

/**
 * Whether plain data is a T: the path of the first part that is not (empty for the whole), undefined when all of it is. Stored
 * states come back as any JSON. Hand-made, since a machine imports nothing, and thousands of states are read when a node starts.
 */
export type Shape<T> = Check & {
  /** Never there. Holds T to the letter: a shape of `number` is none of `number | null`. */
  readonly of?: (value: T) => T
}

const WHOLE = ''
const below = (part: string | number, path: string) => (path === WHOLE ? `${part}` : `${part}.${path}`)

export const text: Shape<string> = (value) => (typeof value === 'string' ? undefined : WHOLE)
export const number: Shape<number> = (value) => (typeof value === 'number' ? undefined : WHOLE)
export const flag: Shape<boolean> = (value) => (typeof value === 'boolean' ? undefined : WHOLE)
/** Any JSON. */
export const anything: Shape<unknown> = (value) => (value === undefined ? WHOLE : undefined)

export const scalar: Shape<string | number | boolean | null> = (value) =>
  typeof value === 'object' ? (value === null ? undefined : WHOLE) : value === undefined ? WHOLE : undefined

export const nullable =
  <T>(shape: Shape<T>): Shape<T | null> =>
  (value) =>
    value === null ? undefined : shape(value)

/** A member that may be left out. */
export const optional =
  <T>(shape: Shape<T>): Shape<T | undefined> =>
  (value) =>
    value === undefined ? undefined : shape(value)

export function oneOf<const T extends string>(...words: readonly T[]): Shape<T> {
  const known: ReadonlySet<unknown> = new Set(words)
  return (value) => (known.has(value) ? undefined : WHOLE)
}

export function list<T>(shape: Shape<T>): Shape<readonly T[]> {
  return (value) => {
    if (!Array.isArray(value)) return WHOLE
    for (let index = 0; index < value.length; index++) {
      const path = shape(value[index])
      if (path !== undefined) return below(index, path)
    }
    return undefined
  }
}

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Members by names that are data. */
export function table<T>(shape: Shape<T>): Shape<Record<string, T>> {
  return (value) => {
    if (!isTable(value)) return WHOLE
    for (const key in value) {
      const path = shape(value[key])
      if (path !== undefined) return below(key, path)
    }
    return undefined
  }
}

type Shapes<T> = { readonly [K in keyof T]-?: Shape<T[K]> }

function namedMembers(shapes: Readonly<Record<string, Check>>, required: boolean): Check {
  const entries = Object.entries(shapes)
  const inAnyOrder = (value: Record<string, unknown>): string | undefined => {
    for (const [key, shape] of entries) {
      const member = value[key]
      if (member === undefined && !required) continue
      const path = shape(member)
      if (path !== undefined) return below(key, path)
    }
    return undefined
  }
  return (value) => {
    if (!isTable(value)) return WHOLE
    // members in the order that we write them in. docs/performance.md: members in order
    let index = 0
    for (const key in value) {
      let entry = entries[index++]
      // one that was left out
      while (entry !== undefined && entry[0] !== key && entry[1](undefined) === undefined) entry = entries[index++]
      if (entry === undefined || entry[0] !== key) return inAnyOrder(value)
      const path = entry[1](value[key])
      if (path !== undefined) return below(key, path)
    }
    for (; index < entries.length; index++) if (entries[index]?.[1](undefined) !== undefined) return inAnyOrder(value)
    return undefined
  }
}

/** All of these members; others beside them do not matter. */
export const members = <T extends object>(shapes: Shapes<T>): Shape<T> => namedMembers(shapes, true)
/** Any of these members. */
export const someMembers = <T extends object>(shapes: Shapes<T>): Shape<Partial<T>> => namedMembers(shapes, false)
