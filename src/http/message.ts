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
  /** Reads the whole body; throws bodyTooLarge above the limit, and resolves undefined when the client went away. */
  body(maxBytes: number): Promise<Buffer | undefined>
}

export type HttpReply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

/**
 * A path that needs no key: pages, bundles, health, signed uploads, also below `/rest`. `{name}` is one segment,
 * `{name*}` the rest of the path. Parameters are percent-decoded once.
 */
export type Page = {
  readonly path: string
  /** GET (with HEAD) unless said. */
  readonly methods?: readonly ('GET' | 'PUT' | 'POST' | 'DELETE')[]
  handle(request: HttpRequest, params: Readonly<Record<string, string>>): Promise<HttpReply> | HttpReply
}
