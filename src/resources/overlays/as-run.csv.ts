import { csv } from '../../schema/csv.ts'
import type { AsRunEntry } from './as-run.schema.ts'

const header = [
  'seq',
  'at',
  'action',
  'graphicId',
  'graphicName',
  'presetId',
  'values',
  'asked',
  'byType',
  'byId',
  'byName',
  'requestId',
  'commandId',
  'painted',
  'overlayId',
  'adType',
  'brand',
]

/** `renderer at (12 ms)`, parted by semicolons. */
const painted = (reports: AsRunEntry['painted']) =>
  reports.map(({ renderer, at, latencyMs }) => `${renderer} ${at} (${latencyMs} ms)`).join('; ')

/** The header row of the log as CSV. */
export const asRunHeader = csv([header])

/** The log as CSV with a header row. */
export const asRunCsv = (entries: readonly AsRunEntry[]) => asRunHeader + asRunRows(entries)

/** Rows of the log as CSV without a header; nested values are JSON. */
export function asRunRows(entries: readonly AsRunEntry[]): string {
  const rows = entries.map((row) => [
    row.seq,
    row.at,
    row.action,
    row.graphicId,
    row.graphicName,
    row.presetId,
    row.values && JSON.stringify(row.values),
    JSON.stringify(row.asked),
    row.by.type,
    row.by.id,
    row.by.name,
    row.requestId,
    row.commandId,
    painted(row.painted),
    row.overlayId,
    row.adType,
    row.brand,
  ])
  return csv(rows)
}
