import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Facts, Panel } from '../../ui/panel.tsx'
import { Refusal, request } from '../../ui/request.ts'
import { endSession } from '../api.ts'
import { Failure, PageHead } from '../parts.tsx'
import { ROLES } from '../people/roles.tsx'
import { BASE } from '../router.tsx'
import { useSession } from '../session.tsx'
import { useCommand } from '../use-command.ts'

/** The person who is signed in, and another password. */
export function AccountView() {
  const { email, role, organization } = useSession()
  return (
    <>
      <PageHead title="Account" />
      <Panel title="Signed in">
        <Facts
          facts={[
            ['E-mail', email],
            ['Organization', organization.name],
            ['Role', `${ROLES[role].title}: ${ROLES[role].about}`],
          ]}
        />
      </Panel>
      <Password email={email} />
    </>
  )
}

const NOTHING = { currentPassword: '', newPassword: '', again: '' }

function Password({ email }: { email: string }) {
  const [given, setGiven] = useState(NOTHING)
  const [mistyped, setMistyped] = useState(false)
  const [changed, setChanged] = useState(false)
  const change = useCommand(async (body: { currentPassword: string; newPassword: string }) => {
    await request('POST', `${BASE}/auth/change-password`, { body }).catch((error) => {
      if (error instanceof Refusal && error.status === 401) endSession()
      throw error
    })
    setGiven(NOTHING)
    setChanged(true)
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { again, ...body } = given
    setMistyped(again !== body.newPassword)
    setChanged(false)
    if (again === body.newPassword) void change.run(body)
  }
  const field = (name: keyof typeof NOTHING) => ({
    name,
    type: 'password',
    required: true,
    value: given[name],
    onChange: (event: { target: { value: string } }) => setGiven((last) => ({ ...last, [name]: event.target.value })),
  })
  const { currentPassword, newPassword } = change.fields
  return (
    <Panel title="Password" about="With another password you are signed out everywhere else.">
      <form className="stack account-form" onSubmit={submit}>
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <TextField
          label="Password now"
          autoComplete="current-password"
          error={currentPassword && `This ${currentPassword}`}
          {...field('currentPassword')}
        />
        <TextField
          label="New password"
          autoComplete="new-password"
          minLength={10}
          hint="At least 10 characters; a few words do"
          error={newPassword && `This ${newPassword}`}
          {...field('newPassword')}
        />
        <TextField
          label="New password again"
          autoComplete="new-password"
          error={mistyped && 'This is not the same'}
          {...field('again')}
        />
        {!currentPassword && !newPassword && <Failure error={change.error} />}
        <p className={changed ? 'notice notice-good' : 'visually-hidden'} role="status">
          {changed && 'The password is changed.'}
        </p>
        <div className="form-actions">
          <Button type="submit" look="primary" disabled={change.busy}>
            {change.busy ? 'Changing…' : 'Change the password'}
          </Button>
        </div>
      </form>
    </Panel>
  )
}
