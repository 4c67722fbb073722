import { atAddress, rtmpAtAddress } from './pinned-url.ts'
import type { PushTarget } from './ports.ts'
import { srtCaller } from './srt-caller.ts'

/** How ffmpeg is asked to send to a target. */
export type PushCall = {
  args: readonly string[]
  /** As it stands in the arguments and in what ffmpeg says. */
  url: string
  /** Where the far end listens, when that is TCP. */
  tcpPort: number | null
  secrets: readonly string[]
}

/** A far end that does not answer at all is given up after this. */
const ANSWER_MS = 5_000
const FLV = ['-f', 'flv', '-flvflags', 'no_duration_filesize', '-rw_timeout', String(ANSWER_MS * 1_000)]
/** A full buffer is how a stall is seen then; enough for 8 Mb/s to a far end 250 ms away. */
const SMALL_BUFFER = ['-send_buffer_size', '262144']
const DEFAULT_PORT: Readonly<Record<PushTarget['protocol'], number>> = { rtmp: 1935, rtmps: 443, srt: 0 }

/**
 * The output arguments of a push target whose host is at this address; the streams are copied. `watched`: the kernel tells when
 * its connection stalls.
 */
export const pushCall = (target: PushTarget, address: string, watched: boolean): PushCall =>
  target.protocol === 'srt' ? toSrt(target, address) : toRtmp(target, address, watched)

function toRtmp({ protocol, url: named }: PushTarget, address: string, watched: boolean): PushCall {
  const { port } = new URL(named)
  // TLS must name the host
  const { options, url } = protocol === 'rtmp' ? rtmpAtAddress(named, address) : { options: [], url: named }
  return {
    args: [...FLV, ...(watched ? [] : SMALL_BUFFER), ...options, url],
    url,
    tcpPort: port === '' ? DEFAULT_PORT[protocol] : Number(port),
    secrets: [],
  }
}

function toSrt({ url: named, latencyMs }: PushTarget, address: string): PushCall {
  const { options, url, secrets } = srtCaller(atAddress(named, address), latencyMs)
  return { args: ['-f', 'mpegts', ...options, url], url, tcpPort: null, secrets }
}
