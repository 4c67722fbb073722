import type { Sql } from 'postgres'
import type { Principal } from './context.ts'
import { notFound } from './errors.ts'
import type { Door } from './http/door.ts'
import { controlPageRoutes } from './resources/control-page/routes.ts'
import { monitorPageRoutes } from './resources/monitor-page/routes.ts'

type Linked = { id: number; organizationId: number }

/** The page of an overlay: the secret in its address opens this overlay, and of that what its page is for. */
function linkDoor(
  { prefix, routes }: Pick<Door, 'prefix' | 'routes'>,
  scope: 'control' | 'monitor',
  find: (token: string) => Promise<readonly Linked[]>,
): Door {
  const scopes = new Set([scope])
  return {
    prefix,
    routes,
    async authenticate(_request, { token = '' }): Promise<Principal> {
      const [overlay] = /^[\w-]{1,200}$/.test(token) ? await find(token) : []
      if (!overlay) throw notFound()
      const { id, organizationId } = overlay
      const actor = { type: 'link', overlayId: id } as const
      return { organizationId, actor, chargedTo: `${scope}/${id}`, scopes }
    },
  }
}

/** The ways to operations beside `/rest`: those of the pages. */
export const doorsOf = (sql: Sql): Door[] => [
  linkDoor(
    { prefix: '/control/{token}/rest', routes: controlPageRoutes },
    'control',
    (token) => sql<Linked[]>`
      select id, organization_id as "organizationId" from overlay where control_token = ${token}`,
  ),
  linkDoor(
    { prefix: '/monitor/{token}/rest', routes: monitorPageRoutes },
    'monitor',
    (token) => sql<Linked[]>`
      select id, organization_id as "organizationId" from overlay where monitoring_token = ${token}`,
  ),
]
