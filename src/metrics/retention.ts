import type { Sql } from 'postgres'
import type { Metrics } from './metrics.ts'

/** Rows and files that retention deleted, and when it last looked: rows and files that pile up are seen before the disk is full. */
export function measureRetention(metrics: Metrics, sql: Sql): void {
  metrics.table({
    name: 'tally_retention_deleted_total',
    help: 'Rows and files that retention deleted, by what they were',
    type: 'total',
    labels: ['what'],
    read: async () => {
      const rows = await sql<{ what: string; deleted: number }[]>`select what, deleted::float8 from retention`
      return rows.map(({ what, deleted }) => ({ labels: { what }, value: deleted }))
    },
  })
  metrics.table({
    name: 'tally_retention_age_seconds',
    help: 'Time since retention last looked at what it deletes',
    type: 'gauge',
    labels: ['what'],
    read: async () => {
      const rows = await sql<{ what: string; age: number }[]>`
        select what, extract(epoch from clock_timestamp() - looked_at)::float8 as age from retention`
      return rows.map(({ what, age }) => ({ labels: { what }, value: age }))
    },
  })
}
