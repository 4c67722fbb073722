/** The percentiles that every distribution is kept at, 0 to 100. */
export const percents = [0, 1, 5, 10, 25, 50, 75, 90, 95, 98, 99, 99.5, 99.9, 99.99, 100] as const

/** Values in ms at `percents`, and how many there were. */
export type Distribution = { count: number; at: number[] }

export function distribution(values: Float32Array): Distribution {
  const sorted = values.toSorted()
  const last = sorted.length - 1
  const at = percents.map((percent) => round(sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? 0))
  return { count: last + 1, at }
}

export const percentile = (of: Distribution, percent: (typeof percents)[number]): number =>
  of.at[percents.indexOf(percent)] ?? 0

export const round = (value: number, digits = 3): number => Number(value.toFixed(digits))

/** Median of runs with the spread of the runs. */
export type Spread = { median: number; min: number; max: number; runs: number[] }

export function spread(runs: readonly number[]): Spread {
  const sorted = runs.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const median = ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2
  return { median: round(median), min: sorted[0] ?? 0, max: sorted.at(-1) ?? 0, runs: [...runs] }
}
