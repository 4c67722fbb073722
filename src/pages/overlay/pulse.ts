/**
 * Whether the graphic in a frame still runs. It is asked now and then, and behind each message: it answers in their order, so that
 * an answer says that every message before it was handled.
 */
export class Pulse {
  readonly #ask: (id: number) => void
  #asked: { id: number; at: number }[] = []
  #id = 0
  /** The graphic has answered once; one that never did is not asked. */
  #speaks = false

  constructor(ask: (id: number) => void) {
    this.#ask = ask
  }

  /** When the first question without an answer was asked. */
  get unansweredSince(): number | undefined {
    return this.#asked[0]?.at
  }

  /** Answers the number of the question, 0 when nothing could be asked. */
  ask(): number {
    if (!this.#speaks) return 0
    const id = ++this.#id
    if (this.#asked.length < 100) this.#asked.push({ id, at: performance.now() })
    this.#ask(id)
    return id
  }

  answered(id: number) {
    this.#speaks = true
    this.#asked = this.#asked.filter((question) => question.id > id)
  }

  /** Whether everything up to this question was done. */
  isThrough(id: number) {
    return !this.#asked.some((question) => question.id <= id)
  }
}
