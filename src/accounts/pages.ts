import { z } from 'zod'
import { type FieldErrors, invalid, unauthenticated } from '../errors.ts'
import { requestIdOf } from '../http/headers.ts'
import { fieldPath, readJson } from '../http/json.ts'
import { ClientGone, type HttpReply, type HttpRequest, type Page } from '../http/message.ts'
import type { Audit, Origin } from './audit.ts'
import type { Auth } from './auth.ts'
import type { LockOut } from './lock-out.ts'
import { requireOurPage } from './own-page.ts'
import { headersFor, rethrowFault, type Sessions, type SignedIn } from './sessions.ts'

const MAX_BODY_BYTES = 16_384

const Credentials = z.strictObject({
  email: z.string().trim().toLowerCase().min(1).max(254),
  password: z.string().min(1).max(1_024),
})

type SignInParts = {
  auth: Auth
  sessions: Sessions
  lockOut: LockOut
  audit: Audit
  publicUrl(): string
}

type Ask = (request: HttpRequest) => Promise<HttpReply>

/**
 * How people come in and go out: `POST /dashboard/auth/sign-in/email` with e-mail and password, `/sign-out`. Each answers 204
 * with a cookie. All else that the authentication library can do is not reachable.
 */
export function signInPages(parts: SignInParts): Page[] {
  const page = (path: string, ask: Ask): Page => ({
    path: `/dashboard/auth/${path}`,
    methods: ['POST'],
    handle(request) {
      requireOurPage(request, parts.publicUrl())
      return ask(request)
    },
  })
  return [page('sign-in/email', signIn(parts)), page('sign-out', signOut(parts))]
}

/** 401 says nothing about which of the two is wrong. */
const signIn =
  ({ auth, sessions, lockOut, audit }: SignInParts): Ask =>
  async (request) => {
    const given = await readBody(request, Credentials)
    const from = originOf(request)
    const attempt = { email: given.email, address: from.address }
    const { last } = await lockOut.attempt(attempt)
    const signedIn = await judge(auth, request, given).catch(async (error) => {
      await lockOut.forget(attempt, false)
      throw error
    })
    if (!signedIn) {
      audit.failed(given.email, last, from)
      throw unauthenticated('E-mail or password is wrong')
    }
    await lockOut.forget(attempt, true)
    // whoever had been signed in at this browser is not any more
    const before = await sessions.find(request)
    if (before) await sessions.end(before.sessionId)
    await audit.by(signedIn.who, 'sign-in', 'person.signed-in', from)
    return done(signedIn.cookie)
  }

const signOut =
  ({ auth, sessions, audit }: SignInParts): Ask =>
  async (request) => {
    const who = await sessions.find(request)
    if (who) {
      await sessions.end(who.sessionId)
      await audit.by(who, 'sign-out', 'person.signed-out', originOf(request))
    }
    const { sessionToken } = (await auth.$context).authCookies
    return done(expired(sessionToken))
  }

/** Undefined when e-mail and password do not fit. Throws unavailable. */
async function judge(
  auth: Auth,
  request: HttpRequest,
  { email, password }: z.output<typeof Credentials>,
): Promise<{ cookie: string; who: Pick<SignedIn, 'organizationId' | 'personId' | 'email'> } | undefined> {
  const answer = await auth.api
    .signInEmail({ body: { email, password }, headers: headersFor(request), returnHeaders: true })
    .catch(rethrowFault)
  if (!answer) return undefined
  const { user } = answer.response
  const [cookie = ''] = answer.headers.getSetCookie()
  return {
    cookie,
    who: { organizationId: user.organizationId, personId: Number(user.id), email: user.email },
  }
}

async function readBody<T extends z.ZodType>(request: HttpRequest, schema: T): Promise<z.output<T>> {
  const bytes = await request.body(MAX_BODY_BYTES)
  if (!bytes) throw new ClientGone()
  // never with what was sent: it is a password
  const details: FieldErrors = {}
  const parsed = schema.safeParse(readJson(bytes, details))
  for (const { path, message } of parsed.error?.issues ?? []) details[fieldPath('body', path)] = { message }
  if (parsed.success && Object.keys(details).length === 0) return parsed.data
  throw invalid(details)
}

const originOf = (request: HttpRequest): Origin => ({
  address: request.remoteAddress,
  userAgent: request.header('user-agent').slice(0, 300),
  requestId: requestIdOf(request),
})

const done = (cookie: string): HttpReply => ({
  status: 204,
  headers: { 'Set-Cookie': cookie, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' },
  body: '',
})

type Cookie = Awaited<Auth['$context']>['authCookies']['sessionToken']

const expired = ({ name, attributes }: Cookie): string =>
  [
    `${name}=`,
    'Max-Age=0',
    `Path=${attributes.path ?? '/'}`,
    'HttpOnly',
    ...(attributes.secure ? ['Secure'] : []),
    'SameSite=Strict',
  ].join('; ')
