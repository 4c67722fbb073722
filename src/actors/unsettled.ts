import type { Ref } from './journal.ts'

const AGAIN_MS = 30_000
/** So many are named in a line of the log. */
const NAMED = 10

/** Actors whose last commit is not settled because they cannot be claimed: logged at once, and now and then while it lasts. */
export class Unsettled {
  readonly #refs = new Set<Ref>()
  readonly #log: { warn(fields: object, text: string): void }
  readonly #againMs: number
  #toldAt = Number.NEGATIVE_INFINITY

  constructor(log: { warn(fields: object, text: string): void }, againMs = AGAIN_MS) {
    this.#log = log
    this.#againMs = againMs
  }

  /** A claim failed; it is tried again. */
  failed(ref: Ref, error: unknown): void {
    this.#refs.add(ref)
    const now = performance.now()
    if (now - this.#toldAt < this.#againMs) return
    this.#toldAt = now
    const fields = { refs: this.refs().slice(0, NAMED), actors: this.#refs.size, err: error }
    this.#log.warn(fields, 'actors cannot be claimed, their commands answer 503 meanwhile')
  }

  /** The actor was claimed, or is not tried any more. */
  over(ref: Ref, claimed: boolean): void {
    if (!this.#refs.delete(ref) || this.#refs.size > 0 || !claimed) return
    this.#toldAt = Number.NEGATIVE_INFINITY
    this.#log.warn({ ref }, 'every actor is claimed again')
  }

  refs(): readonly Ref[] {
    return [...this.#refs]
  }
}
