import type { Principal } from '../principal.ts'

/** A request with everything copied out of the server, so it may outlive the callback that brought it. */
export type HttpRequest = {
  /** Upper case. */
  readonly method: string
  /** Path as sent, not decoded, without the query. */
  readonly path: string
  /** Without the question mark; empty when there is none. */
  readonly query: string
  /** Lower-case name; empty string when absent. One that came several times is joined with `, `. */
  header(name: string): string
  /** Whether the header was sent at all, be it empty. */
  has(name: string): boolean
  readonly remoteAddress: string
  /** Set when another node let it in and sends it here, where its actor lives. */
  readonly forwarded?: Forwarded
  /** Reads the whole body; throws bodyTooLarge above the limit, and resolves undefined when the client went away. */
  body(maxBytes: number): Promise<Buffer | undefined>
  /**
   * The body as it arrives; the client waits while nobody takes the next part. Throws bodyTooLarge above the limit, and
   * `ClientGone` when the client went away.
   */
  chunks(maxBytes: number): AsyncIterable<Buffer>
}

/** A request that was let in elsewhere: the principal it acts for, and the identity of its command. */
export type Forwarded = {
  readonly principal: Principal
  readonly commandId: string
  /** A node that is gone may have carried the command out. */
  readonly mayBeDone: boolean
}

/** The client went away while its body was read; nobody gets the answer. */
export class ClientGone extends Error {}

/** The name that the server was asked by; empty when it is not a sane one. */
export const hostOf = (request: Pick<HttpRequest, 'header'>): string =>
  /^[\w.:[\]-]+$/.exec(request.header('host'))?.[0] ?? ''

/** Whether the client has the bytes that go by this `ETag`, or, with `*`, any at all. RFC 9110 13.1.2 */
export const holds = (request: Pick<HttpRequest, 'header'>, tag: string | undefined): boolean =>
  tag !== undefined &&
  request
    .header('if-none-match')
    .split(',')
    .map((given) => given.trim().replace(/^W\//, ''))
    .some((given) => given === tag || given === '*')

export type HttpReply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
  /**
   * Sent after `body` as fast as the client reads, part by part, with no length: an error in it ends the connection, so that
   * no client takes the parts that came for the whole. Begun only when it is to be sent; ended early when the client goes away.
   */
  readonly stream?: AsyncIterable<string | Buffer>
  /** Sent instead of the body: nothing of it is held while the client does not read. */
  readonly source?: ByteSource
}

/** All of an answer's body, for callers without a port (tests). */
export async function wholeBody({ body, stream, source }: HttpReply): Promise<Buffer> {
  const parts: Buffer[] = []
  if (source) for (let at = 0; at < source.size; at += parts.at(-1)?.length ?? 0) parts.push(await source.at(at))
  else parts.push(Buffer.from(body))
  if (stream) for await (const part of stream) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}

/** Bytes that are fetched as they are sent. */
export type ByteSource = {
  readonly size: number
  /** The bytes from there on: at least one, as many as are at hand. Rejects when they cannot be had: the connection is cut. */
  at(offset: number): Buffer | Promise<Buffer>
}

/**
 * A path that needs no key: pages, bundles, health, signed uploads, also below `/rest`. `{name}` is one segment,
 * `{name*}` the rest of the path. Parameters are percent-decoded once.
 */
export type Page = {
  readonly path: string
  /** GET (with HEAD) unless said. */
  readonly methods?: readonly ('GET' | 'PUT' | 'POST' | 'DELETE')[]
  /** Takes as long as its client sends: no deadline but those that its handler sets. */
  readonly unhurried?: boolean
  handle(
    request: HttpRequest,
    params: Readonly<Record<string, string>>,
    requestId: string,
  ): Promise<HttpReply> | HttpReply
}

/** Of graphics that nobody has checked: no device of the person who has them open. */
export const NO_DEVICES =
  'camera=(), microphone=(), geolocation=(), display-capture=(), usb=(), serial=(), hid=(), midi=()'
