import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { isPublicAddress } from './addresses.ts'
import { createNames } from './names.ts'

/** Why a request to elsewhere came to nothing. `refused` and `invalid` stay so when asked again; the others may pass. */
export type OutboundReason = 'refused' | 'invalid' | 'tooLarge' | 'timeout' | 'unreachable'

export class OutboundError extends Error {
  readonly reason: OutboundReason

  constructor(reason: OutboundReason, message: string) {
    super(message)
    this.reason = reason
  }
}

export type OutboundRequest = {
  url: string
  /** Names in lower case. `authorization` is left out when a redirect leads to another origin. */
  headers?: Readonly<Record<string, string>>
  /** Of the body, both as sent and as unpacked. */
  maxBytes: number
  /** For all of it: redirects, head and body. */
  timeoutMs: number
  /** Content types that a 200 may have, without parameters. */
  accept: readonly string[]
  signal?: AbortSignal
}

export type OutboundAnswer = {
  status: number
  /** Names in lower case; of a repeated header the first value. */
  headers: ReadonlyMap<string, string>
  body: Buffer
}

/** Allows private networks and this machine too, where the administrator says so. */
export const anyAddress = () => true

export type OutboundGuard = {
  /** Whether it may be connected to; addresses of the public internet unless said. */
  permits?: (address: string) => boolean
  /** Resolves host names; by the name servers unless said. */
  resolve?: LookupFunction
  /** What is permitted, for messages. */
  allowed?: string
}

export type Outbound = (request: OutboundRequest) => Promise<OutboundAnswer>

const MAX_REDIRECTS = 3

const resolveName = createNames()

/** What every request to elsewhere keeps to: addresses are checked after the name was resolved, and those that a URL names at once. */
export type Guarded = {
  /** For `lookup` of a request. Fails with OutboundError. */
  readonly lookup: LookupFunction
  /** The URL, when it may be asked. Throws OutboundError. */
  checked(text: string): URL
}

export function guarded({
  permits = isPublicAddress,
  resolve = resolveName,
  allowed = 'of the public internet',
}: OutboundGuard = {}): Guarded {
  const refusal = (host: string) =>
    new OutboundError('refused', `${host} is not an address ${allowed}; OUTBOUND_PRIVATE=on allows it`)

  const lookup: LookupFunction = (hostname, options, callback) =>
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '', 0)
      const addresses = Array.isArray(found) ? found : [{ address: found, family: isIP(found) }]
      if (!addresses.every(({ address }) => permits(address))) return callback(refusal(hostname), '', 0)
      const [first] = addresses
      if (!first) return callback(new OutboundError('unreachable', `${hostname} has no address`), '', 0)
      if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })

  const checked = (text: string): URL => {
    if (!isHttpUrl(text)) throw new OutboundError('invalid', 'expected an http or https URL')
    const url = new URL(text)
    if (url.username || url.password) throw new OutboundError('invalid', 'a URL must not hold a user or a password')
    const host = url.hostname.replace(/^\[|\]$/g, '')
    // a literal address is connected without any lookup
    if (isIP(host) && !permits(host)) throw refusal(host)
    return url
  }
  return { lookup, checked }
}

/**
 * GET requests to addresses that somebody else named. Every connection, those of redirects too, goes to an address that was
 * checked after the name was resolved, so that neither a redirect nor a name server leads into our own network.
 * Throws OutboundError; an answer of any status other than a redirect is returned.
 */
export function createOutbound(guard: OutboundGuard = {}): Outbound {
  const { lookup, checked } = guarded(guard)
  return async ({ url: text, headers = {}, maxBytes, timeoutMs, accept, signal }) => {
    const limit = AbortSignal.timeout(timeoutMs)
    const either = signal ? AbortSignal.any([limit, signal]) : limit
    const origin = checked(text).origin
    let url = checked(text)
    try {
      for (let redirects = 0; ; redirects++) {
        const { authorization, ...rest } = headers
        const sent = url.origin === origin && authorization !== undefined ? { ...rest, authorization } : rest
        const message = await head(url, sent, lookup, either)
        const location = message.headers.location
        if (!isRedirect(message.statusCode) || location === undefined)
          return await answer(message, maxBytes, accept, either)
        message.destroy()
        if (redirects === MAX_REDIRECTS) throw new OutboundError('invalid', `more than ${MAX_REDIRECTS} redirects`)
        url = checked(URL.canParse(location, url.href) ? new URL(location, url.href).href : location)
      }
    } catch (error) {
      if (error instanceof OutboundError) throw error
      if (signal?.aborted) throw new OutboundError('unreachable', 'the request was given up')
      if (limit.aborted) throw new OutboundError('timeout', `no complete answer within ${timeoutMs} ms`)
      // messages of the system name addresses of our network, codes do not
      throw new OutboundError('unreachable', `cannot reach ${url.host}: ${codeOf(error)}`)
    }
  }
}

const isHttpUrl = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

export const isRedirect = (status = 0) => [301, 302, 303, 307, 308].includes(status)

/** The code of an error, whose message may name addresses of our network. */
export const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error ? String(error.code) : error instanceof Error ? error.name : 'unknown'

/** Resolves with the head of the answer; its body is not read yet. */
const head = (url: URL, headers: Record<string, string>, lookup: LookupFunction, signal: AbortSignal) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    const request = send(url, {
      // a connection of its own: one kept open was checked for another name
      agent: false,
      lookup,
      signal,
      headers: { 'user-agent': 'tally', 'accept-encoding': 'gzip', ...headers },
      maxHeaderSize: 16_384,
    })
    request.on('response', resolve)
    request.on('error', reject)
    request.end()
  })

async function answer(
  message: IncomingMessage,
  maxBytes: number,
  accept: readonly string[],
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  try {
    const status = message.statusCode ?? 0
    const headers = new Map(
      Object.entries(message.headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, Array.isArray(value) ? (value[0] ?? '') : value] as const],
      ),
    )
    // the body of another status is of no use, and of any length
    if (status !== 200) return { status, headers, body: Buffer.alloc(0) }
    const type = (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
    if (!accept.includes(type))
      throw new OutboundError('invalid', `expected ${accept.join(' or ')}, got ${type === '' ? 'no type' : type}`)
    if (Number(headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
    return { status, headers, body: await unpacked(message, headers.get('content-encoding'), maxBytes, signal) }
  } finally {
    message.destroy()
  }
}

const tooLarge = (maxBytes: number) => new OutboundError('tooLarge', `more than ${maxBytes} bytes`)

/** The bytes of the body, counted before and after unpacking: a little gzip can hold very much. */
async function unpacked(message: IncomingMessage, encoding: string | undefined, maxBytes: number, signal: AbortSignal) {
  const coding = encoding?.trim().toLowerCase() ?? 'identity'
  if (coding !== 'gzip' && coding !== 'identity')
    throw new OutboundError('invalid', `an answer packed with ${coding}, which was not asked for`)
  const chunks: Buffer[] = []
  const limited = async function* (source: AsyncIterable<Buffer>) {
    let bytes = 0
    for await (const chunk of source) {
      bytes += chunk.length
      if (bytes > maxBytes) throw tooLarge(maxBytes)
      yield chunk
    }
  }
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) chunks.push(chunk)
  }
  try {
    if (coding === 'identity') await pipeline(message, limited, collect, { signal })
    else await pipeline(message, limited, createGunzip(), limited, collect, { signal })
  } catch (error) {
    if (codeOf(error).startsWith('Z_')) throw new OutboundError('invalid', 'the gzip of the answer is broken')
    throw error
  }
  return Buffer.concat(chunks)
}
