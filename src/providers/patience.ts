import { setTimeout as pause } from 'node:timers/promises'
import { type Outbound, type OutboundAnswer, OutboundError, type OutboundRequest } from '../store/outbound.ts'
import { SyncError } from './connector.ts'

export type Patience = { attempts: number; backoffMs: number; longestWaitMs: number }

const PATIENCE: Patience = { attempts: 4, backoffMs: 500, longestWaitMs: 30_000 }

/**
 * Asks again, with backoff, when the provider is busy (429), broken (5xx) or out of reach. A `Retry-After` within reason is waited
 * for; a longer one ends the attempt and is told in the error. Throws SyncError; resolves with 200 and 304 only.
 */
export const patiently =
  (outbound: Outbound, { attempts, backoffMs, longestWaitMs }: Patience = PATIENCE) =>
  async (request: OutboundRequest): Promise<OutboundAnswer> => {
    for (let attempt = 1; ; attempt++) {
      const outcome = await once(outbound, request)
      if ('answer' in outcome) return outcome.answer
      const backoff = backoffMs * 2 ** (attempt - 1) * (0.75 + Math.random() / 2)
      const waitMs = Math.max(backoff, outcome.retryAfterMs)
      if (!outcome.mayPass || attempt === attempts || waitMs > longestWaitMs || request.signal?.aborted)
        throw new SyncError(outcome.reason, { retryAfterMs: outcome.retryAfterMs })
      // given up meanwhile, the next attempt says so
      await pause(waitMs, undefined, request.signal && { signal: request.signal }).catch(() => {})
    }
  }

type Outcome = { answer: OutboundAnswer } | { reason: string; mayPass: boolean; retryAfterMs: number }

async function once(outbound: Outbound, request: OutboundRequest): Promise<Outcome> {
  try {
    const answer = await outbound(request)
    const { status } = answer
    if (status === 200 || status === 304) return { answer }
    const mayPass = status === 429 || status >= 500
    const retryAfterMs = mayPass ? retryAfter(answer.headers.get('retry-after'), Date.now()) : 0
    return { reason: `the provider answered ${status}`, mayPass, retryAfterMs }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    const mayPass = error.reason === 'timeout' || error.reason === 'unreachable'
    return { reason: error.message, mayPass, retryAfterMs: 0 }
  }
}

/** `Retry-After` in seconds or as a date, in milliseconds from `now`; 0 when it says nothing. */
export function retryAfter(header: string | undefined, now: number): number {
  if (header === undefined) return 0
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  return ms > 0 ? Math.min(ms, 86_400_000) : 0
}
