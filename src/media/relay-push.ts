import type { Passage } from './passage.ts'
import { atAddress, rtmpThrough, type StreamUrl } from './pinned-url.ts'
import type { PushTarget } from './ports.ts'
import { srtCaller } from './srt-caller.ts'

/** How ffmpeg is asked to send to a target. */
export type PushCall = {
  args: readonly string[]
  /** As it stands in the arguments and in messages of ffmpeg. */
  url: string
  secrets: readonly string[]
}

/** A far end that does not answer at all is given up after this. */
const ANSWER_MS = 5_000
const FLV = ['-f', 'flv', '-flvflags', 'no_duration_filesize', '-rw_timeout', String(ANSWER_MS * 1_000)]
/** A full buffer is how a stall is seen then; enough for 8 Mb/s to a far end 250 ms away. */
const SMALL_BUFFER = ['-send_buffer_size', '262144']
/** The output arguments of RTMP by way of a passage; the streams are copied. `watched`: the kernel tells when it stalls. */
export function pushRtmp(parts: StreamUrl, passage: Pick<Passage, 'port'>, watched: boolean): PushCall {
  const { options, url } = rtmpThrough(parts, passage.port)
  return { args: [...FLV, ...(watched ? [] : SMALL_BUFFER), ...options, url], url, secrets: [] }
}

/** The output arguments of SRT to the address that was checked; the streams are copied. */
export function pushSrt(
  parts: StreamUrl,
  address: { address: string },
  { latencyMs }: Pick<PushTarget, 'latencyMs'>,
): PushCall {
  const { options, url, secrets } = srtCaller(atAddress(parts, address), latencyMs)
  return { args: ['-f', 'mpegts', ...options, url], url, secrets }
}
