import { type FormEvent, useEffect, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { request } from '../ui/request.ts'
import { wordsOf } from './api.ts'
import { BASE } from './router.tsx'
import { useCommand } from './use-command.ts'

/** The sign-in; the address that was opened stays. */
export function SignIn({ expired, onSignedIn }: { expired: boolean; onSignedIn: () => Promise<void> }) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const signIn = useCommand(async (who: { email: string; password: string }) => {
    await request('POST', `${BASE}/auth/sign-in/email`, { body: who })
    await onSignedIn()
  })
  useEffect(() => {
    document.title = 'Sign in · Tally'
  }, [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void signIn.run({ email: email.trim(), password })
  }
  return (
    <main className="alone">
      <form className="sign-in panel" onSubmit={submit}>
        <p className="brand">
          <span className="brand-lamp" aria-hidden="true" />
          Tally
        </p>
        <h1 className="sign-in-title">Sign in</h1>
        {expired && !signIn.error && (
          <p className="notice" role="status">
            Your session has ended. Sign in to go on where you were.
          </p>
        )}
        <TextField
          label="E-mail"
          type="email"
          name="email"
          autoComplete="username"
          required
          autoFocus
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <TextField
          label="Password"
          type="password"
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        {signIn.error !== undefined && (
          <p className="notice notice-bad" role="alert">
            {wordsOf(signIn.error)}
          </p>
        )}
        <Button type="submit" look="primary" disabled={signIn.busy}>
          {signIn.busy ? 'Signing in…' : 'Sign in'}
        </Button>
        <p className="field-hint">
          The first start of the server prints an address, an e-mail and a password. Later accounts are made under
          People.
        </p>
      </form>
    </main>
  )
}
