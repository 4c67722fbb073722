import { tooWide } from './csv.ts'
import { unreadable } from './problem.ts'
import { type Cell, type Grid, LIMITS, type ParseOptions, type Shape, type Table } from './table.ts'

const isEmpty = (cell: Cell | undefined) =>
  cell === undefined || cell === null || (typeof cell === 'string' && cell.trim() === '')

const letters = (index: number): string =>
  (index >= 26 ? letters(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26))

/** `B2` as row and column from 0. */
function placeOf(address: string): { row: number; column: number } {
  const [, name = '', number = ''] = /^([A-Z]{1,3})(\d{1,7})$/.exec(address.toUpperCase()) ?? []
  return { row: Number(number) - 1, column: [...name].reduce((sum, one) => sum * 26 + one.charCodeAt(0) - 64, 0) - 1 }
}

/** Where to look: rows and columns from 0, both ends included. */
function areaOf({ range }: ParseOptions) {
  if (range === undefined || range === null) return { top: 0, left: 0, bottom: Infinity, right: Infinity }
  const [from = '', to = from] = range.split(':')
  const [one, other] = [placeOf(from), placeOf(to)]
  return {
    top: Math.min(one.row, other.row),
    left: Math.min(one.column, other.column),
    bottom: Math.max(one.row, other.row),
    right: Math.max(one.column, other.column),
  }
}

/** The part of a file that its template is about, under the names of its columns. `at` names the file in errors. */
export function selectTable(grid: Grid, at: string, shape: Shape, options: ParseOptions): Table {
  const { top, left, bottom, right } = areaOf(options)
  if (shape === 'cell') {
    const { row, column } = options.cell ? placeOf(options.cell) : { row: top, column: left }
    return { columns: ['value'], rows: [[grid[row]?.[column] ?? null]] }
  }
  const inside = (row: number) => (grid[row] ?? []).slice(left, right + 1)
  const last = Math.min(grid.length - 1, bottom)
  const header = headerOf(inside, shape, options, { top, last })
  const start = options.dataStartRow ? options.dataStartRow - 1 : header === undefined ? top : header + 1
  const rows: Cell[][] = []
  for (let row = Math.max(start, top); row <= last; row++) {
    const cells = inside(row)
    if (cells.every(isEmpty)) continue
    rows.push(cells)
    if (rows.length > LIMITS.rows) throw unreadable(at, `more than ${LIMITS.rows} rows`)
  }
  const named = header === undefined ? [] : inside(header)
  const width = Math.max(widthOf(named), ...rows.map(widthOf))
  if (width > LIMITS.columns) throw unreadable(at, tooWide(width))
  if (width === 0) throw unreadable(at, 'is empty')
  const columns = shape === 'kv' ? keyAndValue(width, at) : namesOf(named, width, at, header)
  return { columns, rows }
}

const widthOf = (row: readonly Cell[]) => {
  let width = row.length
  while (width > 0 && isEmpty(row[width - 1])) width--
  return width
}

/** The index of the header; keys and values have one only when it says so, or when it reads like one. */
function headerOf(
  inside: (row: number) => readonly Cell[],
  shape: Shape,
  { headerRow, dataStartRow }: ParseOptions,
  { top, last }: { top: number; last: number },
): number | undefined {
  if (headerRow === false) return undefined
  if (typeof headerRow === 'number') return headerRow - 1
  let first = top
  while (first < last && inside(first).every(isEmpty)) first++
  if (dataStartRow && dataStartRow - 1 <= first) return undefined
  const reads = () => /^key,value$/i.test(inside(first).slice(0, 2).join())
  return shape === 'rows' || reads() ? first : undefined
}

function keyAndValue(width: number, at: string): readonly string[] {
  if (width < 2) throw unreadable(at, 'keys and values need two columns')
  return ['key', 'value']
}

function namesOf(named: readonly Cell[], width: number, at: string, header: number | undefined): readonly string[] {
  if (header === undefined) return Array.from({ length: width }, (_, index) => letters(index))
  const names = Array.from({ length: width }, (_, index) => String(named[index] ?? '').trim())
  const seen = new Set<string>()
  for (const [index, name] of names.entries()) {
    const place = `row ${header + 1}, column ${letters(index)}`
    if (name === '') throw unreadable(at, `${place}: a column with cells has no name`)
    checkName(name, at, place)
    if (seen.has(name)) throw unreadable(at, `${place}: the column ${name} is there twice`)
    seen.add(name)
  }
  return names
}

/** Checks the name of a column or key. */
export function checkName(name: string, at: string, place: string): void {
  if (name.length > LIMITS.nameCharacters)
    throw unreadable(at, `${place}: a name of more than ${LIMITS.nameCharacters} characters`)
  if (name === '__proto__') throw unreadable(at, `${place}: this name is refused`)
}
