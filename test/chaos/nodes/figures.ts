import { percentile } from './pushes.ts'

/** A time of the promises table; without `withinMs` one beside which another is to be read. */
export type Figure = { readonly what: string; readonly ms: number; readonly withinMs: number | undefined }

/** One line for each promise. */
export function print(figures: readonly Figure[]): void {
  const table = new Map<string, { withinMs: number | undefined; times: number[] }>()
  for (const { what, ms, withinMs } of figures) {
    const row = table.get(what) ?? { withinMs, times: [] }
    table.set(what, row)
    row.times.push(ms)
  }
  const cell = (ms: number | undefined) => (ms === undefined ? '' : String(Math.round(ms))).padStart(8)
  process.stdout.write(`promised  at most   median  times  what\n`)
  for (const [what, { withinMs, times }] of table)
    process.stdout.write(
      `${cell(withinMs)} ${cell(percentile(times, 100))} ${cell(percentile(times, 50))} ${String(times.length).padStart(6)}  ${what}\n`,
    )
}
