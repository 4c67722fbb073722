/** A request with everything copied out of the server, so it may outlive the callback that brought it. */
export type HttpRequest = {
  /** Upper case. */
  readonly method: string
  /** Path as sent, not decoded, without the query. */
  readonly path: string
  /** Without the question mark; empty when there is none. */
  readonly query: string
  /** Lower-case name; empty string when absent. */
  header(name: string): string
  readonly remoteAddress: string
  /** Reads the whole body; throws bodyTooLarge above the limit, and resolves undefined when the client went away. */
  body(maxBytes: number): Promise<Buffer | undefined>
}

export type HttpReply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

/** A path outside `/rest`: pages, bundles, health. `{name}` is one segment, `{name*}` the rest of the path. GET and HEAD only. */
export type Page = {
  readonly path: string
  handle(request: HttpRequest, params: Readonly<Record<string, string>>): Promise<HttpReply> | HttpReply
}
