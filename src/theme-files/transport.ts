export type WireRequest = {
  method: string
  url: URL
  headers: Readonly<Record<string, string>>
  body?: string | Buffer
}
export type WireAnswer = {
  status: number
  /** By lower-case name. */
  header(name: string): string | undefined
  body: Buffer
}

/** Sends one request and reads its whole answer; throws when there is none. */
export type Transport = (request: WireRequest) => Promise<WireAnswer>

/** As long as a signed address takes its bytes. */
const ANSWERED_WITHIN_MS = 900_000

/** Over HTTP, with connections that are used again. */
export const httpTransport: Transport = async ({ method, url, headers, body }) => {
  const response = await fetch(url, {
    method,
    headers: { ...headers },
    // a body that is no view of shared memory, which a Buffer of ours never is
    ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
  })
  return {
    status: response.status,
    header: (name) => response.headers.get(name) ?? undefined,
    body: Buffer.from(await response.arrayBuffer()),
  }
}
