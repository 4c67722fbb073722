import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { apiVersion, type ChangeEntry, deprecatedOn } from '../changelog.ts'
import { ProblemDetails } from '../schema/errors.ts'
import { sunsetOf } from './headers.ts'
import { paramNames } from './matcher.ts'
import { ERROR_ANSWERS } from './openapi-errors.ts'
import { ANSWER_HEADERS, DESCRIPTION, PARAMETERS, SECURITY } from './openapi-text.ts'
import { openapiWebhooks } from './openapi-webhooks.ts'
import { operationName } from './operation.ts'
import { PROBLEM_TYPE } from './problem-details.ts'
import type { Route } from './route.ts'
import { scopesOf } from './scope.ts'
import { statusLine } from './status.ts'

type Json = Record<string, unknown>
type Direction = 'input' | 'output'

const REF = '#/components/schemas/'
/** Errors of every operation, besides those of its `throws`. */
const COMMON = ['invalid', 'unauthenticated', 'forbidden', 'notFound', 'tooManyRequests', 'unexpected', 'unavailable']
const WRITES = ['idempotencyConflict', 'bodyTooLarge']
/** Errors that list, uploads and file metadata of motion graphics word in their own family. */
const IN_MOTION: Readonly<Record<string, string>> = { invalid: 'invalidMotion', notFound: 'motionNotFound' }

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A copy with every `$ref` rewritten. */
const withRefs = (value: unknown, rename: (ref: string) => string): unknown => {
  if (Array.isArray(value)) return value.map((item) => withRefs(item, rename))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === '$ref' && typeof item === 'string' ? rename(item) : withRefs(item, rename),
    ]),
  )
}

const refsIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(refsIn)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, item]) =>
    key === '$ref' && typeof item === 'string' ? [item.slice(item.lastIndexOf('/') + 1)] : refsIn(item),
  )
}

/** Converts all schemas of one direction in one call: named ones become definitions, the others stay inline. */
function convert(schemas: ReadonlyMap<z.ZodType, string>, io: Direction) {
  const whole = z.object(Object.fromEntries([...schemas].map(([schema, name]) => [name, schema])))
  const converted: Json = z.toJSONSchema(whole, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod
      if (def.type === 'number' && 'format' in def && def.format === 'int32') jsonSchema.format = 'int32'
      // an object that is not strict ignores keys it does not know, in both directions
      if (def.type === 'object' && !('catchall' in def && def.catchall)) delete jsonSchema.additionalProperties
      delete jsonSchema.id
    },
  })
  const definitions = isObject(converted.$defs) ? converted.$defs : {}
  const properties = isObject(converted.properties) ? converted.properties : {}
  return { definitions, properties, required: new Set(Array.isArray(converted.required) ? converted.required : []) }
}

/** Names whose input form differs from the output form, themselves or in something they refer to. */
function splitNames(input: Json, output: Json): Set<string> {
  const split = new Set(
    Object.keys(input).filter((name) => name in output && !isDeepStrictEqual(input[name], output[name])),
  )
  for (let size = -1; size !== split.size; ) {
    size = split.size
    for (const name of Object.keys(input))
      if (name in output && refsIn(input[name]).some((ref) => split.has(ref))) split.add(name)
  }
  return split
}

/** Gathers schemas under generated names, then says where each one ended up. */
class Components {
  readonly #schemas = { input: new Map<z.ZodType, string>(), output: new Map<z.ZodType, string>() }
  #converted: Record<Direction, ReturnType<typeof convert>> | undefined
  #split = new Set<string>()

  add(io: Direction, schema: z.ZodType | undefined): void {
    if (schema && !this.#schemas[io].has(schema)) this.#schemas[io].set(schema, `s${this.#schemas[io].size}`)
  }

  build(): Json {
    const input = convert(this.#schemas.input, 'input')
    const output = convert(this.#schemas.output, 'output')
    this.#converted = { input, output }
    this.#split = splitNames(input.definitions, output.definitions)
    const named = (io: Direction) =>
      Object.entries(this.#converted?.[io].definitions ?? {}).map(([name, definition]) => [
        this.#nameOf(io, name),
        this.#placed(io, definition),
      ])
    return Object.fromEntries(
      [...named('output'), ...named('input')].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    )
  }

  schema(io: Direction, schema: z.ZodType): unknown {
    const converted = this.#converted?.[io].properties[this.#schemas[io].get(schema) ?? '']
    if (converted === undefined) throw new Error('openapi: a schema was not gathered')
    return this.#placed(io, converted)
  }

  /** Whether an input field must be given. */
  isRequired(schema: z.ZodType): boolean {
    return this.#converted?.input.required.has(this.#schemas.input.get(schema) ?? '') ?? false
  }

  #nameOf(io: Direction, name: string): string {
    return io === 'input' && this.#split.has(name) ? `${name}Input` : name
  }

  #placed(io: Direction, value: unknown): unknown {
    return withRefs(value, (ref) => REF + this.#nameOf(io, ref.slice(ref.lastIndexOf('/') + 1)))
  }
}

const fieldsOf = (schema: z.ZodObject | undefined): [string, z.ZodType][] =>
  Object.entries(schema?.shape ?? {}).map(([name, field]) => [name, asZodType(field)])

/** The shape of an object is typed by its core only; every field of ours comes from the same zod. */
const asZodType = (field: z.core.$ZodType) => field as z.ZodType

const json = (schema: unknown, type = 'application/json') => ({ [type]: { schema } })

function errorKinds(route: Route): string[] {
  const kinds = [...COMMON, ...(route.method === 'get' || route.method === 'delete' ? [] : WRITES)]
  const all = [...kinds, ...(route.throws ?? []).map(({ name }) => name)]
  return [...new Set(route.family === 'motion' ? all.map((kind) => IN_MOTION[kind] ?? kind) : all)]
}

/** How the errors of a document are worded. */
type Wording = { problems: boolean }

/** The shape of an error by its kind. */
const schemaOf = (kind: string, { problems }: Wording) => (problems ? ProblemDetails : ERROR_ANSWERS[kind]?.schema)

function errorAnswers(route: Route, components: Components, deprecated: boolean, wording: Wording): Json {
  const byStatus = new Map<number, { descriptions: string[]; schemas: Set<z.ZodType> }>()
  for (const kind of errorKinds(route)) {
    const answer = ERROR_ANSWERS[kind]
    if (!answer) throw new Error(`openapi: no error named ${kind}`)
    const known = byStatus.get(answer.status) ?? { descriptions: [], schemas: new Set() }
    known.descriptions.push(answer.description)
    known.schemas.add(schemaOf(kind, wording) ?? answer.schema)
    byStatus.set(answer.status, known)
  }
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, { descriptions, schemas }]) => {
        const refs = [...schemas].map((schema) => components.schema('output', schema))
        return [
          String(status),
          {
            description: descriptions.join('; '),
            headers: headersOf(route, status, deprecated),
            content: json(refs.length === 1 ? refs[0] : { oneOf: refs }, wording.problems ? PROBLEM_TYPE : undefined),
          },
        ]
      }),
  )
}

function headersOf(route: Route, status: number, deprecated: boolean): Json {
  const names = ['X-Request-Id']
  if (status !== 401) names.push('RateLimit', 'RateLimit-Policy')
  if (status === 429 || status === 503) names.push('Retry-After')
  if (status < 300 && route.method !== 'get' && route.method !== 'delete') names.push('Idempotency-Replayed')
  if (route.beta) names.push('X-Service-Beta')
  if (deprecated) names.push('Deprecation', 'Sunset')
  if (route.beta || deprecated) names.push('Link')
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function successAnswer(route: Route, components: Components, deprecated: boolean): Json {
  const statuses = [...(route.repeats ? [200] : []), route.status ?? 200]
  const content = {
    ...(route.response ? json(components.schema('output', route.response)) : {}),
    ...Object.fromEntries((route.produces ?? []).map((type) => [type, { schema: textOrBytes(type) }])),
  }
  const answer = (status: number) => ({
    description: statusLine(status).slice(4),
    headers: headersOf(route, status, deprecated),
    ...(Object.keys(content).length > 0 ? { content } : {}),
  })
  const held = route.tagged && { 304: { description: 'Not Modified: the client has it, by its `If-None-Match`' } }
  return { ...Object.fromEntries(statuses.map((status) => [status, answer(status)])), ...held }
}

const textOrBytes = (type: string): Json => ({ type: 'string', ...(!type.startsWith('text/') && { format: 'binary' }) })

function parametersOf(route: Route, components: Components): Json[] {
  const path = paramNames(route.path).map((name) => {
    const field = fieldsOf(route.params).find(([known]) => known === name)?.[1]
    return { name, in: 'path', required: true, schema: field ? components.schema('input', field) : { type: 'string' } }
  })
  const query = fieldsOf(route.query).map(([name, field]) => ({
    name,
    in: 'query',
    required: components.isRequired(field),
    ...(field.description === undefined ? {} : { description: field.description }),
    schema: components.schema('input', field),
  }))
  const writes = route.method === 'post' || route.method === 'put' || route.method === 'patch'
  return [...path, ...query, ...(writes ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : [])]
}

function describe(route: Route, deprecated: string | undefined): string {
  const lines = [
    `Scope: ${scopesOf(route)
      .map((scope) => `\`${scope}\``)
      .join(' or ')}.`,
  ]
  if (route.beta) lines.unshift('**Beta.** This operation can change between minor versions.')
  if (deprecated)
    lines.unshift(`Deprecated since ${deprecated}; works until ${sunsetOf(deprecated).toISOString().slice(0, 10)}.`)
  return lines.join('\n\n')
}

const operationId = ({ method, path }: Route) =>
  method +
  path
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

const tagOf = ({ path }: Route) => path.replace(/^(\/v\d+)?\//, '').split('/')[0] || 'server'

export type DocumentOptions = {
  publicUrl: string
  changes: readonly ChangeEntry[]
  /** By type of event, the JSON Schema of the body that is sent to webhooks. */
  webhooks?: Readonly<Record<string, Json>>
  /** Below which path the operations are; `/rest` unless said. */
  prefix?: string
  title?: string
  description?: string
  /** Errors are problem details. RFC 7807 */
  problems?: boolean
}

/** The OpenAPI 3.1 document of the routes: the one machine-readable description. spec: Versioning 6 */
export function openapi(
  routes: readonly Route[],
  {
    publicUrl,
    changes,
    webhooks,
    prefix = '/rest',
    title = 'Tally',
    description = DESCRIPTION,
    problems = false,
  }: DocumentOptions,
): Json {
  const components = new Components()
  for (const route of routes) {
    for (const [, field] of [...fieldsOf(route.params), ...fieldsOf(route.query)]) components.add('input', field)
    components.add('input', route.body)
    components.add('output', route.response)
    for (const kind of errorKinds(route)) components.add('output', schemaOf(kind, { problems }))
  }
  const schemas = components.build()

  const operation = (route: Route): Json => {
    const deprecated = deprecatedOn(changes, operationName(route))
    return {
      operationId: operationId(route),
      summary: route.summary,
      description: describe(route, deprecated),
      tags: [tagOf(route)],
      ...(route.beta ? { 'x-beta': 'true' } : {}),
      ...(deprecated ? { deprecated: true } : {}),
      parameters: parametersOf(route, components),
      ...(route.body
        ? {
            requestBody: {
              required: !route.body.safeParse(undefined).success,
              content: {
                ...json(components.schema('input', route.body)),
                ...Object.fromEntries(
                  Object.keys(route.consumes ?? {}).map((type) => [type, { schema: { type: 'string' } }]),
                ),
              },
            },
          }
        : {}),
      responses: {
        ...successAnswer(route, components, deprecated !== undefined),
        ...errorAnswers(route, components, deprecated !== undefined, { problems }),
      },
    }
  }

  const paths: Record<string, Json> = {}
  for (const route of routes) paths[route.path] = { ...paths[route.path], [route.method]: operation(route) }
  return {
    openapi: '3.1.0',
    info: { title, version: apiVersion(changes), description },
    servers: [{ url: `${publicUrl}${prefix}` }],
    security: [{ bearer: [] }, { serviceApiKey: [] }],
    tags: [...new Set(routes.map(tagOf))].sort().map((name) => ({ name })),
    paths,
    ...(webhooks && { webhooks: openapiWebhooks(webhooks) }),
    components: { schemas, securitySchemes: SECURITY, parameters: PARAMETERS, headers: ANSWER_HEADERS },
  }
}
