import { useCallback, useEffect, useState } from 'react'
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
  const [kept, setKept] = useState(true)

  const ask = useCallback(async () => {
    resume()
    try {
      setSession(await api<Session>('GET', '/v1/me'))
      setState('somebody')
      setError(undefined)
      setKept(true)
      sessionEnd.dispatchEvent(new Event('resumed'))
    } catch (refusal) {
      if (!(refusal instanceof Refusal && refusal.status === 401)) setError(refusal)
    }
  }, [])

  useEffect(() => {
    const ended = () => {
      setState('nobody')
      // a dialog would hold the focus, so it goes with its view
      setKept(document.querySelector('[role="dialog"]') === null)
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
  return (
    <>
      {state === 'nobody' && <SignIn expired={session !== undefined} onSignedIn={ask} />}
      {session && (kept || state === 'somebody') && (
        // what was typed before the session ended is still there after the sign-in
        <div key={session.id} hidden={state === 'nobody'}>
          <SessionProvider session={session}>
            <Shell onSignedOut={signedOut} />
          </SessionProvider>
        </div>
      )}
    </>
  )
}
