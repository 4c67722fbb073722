import { errorOf, TallyError } from './error.ts'
import { backoff, pause } from './waiting.ts'

export type Connection = {
  /** Of the server, `https://tally.example`, without `/rest`. */
  readonly url: string
  /** An API key; none for what is public. */
  readonly key?: string
  /** In place of the platform's own. */
  readonly fetch?: typeof fetch
  /** How long a call goes on trying, milliseconds. Default 30,000; 0: once. */
  readonly retryForMs?: number
  /** How long one try may take, milliseconds. Default 15,000. */
  readonly timeoutMs?: number
}

export type Asking = {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly idempotencyKey?: string
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

const RETRY_FOR_MS = 30_000
const TIMEOUT_MS = 15_000
/** The server, or something before it, had no time or was not there: the same request may be sent again. */
const TRY_AGAIN = new Set([429, 502, 503, 504])

/**
 * Sends a request until it is answered or the time is over. A write carries an `Idempotency-Key`, so that what was done and not heard of is not
 * done twice. Throws `TallyError`; the reason of the signal when that ended it.
 */
export async function send(
  connection: Connection,
  method: string,
  template: string,
  asking: Asking = {},
): Promise<unknown> {
  const url = addressOf(connection.url, template, asking)
  const init = requestOf(connection, method, asking)
  const limits = asking.timeoutMs === undefined ? connection : { ...connection, timeoutMs: asking.timeoutMs }
  const until = Date.now() + (connection.retryForMs ?? RETRY_FOR_MS)
  for (let tries = 0; ; tries++) {
    const { answer, error, waitMs = backoff(tries) } = await attempt(limits, url, init, asking.signal)
    if (answer) return answer.value
    if (waitMs === Number.POSITIVE_INFINITY || Date.now() + waitMs > until) throw error
    await pause(waitMs, asking.signal)
  }
}

type Attempt = { answer?: { value: unknown }; error?: unknown; waitMs?: number }

/** One try: an answer, or an error with the wait before the next one; no end to it: there is to be none. */
async function attempt(connection: Connection, url: string, init: RequestInit, signal?: AbortSignal): Promise<Attempt> {
  const limit = limitOf(connection, signal)
  try {
    const fetched = connection.fetch ?? globalThis.fetch
    const answer = await fetched(url, { ...init, signal: limit })
    if (answer.ok) return { answer: { value: await readAnswer(answer) } }
    const after = Number(answer.headers.get('retry-after') ?? Number.NaN)
    const error = await errorOf(answer)
    if (!TRY_AGAIN.has(answer.status)) return { error, waitMs: Number.POSITIVE_INFINITY }
    return Number.isFinite(after) ? { error, waitMs: after * 1_000 * (1 + Math.random() / 4) } : { error }
  } catch (cause) {
    if (signal?.aborted) throw signal.reason
    const said = limit.aborted ? 'did not answer in time' : 'could not be reached'
    return { error: new TallyError(`The server ${said}`, { cause }) }
  }
}

/** Ends one try: when it takes too long, or with the signal. */
export function limitOf({ timeoutMs = TIMEOUT_MS }: Connection, signal?: AbortSignal): AbortSignal {
  const limit = AbortSignal.timeout(timeoutMs)
  return signal ? AbortSignal.any([signal, limit]) : limit
}

async function readAnswer(answer: Response): Promise<unknown> {
  if (answer.status === 204) return undefined
  const type = answer.headers.get('content-type') ?? ''
  if (type.startsWith('application/json')) return answer.json()
  return type.startsWith('text/') ? answer.text() : answer.blob()
}

function requestOf({ key }: Connection, method: string, { body, idempotencyKey }: Asking): RequestInit {
  const headers: Record<string, string> = { Accept: 'application/json, */*;q=0.5' }
  if (key !== undefined) headers.Authorization = `Bearer ${key}`
  if (method !== 'get') headers['Idempotency-Key'] = idempotencyKey ?? newKey()
  if (body === undefined) return { method: method.toUpperCase(), headers }
  const type = typeof body === 'string' ? 'text/csv' : isBytes(body) ? 'application/zip' : 'application/json'
  headers['Content-Type'] = type
  const sent = type === 'application/json' ? JSON.stringify(body) : (body as BodyInit)
  return { method: method.toUpperCase(), headers, body: sent }
}

/** A file as a platform has it: its own word for its type is not asked, since systems call one archive by several. */
const isBytes = (body: unknown): boolean =>
  body instanceof Blob || body instanceof ArrayBuffer || ArrayBuffer.isView(body)

/** `crypto.randomUUID` is only there over https and at localhost, and few mixers and panels are. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The address of a path of the reference with its parameters. Throws a TypeError for one that is not given. */
export function addressOf(base: string, template: string, { path = {}, query = {} }: Asking): string {
  const filled = template.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = path[name]
    if (value === undefined || value === null || value === '') throw new TypeError(`path.${name} is missing`)
    return encodeURIComponent(String(value))
  })
  const asked = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) asked.append(name, String(one))
  const search = asked.size > 0 ? `?${asked}` : ''
  return `${base.replace(/\/+$/, '')}/rest${filled}${search}`
}
