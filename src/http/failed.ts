import type { Logger } from 'pino'
import { ApiError, unavailable, unexpected } from '../errors.ts'
import type { Call } from './call.ts'
import { ClientGone, type HttpReply } from './message.ts'
import { PROBLEM_TYPE, problemOf } from './problem-details.ts'

export type FailedParts = {
  /** Whether an error means that the database is out of reach or the caller should just try again: it answers 503. */
  isOutOfReach(error: unknown): boolean
  log: Logger
  metrics: { authFailure(code: string): void; rateLimited(): void }
}

/** Makes the single catch: any thrown error becomes an answer of the documented shapes. spec: Errors */
export function createFailed({ isOutOfReach, log, metrics }: FailedParts): (call: Call, error: unknown) => HttpReply {
  const asApiError = (error: unknown): ApiError => {
    if (error instanceof ApiError) return error
    if (error instanceof ClientGone) return unavailable()
    if (isOutOfReach(error)) {
      log.warn({ err: error }, 'out of reach')
      return unavailable()
    }
    log.error({ err: error }, 'request failed')
    return unexpected()
  }

  return (call, error) => {
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
}
