import { expect } from 'vitest'
import type { Attempt } from './operators.ts'
import { percentile } from './pushes.ts'

/**
 * A time of the promises table; without `withinMs` one beside which another is to be read. `tooSlow`: the machine comes near to the promise
 * without any fault, so that this time says nothing of it.
 */
export type Figure = {
  readonly what: string
  readonly ms: number
  readonly withinMs: number | undefined
  readonly tooSlow?: boolean
}

/** Throws at the first promise that is not kept. `patience`: so many times its time may be taken. */
export function judge(figures: readonly Figure[], patience = 1): void {
  for (const { what, ms, withinMs, tooSlow } of figures)
    if (!tooSlow) expect(ms, what).toBeLessThan(patience * (withinMs ?? Number.POSITIVE_INFINITY))
}

/** One line for each promise. */
export function print(figures: readonly Figure[]): void {
  const table = new Map<string, { withinMs: number | undefined; times: number[] }>()
  for (const { what: promise, ms, withinMs, tooSlow } of figures) {
    const what = tooSlow ? `${promise} (the machine is too slow to say)` : promise
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

/** What failed, with the time since the first attempt at which each began. */
export function failed(attempts: readonly Attempt[]) {
  const from = attempts.reduce((first, { startedAt }) => Math.min(first, startedAt), Number.POSITIVE_INFINITY)
  return attempts
    .filter(({ status, isBad }) => status !== 200 && !(isBad && status === 400))
    .map(({ overlayId, status, node, startedAt, tookMs }) => {
      return { overlayId, status, node, atMs: Math.round(startedAt - from), tookMs: Math.round(tookMs) }
    })
}
