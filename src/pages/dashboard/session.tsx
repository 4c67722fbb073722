import { createContext, type ReactNode, useContext } from 'react'
import type { Session } from './shapes.ts'

const SessionContext = createContext<Session | undefined>(undefined)

export const SessionProvider = ({ session, children }: { session: Session; children: ReactNode }) => (
  <SessionContext value={session}>{children}</SessionContext>
)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('nobody is signed in here')
  return session
}

/** Whether these scopes open `matches:read`; write includes read. spec: Authentication 4 */
export function opens(scopes: readonly string[], wanted: string): boolean {
  return scopes.includes(wanted) || scopes.includes(wanted.replace(/:read$/, ':write'))
}

/** Whether the person who is signed in may do actions that need this scope; the server judges again. */
export const useMay = (scope: string): boolean => opens(useSession().scopes, scope)
