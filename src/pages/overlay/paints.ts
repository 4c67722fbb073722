const GAP_MS = 100
const WINDOW_MS = 1_000
const MOST_IN_WINDOW = 10

/**
 * Paint reports: the first at once, then the newest per graphic each 100 ms, at most ten in any second. While its
 * program does not show this page, nothing is painted anywhere: reports of graphics go out when it is shown.
 */
export class Paints {
  readonly #send: (report: { graphicId: string; seq: number }) => void
  readonly #reported = new Map<string, { seq: number; at: number }>()
  readonly #pending = new Map<string, number>()
  #sentAt: number[] = []
  #timer = 0

  constructor(send: (report: { graphicId: string; seq: number }) => void) {
    this.#send = send
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) requestAnimationFrame(() => requestAnimationFrame(() => this.#flush()))
    })
  }

  painted(graphicId: string, seq: number) {
    if (seq <= (this.#reported.get(graphicId)?.seq ?? -1) || seq <= (this.#pending.get(graphicId) ?? -1)) return
    this.#pending.set(graphicId, seq)
    this.#flush()
  }

  /** A new socket: nothing was reported on it. */
  restart() {
    this.#reported.clear()
    this.#pending.clear()
  }

  #flush() {
    if (document.hidden) return
    const now = performance.now()
    this.#sentAt = this.#sentAt.filter((at) => now - at < WINDOW_MS)
    for (const [graphicId, seq] of [...this.#pending]) {
      const last = this.#reported.get(graphicId)
      if (this.#sentAt.length >= MOST_IN_WINDOW || (last && now - last.at < GAP_MS)) continue
      this.#pending.delete(graphicId)
      this.#reported.set(graphicId, { seq, at: now })
      this.#sentAt.push(now)
      this.#send({ graphicId, seq })
    }
    window.clearTimeout(this.#timer)
    if (this.#pending.size > 0) this.#timer = window.setTimeout(() => this.#flush(), GAP_MS / 2)
  }
}
