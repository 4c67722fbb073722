import { graphicUses } from '../graphic-uses.ts'
import { matchUses, namedUses, removalOf } from '../removal.ts'

/** Throws inUse while a roster, a match (as a side, in a line-up or in a fact) or a graphic names the player. */
export const deletePlayer = removalOf('player', async (ctx, tx, id) => [
  ...(await namedUses(ctx, tx, {
    table: 'team',
    before: 'roster of ',
    where: tx`exists (select from roster_entry e where e.team_id = r.id and e.player_id = ${id})`,
  })),
  ...(await matchUses(
    ctx,
    tx,
    tx`(exists (select from match_competitor c where c.match_id = m.id and c.player_id = ${id})
      or exists (select from lineup_player l where l.match_id = m.id and l.player_id = ${id})
      or exists (select from actor a where a.ref = 'match/' || m.id
        and a.snapshot::text ~ ${`"(playerId|secondaryPlayerId)":\\s*${id}\\D`}))`,
  )),
  ...(await graphicUses(ctx, tx, { type: 'player', id })),
])
