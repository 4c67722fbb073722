import { type HttpReply, type HttpRequest, holds } from './message.ts'
import type { Mounted } from './mounted.ts'
import type { Operation } from './operation.ts'
import { Raw } from './route.ts'

/** One request on its way through the steps. */
export type Call = {
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

/** An answer with the headers of its call. */
export function reply(call: Call, status: number, body: string, extra?: Readonly<Record<string, string>>): HttpReply {
  return { status, headers: { 'X-Request-Id': call.requestId, ...call.headers, ...call.rate, ...extra }, body }
}

/**
 * The answer that the result of a handler makes: it becomes bytes here, once. Of an answer in parts the first is awaited, through
 * `within`: errors before it are answered as ever.
 */
export function answerOf(
  call: Call,
  operation: Operation,
  result: unknown,
  within: <T>(first: Promise<T>) => Promise<T>,
): HttpReply | Promise<HttpReply> {
  if (!(result instanceof Raw)) {
    const { status, body } = operation.encode(result)
    return reply(call, status, body)
  }
  const { body } = result
  const head = rawReply(call, operation, result)
  return typeof body === 'string' || Buffer.isBuffer(body) ? head : begun(call, head, body, within)
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

async function begun(
  call: Call,
  head: HttpReply,
  body: Exclude<Raw['body'], string | Buffer>,
  within: <T>(first: Promise<T>) => Promise<T>,
): Promise<HttpReply> {
  if (call.request.method === 'HEAD') return { ...head, stream: body }
  const parts = body[Symbol.asyncIterator]()
  try {
    const { value, done } = await within(parts.next())
    return done ? head : { ...head, body: value, stream: { [Symbol.asyncIterator]: () => parts } }
  } catch (error) {
    parts.return?.().catch(() => {})
    throw error
  }
}
