import { isNumberText } from './convert.ts'
import type { JsonSchema } from './json-schema.ts'
import type { Cell, Shape, Table } from './table.ts'

const kindOf = (cell: Cell): string | undefined => {
  if (cell === null) return undefined
  if (typeof cell !== 'string') return typeof cell
  const text = cell.trim()
  if (text === '') return undefined
  return isNumberText(text) ? 'number' : 'string'
}

/** A number when every cell is one, text when any is not; nothing is said of a column without any cell. */
function column(cells: Iterable<Cell>): JsonSchema {
  const kinds = new Set<string>()
  for (const cell of cells) {
    const kind = kindOf(cell)
    if (kind) kinds.add(kind)
  }
  const [only] = kinds
  if (only === undefined) return { nullable: true }
  return { type: kinds.size === 1 ? only : 'string', nullable: true }
}

/** The JSON Schema of the value made of a table, every column `nullable: true`. spec: Data source template */
export function inferSchema(shape: Shape, { columns, rows }: Table): JsonSchema {
  if (shape === 'cell') return column([rows[0]?.[0] ?? null])
  if (shape === 'kv') return record(rows.map(([key, value]) => [String(key ?? '').trim(), column([value ?? null])]))
  const named = columns.map((name, index) => [name, column(rows.map((row) => row[index] ?? null))] as const)
  return { type: 'array', items: record(named) }
}

const record = (members: readonly (readonly [string, JsonSchema])[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(members),
  required: members.map(([name]) => name),
})
