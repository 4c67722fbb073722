import { isSameSchedule } from '../../../machines/stream-decide.ts'
import type { Schedule } from '../../../machines/stream-model.ts'
import type { Context, Errand } from '../../context.ts'
import { ApiError, notFound, unexpected } from '../../errors.ts'
import { timesOf } from './match-schedule.ts'

/**
 * Brings the schedule of a stream in line with its settings and its match: call it after a commit that changed either. It may be
 * called at any time, by anybody, and again. Throws unavailable.
 */
export async function rescheduleStream(ctx: Context, streamId: number): Promise<void> {
  const known = await ctx.actors.read('stream', streamId)
  const wanted = await wantedOf(ctx, streamId)
  if (!wanted || isKnown(known?.context.automation ?? null, wanted.schedule)) return
  await ctx.atOwner(`stream/${streamId}`, rescheduleErrand, { streamId })
}

export const rescheduleErrand: Errand<{ streamId: number }, void> = { name: 'reschedule', run: reschedule }

async function reschedule(ctx: Context, { streamId }: { streamId: number }): Promise<void> {
  try {
    await ctx.actors.send(ctx, 'stream', streamId, {
      asked: { type: 'reschedule' },
      // read while the stream does this command: of two calls at once the later one knows the newer rows
      async decide() {
        const latest = await wantedOf(ctx, streamId)
        if (!latest) throw notFound()
        const { schedule, now } = latest
        if (!schedule) return { type: 'stopAutomating' }
        const inMs = (instant: number | null) => (instant === null ? null : instant - now)
        return { type: 'automate', schedule, startInMs: inMs(schedule.startAt), stopInMs: inMs(schedule.stopAt) }
      },
      reply: () => undefined,
      refused: unexpected,
    })
  } catch (error) {
    // deleted since it was looked up
    if (!(error instanceof ApiError && error.status === 404)) throw error
  }
}

/** As `rescheduleStream`, once the caller's change is durable: trouble here is no trouble of the caller. */
export async function followSettings(ctx: Context, streamId: number): Promise<void> {
  try {
    await rescheduleStream(ctx, streamId)
  } catch (error) {
    // the schedules are held against the rows every minute
    ctx.log.warn({ streamSettingsId: streamId, err: error }, 'a stream is scheduled later')
  }
}

type Row = { matchId: number; autoStream: boolean; startHidden: boolean; hasInput: boolean; now: number }

/** The schedule that a stream is to have, null without Auto Stream, and the time of the database. */
async function wantedOf(
  ctx: Context,
  streamId: number,
): Promise<{ schedule: Schedule | null; now: number } | undefined> {
  const [row] = await ctx.db.sql<Row[]>`
    select match_id as "matchId", auto_stream as "autoStream", start_overlay_hidden as "startHidden",
      input_id is not null as "hasInput", extract(epoch from clock_timestamp())::float8 * 1000 as now
    from stream_settings where id = ${streamId} and organization_id = ${ctx.organizationId}`
  if (!row) return undefined
  const { matchId, autoStream, startHidden, hasInput, now } = row
  if (!autoStream) return { schedule: null, now }
  const match = await ctx.actors.read('match', matchId)
  const cannotStart = ctx.media.off ?? (hasInput ? null : 'The stream has no input')
  return match && { schedule: { ...timesOf(match.context), startHidden, cannotStart }, now }
}

const isKnown = (automation: Schedule | null, schedule: Schedule | null) =>
  automation === null || schedule === null ? automation === schedule : isSameSchedule(automation, schedule)
