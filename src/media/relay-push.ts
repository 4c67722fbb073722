import type { PushTarget } from './ports.ts'

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
const SRT_CONNECT_MS = 3_000
/** Seven packets of MPEG-TS, as every SRT receiver expects. */
const SRT_PAYLOAD = 1316
const LEAST_SRT_LATENCY_MS = 120
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

/** Of what stands in the URL only the stream id and the encryption count: ffmpeg would take `mode=listener` or a file to read too. */
function toSrt({ url: text, latencyMs }: PushTarget): PushCall {
  // a stream id may hold `#` and more, so this is no matter for URL
  const [address = '', query = ''] = text.split(/\?(.*)/s)
  const given = new Map(
    query.split('&').map((pair) => {
      const [name = '', value = ''] = pair.split(/=(.*)/s)
      return [name, decoded(value)]
    }),
  )
  const latency = micros(Math.max(latencyMs, LEAST_SRT_LATENCY_MS))
  const options = `latency=${latency}&connect_timeout=${SRT_CONNECT_MS}&pkt_size=${SRT_PAYLOAD}&mode=caller`
  const url = `${address.replace(/\/+$/, '')}?${options}`
  const named = [
    ['-srt_streamid', given.get('streamid')],
    ['-passphrase', given.get('passphrase')],
    ['-pbkeylen', given.get('pbkeylen')],
  ].flatMap(([name, value]) => (name && value ? [name, value] : []))
  const secrets = ['streamid', 'passphrase'].flatMap((name) => given.get(name) || [])
  return { args: ['-f', 'mpegts', ...named, url], url, tcpPort: null, secrets }
}

const micros = (ms: number) => String(Math.round(ms * 1_000))

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
