import type { Address } from './connect-guard.ts'
import { hostOf } from './url-guard.ts'

/** A URL of a stream in its parts. `rest` is all behind the authority, as it was written. */
export type StreamUrl = { scheme: string; host: string; port: number | undefined; named: string; rest: string }

/** Told of a URL that was saved when it might still name a user: readers differ in where the user ends. */
export const HOLDS_AT = 'Its URL holds an @, that is a user or a password, which is not sent any more: save it without'

/** The parts of a stream URL; undefined for one with a user or a password, or that is none. */
export function streamUrl(text: string): StreamUrl | undefined {
  const [, authority, rest = ''] = /^[a-z]+:\/\/([^/?#]*)(.*)$/is.exec(text) ?? []
  const host = hostOf(text)
  if (authority === undefined || authority.includes('@') || host === undefined) return undefined
  const { protocol, port, host: named } = new URL(text)
  return { scheme: protocol.slice(0, -1), host, port: port === '' ? undefined : Number(port), named, rest }
}

const written = (address: string) => (address.includes(':') ? `[${address}]` : address)

/** The URL with the address that was checked in the place of its host, so that its name cannot lead elsewhere the next time. */
export const atAddress = ({ scheme, port, rest }: StreamUrl, { address }: Pick<Address, 'address'>): string =>
  `${scheme}://${written(address)}${port === undefined ? '' : `:${port}`}${rest}`

/** RTMP or RTMPS by way of a port of this machine, while the server is told the name that it was asked by. */
export const rtmpThrough = (
  { scheme, named, rest }: StreamUrl,
  port: number,
): { options: readonly string[]; url: string } => ({
  options: ['-rtmp_tcurl', `${scheme}://${named}/${applicationOf(rest)}`],
  url: `rtmp://127.0.0.1:${port}${rest}`,
})

/** The application of a path, told apart from the stream in it as ffmpeg does (rtmpproto.c). */
function applicationOf(path: string): string {
  const next = path.slice(1)
  const query = path.indexOf('?')
  if (query >= 0 && path.includes('slist=', query)) return next
  if (path.startsWith('/ondemand/')) return 'ondemand'
  const [application = '', ...more] = next.split('/')
  const [instance = '', ...name] = more
  // `a/b:c/d` is the stream `b:c/d` of `a`
  return name.length === 0 || instance.includes(':') ? application : `${application}/${instance}`
}

/** Host and port of an RTMP URL, as far as it tells them; undefined for other schemes. */
export function rtmpPlace({ scheme, host, port }: StreamUrl): { port: number; tls: string | null } | undefined {
  if (scheme === 'rtmp') return { port: port ?? 1935, tls: null }
  return scheme === 'rtmps' ? { port: port ?? 443, tls: host } : undefined
}
