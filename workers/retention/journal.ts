import type { TransactionSql } from 'postgres'
import { type JournalRow, keepers } from './keepers.ts'

const BATCH_ROWS = 5_000
/** Of one overlay at a time: their facts are parsed. */
const OVERLAY_ROWS = 2_000
const OVERLAYS = 5

/**
 * Deletes a batch of journal rows older than this. Of overlays that exist, rows that make their state and delayed views stay;
 * the journal of every other actor that exists stays whole, since its state can only be made anew from all of it.
 * Answers how many rows went, and whether more may follow.
 */
export async function pruneJournal(tx: TransactionSql, days: number): Promise<{ deleted: number; more: boolean }> {
  const { count } = await tx`
    delete from journal where ctid = any(array(
      select j.ctid from journal j
      where j.at < now() - make_interval(days => ${days}) and not exists (select from actor where ref = j.ref)
      limit ${BATCH_ROWS}))`
  await tx`delete from journal_pruned p where not exists (select from actor where ref = p.ref)`
  const overlays = await tx<{ ref: string; pruned: number }[]>`
    select a.ref, coalesce(p.seq, 0) as pruned
    from actor a left join journal_pruned p on p.ref = a.ref
    cross join lateral (
      select at from journal where ref = a.ref and seq > coalesce(p.seq, 0) order by seq limit 1
    ) next
    where starts_with(a.ref, 'overlay/') and next.at < now() - make_interval(days => ${days})
    limit ${OVERLAYS}`
  let deleted = count
  for (const { ref, pruned } of overlays) deleted += await pruneOverlay(tx, { ref, pruned, days })
  return { deleted, more: count === BATCH_ROWS || overlays.length > 0 }
}

async function pruneOverlay(
  tx: TransactionSql,
  { ref, pruned, days }: { ref: string; pruned: number; days: number },
): Promise<number> {
  const rows = await tx<JournalRow[]>`
    (select seq, events, asides from journal where ref = ${ref} and seq <= ${pruned})
    union all
    (select seq, events, asides from journal
      where ref = ${ref} and seq > ${pruned} and at < now() - make_interval(days => ${days})
      order by seq limit ${OVERLAY_ROWS})
    order by seq`
  const kept = keepers(rows)
  const seqs = rows.map(({ seq }) => seq)
  const gone = seqs.filter((seq) => !kept.has(seq))
  await tx`delete from journal where ref = ${ref} and seq = any(${gone}::bigint[])`
  await tx`
    insert into journal_pruned (ref, seq) values (${ref}, ${seqs.at(-1) ?? pruned})
    on conflict (ref) do update set seq = excluded.seq`
  return gone.length
}
