/** How long each silence may last. */
export type FlowLimits = {
  /** Of the first bytes, since the start. */
  openMs: number
  /** Bytes must go on growing for so long before the far end counts as connected: one that refuses a key takes some first. */
  confirmMs: number
  /** Without growth. */
  stallMs: number
}

export const FLOW_LIMITS: FlowLimits = { openMs: 15_000, confirmMs: 600, stallMs: 5_000 }

/** Whether bytes flow to a far end, judged by how many were written so far. Pure: all times come in, in ms. */
export class Flow {
  readonly #limits: FlowLimits
  #since: number
  #bytes = 0
  #grewAt: number | null = null
  #confirmedAt: number | null = null
  #paused = false

  constructor(limits: FlowLimits, at: number) {
    this.#limits = limits
    this.#since = at
  }

  get isPaused(): boolean {
    return this.#paused
  }

  /** So many bytes were written by now. True once when that confirms the connection. */
  wrote(bytes: number, at: number): boolean {
    if (bytes <= this.#bytes) return false
    this.#bytes = bytes
    if (this.#paused) return false
    // the first growth after a start or a pause is where confirming begins
    if (this.#grewAt === null) this.#since = at
    this.#grewAt = at
    if (this.#confirmedAt !== null || at - this.#since < this.#limits.confirmMs) return false
    this.#confirmedAt = at
    return true
  }

  /** The fault of the flow by now. */
  fault(at: number): 'silent' | 'stalled' | undefined {
    if (this.#paused) return undefined
    if (this.#bytes === 0) return at - this.#since > this.#limits.openMs ? 'silent' : undefined
    return at - (this.#grewAt ?? this.#since) > this.#limits.stallMs ? 'stalled' : undefined
  }

  /** Bytes are counted anew, for another connection. */
  begin(at: number): void {
    this.#bytes = 0
    this.#since = at
    this.#grewAt = null
    this.#confirmedAt = null
  }

  /** There is nothing to send: that bytes stand still is no fault. Ended, the connection is to be confirmed anew. */
  pause(paused: boolean, at: number): void {
    if (paused === this.#paused) return
    this.#paused = paused
    this.#since = at
    this.#grewAt = null
    this.#confirmedAt = null
  }
}
