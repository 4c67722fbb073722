import { zipSync } from 'fflate'
import { InvalidSpreadsheetError, readSheet, SheetNotFoundError } from 'read-excel-file/universal'
import { unpack } from './archive.ts'
import { unreadable } from './problem.ts'
import type { Cell, Grid, ParseOptions } from './table.ts'

/** The reader fills every row and column up to the last cell, be it an empty one. */
const FAR_CELL = / r=["'](?:[A-Z]{3}\d|[A-Z]{0,2}(?:\d{5}|[7-9]\d{3}))/

/** The cells of one sheet of an .xlsx workbook, the first unless said. `at` names it in errors. */
export async function readWorkbook(bytes: Buffer, at: string, { sheet }: ParseOptions): Promise<Grid> {
  const parts = await unpack(bytes, at)
  for (const [name, part] of parts)
    if (name.startsWith('xl/worksheets/') && FAR_CELL.test(part.toString('latin1')))
      throw unreadable(at, `${name} has cells below row 6,999 or right of column ZZ: delete what is outside the table`)
  // the reader gets the checked files, and not the archive, which it might read otherwise
  const checked = zipSync(Object.fromEntries(parts), { level: 0 })
  const buffer = checked.buffer.slice(checked.byteOffset, checked.byteOffset + checked.byteLength)
  try {
    const rows = await readSheet(arrayBuffer(buffer), sheet ?? 1, { trim: true })
    return rows.map((row) => row.map(cellOf))
  } catch (error) {
    if (error instanceof SheetNotFoundError) throw unreadable('config.sheet', 'the workbook has no such sheet')
    if (error instanceof InvalidSpreadsheetError) throw unreadable(at, `the workbook is broken: ${error.message}`)
    throw unreadable(at, 'the workbook cannot be read')
  }
}

/** Buffers of fflate are never shared memory. */
const arrayBuffer = (buffer: ArrayBufferLike) => buffer as ArrayBuffer

function cellOf(value: unknown): Cell {
  if (value instanceof Date) return dateText(value)
  if (typeof value === 'string' || typeof value === 'boolean') return value
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** A day, a time of day, or both: workbooks keep local time without a zone, and a time of day as a moment of 1899. */
function dateText(date: Date): string {
  const [day = '', time = ''] = date.toISOString().slice(0, -1).split('T')
  const short = time.endsWith('.000') ? time.slice(0, -4) : time
  if (date.getUTCFullYear() < 1900) return short
  return short === '00:00:00' ? day : `${day}T${short}`
}
