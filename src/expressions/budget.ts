/** Steps of one evaluation; a step is a node of the expression that is evaluated once. */
export const MAX_STEPS = 50_000
/** Time of one evaluation: on the wall clock and of the processor, so that a machine busy with other work costs nobody a value. */
export const MAX_MS = 50
/** Characters of a string and of what a list is joined to. */
export const MAX_TEXT = 16_384
/** Items of a list that an expression makes. */
export const MAX_ITEMS = 20_000

const CLOCK_EVERY = 64

export class TooCostly extends Error {}

// one for all: whoever swallows it meets it again at the next step, and a stack for each would cost more than the step
const TOO_COSTLY = new TooCostly('takes too long')

/** What an evaluation has left. Evaluations are synchronous and never nest, so there is one of it. */
class Budget {
  #steps = 0
  #deadline = 0
  // what the processor had done by the first look at the clock: most evaluations are over before it
  #before: NodeJS.CpuUsage | undefined
  #spent = false

  start(): void {
    this.#steps = 0
    this.#spent = false
    this.#deadline = performance.now() + MAX_MS
    this.#before = undefined
  }

  /** True once anything was refused, also when the expression went on without it. */
  get spent(): boolean {
    return this.#spent
  }

  /** Throws TooCostly when the evaluation may not go on. */
  spend(steps: number): void {
    const before = this.#steps
    this.#steps += steps
    if (this.#spent || this.#steps > MAX_STEPS || ((before ^ this.#steps) >= CLOCK_EVERY && this.#late())) {
      this.#spent = true
      throw TOO_COSTLY
    }
  }

  #late(): boolean {
    this.#before ??= process.cpuUsage()
    if (performance.now() <= this.#deadline) return false
    const { user, system } = process.cpuUsage(this.#before)
    return user + system > MAX_MS * 1000
  }
}

export const budget = new Budget()

/** Answers the value when it is not too large to go on with. */
export function bounded<T>(value: T): T {
  if (typeof value === 'string') {
    if (value.length > MAX_TEXT) throw new Error(`a text of more than ${MAX_TEXT} characters`)
  } else if (Array.isArray(value) || value instanceof Uint8Array) {
    if (value.length > MAX_ITEMS) throw new Error(`a list of more than ${MAX_ITEMS} items`)
  }
  return value
}
