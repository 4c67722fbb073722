import type { CommandOf } from '../../../machines/kinds.ts'
import type { Unstamped } from '../../../machines/transition.ts'
import type { Context, Errand } from '../../context.ts'
import { ApiError, notFound } from '../../errors.ts'
import type { Observation } from '../../media/ports.ts'
import { settleDestinations } from './settle.ts'

/**
 * Tells an actor an observation of the media plane. One that comes too late (of an earlier run, attempt or session) changes nothing.
 * Throws unavailable when it must be told again.
 */
export const observe = (ctx: Context, seen: Observation): Promise<void> => ctx.atOwner(refOf(seen), observeErrand, seen)

export const observeErrand: Errand<Observation, void> = { name: 'observe', run: take }

const refOf = (seen: Observation) => {
  if ('inputId' in seen) return `input/${seen.inputId}` as const
  return 'streamId' in seen ? (`stream/${seen.streamId}` as const) : (`destination/${seen.destinationId}` as const)
}

async function take(ctx: Context, seen: Observation): Promise<void> {
  switch (seen.type) {
    case 'input.opened':
      return tell(ctx, seen, 'input', seen.inputId, { type: 'open' })
    case 'input.closed':
      return tell(ctx, seen, 'input', seen.inputId, { type: 'close' })
    case 'input.lost':
      return tell(ctx, seen, 'input', seen.inputId, { type: 'lost' })
    case 'input.connected': {
      const { inputId, session, protocol, at } = seen
      return tell(ctx, seen, 'input', inputId, { type: 'connected', session, protocol, at })
    }
    case 'input.dropped':
      return tell(ctx, seen, 'input', seen.inputId, { type: 'dropped', session: seen.session, graceMs: seen.graceMs })
    case 'input.ended':
      return tell(ctx, seen, 'input', seen.inputId, { type: 'ended', session: seen.session })
    case 'input.failed':
      return tell(ctx, seen, 'input', seen.inputId, { type: 'failed', error: seen.error })
    case 'stream.started': {
      const { streamId, run, at } = seen
      await tell(ctx, seen, 'stream', streamId, async () => ({
        type: 'started',
        run,
        at,
        linked: await linked(ctx, streamId),
      }))
      return settleDestinations(ctx, streamId, { now: false })
    }
    case 'stream.failed':
      await tell(ctx, seen, 'stream', seen.streamId, { type: 'failed', run: seen.run, error: seen.error })
      return settleDestinations(ctx, seen.streamId, { now: false })
    case 'stream.troubled':
      return tell(ctx, seen, 'stream', seen.streamId, { type: 'troubled', run: seen.run, error: seen.error })
    case 'stream.stopped':
      return tell(ctx, seen, 'stream', seen.streamId, { type: 'stopped', run: seen.run })
    case 'destination.connected':
      return tell(ctx, seen, 'destination', seen.destinationId, {
        type: 'connected',
        attempt: seen.attempt,
        at: seen.at,
      })
    case 'destination.failed': {
      const { destinationId, attempt, error, retryInMs, nextRetryDate } = seen
      return tell(ctx, seen, 'destination', destinationId, { type: 'failed', attempt, error, retryInMs, nextRetryDate })
    }
    case 'destination.inputDown':
      return tell(ctx, seen, 'destination', seen.destinationId, { type: 'inputDown' })
    case 'destination.inputUp':
      return tell(ctx, seen, 'destination', seen.destinationId, { type: 'inputUp' })
    case 'destination.lost':
      return tell(ctx, seen, 'destination', seen.destinationId, { type: 'lost' })
  }
}

type Kind = 'input' | 'stream' | 'destination'
type Told<K extends Kind> = Unstamped<CommandOf<K>>

async function tell<K extends Kind>(
  ctx: Context,
  seen: Observation,
  kind: K,
  id: number,
  command: Told<K> | (() => Promise<Told<K>>),
): Promise<void> {
  const decide = typeof command === 'function' ? command : () => command
  try {
    await ctx.actors.send(ctx, kind, id, {
      asked: { type: 'observe', seen: seen.type },
      decide,
      reply: () => undefined,
      refused: notFound,
    })
  } catch (error) {
    // deleted meanwhile, or in a state that has no use for it any more
    if (!(error instanceof ApiError && error.status === 404)) throw error
  }
}

const linked = async ({ db, organizationId }: Context, streamId: number): Promise<number[]> => {
  const rows = await db.sql<{ id: number }[]>`
    select id from stream_destination
    where stream_settings_id = ${streamId} and organization_id = ${organizationId} order by id`
  return rows.map(({ id }) => id)
}
