import { SelectField } from '../../ui/field.tsx'
import { useMay } from '../session.tsx'
import type { Person } from '../shapes.ts'

export type Role = Person['role']

export const ROLES: Readonly<Record<Role, { title: string; about: string }>> = {
  owner: { title: 'Owner', about: 'Everything, other owners too.' },
  admin: { title: 'Admin', about: 'Everything but what concerns owners: API keys, people and audit too.' },
  user: { title: 'User', about: 'Matches, overlays, streams, themes and control rooms. No keys, people or audit.' },
  operator: {
    title: 'Operator',
    about: 'Looks at every production, and runs its overlays: graphics, addresses and settings. Changes nothing else.',
  },
}

/** Only owners make owners. */
export function RoleField({
  role,
  error,
  onChange,
}: {
  role: Role
  error: string | undefined
  onChange: (role: Role) => void
}) {
  const makesOwners = useMay('owners:write')
  const choices = Object.entries(ROLES).filter(([key]) => key !== 'owner' || makesOwners)
  return (
    <SelectField
      label="Role"
      hint={ROLES[role].about}
      error={error}
      value={role}
      onChange={({ target }) => {
        const chosen = roleOf(target.value)
        if (chosen) onChange(chosen)
      }}
    >
      {choices.map(([key, { title }]) => (
        <option key={key} value={key}>
          {title}
        </option>
      ))}
    </SelectField>
  )
}

const roleOf = (text: string): Role | undefined =>
  text === 'owner' || text === 'admin' || text === 'user' || text === 'operator' ? text : undefined
