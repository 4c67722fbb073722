import { useState } from 'react'
import { TextField } from '../../ui/field.tsx'
import { api } from '../api.ts'
import { FormDialog } from '../form-dialog.tsx'
import type { PersonWithPassword } from '../shapes.ts'
import { useCommand } from '../use-command.ts'
import { PasswordShown } from './password-shown.tsx'
import { type Role, RoleField } from './roles.tsx'

/** Lets somebody sign in; the server makes up the first password. */
export function NewPersonDialog({ onClose, onAdded }: { onClose: () => void; onAdded: () => Promise<void> }) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('operator')
  const [added, setAdded] = useState<PersonWithPassword>()
  const add = useCommand(async (body: object, key) => {
    setAdded(await api<PersonWithPassword>('POST', '/v1/people', { body, key }))
    await onAdded()
  })
  if (added) return <PasswordShown email={added.email} password={added.password} onClose={onClose} />
  const submit = () => {
    void add.run({ email: email.trim(), role })
  }
  return (
    <FormDialog
      onClose={onClose}
      title="Add somebody"
      about="They sign in with this e-mail and a password that you are shown next."
      label="Add"
      command={add}
      onSubmit={submit}
    >
      <TextField
        label="E-mail"
        type="email"
        required
        error={add.fields.email}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <RoleField role={role} error={add.fields.role} onChange={setRole} />
    </FormDialog>
  )
}
