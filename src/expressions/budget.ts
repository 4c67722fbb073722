/** Steps of one evaluation; a step is a node of the expression that is evaluated once. */
export const MAX_STEPS = 50_000
/** Milliseconds of one evaluation. */
export const MAX_MS = 50
/** Milliseconds of all expressions of a graphic together. */
export const MAX_SET_MS = 150
/** Characters of a string and of a joined list. */
export const MAX_TEXT = 16_384
/** Items of a list that an expression makes. */
export const MAX_ITEMS = 20_000

const CLOCK_EVERY = 64

export class TooCostly extends Error {}

// one for all: an expression that swallows it meets it again at the next step, and a stack for each would cost more than it
const TOO_COSTLY = new TooCostly('takes too long')

/** Time on the wall clock and of the processor: a machine that is busy with other work costs nobody a value. */
export class Stopwatch {
  readonly #maxMs: number
  #startedAt = performance.now()
  // processor time at half of the budget: almost every evaluation is over before it, and need not ask
  #half: NodeJS.CpuUsage | undefined

  constructor(maxMs: number) {
    this.#maxMs = maxMs
  }

  restart(): void {
    this.#startedAt = performance.now()
    this.#half = undefined
  }

  late(): boolean {
    const elapsedMs = performance.now() - this.#startedAt
    if (elapsedMs < this.#maxMs / 2) return false
    this.#half ??= process.cpuUsage()
    if (elapsedMs < this.#maxMs) return false
    const { user, system } = process.cpuUsage(this.#half)
    return user + system > this.#maxMs * 500
  }
}

/** The budget that an evaluation has left. Evaluations are synchronous and never nest, so there is one of it. */
class Budget {
  readonly #stopwatch = new Stopwatch(MAX_MS)
  #steps = 0
  #spent = false

  start(): void {
    this.#steps = 0
    this.#spent = false
    this.#stopwatch.restart()
  }

  /** True once anything was refused, also when the expression went on without it. */
  get spent(): boolean {
    return this.#spent
  }

  /** Throws TooCostly when the evaluation may not go on. */
  spend(steps: number): void {
    const before = this.#steps
    this.#steps += steps
    if (this.#spent || this.#steps > MAX_STEPS) this.#refuse()
    if ((before ^ this.#steps) >= CLOCK_EVERY) this.look()
  }

  /** Looks at the clock, after a step that may take as long as many. Throws TooCostly when the evaluation may not go on. */
  look(): void {
    if (this.#spent || this.#stopwatch.late()) this.#refuse()
  }

  #refuse(): never {
    this.#spent = true
    throw TOO_COSTLY
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
