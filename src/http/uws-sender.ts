/** Handed to the kernel in one turn of the loop, a fraction of a millisecond of copying; everybody else is served between two. */
const TURN_BYTES = 262_144

/** Who has more to send than fits a turn. */
export interface Sending {
  /** Sends a slice; answers how many bytes were tried. Whoever has more to send, and may, has joined again. */
  sendSlice(): number
}

/**
 * Takes turns between large answers, a slice each. The kernel takes a megabyte of a client that does not read as willingly as of
 * one that does, and copying it for hundreds of them at once would hold up the loop for seconds.
 */
export class Sender {
  #waiting: Sending[] = []
  #spent = 0
  #armed = false

  /** Sends a slice at once when this turn has room for it, else in one of the next. */
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
    setImmediate(() => this.#turn())
  }

  #turn(): void {
    this.#armed = false
    const waiting = this.#waiting
    this.#waiting = []
    this.#spent = 0
    let taken = 0
    while (taken < waiting.length && this.#spent < TURN_BYTES) this.#spent += waiting[taken++]?.sendSlice() ?? 0
    // those who came in and have more are behind those who did not come in
    if (taken < waiting.length) this.#waiting = [...waiting.slice(taken), ...this.#waiting]
    if (this.#waiting.length > 0 || this.#spent > 0) this.#arm()
  }
}
