import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import type { RecordContext } from '../../context.ts'
import { ownRecords } from '../ownership.ts'
import { reaction } from '../reaction.ts'
import { getRosterPlayer } from './roster.queries.ts'
import type { RosterEntry, RosterPlayer, RosterPlayerCreation } from './roster.schema.ts'

type Player = z.output<typeof RosterPlayer>

/** Creates a player on the roster of a team. spec: Teams 6 */
export function createRosterPlayer(
  ctx: RecordContext,
  teamId: number,
  asked: z.output<typeof RosterPlayerCreation>,
): Promise<Player> {
  return ctx.db.write(ctx, { ref: `team/${teamId}`, type: 'createPlayer', asked }, async (tx) => {
    await ownRecords(ctx, tx, 'team', [teamId])
    const [player] = await tx<{ id: number }[]>`
      insert into player (organization_id, first_name, last_name)
      values (${ctx.organizationId}, ${asked.firstName}, ${asked.lastName}) returning id`
    if (!player) throw new Error('an insert returned no row')
    await putEntry(tx, teamId, player.id, asked)
    const event = { type: 'player.created', playerId: player.id, teamId }
    return {
      result: await getRosterPlayer(ctx, teamId, player.id, tx),
      events: [event],
      // nobody shows a player who is neither in the line-up by default
      outbox: asked.defaultStarter || asked.defaultBench ? [reaction(event.type, `team/${teamId}`)] : [],
    }
  })
}

async function putEntry(
  tx: TransactionSql,
  teamId: number,
  playerId: number,
  asked: z.output<typeof RosterEntry>,
): Promise<void> {
  await tx`
    insert into roster_entry (team_id, player_id, gfx_first_name, gfx_last_name, position, position_type, number,
      starter, bench, captain, photo_url)
    values (${teamId}, ${playerId}, ${asked.gfxFirstName ?? null}, ${asked.gfxLastName ?? null},
      ${asked.position ?? null}, ${asked.positionType ?? null}, ${asked.number === undefined ? '' : asked.number},
      ${asked.defaultStarter ?? false}, ${asked.defaultBench ?? false}, ${asked.captain ?? false},
      ${asked.photoUrl ?? null})
    on conflict (team_id, player_id) do update set gfx_first_name = excluded.gfx_first_name,
      gfx_last_name = excluded.gfx_last_name, position = excluded.position, position_type = excluded.position_type,
      number = excluded.number, starter = excluded.starter, bench = excluded.bench, captain = excluded.captain,
      photo_url = excluded.photo_url`
}
