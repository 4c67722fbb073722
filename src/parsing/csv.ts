import { CsvError, parse } from 'csv-parse/sync'
import { unreadable } from './problem.ts'
import { type Grid, LIMITS, type ParseOptions } from './table.ts'

const DELIMITERS = [',', ';', '\t', '|'] as const
/** Rows above the data that may be headings, remarks and empty lines. */
const ROWS_ABOVE = 1_000

/** The delimiter that the first line with any has most of, outside quotes; a comma when there is none. */
function delimiterOf(text: string): string {
  const counts = new Map<string, number>()
  let quoted = false
  for (const character of text) {
    if (character === '"') quoted = !quoted
    else if (quoted) continue
    else if (character === '\n' || character === '\r') {
      if (counts.size > 0) break
    } else if (DELIMITERS.some((one) => one === character)) counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  const [most] = [...counts].sort(([, one], [, other]) => other - one)
  return most?.[0] ?? ','
}

/** The rows of a CSV, each cell trimmed. `at` names it in errors. */
export function readCsv(text: string, at: string, { delimiter }: ParseOptions): Grid {
  if (text.includes('\0')) throw unreadable(at, 'holds NUL characters, so it is no CSV')
  const rows: string[][] = []
  try {
    parse(text, {
      bom: true,
      delimiter: delimiter ?? delimiterOf(text),
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      // a quote within a cell that does not begin with one is a character like any other: 6" pipe
      relax_quotes: true,
      trim: true,
      skip_records_with_empty_values: false,
      to: LIMITS.rows + ROWS_ABOVE,
      on_record: (record: string[]) => {
        if (record.length > 16 * LIMITS.columns) throw unreadable(at, tooWide(record.length))
        rows.push(record)
        return null
      },
    })
  } catch (error) {
    if (error instanceof CsvError) throw unreadable(at, sentenceOf(error))
    throw error
  }
  return rows
}

export const tooWide = (columns: number) => `${columns} columns; at most ${LIMITS.columns} are taken`

function sentenceOf({ code, message }: CsvError): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return `a quote is opened and never closed: ${message}`
  return `cannot be read as CSV: ${message}`
}
