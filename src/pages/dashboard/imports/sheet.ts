import Papa from 'papaparse'

/** A row of the file with the line on which it begins, from 1. */
export type Row = { line: number; cells: readonly string[] }
export type Sheet = {
  rows: readonly Row[]
  /** The names of the first line, when it names columns. */
  header: readonly string[] | undefined
  /** The column that each place of a row is; empty: not used. */
  mapping: readonly string[]
}

/** Rows of a text that was pasted or read from a file: commas, semicolons or tabs, quoted or not. Empty lines are left out. */
export function rowsOf(text: string): Row[] {
  const rows: Row[] = []
  const plain = text.replace(/^\ufeff/, '')
  let [from, line] = [0, 1]
  Papa.parse<string[]>(plain, {
    step({ data, meta }) {
      const raw = plain.slice(from, meta.cursor)
      const cells = data.map((cell) => cell.trim())
      if (cells.some((cell) => cell !== '')) rows.push({ line, cells })
      line += raw.match(/\r\n|\n|\r/g)?.length ?? 0
      from = meta.cursor
    },
    ...(delimiterOf(plain) !== undefined && { delimiter: delimiterOf(plain) }),
  })
  return rows
}

/** What parts the cells: of the lines at the beginning the one that most of them have. */
function delimiterOf(text: string): string | undefined {
  const lines = text.split(/\r\n|\n|\r/, 20).filter(Boolean)
  const counts = ['\t', ';', ','].map((mark) => [mark, lines.filter((line) => line.includes(mark)).length] as const)
  const [mark, count] = counts.reduce((best, one) => (one[1] > best[1] ? one : best))
  return count * 2 > lines.length ? mark : '\t'
}

/** Names of columns are the same in any case, and with any marks between their words. */
export const headerKey = (cell: string) => cell.toLowerCase().replace(/[\s._-]+/g, '')

/** What the columns of a first line are, each once; undefined when it names none, and so is a row like the others. */
export function mappingOf(
  first: Row | undefined,
  columnOf: (header: string) => string | undefined,
): readonly string[] | undefined {
  const named = first?.cells.map((cell) => columnOf(headerKey(cell))) ?? []
  if (named.every((column) => column === undefined)) return undefined
  return named.map((column, at) => (column === undefined || named.indexOf(column) < at ? '' : column))
}

/** What a row says in a column; nothing where the file has no such column. */
export function cellOf({ cells }: Pick<Row, 'cells'>, mapping: readonly string[], column: string): string {
  const at = mapping.indexOf(column)
  return at < 0 ? '' : (cells[at] ?? '')
}

/** The text of a file. What older spreadsheets save is no UTF-8. */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Characters that cannot be read, in the words of a fault. */
export const unreadable = (text: string): string | undefined =>
  text.includes('\0') || text.includes('\ufffd')
    ? `“${text.replaceAll('\0', '')}” holds characters that cannot be read: save the file as UTF-8`
    : undefined

/** Length as the service counts it. */
export const lengthOf = (text: string) => Array.from(text).length

/** Texts that people take for the same: without regard to case, spaces and how letters with marks are written. */
export const alike = (text: string) => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
