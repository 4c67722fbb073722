/** Handed to the kernel in one turn of the loop, a fraction of a millisecond to copy; all other clients are served between two. */
const TURN_BYTES = 262_144

/** An answer of which more is left to send than fits one turn of the loop. */
export interface Sending {
  /** Sends a slice; answers how many bytes were tried. While more is left and the client takes it, the answer has joined again. */
  sendSlice(): number
}

/**
 * Sends large answers side by side, a slice each. The kernel takes a megabyte of a client that does not read as willingly as of
 * one that does, and copying it for hundreds of them at once would hold up the loop for seconds.
 */
export class Sender {
  #waiting: Sending[] = []
  #spent = 0
  #armed = false

  /** Sends a slice at once when this turn of the loop has room for it, else in one of the next. */
  begin(sending: Sending, slice: () => number): void {
    if (this.#spent >= TURN_BYTES || this.#waiting.length > 0) this.join(sending)
    else {
      this.#spent += slice()
      this.#arm()
    }
  }

  join(sending: Sending): void {
    this.#waiting.push(sending)
    this.#arm()
  }

  #arm(): void {
    if (this.#armed) return
    this.#armed = true
    setImmediate(() => this.#sendSlices())
  }

  #sendSlices(): void {
    this.#armed = false
    const waiting = this.#waiting
    this.#waiting = []
    this.#spent = 0
    let taken = 0
    while (taken < waiting.length && this.#spent < TURN_BYTES) this.#spent += waiting[taken++]?.sendSlice() ?? 0
    // answers that sent a slice and have more stand behind those that sent none
    if (taken < waiting.length) this.#waiting = [...waiting.slice(taken), ...this.#waiting]
    if (this.#waiting.length > 0 || this.#spent > 0) this.#arm()
  }
}
