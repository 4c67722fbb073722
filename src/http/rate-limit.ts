import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { tooManyRequests } from '../errors.ts'
import { readJson } from './json.ts'
import { type Sharing, shareSpending } from './spending.ts'

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

/** So little of a second's rate is spent before other nodes are told. */
const TOLD_AFTER = 1 / 40

/**
 * Per key `perSecond` requests each second and, above that, a reserve that brings a burst to `burst`; the reserve fills again
 * every `burst / perSecond` seconds. Headers as in the IETF draft "RateLimit header fields for HTTP". With `sharing` that holds over
 * all nodes; while they hear nothing of each other, each limits by itself.
 */
export function createLimiter(
  options: { enforced: boolean; perSecond: number; burst: number },
  sharing?: Sharing,
): Limiter {
  const { perSecond, burst } = options
  if (!options.enforced) return { enforced: false, charge: () => NO_HEADERS }
  const reserve = burst - perSecond
  const reserveSeconds = Math.ceil(burst / perSecond)
  const steady = new RateLimiterMemory({ points: perSecond, duration: 1, keyPrefix: 'steady' })
  const extra = new RateLimiterMemory({ points: reserve, duration: reserveSeconds, keyPrefix: 'extra' })

  const shared = sharing && shareBuckets(sharing, steady, extra)

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
        if (rate) shared?.spent(id, rate, cost, 0)
        return left(rate, await extra.get(id))
      } catch (rejection) {
        const rate = spent(rejection)
        shared?.refused(steady, id, cost)
        try {
          const held = await extra.consume(id, cost)
          shared?.spent(id, rate, 0, cost)
          return left(rate, held)
        } catch (second) {
          spent(second)
          shared?.refused(extra, id, cost)
          const seconds = Math.max(1, Math.ceil(rate.msBeforeNext / 1000))
          throw tooManyRequests({ ...headers(0, rate.msBeforeNext), 'Retry-After': String(seconds) })
        }
      }
    },
  }
}

/**
 * Keeps the buckets of this node as if what was spent on others had been spent here. What all spent at once, before they heard of
 * each other, is owed by the next second of each.
 */
function shareBuckets(sharing: Sharing, steady: RateLimiterMemory, extra: RateLimiterMemory) {
  const owed = new RateLimiterMemory({ points: 1, duration: Math.max(2, extra.duration), keyPrefix: 'owed' })

  const pay = async (id: string, { isFirstInDuration }: RateLimiterRes) => {
    const debt = isFirstInDuration && (await owed.get(id))?.consumedPoints
    if (!debt) return
    await owed.delete(id)
    await steady.penalty(id, Math.min(debt, steady.points))
    if (debt > steady.points) await owed.penalty(id, debt - steady.points)
  }
  const take = async (bucket: RateLimiterMemory, id: string, points: number) => {
    if (points === 0) return
    const taken = await bucket.penalty(id, points)
    const over = Math.min(points, taken.consumedPoints - bucket.points)
    if (over > 0) await owed.penalty(id, over)
    if (bucket === steady) await pay(id, taken)
  }
  const tell = shareSpending(sharing, Math.max(1, steady.points * TOLD_AFTER), (id, ofRate, ofReserve) => {
    void take(steady, id, ofRate)
    void take(extra, id, ofReserve)
  })

  return {
    /** Requests were let in here; `rate` is what the second of the key has left. */
    spent(id: string, rate: RateLimiterRes, ofRate: number, ofReserve: number): void {
      if (ofRate + ofReserve === 0) return
      tell(id, ofRate, ofReserve)
      if (ofRate > 0) void pay(id, rate)
    },
    /** A bucket counts what it refuses: what others spent could not be told from it. */
    refused: (bucket: RateLimiterMemory, id: string, cost: number): void => void bucket.reward(id, cost),
  }
}

/** The cost of a body for the rate limit; one that cannot be read costs as much as any. */
export function costOf(cost: (body: unknown) => number, body: Buffer): number {
  let parsed: unknown
  try {
    parsed = readJson(body, {})
  } catch {
    return 1
  }
  return cost(parsed)
}
