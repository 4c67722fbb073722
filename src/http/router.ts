import { hash } from 'node:crypto'
import { type ChangeEntry, changelog } from '../changelog.ts'
import type { Context } from '../context.ts'
import { methodNotAllowed, NotMine, notFound } from '../errors.ts'
import type { IdempotencyClaim, Principal } from '../principal.ts'
import { Deadline } from '../waiting/deadline.ts'
import { createAuthenticator, type KeyStore } from './auth.ts'
import { answerOf, type Call, reply } from './call.ts'
import { createFailed, type FailedParts } from './failed.ts'
import { ALL_METHODS, pathWarnings, preflight, REST_HEADERS, requestIdOf } from './headers.ts'
import { type Claim, Idempotency, type IdempotencyStore, idempotencyKey, type Run } from './idempotency.ts'
import { type Match, Matcher, paramNames } from './matcher.ts'
import { ClientGone, type Forwarded, type HttpReply, type HttpRequest, type Page } from './message.ts'
import { MOUNT_HEADERS, type Mount } from './mount.ts'
import { type Mounted, mount } from './mounted.ts'
import type { Operation } from './operation.ts'
import { costOf, type Limiter } from './rate-limit.ts'
import { Raw, type Route } from './route.ts'
import { requireScope } from './scope.ts'
import { pathParams } from './validate.ts'
import { createYield, LARGE_BYTES } from './yield.ts'

const METHODS = new Set(ALL_METHODS.split(', '))
const NOTHING: Buffer = Buffer.alloc(0)
const REPLAYED = { 'Idempotency-Replayed': 'true' }

export type RouterParts = FailedParts & {
  routes: readonly Route[]
  /** Other ways to operations than `/rest` with an API key. */
  mounts?: readonly Mount[]
  /** Paths that need no key: pages, health, and below `/rest` swagger.json and signed uploads. */
  pages: readonly Page[]
  keyStore: KeyStore
  limiter: Limiter
  idempotency: IdempotencyStore
  /** The context of one request; the claim is there when it came with an Idempotency-Key. */
  makeContext(
    principal: Principal,
    requestId: string,
    idempotency: IdempotencyClaim | undefined,
    forwarded: Forwarded | undefined,
  ): Context
  /** Sends a request with its body to the node that owns the actor which it commands; left out where there is one node. cluster 3 */
  forward?(
    request: HttpRequest,
    body: Buffer,
    from: { principal: Principal; requestId: string; notMine: NotMine },
  ): Promise<HttpReply>
  /** Told with every answer that no other node made; left out where there is one node. */
  nodeHeaders?: Readonly<Record<string, string>>
  /** Without a trailing slash; asked at the first request. */
  publicUrl(): string
  maxBodyBytes: number
  /** The change history, which says which operations are deprecated; ours unless said. */
  changes?: readonly ChangeEntry[]
  /** Told of every answer; `route` is a pattern, never the path as sent. */
  metrics: { request(method: string, route: string, status: number, milliseconds: number): void }
  /** After this a request that is not answered answers 503; its work goes on. */
  deadlineMs?: number
}

type Found = Match<Operation> & { value: Operation }

/** For operations that read much, and for the first part of an answer that is sent in parts. */
const LONG_DEADLINE_MS = 60_000

/**
 * Makes the function that answers every HTTP request: routes below `/rest`, pages elsewhere. It never rejects, but
 * with `NotMine` when the request was forwarded.
 * Order of checks: 401, 404 and 405, 429, 403 scope, 400 shape, then errors of the handler.
 */
export function createRouter(parts: RouterParts): (request: HttpRequest) => Promise<HttpReply> {
  const { limiter, log, metrics } = parts
  const failed = createFailed(parts)
  const authenticator = createAuthenticator(parts.keyStore)
  const deadlineMs = parts.deadlineMs ?? 1_900
  const deadline = new Deadline(deadlineMs, log)
  const longDeadline = new Deadline(LONG_DEADLINE_MS, log)
  const patiently = <T>(work: Promise<T>) => longDeadline.within(work)
  const yielded = createYield(deadlineMs)
  const idempotency = new Idempotency(
    {
      find: (organizationId, key) => deadline.within(parts.idempotency.find(organizationId, key)),
      store: (organizationId, key, row) => parts.idempotency.store(organizationId, key, row),
    },
    (run) => deadline.within(run),
  )
  const { publicUrl, maxBodyBytes, changes = changelog } = parts
  const options = { publicUrl, maxBodyBytes, changes }
  const byKey = { common: REST_HEADERS, open: true, authenticate: (request: HttpRequest) => authenticator(request) }
  const main = mount({ ...byKey, prefix: '/rest', problems: false }, parts.routes, options)
  const mounts = new Matcher<Mounted>()
  for (const { prefix, routes, authenticate, problems = false } of parts.mounts ?? []) {
    const names = paramNames(prefix)
    const how = authenticate
      ? {
          common: MOUNT_HEADERS,
          open: false,
          authenticate: (request: HttpRequest, raw: readonly string[]) => authenticate(request, pathParams(names, raw)),
        }
      : byKey
    const mounted = mount({ ...how, prefix, problems }, routes, options)
    mounts.add('GET', `${prefix}/{path*}`, mounted)
    // its own root, without a slash
    if (how.open) mounts.add('GET', prefix, mounted)
  }
  const pages = new Matcher<{ page: Page; names: readonly string[] }>()
  for (const page of parts.pages)
    for (const method of page.methods ?? ['GET']) pages.add(method, page.path, { page, names: paramNames(page.path) })

  const warningsOf = ({ byMethod }: Match<Operation>) =>
    pathWarnings(
      Array.from(byMethod.values(), ({ route }) => route),
      publicUrl(),
    )

  const match = (call: Call, { operations, common }: Mounted): Match<Operation> | undefined => {
    const found = operations.find(call.request.method, call.path)
    if (found?.value) {
      call.operation = found.value
      call.headers = found.value.headers()
      call.pattern = found.value.pattern
    } else if (found) call.headers = { ...common, ...warningsOf(found) }
    return found
  }

  const authenticate = (call: Call, mounted: Mounted): Principal | Promise<Principal> => {
    const { forwarded } = call.request
    if (forwarded) return forwarded.principal
    const principal = mounted.authenticate(call.request, call.raw)
    return principal instanceof Promise ? deadline.within(principal) : principal
  }

  const readBody = async (call: Call, { maxBodyBytes }: Operation): Promise<Buffer> => {
    const body = await call.request.body(maxBodyBytes)
    if (!body) throw new ClientGone()
    if (body.length > LARGE_BYTES) await yielded()
    return body
  }

  /** Charges the key. A route with a `cost` has read its body by now. */
  const limit = async (
    call: Call,
    chargedTo: string,
    operation: Operation | undefined,
    body: Buffer,
  ): Promise<void> => {
    const cost = operation?.route.cost ? costOf(operation.route.cost, body) : 1
    call.rate = await limiter.charge(chargedTo, operation?.bucket ?? 'default', cost)
  }

  /** Path, query and body through the schemas, then the handler. */
  const perform = (call: Call, found: Found, principal: Principal, body: Buffer, claim: Claim | undefined): unknown => {
    const { route } = found.value
    const contentType = route.consumes ? call.request.header('content-type') : ''
    const input = found.value.readInput({ params: found.raw, query: call.request.query, body, contentType })
    const ctx = parts.makeContext(principal, call.requestId, claim, call.request.forwarded)
    // the schemas of the route have just made the input that its handler takes
    return route.handle(ctx, input as never, route.produces ? call.request.header('accept') : '')
  }

  /** Runs the request, or replays the answer of its first run. */
  const once = async (
    call: Call,
    found: Found,
    principal: Principal,
    body: Buffer,
    key: string,
  ): Promise<HttpReply> => {
    const { method, query } = call.request
    const path = call.mounted?.open ? call.request.path : `${principal.chargedTo} ${found.value.pattern} ${call.path}`
    // never the secret in the address of a page
    const print = { method, path: query === '' ? path : `${path}?${query}`, bodyHash: hash('sha256', body) }
    const { route, encode } = found.value
    const { organizationId } = principal
    const unhurried = route.unhurried ? patiently : undefined
    const keyed = { organizationId, key, print, live: route.live === true, encode, within: unhurried }
    const run = async (claim: Claim): Promise<Run<HttpReply>> => {
      const result = await perform(call, found, principal, body, claim)
      if (result instanceof Raw) return { other: await answerOf(call, found.value, result, patiently) }
      return { answer: claim.encode(result) }
    }
    const outcome = await idempotency.once(keyed, run)
    if ('other' in outcome) return outcome.other
    const { status, body: text } = outcome.answer
    return reply(call, status, text, outcome.replayed ? REPLAYED : undefined)
  }

  const rest = async (call: Call, mounted: Mounted): Promise<HttpReply> => {
    call.mounted = mounted
    call.headers = mounted.common
    const found = match(call, mounted)
    const authenticated = authenticate(call, mounted)
    const principal = authenticated instanceof Promise ? await authenticated : authenticated
    const operation = found?.value
    let body = NOTHING
    if (operation?.route.cost) body = await readBody(call, operation)
    if (limiter.enforced && !call.request.forwarded) await limit(call, principal.chargedTo, operation, body)
    if (!found) throw notFound()
    if (!operation) throw methodNotAllowed(found.allow)
    requireScope(principal, operation.scopes)
    const key = idempotencyKey(call.request)
    if (!operation.route.cost && (operation.route.body || key !== undefined)) body = await readBody(call, operation)
    const matched: Found = { ...found, value: operation }
    try {
      if (key !== undefined) return await once(call, matched, principal, body, key)
      const result = perform(call, matched, principal, body, undefined)
      const patience = operation.route.unhurried ? longDeadline : deadline
      return await answerOf(
        call,
        operation,
        result instanceof Promise ? await patience.within(result) : result,
        patiently,
      )
    } catch (error) {
      if (!(error instanceof NotMine && parts.forward) || call.request.forwarded) throw error
      const answer = await deadline.within(
        parts.forward(call.request, body, { principal, requestId: call.requestId, notMine: error }),
      )
      return { ...answer, headers: { ...answer.headers, ...call.rate } }
    }
  }

  const page = async (call: Call, { value, raw, allow }: Match<{ page: Page; names: readonly string[] }>) => {
    if (!value) throw methodNotAllowed(allow)
    call.pattern = value.page.path
    const answering = Promise.resolve(value.page.handle(call.request, pathParams(value.names, raw), call.requestId))
    const answer = await (value.page.unhurried ? answering : deadline.within(answering))
    return { ...answer, headers: { ...answer.headers, 'X-Request-Id': call.requestId } }
  }

  const allowed = (call: Call, open: Match<unknown> | undefined, mounted: Mounted | undefined): HttpReply => {
    const found = open || !mounted ? undefined : mounted.operations.find('OPTIONS', call.path)
    // no origin but ours is told that it may ask
    const headers =
      mounted?.open === false
        ? { Allow: ALL_METHODS }
        : { ...(found && warningsOf(found)), ...preflight((open ?? found)?.allow) }
    return { status: 204, headers: { ...headers, 'X-Request-Id': call.requestId }, body: '' }
  }

  const dispatch = (call: Call): Promise<HttpReply> | HttpReply => {
    const { method, path } = call.request
    const isRest = path === '/rest' || path.startsWith('/rest/')
    if (isRest) {
      call.headers = REST_HEADERS
      call.path = path.slice('/rest'.length)
    }
    const below = isRest ? undefined : mounts.find('GET', path)
    const open = below ? undefined : pages.find(method, path)
    const mounted = isRest ? main : below?.value
    if (below) {
      call.raw = below.raw.slice(0, -1)
      call.path = `/${below.raw.at(-1) ?? ''}`
    }
    if (method === 'OPTIONS') return allowed(call, open, mounted)
    if (open) return page(call, open)
    if (!mounted) throw notFound()
    return rest(call, mounted)
  }

  const verbose = log.isLevelEnabled('debug')
  return async (request) => {
    const startedAt = performance.now()
    const requestId = requestIdOf(request)
    const call: Call = {
      request,
      requestId,
      mounted: undefined,
      path: request.path,
      raw: [],
      operation: undefined,
      headers: {},
      rate: {},
      pattern: 'unmatched',
    }
    let answer: HttpReply
    try {
      answer = await dispatch(call)
    } catch (error) {
      // the node that sent it here asks the next one
      if (error instanceof NotMine && request.forwarded) throw error
      answer = failed(call, error)
    }
    const milliseconds = performance.now() - startedAt
    metrics.request(METHODS.has(request.method) ? request.method : 'OTHER', call.pattern, answer.status, milliseconds)
    if (verbose) {
      // the path of a page is as good as a key: an overlay, an upload, a stream to watch
      const path = call.operation && call.mounted?.open ? request.path : call.pattern
      log.debug({ requestId, method: request.method, path, status: answer.status, milliseconds }, 'answered')
    }
    return parts.nodeHeaders ? { ...answer, headers: { ...parts.nodeHeaders, ...answer.headers } } : answer
  }
}
