import type { Evaluated, UserExpression } from '../expressions/expression-set.ts'
import type { Scope } from '../expressions/scope.ts'
import type { ReadArchive } from '../ograf/archive.ts'
import { convert, convertCell, followed, type Types, typesOf } from './convert.ts'
import { readCsv } from './csv.ts'
import { inferSchema } from './infer.ts'
import { compileSchema, isObject, type JsonSchema, placeOf, valueAt } from './json-schema.ts'
import { type Problem, Unreadable, unreadable } from './problem.ts'
import { checkName, selectTable } from './select.ts'
import { LIMITS, type ParseOptions, type Shape, type Table } from './table.ts'

type Row = Readonly<Record<string, unknown>>

/** A new sample. `at` is the field of the body that brought it; `schema` is that of the request, as JSON text. */
export type SampleJob = {
  kind: 'sample'
  shape: Shape
  options: ParseOptions
  at: string
  schema?: string | undefined
} & ({ csv: string } | { workbook: Uint8Array })

/** A push into a template, by the one member that was sent. `schema` is JSON text. */
export type PushJob = {
  kind: 'push'
  shape: Shape
  options: ParseOptions
  schema: string
  content: { rows: readonly unknown[] } | { values: Row } | { value: unknown } | { csv: string }
}

/** A schema that a client wrote, as JSON text. */
export type SchemaJob = { kind: 'schema'; schema: string }

/** An archive of a project, of which the files with these endings are wanted (`riv`). */
export type ArchiveJob = { kind: 'archive'; bytes: Uint8Array; endings: readonly string[]; maxBytes: number }

/** An archive of OGraf graphics: all of its files. */
export type OgrafJob = { kind: 'ograf'; bytes: Uint8Array; maxBytes: number; maxFiles: number }

/**
 * The expressions of a graphic on some data: the user expressions, and the bindings that may read their values. `scope` is
 * JSON text of a Scope.
 */
export type EvaluateJob = {
  kind: 'evaluate'
  expressions: readonly UserExpression[]
  bound: readonly UserExpression[]
  scope: string
}

export type ParsingJob = SampleJob | PushJob | SchemaJob | ArchiveJob | OgrafJob | EvaluateJob

/**
 * JSON texts, so that nobody else makes them: the schema of a sample with its first rows, a pushed value with the number of its
 * rows. Of an archive its files.
 */
export type Made<J extends ParsingJob> = J extends SampleJob
  ? { schema: string; sample: string }
  : J extends PushJob
    ? { value: string; rowCount: number }
    : J extends ArchiveJob
      ? { files: { name: string; bytes: Uint8Array }[] }
      : J extends OgrafJob
        ? ReadArchive
        : J extends EvaluateJob
          ? { userExpressions: Evaluated[]; bound: Evaluated[] }
          : { schema: string }

/** Does one job. Throws Unreadable with every problem of the file or value. */
export async function work(job: ParsingJob): Promise<Made<ParsingJob>> {
  switch (job.kind) {
    case 'sample':
      return sample(job)
    case 'push':
      return push(job)
    case 'schema':
      compiled(job.schema)
      return { schema: job.schema }
    case 'archive':
      return archive(job)
    case 'ograf':
      return ograf(job)
    case 'evaluate':
      return evaluate(job)
  }
}

async function evaluate({ expressions, bound, scope: json }: EvaluateJob): Promise<Made<EvaluateJob>> {
  const { byName, ExpressionSet } = await import('../expressions/expression-set.ts')
  const scope: Scope = JSON.parse(json)
  const userExpressions = new ExpressionSet(expressions).evaluate(scope)
  return { userExpressions, bound: new ExpressionSet(bound).evaluate(scope, byName(userExpressions)) }
}

async function archive({ bytes, endings, maxBytes }: ArchiveJob): Promise<Made<ArchiveJob>> {
  const { unpackWanted } = await import('./archive.ts')
  // files that systems put beside others are of no project
  const names = new RegExp(`^(?!__MACOSX/)(.*/)?[^./][^/]*\\.(${endings.join('|')})$`, 'i')
  const parts = await unpackWanted(asBuffer(bytes), 'archive', { what: 'archive', names, maxBytes })
  return { files: Array.from(parts, ([name, part]) => ({ name, bytes: part })) }
}

async function ograf({ bytes, maxBytes, maxFiles }: OgrafJob): Promise<ReadArchive> {
  const [{ unpackWanted }, { isBeside, readFiles }] = await Promise.all([
    import('./archive.ts'),
    import('../ograf/archive.ts'),
  ])
  const names = { test: (name: string) => !isBeside(name) }
  // folders are entries, too
  const wanted = { what: 'archive', names, maxBytes, maxEntries: 2 * maxFiles }
  return readFiles(await unpackWanted(asBuffer(bytes), '', wanted))
}

const asBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const validators = new Map<string, ReturnType<typeof compileSchema>>()
const MAX_VALIDATORS = 200

/** Templates are pushed into many times; each schema is compiled once per thread. */
function compiled(schema: string) {
  const known = validators.get(schema)
  if (known) return known
  const [oldest] = validators.keys()
  if (oldest !== undefined && validators.size >= MAX_VALIDATORS) validators.delete(oldest)
  const made = compileSchema(schema)
  validators.set(schema, made)
  return made
}

const parsed = (text: string): JsonSchema => {
  const schema: unknown = JSON.parse(text)
  return isObject(schema) ? schema : {}
}

async function sample(job: SampleJob): Promise<Made<SampleJob>> {
  const { shape, options, at } = job
  const grid = 'csv' in job ? readCsv(job.csv, at, options) : await workbook(job.workbook, at, options)
  const table = selectTable(grid, at, shape, options)
  const schema = job.schema ?? JSON.stringify(inferSchema(shape, table))
  const value = fromTable(shape, table, parsed(schema), at)
  const wrong = compiled(schema)(value).map(
    ({ pointer, message }): Problem => ({ at, message: `${placeOf(pointer)} ${message}`.trim() }),
  )
  if (wrong.length > 0) throw new Unreadable(wrong)
  return { schema, sample: JSON.stringify(Array.isArray(value) ? value.slice(0, LIMITS.sampleRows) : value) }
}

/** Few templates are workbooks: their reader is loaded for the first one. */
async function workbook(bytes: Uint8Array, at: string, options: ParseOptions) {
  const { readWorkbook } = await import('./workbook.ts')
  return readWorkbook(asBuffer(bytes), at, options)
}

/** A long name in each of many rows, before they are made. */
function checkSize(rows: number, columns: Iterable<string>, at: string): void {
  let rowCharacters = 0
  for (const name of columns) rowCharacters += name.length + 5
  if (rows * rowCharacters > LIMITS.valueCharacters) throw unreadable(at, TOO_LARGE)
}

const TOO_LARGE = `more than ${LIMITS.valueCharacters} characters once every row has the names of its columns`

/** The value made of a table in its shape, each cell as its column wants it. */
function fromTable(shape: Shape, { columns, rows }: Table, schema: JsonSchema, at: string): unknown {
  if (shape === 'cell') return convertCell(rows[0]?.[0] ?? null, typesOf(schema, schema))
  if (shape === 'kv') return fromPairs(rows, schema, at)
  checkSize(rows.length, columns, at)
  const typesBy = columnTypes(followed(schema.items, schema), schema)
  return rows.map((row) =>
    Object.fromEntries(columns.map((name, index) => [name, convertCell(row[index] ?? null, typesBy(name))])),
  )
}

function fromPairs(rows: Table['rows'], schema: JsonSchema, at: string): unknown {
  const typesBy = columnTypes(schema, schema)
  const values = new Map<string, unknown>()
  for (const [index, [first, second]] of rows.entries()) {
    const key = String(first ?? '').trim()
    const place = `the pair ${index + 1}`
    if (key === '') throw unreadable(at, `${place}: a value without a key`)
    checkName(key, at, place)
    if (values.has(key)) throw unreadable(at, `${place}: the key ${key} is there twice`)
    values.set(key, convertCell(second ?? null, typesBy(key)))
  }
  for (const name of propertiesOf(schema)) if (!values.has(name) && mayBeNull(typesBy(name))) values.set(name, null)
  return Object.fromEntries(values)
}

/** The keys that a schema names: one that is left out is empty. */
const propertiesOf = ({ properties }: JsonSchema) => Object.keys(isObject(properties) ? properties : {})

/** The types of each column in objects of this schema. */
function columnTypes(schema: JsonSchema, root: JsonSchema): (name: string) => Types {
  const properties = isObject(schema.properties) ? schema.properties : {}
  const { additionalProperties: others, patternProperties } = schema
  const typesOfOthers = others === false && patternProperties === undefined ? NOTHING : typesOf(others, root)
  const known = new Map<string, Types>()
  return (name) => {
    if (!Object.hasOwn(properties, name)) return typesOfOthers
    if (!known.has(name)) known.set(name, typesOf(properties[name], root))
    return known.get(name)
  }
}

/** In a column that the schema refuses not even null may stand, so that it is only told of rows that have it. */
const NOTHING: Types = new Set()

const MEMBER = { rows: 'rows', kv: 'values', cell: 'value' } as const

function push({ shape, options, schema: text, content }: PushJob): Made<PushJob> {
  const schema = parsed(text)
  const member = MEMBER[shape]
  const value =
    'csv' in content
      ? fromTable(shape, selectTable(readCsv(content.csv, 'csv', options), 'csv', shape, options), schema, 'csv')
      : fromJson(shape, content, schema)
  const wrong = compiled(text)(value).map(({ pointer, message }): Problem => {
    const found = valueAt(value, pointer)
    const sent = typeof found === 'string' ? found.slice(0, 200) : found
    return { at: `${member}${placeOf(pointer)}`, message, ...(isScalar(sent) && { value: sent }) }
  })
  if (wrong.length > 0) throw new Unreadable(wrong)
  const json = JSON.stringify(value)
  if (json.length > LIMITS.valueCharacters) throw unreadable('csv' in content ? 'csv' : member, TOO_LARGE)
  return { value: json, rowCount: rowsOf(value) }
}

const isScalar = (value: unknown): value is string | number | boolean | null =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value)

const rowsOf = (value: unknown) =>
  Array.isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : 1

function fromJson(shape: Shape, content: PushJob['content'], schema: JsonSchema): unknown {
  if (shape === 'rows' && 'rows' in content) return fromRows(content.rows, schema)
  if (shape === 'kv' && 'values' in content) {
    const typesBy = columnTypes(schema, schema)
    return filled(content.values, propertiesOf(schema), typesBy)
  }
  if (shape === 'cell' && 'value' in content) return convert(content.value, typesOf(schema, schema))
  const [sent = ''] = Object.keys(content)
  throw unreadable(sent, `the template has the shape ${shape}: send \`${MEMBER[shape]}\``)
}

/** As the columns of a file: a cell that a row leaves out is empty when any other row has one there. */
function fromRows(rows: readonly unknown[], schema: JsonSchema): unknown {
  const typesBy = columnTypes(followed(schema.items, schema), schema)
  const columns = new Set<string>()
  const problems: Problem[] = []
  for (const [index, row] of rows.entries())
    if (!isObject(row)) problems.push({ at: `rows[${index}]`, message: 'expected an object' })
    else for (const name in row) columns.add(name)
  if (problems.length > 0) throw new Unreadable(problems)
  if (columns.size > LIMITS.columns)
    throw unreadable('rows', `${columns.size} columns; at most ${LIMITS.columns} are taken`)
  for (const name of columns) checkName(name, 'rows', 'a column')
  checkSize(rows.length, columns, 'rows')
  return rows.map((row) => filled(isObject(row) ? row : {}, columns, typesBy))
}

/** A value left out is null where null may stand, and otherwise absent. */
const mayBeNull = (types: Types) => types === undefined || types.has('null')

function filled(row: Row, names: Iterable<string>, typesBy: (name: string) => Types): Row {
  const entries = Object.entries(row).map(([name, value]) => [name, convert(value, typesBy(name))] as const)
  const isEmpty = (name: string) => !Object.hasOwn(row, name) && mayBeNull(typesBy(name))
  const absent = [...names].filter(isEmpty).map((name) => [name, null] as const)
  return Object.fromEntries([...entries, ...absent])
}
