import type { Sql } from 'postgres'
import type { MetricLine } from './metrics.ts'

/** How many streams, inputs and destinations are in each state, as their actors' rows say. */
export async function countStreamStates(sql: Sql): Promise<MetricLine<'kind' | 'state'>[]> {
  const rows = await sql<{ kind: string; state: string; count: number }[]>`
    select kind, snapshot -> 'context' ->> 'phase' as state, count(*)
    from (values ('stream'), ('input'), ('destination')) as kinds (kind)
    join actor on ref >= kind || '/' and ref < kind || '0'
    group by kind, state`
  return rows.map(({ kind, state, count }) => ({ labels: { kind, state }, value: count }))
}
