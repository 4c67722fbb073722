import { createHash, randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type { RecordContext } from '../../context.ts'
import { getRecordedOverlay } from '../overlays/recorded.queries.ts'
import { hashReplayToken } from './queries.ts'
import type { ReplayAddress, ReplayCreation } from './schema.ts'

const LASTS_HOURS = 24

/** Makes an address under which an overlay's show is played again, for a day and without a key. Throws notFound and forbidden. */
export async function createReplay(
  ctx: RecordContext,
  overlayId: number,
  asked: ReplayCreation,
): Promise<z.output<typeof ReplayAddress>> {
  const { matchId } = await getRecordedOverlay(ctx, overlayId)
  const token = randomBytes(32).toString('base64url')
  const ref = `replay/${createHash('sha256').update(hashReplayToken(token)).digest('hex').slice(0, 24)}`
  return ctx.db.write(ctx, { ref, type: 'create', asked: { overlayId, ...asked } }, async (tx) => {
    await tx`delete from replay where expires_at < clock_timestamp()`
    const [row] = await tx<{ expiresAt: Date }[]>`
      insert into replay (token_hash, overlay_id, match_id, settings, expires_at)
      values (${hashReplayToken(token)}, ${overlayId}, ${matchId}, ${tx.json(asked)},
        clock_timestamp() + make_interval(hours => ${LASTS_HOURS}))
      returning expires_at as "expiresAt"`
    if (!row) throw new Error('an insert returned no row')
    const expiresAt = row.expiresAt.toISOString()
    return {
      result: { url: `${ctx.publicUrl}/replay/${token}`, expiresAt },
      events: [{ type: 'replay.created', overlayId, expiresAt }],
    }
  })
}
