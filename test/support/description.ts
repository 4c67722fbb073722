import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Route } from '../../src/http/route.ts'

export type Schema = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const DOCUMENT = 'api'

/** An OpenAPI document as something to hold requests and answers against. */
export class Description {
  // a validator is made once and run a few times: to shorten its code costs more than it saves
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true, code: { optimize: false } })
  readonly #document: Schema
  readonly #compiled = new Map<string, ValidateFunction>()

  constructor(document: Schema) {
    this.#document = document
    this.#ajv.addSchema(document, DOCUMENT)
  }

  /** What stands at `#/a/b`, its parts escaped as in a reference. */
  at(pointer: string): Schema | undefined {
    let value: unknown = this.#document
    for (const part of pointer.slice(2).split('/'))
      value = isObject(value) ? value[part.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined
    return isObject(value) ? value : undefined
  }

  /** The statuses that the document lists for a route. */
  statusesOf(route: Route): string[] {
    return Object.keys(this.at(`${pointerOf(route)}/responses`) ?? {})
  }

  bodyOf(route: Route): Schema | undefined {
    return this.at(`${pointerOf(route)}/requestBody/content/application~1json/schema`)
  }

  queryOf(route: Route): { name: string; schema: Schema }[] {
    const parameters = this.at(pointerOf(route))?.parameters
    return (Array.isArray(parameters) ? parameters : [])
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, schema }) => ({ name: String(name), schema: isObject(schema) ? schema : {} }))
  }

  /** Follows references, and leaves out that it may also be null. */
  resolve(schema: Schema): Schema {
    if (typeof schema.$ref === 'string') return this.resolve(this.at(schema.$ref) ?? {})
    if (!Array.isArray(schema.anyOf)) return schema
    const others = schema.anyOf.filter((one) => isObject(one) && one.type !== 'null')
    return others.length === 1 && isObject(others[0]) ? this.resolve(others[0]) : schema
  }

  accepts(schema: Schema, value: unknown): boolean {
    return this.#validator(schema)(value) === true
  }

  /** What is wrong with the JSON body of an answer, by the document; undefined when nothing is. */
  wrongWith(route: Route, status: number, body: unknown): string | undefined {
    const pointer = `${pointerOf(route)}/responses/${status}/content/application~1json/schema`
    const schema = this.at(pointer)
    if (!schema) return body === undefined ? undefined : `the description shows no body for ${status}`
    const validate = this.#validator(schema)
    return validate(body) ? undefined : this.#ajv.errorsText(validate.errors)
  }

  /** One for all places that say the same: the refusals of most operations do. */
  #validator(schema: Schema): ValidateFunction {
    const key = JSON.stringify(schema)
    const known = this.#compiled.get(key)
    if (known) return known
    const made = this.#ajv.compile(inDocument(schema))
    this.#compiled.set(key, made)
    return made
  }
}

const pointerOf = ({ method, path }: Route) => `#/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`

/** A copy whose references name the document, so that it can be compiled on its own. */
const inDocument = (schema: Schema): Schema =>
  JSON.parse(JSON.stringify(schema), (key, value) =>
    key === '$ref' && typeof value === 'string' && value.startsWith('#') ? `${DOCUMENT}${value}` : value,
  )
