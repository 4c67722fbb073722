import { Dialog } from 'radix-ui'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { Refusal } from '../ui/request.ts'
import { api, resume, sessionEnd } from './api.ts'
import { Waiting } from './parts.tsx'
import { SessionProvider } from './session.tsx'
import type { Session } from './shapes.ts'
import { Shell } from './shell.tsx'
import { SignIn } from './sign-in.tsx'

/** The dashboard: the sign-in, and behind it the shell with the view of the path. */
export function App() {
  const [session, setSession] = useState<Session>()
  const [state, setState] = useState<'unknown' | 'nobody' | 'somebody'>('unknown')
  const [error, setError] = useState<unknown>()
  const [over, setOver] = useState(false)

  const ask = useCallback(async () => {
    resume()
    try {
      setSession(await api<Session>('GET', '/v1/me'))
      setState('somebody')
      setError(undefined)
      sessionEnd.dispatchEvent(new Event('resumed'))
    } catch (refusal) {
      if (!(refusal instanceof Refusal && refusal.status === 401)) setError(refusal)
    }
  }, [])

  useEffect(() => {
    const ended = () => {
      setState('nobody')
      setOver(document.querySelector('[role="dialog"]') !== null)
    }
    sessionEnd.addEventListener('ended', ended)
    void ask()
    return () => sessionEnd.removeEventListener('ended', ended)
  }, [ask])

  if (state === 'unknown')
    return (
      <main className="alone">
        <Waiting error={error} reload={ask} />
      </main>
    )
  const signedOut = () => {
    setSession(undefined)
    setState('nobody')
  }
  const signIn = <SignIn expired={session !== undefined} onSignedIn={ask} />
  return (
    <>
      {state === 'nobody' && (session && over ? <Over>{signIn}</Over> : signIn)}
      {session && (
        // text typed before the session ended is still there after the sign-in
        <div key={session.id} hidden={state === 'nobody'}>
          <SessionProvider session={session}>
            <Shell onSignedOut={signedOut} />
          </SessionProvider>
        </div>
      )}
    </>
  )
}

/** Over the dialogs that are open: one of its own, so that they keep typed text and give up the focus. */
const Over = ({ children }: { children: ReactNode }) => (
  <Dialog.Root open>
    <Dialog.Portal>
      <Dialog.Content className="sign-in-over" aria-describedby={undefined}>
        <Dialog.Title className="visually-hidden">Sign in</Dialog.Title>
        {children}
      </Dialog.Content>
    </Dialog.Portal>
  </Dialog.Root>
)
