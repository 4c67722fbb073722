import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { tooManyRequests } from '../errors.ts'

export interface Limiter {
  readonly enforced: boolean
  /**
   * Charges the bucket of a key or a person and returns the headers that tell what is left; throws tooManyRequests. Nothing to await while
   * enforcement is off.
   */
  charge(
    chargedTo: string,
    bucket: string,
    cost: number,
  ): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>
}

const NO_HEADERS = {}

/** The rejection of rate-limiter-flexible when a bucket is empty; its own failures are errors. */
function spent(rejection: unknown): RateLimiterRes {
  if (rejection instanceof RateLimiterRes) return rejection
  throw rejection
}

/**
 * Per key `perSecond` requests each second and, above that, a reserve that brings a burst to `burst`; the reserve fills again
 * every `burst / perSecond` seconds. Headers as in the IETF draft "RateLimit header fields for HTTP".
 */
export function createLimiter(options: { enforced: boolean; perSecond: number; burst: number }): Limiter {
  const { perSecond, burst } = options
  if (!options.enforced) return { enforced: false, charge: () => NO_HEADERS }
  const reserve = burst - perSecond
  const reserveSeconds = Math.ceil(burst / perSecond)
  const steady = new RateLimiterMemory({ points: perSecond, duration: 1, keyPrefix: 'steady' })
  const extra = new RateLimiterMemory({ points: reserve, duration: reserveSeconds, keyPrefix: 'extra' })

  return {
    enforced: true,
    charge: async (chargedTo, bucket, cost) => {
      const id = `${bucket}:${chargedTo}`
      const policy = `"${bucket}";q=${perSecond};w=1, "${bucket}-burst";q=${burst};w=${reserveSeconds}`
      const headers = (remaining: number, resetMs: number) => ({
        RateLimit: `"${bucket}";r=${remaining};t=${Math.ceil(resetMs / 1000)}`,
        'RateLimit-Policy': policy,
      })
      const left = (rate: RateLimiterRes | null, held: RateLimiterRes | null) => {
        const remaining = rate ? Math.max(0, rate.remainingPoints) : perSecond
        return headers(remaining + (held ? Math.max(0, held.remainingPoints) : reserve), rate?.msBeforeNext ?? 0)
      }
      try {
        const rate = cost === 0 ? await steady.get(id) : await steady.consume(id, cost)
        return left(rate, await extra.get(id))
      } catch (rejection) {
        const rate = spent(rejection)
        try {
          const held = await extra.consume(id, cost)
          return left(rate, held)
        } catch (second) {
          spent(second)
          const seconds = Math.max(1, Math.ceil(rate.msBeforeNext / 1000))
          throw tooManyRequests({ ...headers(0, rate.msBeforeNext), 'Retry-After': String(seconds) })
        }
      }
    },
  }
}
