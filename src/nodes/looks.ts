/** The time between two looks that commands ask for: each try of each one that waits asks, and one look answers them all. */
const ASKED_MS = 100

type Parts = {
  /** Never rejects; resolves with how long after its start the next one is due, ms. */
  look(): Promise<number>
  /** Monotonic. */
  now(): number
}

/** Looks of a node at what the database says, one at a time: when they are due, and when somebody asks for one. */
export class Looks {
  readonly #parts: Parts
  #isOpen = false
  #underWay: Promise<void> | undefined
  #again: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #begunAt = Number.NEGATIVE_INFINITY
  #dueAt = Number.POSITIVE_INFINITY
  /** Somebody asked since the last one began. */
  #isAsked = false

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** The one that runs now. */
  get underWay(): Promise<void> | undefined {
    return this.#underWay
  }

  /** Makes the first one, which may throw; the others come by themselves from then on. */
  async begin(first: () => Promise<number>): Promise<void> {
    const looked = first()
    // who asks meanwhile gets the next one
    this.#isOpen = true
    this.#underWay = looked.then(
      () => {},
      () => {},
    )
    const nextMs = await looked.finally(() => {
      this.#underWay = undefined
    })
    if (this.#isOpen) this.#schedule(nextMs)
  }

  /** At once, or after the one under way, which may have read what is old by now. */
  now(): Promise<void> {
    if (!this.#isOpen) return Promise.resolve()
    if (!this.#underWay) return this.#run()
    this.#again ??= this.#underWay.then(() => {
      this.#again = undefined
      return this.now()
    })
    return this.#again
  }

  /** Within a tenth of a second: once for all who ask until then. */
  soon(): void {
    const now = this.#parts.now()
    const dueAt = this.#begunAt + ASKED_MS
    if (now >= dueAt) void this.now()
    else if (this.#underWay) this.#isAsked = true
    else if (this.#isOpen && dueAt < this.#dueAt) this.#schedule(dueAt - now)
  }

  /** No more; the one under way goes on. */
  end(): void {
    this.#isOpen = false
    clearTimeout(this.#timer)
  }

  #run(): Promise<void> {
    clearTimeout(this.#timer)
    const begunAt = this.#parts.now()
    this.#begunAt = begunAt
    this.#isAsked = false
    this.#underWay = this.#parts.look().then((nextMs) => {
      this.#underWay = undefined
      const inMs = this.#isAsked ? Math.min(nextMs, ASKED_MS) : nextMs
      if (this.#isOpen) this.#schedule(Math.max(0, begunAt + inMs - this.#parts.now()))
    })
    return this.#underWay
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer)
    this.#dueAt = this.#parts.now() + ms
    this.#timer = setTimeout(() => this.now(), ms)
    this.#timer.unref()
  }
}
