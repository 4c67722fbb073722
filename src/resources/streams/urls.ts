import type { z } from 'zod'
import { invalid } from '../../errors.ts'
import type { Media, PullTarget, PushTarget } from '../../media/ports.ts'
import { text } from '../../schema/fields.ts'
import type { RowSecrets } from '../../secrets/secrets.ts'

const LONGEST = 2048

// printable ASCII; parsers of URLs disagree on a backslash, and so on which host it leads to
const PLAIN = /^[a-z]+:\/\/[!-[\]-~]+$/i

/** Options in the query of an SRT URL; `mode` is checked by itself. */
const SRT_OPTIONS = new Set(['mode', 'streamid', 'srt_streamid', 'passphrase', 'pbkeylen', 'latency', 'transtype'])

/** The fault of a URL of one of these schemes; undefined when there is none. */
function problem(value: string, schemes: readonly string[]): string | undefined {
  if (!PLAIN.test(value) || !URL.canParse(value)) return `expected a URL of ${schemes.join(', ')}`
  // whether it ends the user or is part of the path, every reader decides in its own way
  if (value.includes('@')) return 'a stream URL must not hold an @, and so no user and no password'
  const { protocol, hostname, port, searchParams } = new URL(value)
  const scheme = protocol.slice(0, -1)
  if (!schemes.includes(scheme)) return `expected a URL of ${schemes.join(', ')}`
  if (hostname === '') return 'a URL without a host'
  if (scheme !== 'srt') return undefined
  if (port === '') return 'an SRT URL needs a port'
  const unknown = [...searchParams.keys()].find((name) => !SRT_OPTIONS.has(name))
  if (unknown !== undefined) return `an SRT URL knows ${[...SRT_OPTIONS].join(', ')}`
  return searchParams.getAll('mode').every((mode) => mode === 'caller') ? undefined : 'only mode=caller'
}

/** A field that holds a URL of one of these schemes. */
export const urlOf = (schemes: readonly string[]): z.ZodType<string, string> =>
  text(1, LONGEST).superRefine((value, ctx) => {
    const message = problem(value, schemes)
    if (message !== undefined) ctx.addIssue({ code: 'custom', message })
  })

/** 400 for a URL that leads where it must not. The message names the host and nothing else of it. */
export function checkTarget(media: Media, field: string, url: string | undefined): void {
  const message = url === undefined || url === '' ? undefined : media.refuses(url)
  if (message !== undefined) throw invalid({ [`body.${field}`]: { message } })
}

/** The part of a URL for people who may not change streams: users, paths and queries hold keys. */
export const hostOnly = (url: string) => (URL.canParse(url) ? `${new URL(url).protocol}//${new URL(url).host}/…` : '')

/** The columns of a destination that say where it goes. */
export type TargetRow = {
  type: string
  pullProtocol: 'hls' | 'srt' | null
  latencyMs: number
}
type Where = RowSecrets['stream_destination']

/** Where a destination publishes to, its key included, or under which token it is fetched. */
export function targetOf({ pullProtocol, latencyMs }: TargetRow, where: Where): PushTarget | PullTarget {
  const { url, pullToken } = where
  if (pullProtocol && pullToken !== null) return { protocol: pullProtocol, token: pullToken, latencyMs }
  return { protocol: protocolOf(url), url: withKey(where), latencyMs }
}

function protocolOf(url: string): PushTarget['protocol'] {
  const scheme = url.slice(0, url.indexOf(':')).toLowerCase()
  return scheme === 'srt' || scheme === 'rtmps' ? scheme : 'rtmp'
}

/** The key is the last part of the path, wherever the URL has its query. */
function withKey({ url, streamKey }: Where): string {
  if (streamKey === '') return url
  const [address = '', ...query] = url.split('?')
  return [`${address.replace(/\/$/, '')}/${streamKey}`, ...query].join('?')
}
