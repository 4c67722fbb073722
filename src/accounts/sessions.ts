import { isAPIError } from 'better-auth/api'
import type { Sql } from 'postgres'
import { unavailable } from '../errors.ts'
import type { HttpRequest } from '../http/message.ts'
import { Role, SESSION_IDLE_MS } from '../resources/organizations/schema.ts'
import { ADDRESS_HEADER, type Auth } from './auth.ts'

const SEEN_EVERY_MS = 60_000
const MAX_HEADER_CHARACTERS = 4_096

/** A person who is signed in. */
export type SignedIn = {
  readonly sessionId: number
  readonly organizationId: number
  readonly personId: number
  readonly email: string
  readonly role: Role
}

/** The headers of a request that the authentication library may know. */
export function headersFor(request: Pick<HttpRequest, 'header'>, address?: string): Headers {
  const plain = (text: string) => text.slice(0, MAX_HEADER_CHARACTERS).replace(/[^\x20-\x7e]/g, '?')
  return new Headers({
    cookie: plain(request.header('cookie')),
    'user-agent': plain(request.header('user-agent')).slice(0, 300),
    ...(address !== undefined && { [ADDRESS_HEADER]: address }),
  })
}

/** The error that a refusal of the library stands for, if it is not about the person who asks. */
export function rethrowFault(error: unknown): void {
  if (!isAPIError(error)) throw error
  if (error.statusCode === 503) throw unavailable()
  if (error.statusCode >= 500) throw new Error('the authentication library failed', { cause: error })
}

/** Finds the session of a request by its cookie: not older than 7 days, not idle for 12 hours. */
export function createSessions(auth: Auth, sql: Sql) {
  const end = async (sessionId: number): Promise<void> => {
    await sql`delete from person_session where id = ${sessionId}`
  }
  return {
    end,
    /** From where people are signed in, or one of them. */
    places: (email: string | null = null) => sql<{ email: string; address: string }[]>`
      select distinct email, address from person_session s join person on person.id = person_id
      where address is not null and (${email}::text is null or email = ${email})`,
    /** Rows of sessions that are over. */
    async sweep(): Promise<void> {
      await sql`delete from person_session where expires_at < now() or seen_at < now() - ${SESSION_IDLE_MS} * interval '1 ms'`
    },
    /** Undefined for nobody. Throws unavailable. */
    async find(request: Pick<HttpRequest, 'header'>): Promise<SignedIn | undefined> {
      if (request.header('cookie') === '') return undefined
      const found = await auth.api.getSession({ headers: headersFor(request) }).catch(rethrowFault)
      if (!found) return undefined
      const { session, user } = found
      const sessionId = Number(session.id)
      const idleMs = Date.now() - session.updatedAt.getTime()
      if (idleMs > SESSION_IDLE_MS) {
        await end(sessionId)
        return undefined
      }
      if (idleMs > SEEN_EVERY_MS) await sql`update person_session set seen_at = now() where id = ${sessionId}`
      return {
        sessionId,
        organizationId: user.organizationId,
        personId: Number(user.id),
        email: user.email,
        role: Role.parse(user.role),
      }
    },
  }
}

export type Sessions = ReturnType<typeof createSessions>
