import type { Destination } from '../../../machines/destination.ts'
import type { Context, Errand } from '../../context.ts'
import { ApiError, unexpected } from '../../errors.ts'

type Settling = {
  /** An operator asks by hand: a destination that waits for its next try does not wait. */
  now: boolean
}

/**
 * Tells every destination of a stream what the stream wants of it. Level-triggered: it may be called at any time, by anybody,
 * and again. The wish is read while the destination does the command, so a call that was overtaken tells the newer wish.
 * Throws unavailable.
 */
export async function settleDestinations(ctx: Context, streamId: number, { now }: Settling): Promise<void> {
  const rows = await ctx.db.sql<{ id: number }[]>`
    select id from stream_destination
    where stream_settings_id = ${streamId} and organization_id = ${ctx.organizationId} order by id`
  const settle = ({ id: destinationId }: { id: number }) =>
    ctx.atOwner(`destination/${destinationId}`, settleErrand, { streamId, destinationId, now })
  await Promise.all(rows.map(settle))
}

type Settle = Settling & { streamId: number; destinationId: number }

export const settleErrand: Errand<Settle, void> = { name: 'settle', run: settleDestination }

async function settleDestination(ctx: Context, { streamId, destinationId, now }: Settle): Promise<void> {
  try {
    // also where it seems to agree: a command that is under way may be about to change that
    await ctx.actors.send(ctx, 'destination', destinationId, {
      asked: { type: 'wish', streamSettingsId: streamId },
      async decide(destination) {
        const { wanted, seq } = await wishOf(ctx, streamId, destinationId)
        // the number of a wish that changes nothing is not worth an entry in the journal
        const wish = isNews(destination, wanted, now) ? Math.max(seq, destination.wish) : destination.wish
        return { type: 'wish', wanted, wish, now }
      },
      reply: () => undefined,
      refused: unexpected,
    })
  } catch (error) {
    // deleted since it was looked up
    if (!(error instanceof ApiError && error.status === 404)) throw error
  }
}

/** Whether a wish changes the state of a destination. */
const isNews = ({ phase }: Destination, wanted: boolean, now: boolean) =>
  wanted !== (phase !== 'stopped') || (now && phase === 'retrying')

/** The wish of the stream for a destination, as of its last commit. */
async function wishOf(ctx: Context, streamId: number, destinationId: number) {
  const stream = await ctx.actors.read('stream', streamId)
  return { wanted: stream?.context.publishing.includes(destinationId) ?? false, seq: stream?.seq ?? 0 }
}
