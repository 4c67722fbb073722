import { logosOf } from '../logos.ts'
import { getClub } from './clubs.queries.ts'
import { getTeam } from './queries.ts'

export const teamLogo = logosOf({ kind: 'team', get: getTeam })
/** Teams of a club that have no logo of their own show its one. */
export const clubLogo = logosOf({ kind: 'club', get: getClub })
