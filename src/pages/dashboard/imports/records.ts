import type { Column } from './columns.ts'
import { batchesOf, type Fields, type Judged, type Step } from './judged.ts'
import { alike, cellOf, headerKey, mappingOf, type Row, rowsOf, type Sheet } from './sheet.ts'

/** A record that is there, with its values by the columns of its kind. */
export type Known = { id: number; fields: Fields }

/** What an import knows of one kind of records. */
export type Kind = {
  /** `team`, `teams` */
  readonly noun: string
  readonly nouns: string
  readonly columns: readonly Column[]
  /** The columns without which nothing is made. */
  readonly needs: readonly string[]
  /** What a new record gets where the file says nothing. */
  readonly defaults: Fields
  /** What every row says, unless it says something else. */
  readonly always?: Fields
  readonly known: readonly Known[]
  /** The columns that say who is meant, the first of them indexed. Those that a row leaves out do not count. */
  readonly identity: readonly string[]
  /** Another way to tell who is meant, of those whose first identity fits. */
  narrow?(fields: Fields, among: readonly Known[]): readonly Known[]
  /** The fields that several columns say together, and what is wrong with them. */
  joined?(fields: Fields): { fields: Fields; faults: readonly string[] }
  /** Why a record is not changed. */
  lockedBy?(known: Known): string | undefined
  nameOf(fields: Fields): string
  /** The columns that `nameOf` says. */
  readonly inName: readonly string[]
  /** What stands between them; a space, unless said. */
  readonly between?: string
  /** The fields as they are sent. */
  sentOf?(fields: Fields, known: Known | undefined): Fields
  stepsOf(judged: readonly Judged[]): Step[]
  /** An example of lines, for whoever has none yet. */
  readonly example: string
}

const ID = 'id'

/** The columns that a person chooses from, the id last. */
export const choicesOf = ({ columns, noun }: Kind): readonly (readonly [string, string])[] => [
  ['', 'Not used'],
  ...columns.map(({ name, title }) => [name, title] as const),
  [ID, `Id of the ${noun}`],
]

/** The rows of a text; the columns are told by its first line, or are the first of the kind in their order. */
export function sheetOf({ columns }: Kind, text: string): Sheet {
  const rows = rowsOf(text)
  const byHeader = new Map([
    [ID, ID],
    ...columns.flatMap(({ name, title, aliases }) =>
      [name, title, ...aliases].map((word) => [headerKey(word), name] as const),
    ),
  ])
  const named = mappingOf(rows[0], (header) => byHeader.get(header))
  if (named) return { rows: rows.slice(1), header: rows[0]?.cells, mapping: named }
  const width = rows.slice(0, 50).reduce((most, { cells }) => Math.max(most, cells.length), 0)
  return { rows, header: undefined, mapping: Array.from({ length: width }, (_, at) => columns[at]?.name ?? '') }
}

type Said = { fields: Fields; id: number | undefined; reasons: string[] }

function readRow(kind: Kind, row: Row, mapping: readonly string[]): Said {
  const reasons: string[] = []
  const fields: Record<string, unknown> = {}
  for (const column of kind.columns) {
    const cell = cellOf(row, mapping, column.name)
    if (cell === '') continue
    const read = column.read(cell)
    if ('fault' in read) reasons.push(`${column.title}: ${read.fault}`)
    else fields[column.name] = read.value
  }
  const joined = kind.joined?.(fields)
  reasons.push(...(reasons.length === 0 ? (joined?.faults ?? []) : []))
  const id = cellOf(row, mapping, ID)
  const isId = /^[1-9]\d{0,9}$/.test(id)
  if (id !== '' && !isId) reasons.push(`Id: “${id}” is none`)
  return { fields: { ...kind.always, ...(joined?.fields ?? fields) }, id: isId ? Number(id) : undefined, reasons }
}

const wordOf = (value: unknown) => (typeof value === 'string' ? alike(value) : JSON.stringify(value))

const isOpen = (value: unknown) => value === undefined || value === null || value === ''

const sameAs = (column: Column | undefined, known: unknown, value: unknown): boolean =>
  column?.has ? column.has(known, value) : JSON.stringify(known ?? '') === JSON.stringify(value ?? '')

/**
 * What an import does with each row, in the order of the file. A record is found by its id, or by what identifies it, and is never made
 * twice. A wrong row is told with every wrong column, and hinders no other. An empty cell leaves what is there.
 */
export function judgeRecords(kind: Kind, rows: readonly Row[], mapping: readonly string[]): Judged[] {
  const { noun, identity, columns, needs, known: records } = kind
  const [first = ''] = identity
  const columnOf = new Map(columns.map((column) => [column.name, column]))
  const byId = new Map(records.map((record) => [record.id, record]))
  const byFirst = new Map<string, Known[]>()
  for (const record of records) {
    const word = wordOf(record.fields[first])
    const there = byFirst.get(word)
    if (there) there.push(record)
    else byFirst.set(word, [record])
  }
  const narrow =
    kind.narrow ??
    ((fields: Fields, among: readonly Known[]) =>
      among.filter((record) =>
        identity.every(
          (name) =>
            isOpen(fields[name]) || isOpen(record.fields[name]) || wordOf(record.fields[name]) === wordOf(fields[name]),
        ),
      ))
  /** The line that has said a record first. */
  const taken = new Map<string, number>()

  return rows.map((row): Judged => {
    const { line } = row
    const { fields, id, reasons } = readRow(kind, row, mapping)
    const byName =
      id === undefined ? narrow({ ...kind.defaults, ...fields }, byFirst.get(wordOf(fields[first])) ?? []) : []
    const found = id === undefined ? byName[0] : byId.get(id)
    const whole = found ? { ...found.fields, ...fields } : { ...kind.defaults, ...fields }
    const name = kind.nameOf(whole)
    // as the file says it, since what is wrong may be the name
    const written = kind.inName.map((column) => cellOf(row, mapping, column)).filter(Boolean)
    const wrong = (...more: string[]): Judged => ({
      ...{ line, name: written.length > 0 ? written.join(kind.between ?? ' ') : name, is: 'wrong' },
      reasons: [...reasons, ...more],
    })
    if (id !== undefined && !found) return wrong(`Id: there is no ${noun} ${id}`)
    if (byName.length > 1) return wrong(`${byName.length} ${kind.nouns} could be meant: the id must say which`)
    const missing = found ? [] : needs.filter((column) => whole[column] === undefined)
    // a cell that is wrong is not missing, too
    const untold = missing.filter((column) => cellOf(row, mapping, column) === '')
    if (untold.length > 0)
      return wrong(...untold.map((column) => `${columnOf.get(column)?.title ?? column}: is missing`))
    if (reasons.length > 0) return wrong()
    const key = found ? `id ${found.id}` : identity.map((column) => wordOf(whole[column])).join('\n')
    const before = taken.get(key)
    if (before !== undefined) return wrong(`The same ${noun} as in line ${before}`)
    taken.set(key, line)
    if (!found) return { line, name, is: 'new', fields, whole, ...bodyOf(kind, whole, undefined), notes: [] }
    const names = Object.keys(fields).filter((column) => {
      const one = columnOf.get(column)
      return !one?.onlyNew && !sameAs(one, found.fields[column], fields[column])
    })
    if (names.length === 0) return { line, name, is: 'same', id: found.id, notes: [] }
    const locked = kind.lockedBy?.(found)
    if (locked) return wrong(locked)
    const pick = (from: Fields) => Object.fromEntries(names.map((column) => [column, from[column]]))
    return {
      ...{ line, name, is: 'changed', id: found.id, notes: [] },
      ...{ fields: pick(fields), whole, ...bodyOf(kind, pick(fields), found) },
      before: pick(found.fields),
    }
  })
}

const bodyOf = (kind: Kind, fields: Fields, known: Known | undefined) => ({
  body: kind.sentOf?.(fields, known) ?? fields,
})

/** The requests that write rows of a kind which knows batches. */
export const inBatches =
  (path: string, member: string) =>
  (judged: readonly Judged[]): Step[] =>
    batchesOf(judged, { path, member })
