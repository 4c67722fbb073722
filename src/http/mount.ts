import type { Principal } from '../principal.ts'
import type { HttpRequest } from './message.ts'
import type { Route } from './route.ts'

/**
 * A second way to operations: for callers that prove who they are by other means than an API key (the secret in a page's address, or a
 * signed-in session), or in the words of another API. Behind the prefix stands the path of a route; the steps are those of `/rest`.
 */
export type Mount = {
  /** `/dashboard/rest`, `/control/{token}/rest` */
  readonly prefix: string
  readonly routes: readonly Route[]
  /**
   * The principal that comes in; `params` are those of the prefix. Throws the error that refuses the caller. Left out: an API key, as below
   * `/rest`, and the pages of any origin may ask.
   */
  authenticate?(request: HttpRequest, params: Readonly<Record<string, string>>): Principal | Promise<Principal>
  /** Errors are problem details. RFC 7807 */
  readonly problems?: boolean
}

/** Where pages of ours ask: no other origin may read the answers. */
export const MOUNT_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
}
