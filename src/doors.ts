import type { Sql } from 'postgres'
import type { Principal } from './context.ts'
import { notFound } from './errors.ts'
import type { Door } from './http/door.ts'
import type { Route } from './http/route.ts'
import { controlPageRoutes } from './resources/control-page/routes.ts'
import { monitorPageRoutes } from './resources/monitor-page/routes.ts'
import { digestOf } from './secrets/digest.ts'

type Linked = { id: number; organizationId: number }

/** The page of an overlay: the secret in its address opens this overlay, and of that what its page is for. */
function linkDoor(
  page: 'control' | 'monitor',
  routes: readonly Route[],
  find: (token: string) => Promise<Linked[]>,
): Door {
  const scopes = new Set([page])
  return {
    prefix: `/${page}/{token}/rest`,
    routes,
    async authenticate(_request, { token = '' }): Promise<Principal> {
      const [overlay] = /^[\w-]{1,200}$/.test(token) ? await find(token) : []
      if (!overlay) throw notFound()
      const { id, organizationId } = overlay
      const actor = { type: 'link', overlayId: id } as const
      return { organizationId, actor, chargedTo: `${page}/${id}`, scopes }
    },
  }
}

/** The ways to operations beside `/rest`: those of the pages. */
export function doorsOf(sql: Sql): Door[] {
  const by = (column: 'control_digest' | 'monitoring_digest') => async (token: string) =>
    sql<Linked[]>`select id, organization_id as "organizationId" from overlay where ${sql(column)} = ${digestOf(token)}`
  return [
    linkDoor('control', controlPageRoutes, by('control_digest')),
    linkDoor('monitor', monitorPageRoutes, by('monitoring_digest')),
  ]
}
