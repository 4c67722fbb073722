import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { ownRecords } from '../ownership.ts'
import { deskLinks } from './desk-link.queries.ts'
import { giveDesk, notifyDesk } from './desk-link.ts'
import { getMatch } from './queries.ts'
import type { MatchV2 } from './schema.ts'

/**
 * Gives the desk of a match a new address. The old one is refused from the commit on, and sockets opened by it are closed. Answers
 * the match with its `deskUrl`. show-control: Match desk
 */
export function rotateDesk(ctx: Context, matchId: number): Promise<z.output<typeof MatchV2>> {
  const command = { ref: `match-record/${matchId}`, type: 'rotateLinks', asked: { links: ['desk'] } }
  return ctx.db.write(ctx, command, async (tx) => {
    await ownRecords(ctx, tx, 'match', [matchId])
    // one after the other, and never beside the deletion of the match
    await tx`select from match where id = ${matchId} for no key update`
    await giveDesk(ctx, tx, matchId)
    await notifyDesk(tx, matchId)
    const told = await deskLinks(ctx, [matchId], tx)
    return {
      result: { ...(await getMatch(ctx, matchId, tx)), ...told(matchId) },
      // never the address itself
      events: [{ type: 'match.linksRotated', matchId, links: ['desk'] }],
    }
  })
}
