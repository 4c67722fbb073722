/** A node whose oldest ask waits for so long is slow: what moves there now would wait as long. */
const SLOW_MS = 150
/** A node that is slow for longer has its share all the same. cluster: an added node takes its share within 5 s */
const PATIENCE_MS = 1_500

/** Whether a node to which slots are handed keeps up with the commands of those that it has: a process that has just started may not, for a moment. */
export class Pace {
  readonly #waitsMs: (node: string) => number
  readonly #now: () => number
  /** By node, when slots were to be handed to it first. */
  readonly #since = new Map<string, number>()

  /** `waitsMs`: for how long the oldest ask that a node has not answered waits. */
  constructor(waitsMs: (node: string) => number, now: () => number = () => performance.now()) {
    this.#waitsMs = waitsMs
    this.#now = now
  }

  /** Whether it shall have no more for now; asked before anything is handed to it. */
  isSlow(node: string): boolean {
    const since = this.#since.get(node) ?? this.#now()
    this.#since.set(node, since)
    return this.#waitsMs(node) > SLOW_MS && this.#now() - since < PATIENCE_MS
  }

  /** Forgets nodes that are not among these. */
  keep(nodes: readonly { readonly id: string }[]): void {
    const known = new Set(nodes.map(({ id }) => id))
    for (const gone of this.#since.keys()) if (!known.has(gone)) this.#since.delete(gone)
  }
}
