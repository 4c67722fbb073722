import type { Spread } from './stats.ts'

/** One row of the table. `limit` absent: for information. */
export type Verdict = {
  id: string
  name: string
  unit: string
  value: Spread
  limit?: { at: 'most' | 'least'; value: number }
  met?: boolean
}

type Limit = NonNullable<Verdict['limit']>
export const most = (value: number): Limit => ({ at: 'most', value })
export const least = (value: number): Limit => ({ at: 'least', value })

/** Adds a row; none without runs. */
export type AddRow = (id: string, name: string, unit: string, runs: readonly number[], limit?: Limit) => void
