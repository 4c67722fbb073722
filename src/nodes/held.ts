import { LEASE_MS, type Term } from './leases.ts'
import { SLOTS } from './slots.ts'

/** The most that two clocks may differ by over one lease. */
const MARGIN_MS = 100

/** How long an answer to a statement that was sent at this moment is good for: the database counts from a later one. */
export const goodUntil = (sentAt: number): number => sentAt + LEASE_MS - MARGIN_MS

/** The leases of this node, by a monotonic clock: a process that was frozen for longer than a lease owns nothing when it wakes. */
export class HeldLeases {
  // not held: until 0. A typed array, since every command asks
  readonly #until = new Float64Array(SLOTS)
  /** Held without a break since then. */
  readonly #since = new Float64Array(SLOTS)
  readonly #terms = new Map<number, number>()

  get size(): number {
    return this.#terms.size
  }

  has(slot: number): boolean {
    return this.#terms.has(slot)
  }

  isValid(slot: number, now: number): boolean {
    return now < (this.#until[slot] ?? 0)
  }

  /** The lease that this node may rely on for a slot; undefined: it does not hold the slot. */
  lease(slot: number, now: number): { since: number; until: number } | undefined {
    const until = this.#until[slot] ?? 0
    return now < until ? { since: this.#since[slot] ?? 0, until } : undefined
  }

  /** Takes up leases that a statement took, which was sent at `sentAt` and answered now. */
  hold(leases: readonly Term[], sentAt: number, now: number): void {
    for (const { slot, term } of leases) {
      this.#terms.set(slot, term)
      this.#until[slot] = goodUntil(sentAt)
      this.#since[slot] = now
    }
  }

  /** Renews leases that are held in the same term: no other node can have had them in between. */
  renew(leases: readonly Term[], sentAt: number): void {
    for (const { slot, term } of leases) {
      if (this.#terms.get(slot) === term) this.#until[slot] = Math.max(this.#until[slot] ?? 0, goodUntil(sentAt))
    }
  }

  /** The held slots whose time is over, or that `isLost` names: they are held no more. */
  takeLost(now: number, isLost: (slot: number, term: number) => boolean = () => false): number[] {
    const lost = [...this.#terms].filter(([slot, term]) => !this.isValid(slot, now) || isLost(slot, term))
    return this.drop(lost.map(([slot]) => slot)).map(({ slot }) => slot)
  }

  /** Gives slots out of hand, from this moment on. */
  drop(slots: readonly number[]): Term[] {
    return slots.flatMap((slot) => {
      const term = this.#terms.get(slot)
      if (term === undefined) return []
      this.#terms.delete(slot)
      this.#until[slot] = 0
      return [{ slot, term }]
    })
  }

  get slots(): number[] {
    return [...this.#terms.keys()]
  }

  /** When the first lease is over; undefined: none is held. */
  get firstEnd(): number | undefined {
    let first: number | undefined
    for (const slot of this.#terms.keys()) first = Math.min(first ?? Number.POSITIVE_INFINITY, this.#until[slot] ?? 0)
    return first
  }
}
