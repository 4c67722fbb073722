import type { Results } from './results.ts'
import { round } from './stats.ts'
import type { Verdict } from './verdict.ts'

/** A number as a person reads it: three significant digits below a hundred, thousands apart above. */
export function readable(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US')
  return String(round(value, Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 3))
}

export const aimOf = ({ limit, unit }: Verdict): string =>
  limit ? `${limit.at === 'most' ? '≤' : '≥'} ${readable(limit.value)}${unit === '×' ? '' : ` ${unit}`}` : ''

export const rangeOf = ({ value }: Verdict): string =>
  value.runs.length > 1 ? `${readable(value.min)} … ${readable(value.max)}` : ''

const columns = (rows: readonly string[][]): string => {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0))) ?? []
  return rows
    .map((row) =>
      row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  '),
    )
    .join('\n')
}

/** The table on stdout. */
export function table(results: Results): string {
  const rows = results.verdicts.map((row) => [
    row.name,
    readable(row.value.median),
    row.unit,
    rangeOf(row),
    aimOf(row),
    row.met === undefined ? '' : row.met ? 'met' : 'MISSED',
  ])
  return columns([['', 'median', '', 'runs', 'aim', ''], ...rows])
}

/** Each number as a ratio to the same number of a saved run. */
export function comparison(now: Results, saved: Results): string {
  const rows = now.verdicts.flatMap((row) => {
    const before = saved.verdicts.find(({ id }) => id === row.id)
    if (!before || before.value.median === 0) return []
    const ratio = `${round(row.value.median / before.value.median)}×`
    return [[row.name, readable(row.value.median), row.unit, readable(before.value.median), ratio]]
  })
  return columns([['', 'now', '', 'then', 'ratio'], ...rows])
}
