import { useState } from 'react'
import { api } from '../api.ts'
import { Confirm } from '../confirm.tsx'
import type { Person } from '../shapes.ts'
import { PasswordShown } from './password-shown.tsx'
import { RoleField } from './roles.tsx'

export type Asked = { what: 'role' | 'password' | 'sessions' | 'delete'; person: Person }

type Props = Asked & { onClose: () => void; reload: () => Promise<void> }

/** Asks before the account of a person is changed. */
export function PersonDialog({ what, person, onClose, reload }: Props) {
  const path = `/v1/people/${person.id}`
  const common = { open: true, onClose }
  if (what === 'role') return <RoleDialog person={person} onClose={onClose} reload={reload} />
  if (what === 'password') return <PasswordDialog person={person} onClose={onClose} reload={reload} />
  if (what === 'sessions')
    return (
      <Confirm
        {...common}
        title={`Sign ${person.email} out?`}
        about="Everywhere, at once. They can sign in again with their password."
        label="Sign out everywhere"
        write={async (key) => {
          await api('DELETE', `${path}/sessions`, { key })
          await reload()
        }}
      />
    )
  return (
    <Confirm
      {...common}
      title={`Delete ${person.email}?`}
      about="They are signed out at once and cannot sign in any more. What they did stays in the logs. API keys stay."
      label="Delete the person"
      write={async (key) => {
        await api('DELETE', path, { key })
        await reload()
      }}
    />
  )
}

type OneProps = Omit<Props, 'what'>

function RoleDialog({ person, onClose, reload }: OneProps) {
  const [role, setRole] = useState(person.role)
  return (
    <Confirm
      open
      title={`Role of ${person.email}`}
      about="With a change they are signed out everywhere, and sign in again with the new role."
      label="Change the role"
      look="primary"
      disabled={role === person.role}
      onClose={onClose}
      write={async (key) => {
        await api('PATCH', `/v1/people/${person.id}`, { body: { role }, key })
        await reload()
      }}
    >
      <RoleField role={role} error={undefined} onChange={setRole} />
    </Confirm>
  )
}

function PasswordDialog({ person, onClose, reload }: OneProps) {
  const [password, setPassword] = useState<string | null>()
  if (password !== undefined) return <PasswordShown email={person.email} password={password} onClose={onClose} />
  return (
    <Confirm
      open
      title={`New password for ${person.email}?`}
      about="Their old password stops working, and they are signed out everywhere at once."
      label="Make a new password"
      onClose={() => {}}
      onCancel={onClose}
      write={async (key) => {
        const made = await api<{ password: string | null }>('POST', `/v1/people/${person.id}/password`, {
          body: {},
          key,
        })
        setPassword(made.password)
        await reload()
      }}
    />
  )
}
