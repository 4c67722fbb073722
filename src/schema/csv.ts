export type Cell = string | number | null

/** RFC 4180. A cell that a spreadsheet would run as a formula gets an apostrophe in front. */
function cell(value: Cell): string {
  if (value === null) return ''
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Rows as CSV text, each ended by CR LF; null is an empty cell. */
export const csv = (rows: readonly (readonly Cell[])[]) => rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')
