import { unauthenticated } from '../errors.ts'
import type { Mount } from '../http/mount.ts'
import type { Route } from '../http/route.ts'
import type { Principal } from '../principal.ts'
import { requireOurPage } from './own-page.ts'
import { ROLE_SCOPES } from './roles.ts'
import type { Sessions } from './sessions.ts'

type DashboardOptions = { routes: readonly Route[]; sessions: Sessions; publicUrl(): string }

/** Every operation of the API and the dashboard's own, for people who are signed in there. */
export const dashboardMount = ({ routes, sessions, publicUrl }: DashboardOptions): Mount => ({
  prefix: '/dashboard/rest',
  routes,
  async authenticate(request): Promise<Principal> {
    requireOurPage(request, publicUrl())
    const signedIn = await sessions.find(request)
    if (!signedIn) throw unauthenticated('Nobody is signed in')
    const { organizationId, personId, email, role } = signedIn
    return {
      organizationId,
      actor: { type: 'person', id: personId, name: email },
      chargedTo: `person/${personId}`,
      scopes: ROLE_SCOPES[role],
    }
  },
})
