import { hash } from 'node:crypto'
import { keyExpired, unauthenticated } from '../errors.ts'
import type { Principal } from '../principal.ts'
import { KEY_PREFIX, SCOPE_RESOURCES } from '../secrets/api-key.ts'
import { serviceTime } from '../waiting/service-time.ts'
import type { HttpRequest } from './message.ts'

const MAX_KEY_CHARACTERS = 512

/** A row of `api_key`. */
export type ApiKey = {
  readonly id: number
  readonly organizationId: number
  readonly name: string
  /** SHA-256 of the whole key, in hex. */
  readonly hash: string
  readonly scopes: readonly string[]
  /** Set on a key made before scopes existed. spec: Authentication 9 */
  readonly legacyAccess: 'read' | 'write' | null
  readonly expiresAt: Date | null
}

/** Where keys are kept. */
export interface KeyStore {
  /** The key with this hash, in hex; at once when the cached row may be trusted, else from the database. */
  find(hash: string): ApiKey | undefined | Promise<ApiKey | undefined>
  /** Notes that the key was used; written later and seldom. */
  used(id: number): void
}

/** The key that a request sends. Throws unauthenticated. spec: Authentication 3 */
export function keyOf(request: Pick<HttpRequest, 'header' | 'has'>): string {
  const legacy = request.header('x-service-api-key')
  let key = legacy
  if (request.has('authorization')) {
    const authorization = request.header('authorization')
    key = authorization.slice(7).trimStart()
    if (authorization.slice(0, 7).toLowerCase() !== 'bearer ' || key === '' || /[\s,]/.test(key))
      throw unauthenticated('The Authorization header must read: Bearer <API_KEY>')
    if (request.has('x-service-api-key') && legacy !== key) throw unauthenticated('Two different API keys were sent')
  }
  if (!key.startsWith(KEY_PREFIX) || key.length > MAX_KEY_CHARACTERS) throw unauthenticated()
  return key
}

/** All scopes that a key opens: `write` brings `read`, a legacy key brings every resource. spec: Authentication 4, 9 */
export function scopesGranted(key: Pick<ApiKey, 'scopes' | 'legacyAccess'>): ReadonlySet<string> {
  const scopes = key.legacyAccess ? SCOPE_RESOURCES.map((resource) => `${resource}:${key.legacyAccess}`) : key.scopes
  return new Set(
    scopes.flatMap((scope) => (scope.endsWith(':write') ? [scope, scope.replace(/write$/, 'read')] : [scope])),
  )
}

/** Makes the function that turns a request into its principal; it throws unauthenticated or keyExpired. spec: Authentication */
export function createAuthenticator(store: KeyStore, now: () => number = serviceTime) {
  const principals = new WeakMap<ApiKey, Principal>()

  const principalOf = (key: ApiKey): Principal => {
    const known = principals.get(key)
    if (known) return known
    const principal = {
      organizationId: key.organizationId,
      actor: { type: 'key', id: key.id, name: key.name } as const,
      chargedTo: `key/${key.id}`,
      scopes: scopesGranted(key),
    }
    principals.set(key, principal)
    return principal
  }

  const check = (found: ApiKey | undefined, digest: string): Principal => {
    if (found?.hash !== digest) throw unauthenticated()
    if (found.expiresAt && found.expiresAt.getTime() <= now()) throw keyExpired()
    store.used(found.id)
    return principalOf(found)
  }

  return (request: Pick<HttpRequest, 'header' | 'has'>): Principal | Promise<Principal> => {
    // text and no buffer, which would be memory outside V8 with each request; how long hashes are compared says nothing of a key
    const digest = hash('sha256', keyOf(request), 'hex')
    const found = store.find(digest)
    return found instanceof Promise ? found.then((key) => check(key, digest)) : check(found, digest)
  }
}
