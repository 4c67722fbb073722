import { z } from 'zod'
import { Id, Timestamp, text } from '../../schema/fields.ts'
import { paged, paging } from '../../schema/paging.ts'
import { urlOf } from './urls.ts'

export const StreamInputType = z.enum(['default', 'pull']).meta({
  id: 'StreamInputType',
  description:
    '`default` takes video that is pushed; `pull` fetches it from `sourceUrl` while a stream that uses it runs',
})

const InputName = text(1, 100)
const SourceUrl = urlOf(['rtmp', 'rtmps', 'srt', 'http', 'https'])
const InputLatency = z.int32().min(120).max(30_000).meta({ description: 'Receive latency of SRT in milliseconds' })

/** Fields that `default` or `pull` has no use for are empty strings. spec: Stream input */
export const StreamInput = z
  .strictObject({
    id: Id,
    name: z.string(),
    type: StreamInputType,
    host: z.string(),
    applicationName: z.string(),
    streamKey: z.string().meta({
      description: 'A secret: whoever has it can send video. Empty for keys without `streams:write`',
    }),
    rtmpUrl: z.string(),
    srtUrl: z.string().meta({
      description: 'With the stream id, which holds the key. Keys without `streams:write` see only the host',
    }),
    sourceUrl: z.string().meta({ description: 'Keys without `streams:write` see only the host' }),
    latencyMs: z.number(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'StreamInput' })

export const StreamInputCreation = z
  .object({
    name: InputName,
    type: StreamInputType.default('default'),
    sourceUrl: SourceUrl.optional().meta({
      description: 'Of `pull`: rtmp, rtmps, srt, or HLS over http or https; without a user or a password',
    }),
    latencyMs: InputLatency.default(2000),
  })
  .superRefine(({ type, sourceUrl }, ctx) => {
    const message =
      type === 'pull' && sourceUrl === undefined
        ? 'type pull needs a sourceUrl'
        : type === 'default' && sourceUrl !== undefined
          ? 'only type pull has a sourceUrl'
          : undefined
    if (message !== undefined) ctx.addIssue({ code: 'custom', path: ['sourceUrl'], message })
  })
  .meta({ id: 'StreamInputCreation' })

/** Fields left out keep their value. While a stream runs with the input only its name changes. */
export const StreamInputUpdate = z
  .object({ name: InputName.optional(), sourceUrl: SourceUrl.optional(), latencyMs: InputLatency.optional() })
  .meta({ id: 'StreamInputUpdate' })

export const StreamInputParams = z.object({ inputId: Id }).meta({ id: 'StreamInputParams' })
export const StreamInputFilter = z
  .object({ type: StreamInputType.optional(), ...paging })
  .meta({ id: 'StreamInputFilter' })
export const StreamInputList = paged('inputs', StreamInput).meta({ id: 'StreamInputList' })
