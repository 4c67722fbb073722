import { type Route, route } from '../../http/route.ts'
import { getMe } from './queries.ts'
import { Me } from './schema.ts'

/** Operations that only people who are signed in at the dashboard have; no API key opens them. */
export const dashboardRoutes: readonly Route[] = [
  route({ method: 'get', path: '/v1/me', summary: 'Who is signed in', response: Me, handle: getMe }),
]
