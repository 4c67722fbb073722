/**
 * Until when a problem holds. `ready`: another frame of the graphic works. `answer`: the graphic runs again. `paint`: it painted a
 * later message.
 */
export type Until = 'ready' | 'answer' | 'paint'

/** The newest problem of one graphic. */
export class Trouble {
  #noted: { reason: string; until: Until; seq: number } | undefined

  /** Undefined while nothing is. */
  get reason() {
    return this.#noted?.reason
  }

  /** As of the seq that the graphic was told last. */
  note(reason: string, until: Until, seq: number) {
    // why it was given up holds while others are tried, which fail in parts before they fail
    if (until === 'paint' && this.#noted?.until === 'ready') return
    this.#noted = { reason, until, seq }
  }

  ready() {
    if (this.#noted?.until === 'ready') this.forget()
  }

  answered() {
    if (this.#noted?.until === 'answer') this.forget()
  }

  painted(seq: number) {
    // another bundle may paint on, until the one that failed takes its place
    if (this.#noted && this.#noted.until !== 'ready' && seq > this.#noted.seq) this.forget()
  }

  forget() {
    this.#noted = undefined
  }
}
