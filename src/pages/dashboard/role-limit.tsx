import { useMay, useSession } from './session.tsx'

/** The actions that a role without the scope may not do, and the least role that may. */
const LIMITS = {
  'matches:write': { what: 'change matches', role: 'user' },
  'teams:write': { what: 'change teams and players', role: 'user' },
  'overlays:write': { what: 'change overlays', role: 'user' },
  'streams:write': { what: 'run or change streams', role: 'user' },
  'competitions:write': { what: 'change competitions, game plans and sponsor slots', role: 'user' },
  'players:write': { what: 'change officials, or delete players', role: 'user' },
  'venues:write': { what: 'change venues', role: 'user' },
  'themes:write': { what: 'change themes and control rooms', role: 'user' },
  'owners:write': { what: 'change owners', role: 'owner' },
} as const

export type LimitedScope = keyof typeof LIMITS

/** Stands where a control would, for people whose role does not open it: why it is not there, and which role can change that. */
export function RoleLimit({ scope }: { scope: LimitedScope }) {
  const { role } = useSession()
  const limit = LIMITS[scope]
  if (useMay(scope)) return null
  const giver = limit.role === 'owner' ? 'An owner' : 'An owner or admin'
  return (
    <p className="notice role-limit">
      Your role, {role}, may not {limit.what}. {giver} can give you the role {limit.role}.
    </p>
  )
}
