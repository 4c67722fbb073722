import { setTimeout as pause } from 'node:timers/promises'
import { backoffMs } from './backoff.ts'
import { type Address, addressesNow, type Resolve } from './connect-guard.ts'
import { connectionFault } from './connection-fault.ts'
import { openGuardedProxy } from './guarded-proxy.ts'
import { openPassage, type Passage } from './passage.ts'
import { atAddress, HOLDS_AT, rtmpPlace, rtmpThrough, type StreamUrl, streamUrl } from './pinned-url.ts'
import type { Capabilities, PullSpec, StartPull } from './ports.ts'
import type { Child, Processes } from './process.ts'
import { srtCaller } from './srt-caller.ts'

export type PullParts = {
  processes: Processes
  capabilities: Capabilities
  /** Whether an address that somebody names may be connected to. */
  permits(address: string): boolean
  /** Instead of asking the system for the addresses of a name. */
  resolve?: Resolve
  /** In [0, 1). */
  random?: () => number
}

/** One that ran so long had connected; the next failure is the first. */
const STEADY_MS = 10_000
const SILENT_US = '5000000'

type Source = {
  args: readonly string[]
  secrets: readonly string[]
  env: Readonly<Record<string, string>>
  passage?: Passage
}

/** Pulls inputs with an ffmpeg each, which is started again whenever it ends, until it is stopped. */
export function createPulls(parts: PullParts): StartPull {
  const { processes, capabilities, permits, resolve, random = Math.random } = parts
  let proxy: Promise<string> | undefined
  const proxyUrl = () => {
    proxy ??= openGuardedProxy(permits, resolve)
    return proxy
  }

  return (spec, listener) => {
    const stopping = new AbortController()
    const { signal } = stopping
    let child: Child | undefined

    /** Resolves with why it ended. */
    const pullOnce = async (): Promise<string> => {
      const { ffmpeg, protocols } = capabilities
      if (!ffmpeg) return 'ffmpeg is missing on this server'
      const scheme = schemeOf(spec.sourceUrl)
      if (!scheme) return 'The source is no URL that can be pulled'
      // TLS of RTMP is not its own
      if (!protocols.has(scheme === 'rtmps' ? 'rtmp' : scheme)) return `ffmpeg of this server cannot pull ${scheme}`
      const found = await addressesNow(spec.sourceUrl, permits, resolve)
      if ('refused' in found) return found.refused
      const url = streamUrl(spec.sourceUrl)
      if (!url) return HOLDS_AT
      const source = await sourceOf[scheme]({ spec, url, addresses: found.addresses, proxyUrl })
      try {
        if (signal.aborted) return ''
        child = processes.start(pullChild(spec, ffmpeg.path, source))
        const { error } = await child.ended
        return source.passage?.fault() ?? pullError(child.lines(), error)
      } finally {
        source.passage?.close()
      }
    }

    const run = async () => {
      for (let failures = 1; !signal.aborted; failures++) {
        const since = performance.now()
        const error = await pullOnce().catch(() => 'The source could not be pulled')
        if (signal.aborted) return
        listener({ type: 'failed', error })
        if (performance.now() - since > STEADY_MS) failures = 1
        await pause(backoffMs(failures, random()), undefined, { signal, ref: false }).catch(() => {})
      }
    }
    // nothing is told before this has returned
    const ended = Promise.resolve().then(run)

    return {
      async stop() {
        stopping.abort()
        await child?.stop()
        await ended
      },
    }
  }
}

const SCHEMES = ['rtmp', 'rtmps', 'srt', 'http', 'https'] as const
type Scheme = (typeof SCHEMES)[number]

function schemeOf(url: string): Scheme | undefined {
  const name = url.slice(0, url.indexOf('://')).toLowerCase()
  return SCHEMES.find((scheme) => scheme === name)
}

type Found = {
  spec: PullSpec
  url: StreamUrl
  addresses: readonly Address[]
  proxyUrl: () => Promise<string>
}
type MakeSource = (found: Found) => Source | Promise<Source>

/** Only protocols that the source needs are let through, so that no playlist leads to a file or to another protocol. */
const only = (...protocols: string[]) => ['-protocol_whitelist', protocols.join(',')]

const overHttp: MakeSource = async ({ spec, proxyUrl }) => ({
  args: [
    ...only('http', 'https', 'tls', 'tcp', 'httpproxy', 'crypto'),
    // a file or the first segments of a playlist would come as fast as the line is
    ...['-rw_timeout', SILENT_US, '-re', '-i', spec.sourceUrl],
  ],
  secrets: [],
  env: { http_proxy: await proxyUrl() },
})

const overRtmp: MakeSource = async ({ url: named, addresses }) => {
  const place = rtmpPlace(named) ?? { port: 0, tls: null }
  const passage = await openPassage({ end: 'source', addresses, ...place })
  const { options, url } = rtmpThrough(named, passage.port)
  return {
    args: [...only('rtmp', 'tcp'), '-rw_timeout', SILENT_US, ...options, '-i', url],
    secrets: [],
    env: {},
    passage,
  }
}

const sourceOf: Readonly<Record<Scheme, MakeSource>> = {
  http: overHttp,
  https: overHttp,
  rtmp: overRtmp,
  rtmps: overRtmp,
  srt: ({ spec, url: named, addresses: [address] }) => {
    const pinned = atAddress(named, address ?? { address: '' })
    const { options, url, secrets } = srtCaller(pinned, spec.latencyMs)
    return { args: [...only('srt'), ...options, '-i', url], secrets, env: {} }
  },
}

function pullChild({ inputId, publishUrl, lease }: PullSpec, command: string, { args, secrets, env }: Source) {
  // tracks that are neither video nor sound have no place in a published stream
  const to = ['-sn', '-dn', '-c', 'copy', '-f', 'flv', '-flvflags', 'no_duration_filesize', publishUrl]
  return {
    kind: 'pull',
    of: inputId,
    lease,
    command,
    args: ['-hide_banner', '-nostdin', '-loglevel', 'warning', '-nostats', ...args, ...to],
    secrets,
    env,
    called: { [args.at(-1) ?? '']: 'the source', [publishUrl]: 'the ingest' },
    stdio: ['ignore', 'ignore', 'pipe'] as const,
  }
}

/** Why a pull ended, for people, from the last lines of ffmpeg. */
function pullError(lines: readonly string[], error: string): string {
  const said = lines.join('\n')
  const status = /(?:Server returned|HTTP error) ([45]\w\w[^(\n]*)/.exec(said)?.[1]?.trim()
  if (status) return `The source answered ${status}`
  const known = connectionFault(said, 'source')
  if (known) return known
  if (/Invalid data found/.test(said)) return 'The source gives no video that is understood here'
  if (/not on whitelist|not permitted/i.test(said)) return 'The source leads to where this server does not connect'
  return lines.length === 0 || /End of file|Input\/output error|reset by peer/.test(said)
    ? 'The source ended the connection'
    : `The source could not be pulled: ${error}`
}
