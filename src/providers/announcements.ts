import type { TransactionSql } from 'postgres'
import type { OutboxRow } from '../actors/journal.ts'

/** Ids of records that changed, by their kind. */
export type Changed = Record<'competitions' | 'venues' | 'players' | 'teams' | 'officials', readonly number[]>

/** One reaction for each match with an overlay that any of the records has a part in: a feed may change thousands at once. */
export async function announcements(
  tx: TransactionSql,
  organizationId: number,
  { competitions, venues, players, teams, officials }: Changed,
): Promise<OutboxRow[]> {
  if ([competitions, venues, players, teams, officials].every((ids) => ids.length === 0)) return []
  const rows = await tx<{ id: number }[]>`
    select m.id from match m
    where m.organization_id = ${organizationId} and m.id in (select match_id from overlay) and (
      m.competition_id = any(${[...competitions]}) or m.venue_id = any(${[...venues]})
      or exists (select from jsonb_array_elements(m.officials) as one where (one ->> 'id')::int = any(${[...officials]}))
      or m.id in (
        select match_id from match_competitor where team_id = any(${[...teams]}) or player_id = any(${[...players]})
        union select match_id from lineup_player where player_id = any(${[...players]})
        union select c.match_id from match_competitor c join roster_entry r using (team_id)
          where r.player_id = any(${[...players]})))`
  return rows.map(({ id }) => ({ kind: 'reaction', payload: { event: 'provider.synced', ref: `match/${id}` } }))
}
