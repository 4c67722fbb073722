import { useCallback, useEffect, useState } from 'react'
import { Refusal } from '../ui/request.ts'
import { api, sessionEnd } from './api.ts'
import { Waiting } from './parts.tsx'
import { SessionProvider } from './session.tsx'
import type { Session } from './shapes.ts'
import { Shell } from './shell.tsx'
import { SignIn } from './sign-in.tsx'

type Who = Session | 'nobody' | 'unknown'

/** The dashboard: the sign-in, and behind it the shell with the view of the path. */
export function App() {
  const [who, setWho] = useState<Who>('unknown')
  const [error, setError] = useState<unknown>()
  const [expired, setExpired] = useState(false)

  const ask = useCallback(async () => {
    try {
      setWho(await api<Session>('GET', '/v1/me'))
      setError(undefined)
      setExpired(false)
    } catch (refusal) {
      if (refusal instanceof Refusal && refusal.status === 401) setWho('nobody')
      else setError(refusal)
    }
  }, [])

  useEffect(() => {
    void ask()
  }, [ask])
  useEffect(() => {
    const ended = () =>
      setWho((last) => {
        if (typeof last === 'object') setExpired(true)
        return 'nobody'
      })
    sessionEnd.addEventListener('ended', ended)
    return () => sessionEnd.removeEventListener('ended', ended)
  }, [])

  if (who === 'nobody') return <SignIn expired={expired} onSignedIn={ask} />
  if (who === 'unknown')
    return (
      <main className="alone">
        <Waiting error={error} reload={ask} />
      </main>
    )
  return (
    <SessionProvider session={who}>
      <Shell
        onSignedOut={() => {
          setExpired(false)
          setWho('nobody')
        }}
      />
    </SessionProvider>
  )
}
