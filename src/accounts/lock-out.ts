import { RateLimiterRes } from 'rate-limiter-flexible'
import { tooManyRequests } from '../errors.ts'
import { networkOf } from '../http/client-address.ts'
import { type Counted, type Counts, countedHere } from './attempts.ts'

const PERSON_FAILURES = 10
const ADDRESS_FAILURES = 50

/** A try to sign in: by an e-mail address that may be nobody's, from a network address. */
export type Attempt = { email: string; address: string }

/** More networks than anybody signs in from; the oldest is forgotten. */
const MOST_NETWORKS = 20

/**
 * Counts attempts to sign in that did not succeed: 10 for one e-mail address, 50 from one network address, then neither gets
 * another for 15 minutes. Known and unknown people are counted alike. Sessions that are open go on, and from a network where
 * somebody has signed in before, as `before` tells, they have ten attempts of their own: a stranger locks out nobody at their desk.
 */
export function createLockOut(before: readonly Attempt[] = [], counts: Counts = countedHere) {
  const people = counts.of('person', PERSON_FAILURES)
  const atDesks = counts.of('desk', PERSON_FAILURES)
  const addresses = counts.of('address', ADDRESS_FAILURES)
  const desks = new Map<string, Set<string>>()
  /** Those that were counted at a desk. */
  const aside = new WeakSet<Attempt>()

  const remember = ({ email, address }: Attempt): void => {
    const known = desks.get(email) ?? new Set()
    desks.set(email, known)
    const network = networkOf(address)
    known.delete(network)
    known.add(network)
    for (const oldest of known) if (known.size > MOST_NETWORKS) known.delete(oldest)
  }
  for (const attempt of before) remember(attempt)

  const deskOf = ({ email, address }: Attempt): string => `${networkOf(address)} ${email}`

  const charge = async (limiter: Counted, id: string): Promise<{ remainingPoints: number }> => {
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
    async attempt(attempt: Attempt): Promise<{ last: boolean }> {
      const network = networkOf(attempt.address)
      await charge(addresses, network)
      const isKnown = desks.get(attempt.email)?.has(network) === true
      const atDesk = isKnown || (await counts.isAtDesk?.(attempt.email, network)) === true
      if (atDesk) aside.add(attempt)
      const { remainingPoints } = await (atDesk ? charge(atDesks, deskOf(attempt)) : charge(people, attempt.email))
      return { last: remainingPoints === 0 }
    },
    /** The attempt succeeded, or could not be judged. */
    async forget(attempt: Attempt, succeeded: boolean): Promise<void> {
      await addresses.reward(networkOf(attempt.address))
      const [limiter, id] = aside.has(attempt) ? [atDesks, deskOf(attempt)] : [people, attempt.email]
      if (!succeeded) await limiter.reward(id)
      else {
        await limiter.delete(id)
        remember(attempt)
      }
    },
  }
}

export type LockOut = ReturnType<typeof createLockOut>
