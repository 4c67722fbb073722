import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import type { Transport, WireAnswer, WireRequest } from './transport.ts'

/** The server refused a request; the message says why, for people. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string | undefined

  constructor(message: string, status: number, code?: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

export type ApiOptions = {
  transport: Transport
  /** Of the server; with or without `/rest`. */
  url: string
  key: string
  /** Told before each wait for a server that cannot answer now. */
  waiting?: (why: string, ms: number) => void
  /** Waits; left out, the clock does. */
  wait?: (ms: number) => Promise<unknown>
}

const ATTEMPTS = 8
/** A wrong address is known sooner. */
const FIRST_ATTEMPTS = 3
const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 30_000
const LATER = new Set([429, 502, 503, 504])
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

const Problem = z.looseObject({
  message: z.string(),
  code: z.string().optional(),
  details: z.union([z.record(z.string(), z.looseObject({ message: z.string() })), z.array(z.unknown())]).optional(),
  holder: z.looseObject({ userName: z.string() }).nullish(),
})

/** A fault as the routes of motion graphics word it. */
const FieldReason = z.object({ field: z.string(), reason: z.string() })

type Body = Readonly<Record<string, unknown>>

/** The REST API for one key. Repeats requests that a busy server or a lost connection left unanswered; writes are done once. */
export class Api {
  readonly #options: ApiOptions
  readonly #base: URL
  #reached = false

  constructor(options: ApiOptions) {
    this.#options = options
    this.#base = new URL(`${options.url.replace(/\/+$/, '').replace(/\/rest$/, '')}/rest`)
  }

  async get<T extends z.ZodType>(path: string, schema: T): Promise<z.output<T>> {
    return this.#read(await this.#call('GET', path), schema, path)
  }

  /** POST, PUT or PATCH, with an Idempotency-Key of its own. */
  async write<T extends z.ZodType>(
    method: 'POST' | 'PUT' | 'PATCH',
    path: string,
    body: Body,
    schema: T,
  ): Promise<z.output<T>> {
    return this.#read(await this.#call(method, path, body), schema, path)
  }

  async delete(path: string): Promise<void> {
    await this.#call('DELETE', path)
  }

  /** PUTs bytes at a signed address. */
  async upload(address: string, headers: Readonly<Record<string, string>>, body: Buffer): Promise<void> {
    const answer = await this.#send({ method: 'PUT', url: this.#reachable(address), headers, body })
    // 409: the bytes are there already, since an answer was lost
    if (answer.status !== 200 && answer.status !== 409) throw refusalOf(answer)
  }

  /** The bytes at an address that needs no key. */
  async download(address: string): Promise<Buffer> {
    const answer = await this.#send({ method: 'GET', url: this.#reachable(address), headers: {} })
    if (answer.status !== 200) throw refusalOf(answer)
    return answer.body
  }

  async #call(method: string, path: string, body?: Body): Promise<WireAnswer> {
    const url = new URL(`${this.#base.href}${path}`)
    const headers = {
      Authorization: `Bearer ${this.#options.key}`,
      ...(body && { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() }),
    }
    let asked = 0
    const answer = await this.#send(
      { method, url, headers, ...(body && { body: JSON.stringify(body) }) },
      () => asked++,
    )
    if (answer.status < 300) return answer
    // the deletion before this one was done, and its answer lost
    if (method === 'DELETE' && answer.status === 404 && asked > 1) return answer
    throw refusalOf(answer)
  }

  /** Sends until there is an answer that will not change by waiting. */
  async #send(request: WireRequest, asking: () => void = () => {}): Promise<WireAnswer> {
    const { transport, wait = pause, waiting } = this.#options
    for (let attempt = 1; ; attempt++) {
      asking()
      const { answer, failure } = await transport(request).then(
        (answer) => ({ answer, failure: undefined }),
        (failure: unknown) => ({ answer: undefined, failure }),
      )
      this.#reached ||= answer !== undefined
      if (answer && !LATER.has(answer.status)) return answer
      if (attempt === (this.#reached ? ATTEMPTS : FIRST_ATTEMPTS)) {
        if (answer) return answer
        throw new Refusal(`${request.url.origin} does not answer: ${reasonOf(failure)}`, 0)
      }
      const ms = waitFor(answer, attempt)
      waiting?.(
        answer ? `${request.url.host} answers ${answer.status}` : `${request.url.host}: ${reasonOf(failure)}`,
        ms,
      )
      await wait(ms)
    }
  }

  /** A server that was not told its public address names `localhost`, which leads to it only on its own machine. */
  #reachable(address: string): URL {
    const url = new URL(address, this.#base)
    if (LOOPBACK.has(url.hostname) && !LOOPBACK.has(this.#base.hostname))
      return new URL(url.pathname + url.search, this.#base)
    return url
  }

  #read<T extends z.ZodType>(answer: WireAnswer, schema: T, path: string): z.output<T> {
    const text = answer.body.toString()
    let json: unknown
    try {
      json = text === '' ? undefined : JSON.parse(text)
    } catch {
      throw new Refusal(`${this.#base.origin} is no Tally server: ${path} answers no JSON`, answer.status)
    }
    const parsed = schema.safeParse(json)
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    throw new Refusal(
      `${this.#base.origin} answers ${path} with another shape: ${issue?.path.join('.')} ${issue?.message}`,
      answer.status,
    )
  }
}

function waitFor(answer: WireAnswer | undefined, attempt: number): number {
  const seconds = Number(answer?.header('retry-after'))
  const ms = seconds > 0 ? seconds * 1_000 : FIRST_WAIT_MS * 2 ** (attempt - 1)
  return Math.min(ms, LONGEST_WAIT_MS)
}

const reasonOf = (failure: unknown): string => {
  if (!(failure instanceof Error)) return String(failure)
  // an error of fetch says why only in its cause
  return failure.cause instanceof Error ? failure.cause.message || failure.cause.name : failure.message
}

function refusalOf({ status, body }: WireAnswer): Refusal {
  const parsed = Problem.safeParse(readJson(body))
  if (!parsed.success) return new Refusal(`the server answers ${status}`, status)
  const { message, code, details = [], holder } = parsed.data
  if (code === 'LOCKED') {
    const who = holder ? `is being edited by ${holder.userName}` : 'was being edited by somebody else until now'
    return new Refusal(`${who}; try again when they are done`, status, code)
  }
  if (code === 'TARGET_CHANGED')
    return new Refusal(
      'was changed by somebody else meanwhile; nothing of it was overwritten, look at it and try again',
      status,
      code,
    )
  const reasons = Array.isArray(details)
    ? details.map((detail) => {
        const { success, data } = FieldReason.safeParse(detail)
        return success ? `${data.field} ${data.reason}` : String(detail)
      })
    : Object.entries(details).map(([path, detail]) => `${path} ${detail.message}`)
  return new Refusal(reasons.length === 0 ? message : `${message}: ${reasons.join('; ')}`, status, code)
}

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
