import type { NodeAddress } from './ownership.ts'

/** A node that beats and has not answered for so long cannot be reached from here. */
const CUT_OFF_MS = 2_500
/** Asked each second, it has beaten after it last answered for longer than a second and the way: it is not just that it was killed in between. */
const BEATS_ON_MS = 1_300

/** Which other nodes answer here. */
export class Reach {
  readonly #ping: (node: NodeAddress) => Promise<unknown>
  readonly #now: () => number
  /** By node, when it last answered, or when it was first to be asked. */
  readonly #answeredAt = new Map<string, number>()

  constructor(ping: (node: NodeAddress) => Promise<unknown>, now: () => number = () => performance.now()) {
    this.#ping = ping
    this.#now = now
  }

  /** Asks each of them; to be called each second. */
  look(others: readonly NodeAddress[]): void {
    const known = new Set(others.map(({ id }) => id))
    for (const gone of this.#answeredAt.keys()) if (!known.has(gone)) this.#answeredAt.delete(gone)
    for (const node of others) {
      if (!this.#answeredAt.has(node.id)) this.#answeredAt.set(node.id, this.#now())
      this.#ping(node).then(
        () => this.#answeredAt.set(node.id, this.#now()),
        // silence is what counts
        () => {},
      )
    }
  }

  /**
   * Those that beat and do not answer. One that was killed or frozen does neither, and is no reason to think that anybody is cut off.
   * `beatenAt`: when each has beaten last, by the clock of this node.
   */
  cutOffFrom(beatenAt: ReadonlyMap<string, number>): string[] {
    const since = this.#now() - CUT_OFF_MS
    return [...this.#answeredAt]
      .filter(([id, at]) => at < since && (beatenAt.get(id) ?? 0) - at > BEATS_ON_MS)
      .map(([id]) => id)
  }
}
