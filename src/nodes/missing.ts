import type { Sql } from 'postgres'
import type { Commit, Journal } from './feed-ports.ts'

type Row = Pick<Commit, 'seq' | 'at' | 'events'> & { overlayId: number; asides: Commit['asides'] | null }

/** The journal for the feed: one statement for any number of overlays. */
export function createMissing(sql: Sql): Journal {
  return {
    async missing(gaps) {
      const rows = await sql<(Row & NonNullable<Commit['cause']>)[]>`
        select gap.id as "overlayId", found.*
        from unnest(
          ${gaps.map(({ overlayId }) => overlayId)}::int[], ${gaps.map(({ from }) => from)}::bigint[],
          ${gaps.map(({ count }) => count)}::bigint[]) as gap(id, first, count)
        cross join lateral (
          select seq, extract(epoch from at)::float8 * 1000 as at, events, asides, principal, command::text as command
          from journal where ref = 'overlay/' || gap.id and seq >= gap.first and seq < gap.first + gap.count
          order by seq limit gap.count) found
        order by gap.id, found.seq`
      const commits = new Map<number, Commit[]>()
      for (const { overlayId, seq, at, events, asides, principal, command } of rows) {
        const commit = { seq, at, events, ...(asides && { asides }), cause: { principal, command } }
        const known = commits.get(overlayId)
        if (known) known.push(commit)
        else commits.set(overlayId, [commit])
      }
      return commits
    },
    async seqs(overlayIds) {
      const rows = await sql<{ ref: string; seq: number }[]>`
        select ref, seq from actor where ref = any(${overlayIds.map((id) => `overlay/${id}`)})`
      return new Map(rows.map(({ ref, seq }) => [Number(ref.slice('overlay/'.length)), seq]))
    },
  }
}
