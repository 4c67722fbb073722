import { randomUUID } from 'node:crypto'
import type { HttpRequest } from './message.ts'
import type { Route } from './route.ts'

const SANE_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/

/** The id of the request: the caller's when it is a sane token, else a new one. */
export function requestIdOf(request: Pick<HttpRequest, 'header'>): string {
  const given = request.header('x-request-id')
  return given !== '' && SANE_REQUEST_ID.test(given) ? given : randomUUID()
}

const EXPOSED = [
  'ETag',
  'X-Request-Id',
  'X-Service-Beta',
  'Link',
  'Deprecation',
  'Sunset',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'Idempotency-Replayed',
  'Content-Disposition',
  'X-Total-Count',
  'X-Next-Cursor',
].join(', ')

/** On every answer below `/rest`. */
export const REST_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED,
}

export const ALL_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'

/** On the answer to a preflight: `allow` are the methods of the path. */
export const preflight = (allow = ALL_METHODS): Readonly<Record<string, string>> => ({
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Request-Id, x-service-api-key, x-cloud-checksum-sha256',
  'Access-Control-Max-Age': '86400',
  Allow: allow,
  'Access-Control-Allow-Methods': allow,
})

/** The day on which a deprecated operation stops. spec: Versioning 5 */
export function sunsetOf(deprecated: string): Date {
  const day = new Date(deprecated)
  day.setUTCFullYear(day.getUTCFullYear() + 1)
  return day
}

/** Headers of Beta and deprecated operations, on every answer, errors too. spec: Versioning 4, 5 */
export function warnings(beta: boolean | undefined, deprecated: string | undefined, publicUrl: string) {
  const links: string[] = []
  const headers: Record<string, string> = {}
  if (beta) {
    headers['X-Service-Beta'] = 'true'
    links.push(`<${publicUrl}/docs#beta>; rel="help"`)
  }
  if (deprecated) {
    headers.Deprecation = `@${Math.floor(new Date(deprecated).getTime() / 1000)}`
    headers.Sunset = sunsetOf(deprecated).toUTCString()
    links.push(`<${publicUrl}/docs/changes>; rel="deprecation"`)
  }
  if (links.length > 0) headers.Link = links.join(', ')
  return headers
}

/** The same for answers that no operation makes: to a method that a path does not have, and to a preflight. */
export const pathWarnings = (operations: Iterable<Pick<Route, 'beta'>>, publicUrl: string): Record<string, string> =>
  warnings(
    Array.from(operations).every(({ beta }) => beta),
    undefined,
    publicUrl,
  )
