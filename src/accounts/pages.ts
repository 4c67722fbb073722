import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Database } from '../database.ts'
import { type FieldErrors, invalid, unauthenticated } from '../errors.ts'
import { clientAddress } from '../http/client-address.ts'
import { fieldPath, readJson } from '../http/json.ts'
import { ClientGone, type HttpReply, type HttpRequest, type Page } from '../http/message.ts'
import { setPassword } from '../resources/organizations/people.commands.ts'
import { findPasswordHash, findPasswordHashOf } from '../resources/organizations/people.queries.ts'
import { hashPassword, isPassword } from '../secrets/passwords.ts'
import type { Audit, Origin } from './audit.ts'
import type { Auth } from './auth.ts'
import type { LockOut } from './lock-out.ts'
import { requireOurPage } from './own-page.ts'
import { headersFor, rethrowFault, type Sessions, type SignedIn } from './sessions.ts'

const MAX_BODY_BYTES = 16_384
const CHANGED = 'The password was changed meanwhile'

const Credentials = z.strictObject({
  email: z.string().trim().toLowerCase().min(1).max(254),
  password: z.string().min(1).max(1_024),
})

/** NIST SP 800-63B: length is what counts. */
const PasswordChange = z.strictObject({
  currentPassword: Credentials.shape.password,
  newPassword: z.string().min(10, 'at least 10 characters').max(1_024),
})

type SignInParts = {
  auth: Auth
  sessions: Sessions
  lockOut: LockOut
  audit: Audit
  db: Database
  /** Gives up a wait for the database. */
  within<T>(work: Promise<T>): Promise<T>
  publicUrl(): string
  /** How many stand in front of this server. */
  proxies: number
}

type Ask = (request: HttpRequest, requestId: string) => Promise<HttpReply>

/**
 * How people come in and go out: `POST /dashboard/auth/sign-in/email` with e-mail and password, `/change-password`
 * with both passwords, `/sign-out`. Each answers 204 with a cookie. All else that the authentication library can do is not reachable.
 */
export function signInPages(parts: SignInParts): Page[] {
  const page = (path: string, ask: Ask): Page => ({
    path: `/dashboard/auth/${path}`,
    methods: ['POST'],
    // a password waits in line to be judged, and is not judged twice
    unhurried: true,
    handle(request, _params, requestId) {
      requireOurPage(request, parts.publicUrl())
      return ask(request, requestId)
    },
  })
  return [
    page('sign-in/email', signIn(parts)),
    page('change-password', changePassword(parts)),
    page('sign-out', signOut(parts)),
  ]
}

/** 401 says nothing about which of the two is wrong. */
const signIn =
  (parts: SignInParts): Ask =>
  async (request, requestId) => {
    const { sessions, lockOut, audit, proxies } = parts
    const { email, password } = await readBody(request, Credentials)
    const from = originOf(request, requestId, proxies)
    const signedIn = await counted(lockOut, audit, email, from, () => judge(parts, request, { email, password }, from))
    if (!signedIn) throw unauthenticated('E-mail or password is wrong')
    // a person who had been signed in at this browser is not any more
    const before = await sessions.find(request)
    if (before) await sessions.end(before.sessionId)
    await audit.by(signedIn.who, 'sign-in', 'person.signed-in', from)
    await sessions.sweep()
    return done(signedIn.cookie)
  }

/** Every session of the person ends, and this browser has a new one. */
const changePassword =
  (parts: SignInParts): Ask =>
  async (request, requestId) => {
    const { sessions, lockOut, audit, db, within, proxies } = parts
    const who = await sessions.find(request)
    if (!who) throw unauthenticated('Nobody is signed in')
    const { currentPassword, newPassword } = await readBody(request, PasswordChange)
    const { personId, organizationId, email } = who
    const from = originOf(request, requestId, proxies)
    const stored = await within(findPasswordHash(db.sql, personId))
    const fits = await counted(lockOut, audit, email, from, () => isPassword(currentPassword, stored))
    if (!fits) throw invalid({ 'body.currentPassword': { message: 'is not your password' } })
    if (newPassword === currentPassword) throw invalid({ 'body.newPassword': { message: 'is the one you have' } })
    const actor = { type: 'person', id: personId, name: email } as const
    const ctx = { organizationId, actor, requestId, commandId: randomUUID(), db }
    const stillFits = (_: unknown, now: string) => {
      // the password was changed meanwhile, perhaps to take the account away
      if (now !== stored) throw unauthenticated(CHANGED)
    }
    await setPassword(ctx, personId, await hashPassword(newPassword), () => undefined, stillFits)
    const again = await judge(parts, request, { email, password: newPassword }, from)
    if (!again) throw unauthenticated(CHANGED)
    return done(again.cookie)
  }

const signOut =
  ({ auth, sessions, audit, proxies }: SignInParts): Ask =>
  async (request, requestId) => {
    const who = await sessions.find(request)
    if (who) {
      await sessions.end(who.sessionId)
      await audit.by(who, 'sign-out', 'person.signed-out', originOf(request, requestId, proxies))
    }
    const { sessionToken } = (await auth.$context).authCookies
    return done(expired(sessionToken))
  }

/** Counts the attempt and its result; a judge that answers undefined has refused it. Throws tooManyRequests. */
async function counted<T>(
  lockOut: LockOut,
  audit: Audit,
  email: string,
  from: Origin,
  judge: () => Promise<T>,
): Promise<T> {
  const attempt = { email, address: from.address }
  const { last } = await lockOut.attempt(attempt)
  let verdict: T
  try {
    verdict = await judge()
  } catch (error) {
    await lockOut.forget(attempt, false)
    throw error
  }
  if (verdict) await lockOut.forget(attempt, true)
  else audit.failed(email, last, from)
  return verdict
}

/** Undefined when e-mail and password do not fit. Throws unavailable. */
async function judge(
  { auth, db, within }: Pick<SignInParts, 'auth' | 'db' | 'within'>,
  request: HttpRequest,
  body: z.output<typeof Credentials>,
  { address }: Origin,
): Promise<{ cookie: string; who: Pick<SignedIn, 'organizationId' | 'personId' | 'email'> } | undefined> {
  const judgedBy = await within(findPasswordHashOf(db.sql, body.email))
  const answer = await auth.api
    .signInEmail({ body, headers: headersFor(request, address), returnHeaders: true })
    .catch(rethrowFault)
  if (!answer) return undefined
  const { user, token } = answer.response
  // a change of the password ends the sessions that are there, and this one came after it
  if ((await within(findPasswordHash(db.sql, Number(user.id)))) !== judgedBy) {
    await (await auth.$context).internalAdapter.deleteSession(token)
    return undefined
  }
  const [cookie = ''] = answer.headers.getSetCookie()
  return { cookie, who: { organizationId: user.organizationId, personId: Number(user.id), email: user.email } }
}

async function readBody<T extends z.ZodType>(request: HttpRequest, schema: T): Promise<z.output<T>> {
  const bytes = await request.body(MAX_BODY_BYTES)
  if (!bytes) throw new ClientGone()
  // never with the value that was sent: it is a password
  const details: FieldErrors = {}
  const parsed = schema.safeParse(readJson(bytes, details))
  for (const { path, message } of parsed.error?.issues ?? []) details[fieldPath('body', path)] = { message }
  if (parsed.success && Object.keys(details).length === 0) return parsed.data
  throw invalid(details)
}

const originOf = (request: HttpRequest, requestId: string, proxies: number): Origin => ({
  address: clientAddress(request, proxies),
  userAgent: request.header('user-agent').slice(0, 300),
  requestId,
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
