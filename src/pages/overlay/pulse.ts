type Asked = { id: number; at: number; told: boolean }

/**
 * Whether what runs in a frame still does. It is asked now and then, and behind each message: it answers in their order, so the
 * question that was not answered first stands behind what it could not get done with.
 */
export class Pulse {
  readonly #ask: (id: number) => void
  #asked: Asked[] = []
  #id = 0
  #speaks = false

  constructor(ask: (id: number) => void) {
    this.#ask = ask
  }

  /** It has said that it answers: nothing else is asked. */
  get speaks() {
    return this.#speaks
  }

  /** The first question without an answer, if any. */
  get unanswered(): Asked | undefined {
    return this.#asked[0]
  }

  /** `told`: behind a message to the graphic. Answers the number of the question, 0 when nothing could be asked. */
  ask(told: boolean): number {
    // one more question would not tell more
    if (!this.#speaks || (!told && this.#asked.length > 0)) return 0
    const id = ++this.#id
    if (this.#asked.length < 100) this.#asked.push({ id, at: performance.now(), told })
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
