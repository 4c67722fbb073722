import { whenKnown } from '../catalog/cache.ts'
import type { OverlayCard } from '../catalog/cards.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { notFound } from '../errors.ts'
import type { Mount } from '../http/mount.ts'
import type { Route } from '../http/route.ts'
import type { Principal } from '../principal.ts'
import { controlPageRoutes } from '../resources/control-page/routes.ts'
import { deskRoutes } from '../resources/matches/desk.routes.ts'
import type { FoundDesk } from '../resources/matches/desk-link.queries.ts'
import { monitorPageRoutes } from '../resources/monitor-page/routes.ts'

/**
 * The page of an overlay: the secret in its address opens this overlay, and of it only the operations of the page. A visitor with
 * a known link is let in without a look at the database, so that a press costs no more than one by API key.
 */
function linkMount(
  page: 'control' | 'monitor',
  routes: readonly Route[],
  find: (token: string) => ReturnType<Catalog['named']>,
): Mount {
  const scopes = new Set([page])
  const principals = new WeakMap<OverlayCard, Principal>()
  const principalOf = (overlay: OverlayCard | undefined): Principal => {
    if (!overlay) throw notFound()
    const known = principals.get(overlay)
    if (known) return known
    const { id, organizationId } = overlay
    const actor = { type: 'link', overlayId: id } as const
    const principal = { organizationId, actor, chargedTo: `${page}/${id}`, scopes }
    principals.set(overlay, principal)
    return principal
  }
  return {
    prefix: `/${page}/{token}/rest`,
    routes,
    authenticate: (_request, { token = '' }) => whenKnown(find(token), principalOf),
  }
}

/** The desk of a match: the secret in its address opens this match, and of it only the operations of the page. */
function deskMount(find: (token: string) => Promise<FoundDesk | undefined>): Mount {
  const scopes = new Set(['desk'])
  return {
    prefix: '/desk/{token}/rest',
    routes: deskRoutes,
    async authenticate(_request, { token = '' }) {
      const found = await find(token)
      if (!found) throw notFound()
      const { matchId, organizationId } = found
      return { organizationId, actor: { type: 'desk', matchId }, chargedTo: `desk/${matchId}`, scopes }
    },
  }
}

type PageParts = Pick<Catalog, 'named'> & { desk(token: string): Promise<FoundDesk | undefined> }

/** The ways to operations beside `/rest`: those of the pages. */
export const pageMounts = ({ named, desk }: PageParts): Mount[] => [
  linkMount('control', controlPageRoutes, (token) => named('control', token)),
  linkMount('monitor', monitorPageRoutes, (token) => named('monitoring', token)),
  deskMount(desk),
]
