import { z } from 'zod'
import { drainNode, listNodes, type NodeRow } from '../nodes/rows.ts'
import type { ConnectedDatabase } from '../store/postgres.ts'
import { required, UsageError, type Values } from './arguments.ts'
import type { Command } from './commands.ts'

const NodeId = z.string().min(1, 'must be the id of a node')

async function drain(db: ConnectedDatabase, values: Values, isDrained: boolean): Promise<NodeRow> {
  const id = required(values, 'id', NodeId)
  const row = await drainNode(db.sql, id, isDrained)
  if (!row) throw new UsageError(`There is no node ${id}`)
  return row
}

export const nodeCommands: readonly Command[] = [
  {
    name: 'nodes list',
    usage: '',
    options: {},
    run: (db) => listNodes(db.sql),
    text: (rows) => tableOf(z.array(z.record(z.string(), z.unknown())).parse(rows)),
  },
  {
    name: 'nodes drain',
    usage: '--id ID',
    options: { id: 'value' },
    run: (db, values) => drain(db, values, true),
  },
  {
    name: 'nodes undrain',
    usage: '--id ID',
    options: { id: 'value' },
    run: (db, values) => drain(db, values, false),
  },
]

const COLUMNS = ['id', 'state', 'slots', 'actors', 'renderers', 'followers', 'version', 'beatAt', 'url']

/** Rows for people, a column each. */
function tableOf(rows: readonly Record<string, unknown>[]): string {
  if (rows.length === 0) return 'No node has joined: a server without REDIS_URL serves alone.'
  const lines = [COLUMNS, ...rows.map((row) => COLUMNS.map((column) => String(row[column])))]
  const widths = COLUMNS.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
