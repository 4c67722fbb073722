/** How ffmpeg is asked to call an SRT listener that somebody named. */
export type SrtCaller = {
  /** Before the URL. */
  options: readonly string[]
  url: string
  secrets: readonly string[]
}

const CONNECT_MS = 3_000
/** Seven packets of MPEG-TS, as every SRT receiver expects. */
const PAYLOAD = 1316
const LEAST_LATENCY_MS = 120

/** Of the URL's options only the stream id and the encryption count: ffmpeg would take `mode=listener` or a file to read too. */
export function srtCaller(text: string, latencyMs: number): SrtCaller {
  // a stream id may hold `#` and more, so this is no matter for URL
  const [address = '', query = ''] = text.split(/\?(.*)/s)
  const given = new Map(
    query.split('&').map((pair) => {
      const [name = '', value = ''] = pair.split(/=(.*)/s)
      return [name, decoded(value)]
    }),
  )
  const latencyUs = Math.round(Math.max(latencyMs, LEAST_LATENCY_MS) * 1_000)
  const asked = `latency=${latencyUs}&connect_timeout=${CONNECT_MS}&pkt_size=${PAYLOAD}&mode=caller`
  const options = [
    ['-srt_streamid', given.get('streamid')],
    ['-passphrase', given.get('passphrase')],
    ['-pbkeylen', given.get('pbkeylen')],
  ].flatMap(([name, value]) => (name && value ? [name, value] : []))
  const secrets = ['streamid', 'passphrase'].flatMap((name) => given.get(name) || [])
  return { options, url: `${address.replace(/\/+$/, '')}?${asked}`, secrets }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
