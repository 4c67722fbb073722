import type { z } from 'zod'
import { type FieldErrors, invalid, MAX_DETAILS } from '../errors.ts'
import { fieldPath, isStorable, readJson } from './json.ts'
import type { Route } from './route.ts'

/** One spelling of each number: no `05`, `2.0`, `-0` or `1e3`. */
const NUMBER = /^(0|-?(?!0$)(0|[1-9]\d*)(\.\d*[1-9])?)$/

type Kind = 'number' | 'boolean' | 'text'
type RequestPart = string
type Issue = z.core.$ZodIssue
type Union = z.core.$ZodIssueInvalidUnion

/** Path and query arrive as text; their schemas are the same as in bodies, so the text becomes a value of the schema's type. */
function kindOf(schema: z.core.$ZodType): Kind {
  const { def } = schema._zod
  if (def.type === 'number' || def.type === 'boolean') return def.type
  if ('innerType' in def) return kindOf(def.innerType as z.core.$ZodType)
  if (def.type === 'pipe' && 'in' in def) return kindOf(def.in as z.core.$ZodType)
  return 'text'
}

const kindsOf = (schema: z.ZodObject | undefined): Map<string, Kind> =>
  new Map(Object.entries(schema?.shape ?? {}).map(([name, field]) => [name, kindOf(field)]))

function fromText(text: string, kind: Kind): unknown {
  if (kind === 'number' && NUMBER.test(text)) return Number(text)
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

/** Decodes once; undefined when the encoding is bad or the text cannot be stored. */
function decode(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    const decoded = decodeURIComponent(text)
    return isStorable(decoded) ? decoded : undefined
  } catch {
    return undefined
  }
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input
  for (const key of path) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return undefined
    value = Reflect.get(value, key)
  }
  return value
}

function addDetail(
  details: FieldErrors,
  part: RequestPart,
  path: readonly PropertyKey[],
  message: string,
  input: unknown,
): void {
  const key = fieldPath(part, path)
  if (Object.hasOwn(details, key)) return
  const value = valueAt(input, path)
  if (value === undefined || (typeof value === 'object' && value !== null)) details[key] = { message }
  else details[key] = { message, value }
}

/** The branch of a union that came closest: its first complaint lies deepest. */
function closest(branches: readonly (readonly Issue[])[]): readonly Issue[] {
  const depth = (issues: readonly Issue[]) => Math.min(...issues.map(({ path }) => path.length))
  return branches.reduce(
    (best, branch) => (branch.length > 0 && depth(branch) > depth(best) ? branch : best),
    branches[0] ?? [],
  )
}

/** The issues of each branch of a union with a value, also those of unions in it. */
const branchesOf = ({ errors }: Union): readonly (readonly Issue[])[] =>
  errors.flatMap((branch) => {
    const [first] = branch
    return first?.code === 'invalid_union' && first.path.length === 0 ? branchesOf(first) : [branch]
  })

/** In place of zod's bare "Invalid input": the issues of the branch of the value's type, else the types that there are. */
function noneTakes({ message }: Union, branches: readonly (readonly Issue[])[]): string {
  const all = branches.flatMap((branch) => branch.slice(0, 1))
  if (message !== 'Invalid input' || all.length === 0) return message
  const types = new Set(all.map((issue) => (issue.code === 'invalid_type' ? issue.expected : undefined)))
  if (types.has(undefined)) return all.find(({ code }) => code !== 'invalid_type')?.message ?? message
  return `${message}: expected ${[...types].join(' or ')}`
}

/** Adds one detail for each thing that a schema refused; the keys are paths below `part`. */
export function addIssues(
  details: FieldErrors,
  part: RequestPart,
  issues: readonly Issue[],
  input: unknown,
  base: readonly PropertyKey[] = [],
): void {
  for (const issue of issues.slice(0, MAX_DETAILS)) {
    const path = [...base, ...issue.path]
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys.slice(0, MAX_DETAILS)) addDetail(details, part, [...path, key], 'unknown key', input)
    else if (issue.code === 'invalid_union') {
      const branches = branchesOf(issue)
      const best = closest(branches)
      if (best.some((inner) => inner.path.length > 0)) addIssues(details, part, best, input, path)
      else addDetail(details, part, path, noneTakes(issue, branches), input)
    } else addDetail(details, part, path, issue.message, input)
  }
}

/** The parameters of a path as text, decoded once. Throws invalid. */
export function pathParams(names: readonly string[], raw: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [index, name] of names.entries()) {
    const decoded = decode(raw[index] ?? '')
    if (decoded === undefined) throw invalid({ [`path.${name}`]: { message: 'bad encoding' } })
    params[name] = decoded
  }
  return params
}

/** A request as a route's schemas read it. */
export type Input = { params: unknown; query: unknown; body: unknown }
/** `contentType` is asked of requests to routes with `consumes`. */
export type RawInput = { params: readonly string[]; query: string; body: Buffer | undefined; contentType: string }

/**
 * Compiles the schemas of a route into one function that reads path, query and body. It throws invalid with every bad
 * field of all three, or malformedBody. `names` are the path parameters in order.
 */
export function inputReader(route: Route, names: readonly string[]): (raw: RawInput) => Input {
  const paramKinds = kindsOf(route.params)
  const queryKinds = kindsOf(route.query)

  const readParams = (raw: readonly string[], details: FieldErrors) => {
    const given: Record<string, unknown> = {}
    for (const [index, name] of names.entries()) {
      const text = raw[index] ?? ''
      const decoded = decode(text)
      if (decoded === undefined) details[`path.${name}`] = { message: 'bad encoding', value: text }
      else given[name] = fromText(decoded, paramKinds.get(name) ?? 'text')
    }
    return parse('path', route.params, given, details)
  }

  const readQuery = (query: string, details: FieldErrors) => {
    if (!route.query) return undefined
    const given: [string, unknown][] = []
    const seen = new Set<string>()
    for (const pair of query === '' ? [] : query.split('&')) {
      const equals = pair.indexOf('=')
      const name = decode((equals < 0 ? pair : pair.slice(0, equals)).replaceAll('+', ' '))
      const text = equals < 0 ? '' : pair.slice(equals + 1).replaceAll('+', ' ')
      if (name === undefined || name === '') continue
      const kind = queryKinds.get(name)
      const value = decode(text)
      if (value === undefined) {
        if (kind) details[`query.${name}`] = { message: 'bad encoding', value: text }
      } else if (kind && seen.has(name)) details[`query.${name}`] = { message: 'given more than once' }
      else given.push([name, fromText(value, kind ?? 'text')])
      seen.add(name)
    }
    return parse('query', route.query, Object.fromEntries(given), details)
  }

  const readBody = ({ body, contentType }: RawInput, details: FieldErrors) => {
    if (!route.body) return undefined
    const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
    if (body && route.consumes && Object.hasOwn(route.consumes, mediaType))
      return parse('body', route.body, route.consumes[mediaType]?.(body), details)
    if (!body || body.length === 0) {
      const empty = route.body.safeParse(undefined)
      if (empty.success) return empty.data
      details.body = { message: 'a JSON body is required' }
      return undefined
    }
    return parse('body', route.body, readJson(body, details), details)
  }

  return (raw) => {
    const details: FieldErrors = {}
    const params = readParams(raw.params, details)
    const query = readQuery(raw.query, details)
    const body = readBody(raw, details)
    for (const _ in details) throw invalid(details)
    return { params, query, body }
  }
}

function parse(part: RequestPart, schema: z.ZodType | undefined, given: unknown, details: FieldErrors): unknown {
  if (!schema) return undefined
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  addIssues(details, part, parsed.error.issues, given)
  return undefined
}
