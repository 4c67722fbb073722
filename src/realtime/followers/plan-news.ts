import { createReread } from '../reread.ts'

/** A burst of facts is one state of the plan, and an operator does not wait for another's press. */
const spacingMs = 250

type Parts = {
  /** Reads what the plan does, and tells it when that is new. */
  read(): Promise<void>
  failed(error: unknown): void
}

/** When the game plan of a followed overlay is read anew: soon after it may have changed, and four times a second at most. */
export class PlanNews {
  readonly #reread: (key: 'plan') => void
  #due = false
  #readAt = 0

  constructor({ read, failed }: Parts) {
    this.#reread = createReread({ read, failed: (_, error) => failed(error) })
  }

  changed(): void {
    this.#due = true
  }

  /** Called by the sweep. `now`: ms. */
  tick(now: number): void {
    if (!this.#due || now - this.#readAt < spacingMs) return
    this.#due = false
    this.#readAt = now
    this.#reread('plan')
  }
}
