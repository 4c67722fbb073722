import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { tooManyRequests } from '../errors.ts'
import { networkOf } from './client-address.ts'

const WINDOW_S = 900
const PERSON_FAILURES = 10
const ADDRESS_FAILURES = 50

/** Who tries, by an e-mail address that may be nobody's, from where. */
export type Attempt = { email: string; address: string }

/**
 * Counts attempts to sign in that did not succeed: 10 for one e-mail address, 50 from one network address, then neither gets
 * another for 15 minutes. Known and unknown people are counted alike. Sessions that are open go on.
 */
export function createLockOut() {
  const limit = (points: number) => new RateLimiterMemory({ points, duration: WINDOW_S, blockDuration: WINDOW_S })
  const people = limit(PERSON_FAILURES)
  const addresses = limit(ADDRESS_FAILURES)

  const charge = async (limiter: RateLimiterMemory, id: string): Promise<RateLimiterRes> => {
    try {
      return await limiter.consume(id)
    } catch (rejection) {
      if (!(rejection instanceof RateLimiterRes)) throw rejection
      const seconds = Math.max(1, Math.ceil(rejection.msBeforeNext / 1_000))
      throw tooManyRequests({ 'Retry-After': String(seconds) }, 'Too many attempts to sign in: try again later')
    }
  }

  return {
    /**
     * Counts the attempt before it is judged, so that many at once are counted too. Answers whether it is the last one that the
     * person has. Throws tooManyRequests.
     */
    async attempt({ email, address }: Attempt): Promise<{ last: boolean }> {
      await charge(addresses, networkOf(address))
      const { remainingPoints } = await charge(people, email)
      return { last: remainingPoints === 0 }
    },
    /** The attempt succeeded, or could not be judged. */
    async forget({ email, address }: Attempt, succeeded: boolean): Promise<void> {
      await addresses.reward(networkOf(address))
      if (succeeded) await people.delete(email)
      else await people.reward(email)
    },
  }
}

export type LockOut = ReturnType<typeof createLockOut>
