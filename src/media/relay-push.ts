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
const DEFAULT_PORT: Readonly<Record<PushTarget['protocol'], number>> = { rtmp: 1935, rtmps: 443, srt: 0 }

/** The output arguments of a push target; the streams are copied. */
export const pushCall = (target: PushTarget): PushCall => (target.protocol === 'srt' ? toSrt(target) : toRtmp(target))

function toRtmp({ protocol, url }: PushTarget): PushCall {
  const { port } = new URL(url)
  return {
    args: ['-f', 'flv', '-flvflags', 'no_duration_filesize', '-rw_timeout', micros(ANSWER_MS), url],
    url,
    tcpPort: port === '' ? DEFAULT_PORT[protocol] : Number(port),
    secrets: [],
  }
}

function toSrt({ url: text, latencyMs }: PushTarget): PushCall {
  const { options, url, secrets } = srtCaller(text, latencyMs)
  return { args: ['-f', 'mpegts', ...options, url], url, tcpPort: null, secrets }
}

const micros = (ms: number) => String(Math.round(ms * 1_000))
