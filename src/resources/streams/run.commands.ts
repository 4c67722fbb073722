import type { z } from 'zod'
import type { Stream } from '../../../machines/stream-model.ts'
import type { Context } from '../../context.ts'
import { invalid, mediaMissing } from '../../errors.ts'
import type { Need } from '../../media/ports.ts'
import { serviceMoment } from '../../waiting/service-time.ts'
import { getInputRow } from './inputs.queries.ts'
import { getStreamRow, type StreamRow, streamOf } from './queries.ts'
import type { StreamOverlay, StreamSettings } from './schema.ts'
import { settleDestinations } from './settle.ts'

type Shape = z.output<typeof StreamSettings>

/** 400: the stream is not in a state for this. */
export const notNow = (streamId: number, message: string) =>
  invalid({ 'path.streamSettingsId': { message, value: streamId } }, message)

export const NOT_RUNNING = 'The stream is not running'

/** 503 when this machine lacks one of these needs; to be called before anything changes. */
export function mustHave(ctx: Context, needs: readonly Need[]): void {
  for (const need of needs) {
    const lack = ctx.media.lacks(need)
    if (lack !== undefined) throw mediaMissing(lack)
  }
}

/**
 * Tells the destinations the wish of their stream. The wish is durable already, and the reaction to its commit tells them again:
 * trouble here is no trouble of the caller.
 */
export async function settle(ctx: Context, streamId: number, now: boolean): Promise<void> {
  try {
    await settleDestinations(ctx, streamId, { now })
  } catch (error) {
    ctx.log.warn({ streamSettingsId: streamId, err: error }, 'destinations are told later')
  }
}

/** Brings up the program of a stream; nothing is published yet. Throws invalid unless it is idle and has an input. */
export async function startStream(ctx: Context, streamId: number): Promise<Shape> {
  let row = await getStreamRow(ctx, streamId)
  const at = serviceMoment()
  return ctx.actors.send(ctx, 'stream', streamId, {
    asked: { type: 'start' },
    async decide(stream) {
      row = await getStreamRow(ctx, streamId)
      mustBeIdle(streamId, stream)
      if (row.inputId === null) throw notNow(streamId, 'The stream has no input')
      mustHave(ctx, await needsOf(ctx, row, row.inputId))
      // hidden by hand while idle stays hidden
      return { type: 'start', at, ...(row.startOverlayHidden && { overlayHidden: true }) }
    },
    reply: (stream) => streamOf(ctx.media, row, stream),
    refused: () => notNow(streamId, 'The stream is not idle'),
  })
}

function mustBeIdle(streamId: number, { phase }: Stream): void {
  if (phase === 'starting') throw notNow(streamId, 'The stream is starting already')
  if (phase === 'running') throw notNow(streamId, 'The stream is running already')
  if (phase === 'stopping') throw notNow(streamId, 'The stream is still stopping')
}

/** The needs of a stream with its input and its graphics. */
async function needsOf(ctx: Context, { overlayId }: StreamRow, inputId: number): Promise<Need[]> {
  const { type, secrets } = await getInputRow(ctx, inputId)
  const burnIn: Need[] = overlayId === null ? [] : ['burnIn']
  if (type !== 'pull') return ['ingest', ...burnIn]
  const { sourceUrl } = ctx.db.secrets.open('stream_input', inputId, secrets)
  const scheme = sourceUrl.slice(0, sourceUrl.indexOf(':')).toLowerCase()
  const protocol: Need[] = scheme === 'srt' || scheme === 'rtmp' || scheme === 'rtmps' ? [scheme] : []
  return ['ingest', 'ffmpeg', ...protocol, ...burnIn]
}

/** Stops everything of a running stream; again while it is stopping changes nothing. */
export async function stopStream(ctx: Context, streamId: number): Promise<Shape> {
  const row = await getStreamRow(ctx, streamId)
  const at = serviceMoment()
  const stopping = await ctx.actors.send(ctx, 'stream', streamId, {
    asked: { type: 'stop' },
    decide({ phase }) {
      if (phase === 'starting') throw notNow(streamId, 'The stream is starting: it can be stopped once it runs')
      return { type: 'stop', at }
    },
    reply: (stream) => streamOf(ctx.media, row, stream),
    refused: () => notNow(streamId, NOT_RUNNING),
  })
  await settle(ctx, streamId, false)
  return stopping
}

/** Keeps the graphics out of the picture of this stream, or puts them back; the overlay itself does not change. */
export async function hideOverlay(
  ctx: Context,
  streamId: number,
  hidden: boolean,
): Promise<z.output<typeof StreamOverlay>> {
  let overlayId = (await getStreamRow(ctx, streamId)).overlayId ?? 0
  return ctx.actors.send(ctx, 'stream', streamId, {
    asked: { type: hidden ? 'hideOverlay' : 'showOverlay' },
    async decide() {
      const row = await getStreamRow(ctx, streamId)
      if (row.overlayId === null) throw notNow(streamId, 'The stream has no overlay')
      overlayId = row.overlayId
      return { type: 'setOverlayHidden', hidden }
    },
    reply: (stream) => ({ streamSettingsId: streamId, overlayId, hidden: stream.overlayHidden }),
    refused: () => notNow(streamId, 'The overlay cannot be changed now'),
  })
}
