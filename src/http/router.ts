import { hash } from 'node:crypto'
import type { Logger } from 'pino'
import { type ChangeEntry, changelog } from '../changelog.ts'
import type { Context } from '../context.ts'
import { ApiError, methodNotAllowed, NotMine, notFound, unavailable, unexpected } from '../errors.ts'
import type { IdempotencyClaim, Principal } from '../principal.ts'
import { Deadline } from '../waiting/deadline.ts'
import { createAuthenticator, type KeyStore } from './auth.ts'
import { PREFLIGHT_HEADERS, pathWarnings, REST_HEADERS, requestIdOf } from './headers.ts'
import { type Claim, Idempotency, type IdempotencyStore, idempotencyKey, type Run } from './idempotency.ts'
import { readJson } from './json.ts'
import { type Match, Matcher, paramNames } from './matcher.ts'
import { ClientGone, type Forwarded, type HttpReply, type HttpRequest, holds, type Page } from './message.ts'
import { MOUNT_HEADERS, type Mount } from './mount.ts'
import { type Mounted, mount } from './mounted.ts'
import type { Operation } from './operation.ts'
import { PROBLEM_TYPE, problemOf } from './problem-details.ts'
import type { Limiter } from './rate-limit.ts'
import { Raw, type Route } from './route.ts'
import { requireScope } from './scope.ts'
import { pathParams } from './validate.ts'
import { createYield, LARGE_BYTES } from './yield.ts'

const ALL_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'
const METHODS = new Set(ALL_METHODS.split(', '))
const NOTHING: Buffer = Buffer.alloc(0)
const REPLAYED = { 'Idempotency-Replayed': 'true' }

export type RouterParts = {
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
  /** Whether an error means that the database is out of reach or the caller should just try again: it answers 503. */
  isOutOfReach(error: unknown): boolean
  /** Without a trailing slash; asked at the first request. */
  publicUrl(): string
  maxBodyBytes: number
  /** The change history, which says which operations are deprecated; ours unless said. */
  changes?: readonly ChangeEntry[]
  log: Logger
  metrics: {
    /** Told of every answer; `route` is a pattern, never the path as sent. */
    request(method: string, route: string, status: number, milliseconds: number): void
    authFailure(code: string): void
    rateLimited(): void
  }
  /** After this a request that is not answered answers 503; its work goes on. */
  deadlineMs?: number
}

/** One request on its way through the steps. */
type Call = {
  readonly request: HttpRequest
  readonly requestId: string
  /** Undefined for a page. */
  mounted: Mounted | undefined
  /** The part of the path behind the prefix; a page's whole path. */
  path: string
  /** Values of the prefix's parameters, as sent. */
  raw: readonly string[]
  operation: Operation | undefined
  /** Answers of operations carry these, errors too. */
  headers: Readonly<Record<string, string>>
  rate: Readonly<Record<string, string>>
  /** The pattern that matched, for metrics. */
  pattern: string
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
  const authenticator = createAuthenticator(parts.keyStore)
  const deadlineMs = parts.deadlineMs ?? 1_900
  const deadline = new Deadline(deadlineMs, log)
  const longDeadline = new Deadline(LONG_DEADLINE_MS, log)
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

  /** The answer that a result makes. Of an answer in parts the first is awaited: errors before it are answered as ever. */
  const sent = (call: Call, operation: Operation, result: unknown): HttpReply | Promise<HttpReply> => {
    if (!(result instanceof Raw) || typeof result.body === 'string' || Buffer.isBuffer(result.body))
      return encode(call, operation, result)
    const { body } = result
    const begin = async (): Promise<HttpReply> => {
      const parts = body[Symbol.asyncIterator]()
      const head = rawReply(call, operation, result)
      if (call.request.method === 'HEAD') return { ...head, stream: body }
      try {
        const { value, done } = await longDeadline.within(parts.next())
        return done ? head : { ...head, body: value, stream: { [Symbol.asyncIterator]: () => parts } }
      } catch (error) {
        parts.return?.().catch(() => {})
        throw error
      }
    }
    return begin()
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
    const unhurried = route.unhurried ? <T>(work: Promise<T>) => longDeadline.within(work) : undefined
    const keyed = { organizationId, key, print, live: route.live === true, encode, within: unhurried }
    const run = async (claim: Claim): Promise<Run<HttpReply>> => {
      const result = await perform(call, found, principal, body, claim)
      if (result instanceof Raw) return { other: await sent(call, found.value, result) }
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
      return await sent(call, operation, result instanceof Promise ? await patience.within(result) : result)
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

  const preflight = (call: Call, open: Match<unknown> | undefined, mounted: Mounted | undefined): HttpReply => {
    const found = open || !mounted ? undefined : mounted.operations.find('OPTIONS', call.path)
    const allow = (open ?? found)?.allow ?? ALL_METHODS
    const headers = {
      ...(found && warningsOf(found)),
      ...PREFLIGHT_HEADERS,
      Allow: allow,
      'Access-Control-Allow-Methods': allow,
      'X-Request-Id': call.requestId,
    }
    return { status: 204, headers, body: '' }
  }

  /** No origin but ours is told that it may ask. */
  const closedToOthers = (call: Call): HttpReply => ({
    status: 204,
    headers: { Allow: ALL_METHODS, 'X-Request-Id': call.requestId },
    body: '',
  })

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
    if (method === 'OPTIONS')
      return below?.value?.open === false ? closedToOthers(call) : preflight(call, open, mounted)
    if (open) return page(call, open)
    if (!mounted) throw notFound()
    return rest(call, mounted)
  }

  /** The single catch: any thrown error becomes an answer of the documented shapes. */
  const failed = (call: Call, error: unknown): HttpReply => {
    const known = asApiError(error)
    if (call.operation && !call.operation.declares(known))
      log.error(
        { operation: call.operation.name, kind: known.kind, requestId: call.requestId },
        'error that the route does not declare',
      )
    if (known.status === 401) metrics.authFailure(String(known.body.code))
    if (known.status === 429) metrics.rateLimited()
    const challenge = known.status === 401 && call.mounted?.open ? { 'WWW-Authenticate': 'Bearer' } : undefined
    const isProblem = call.mounted?.problems === true
    const headers = {
      'Content-Type': 'application/json',
      ...call.headers,
      ...(isProblem && { 'Content-Type': PROBLEM_TYPE }),
      ...call.rate,
      ...known.headers,
      ...challenge,
    }
    const worded = call.operation?.word(known) ?? known
    return {
      status: known.status,
      headers: { ...headers, 'X-Request-Id': call.requestId },
      body: JSON.stringify(isProblem ? problemOf(worded, call.request.path) : worded.body),
    }
  }

  const asApiError = (error: unknown): ApiError => {
    if (error instanceof ApiError) return error
    if (error instanceof ClientGone) return unavailable()
    if (parts.isOutOfReach(error)) {
      log.warn({ err: error }, 'out of reach')
      return unavailable()
    }
    log.error({ err: error }, 'request failed')
    return unexpected()
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

/** The cost of a body for the rate limit; one that cannot be read costs as much as any. */
function costOf(cost: (body: unknown) => number, body: Buffer): number {
  let parsed: unknown
  try {
    parsed = readJson(body, {})
  } catch {
    return 1
  }
  return cost(parsed)
}

function reply(call: Call, status: number, body: string, extra?: Readonly<Record<string, string>>): HttpReply {
  return { status, headers: { 'X-Request-Id': call.requestId, ...call.headers, ...call.rate, ...extra }, body }
}

/** A result becomes bytes here, once. */
function encode(call: Call, operation: Operation, result: unknown): HttpReply {
  if (result instanceof Raw) return rawReply(call, operation, result)
  const { status, body } = operation.encode(result)
  return reply(call, status, body)
}

/** Status and headers of a raw answer; one in parts has no body yet. */
function rawReply(call: Call, operation: Operation, { body, contentType, headers }: Raw): HttpReply {
  const isHeld = headers.ETag !== undefined && holds(call.request, headers.ETag)
  return {
    status: isHeld ? 304 : operation.status,
    headers: {
      ...call.headers,
      ...call.rate,
      ...headers,
      'Content-Type': contentType,
      'X-Request-Id': call.requestId,
    },
    body: !isHeld && (typeof body === 'string' || Buffer.isBuffer(body)) ? body : '',
  }
}
