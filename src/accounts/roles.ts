import type { Role } from '../resources/organizations/schema.ts'
import { SCOPE_RESOURCES } from '../secrets/api-key.ts'

const reads = SCOPE_RESOURCES.map((resource) => `${resource}:read`)
const writes = SCOPE_RESOURCES.map((resource) => `${resource}:write`)
// of the dashboard's own operations, which no API key opens
const everybody = ['me:read', ...reads]
const user = [...everybody, ...writes]
const admin = [
  ...user,
  'keys:read',
  'keys:write',
  'people:read',
  'people:write',
  'audit:read',
  'nodes:read',
  'nodes:write',
  // where everything that happens is told to, and what lets a stranger forge it
  'webhooks:read',
  'webhooks:write',
  // what may change every record, and asks other servers
  'provider-connections:read',
  'provider-connections:write',
]

/** The scopes of a role at the dashboard, with those that a write includes. Only owners and admins touch keys. spec: Authentication 10 */
export const ROLE_SCOPES: Readonly<Record<Role, ReadonlySet<string>>> = {
  owner: new Set([...admin, 'owners:write']),
  admin: new Set(admin),
  user: new Set(user),
  operator: new Set([...everybody, 'overlays:write']),
}
