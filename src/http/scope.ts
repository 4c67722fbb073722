import { insufficientScope } from '../errors.ts'
import type { Principal } from '../principal.ts'
import type { Route } from './route.ts'

/** Segments whose scope is not their own name. spec: Authentication 4, 5 */
const RESOURCE_OF: Readonly<Record<string, string>> = {
  officials: 'players',
  schemas: 'themes',
  scenarios: 'themes',
  'control-rooms': 'themes',
  brands: 'themes',
}

/** The scopes any one of which opens the route. spec: Authentication 5 */
export function scopesOf(route: Pick<Route, 'method' | 'path' | 'scopes'>): readonly string[] {
  if (route.scopes) return route.scopes
  const segment = route.path.replace(/^\/v\d+/, '').split('/')[1] ?? ''
  const resource = RESOURCE_OF[segment] ?? segment
  if (route.method !== 'get') return [`${resource}:write`]
  return segment === 'control-rooms' ? ['themes:read', 'overlays:read'] : [`${resource}:read`]
}

/** Throws insufficientScope naming what is missing. spec: Authentication 7 */
export function requireScope(principal: Principal, scopes: readonly string[]): void {
  for (const scope of scopes) if (principal.scopes.has(scope)) return
  throw insufficientScope(scopes.join(' or '))
}
