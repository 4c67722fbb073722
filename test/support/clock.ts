/** Time moved by hand. Starts at a real-looking wall time, as zero hides mistakes. */
export class ManualClock {
  #now = 1_000_000
  #timers: { at: number; run: () => void }[] = []

  now = (): number => this.#now
  wall = (): number => this.#now + 1_700_000_000_000

  after = (ms: number, run: () => void): (() => void) => {
    const timer = { at: this.#now + ms, run }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer)
    }
  }

  /** Runs what is due on the way, in order. */
  advance(ms: number): void {
    const until = this.#now + ms
    for (;;) {
      const [next] = this.#timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)
      if (!next) break
      this.#timers = this.#timers.filter((timer) => timer !== next)
      this.#now = Math.max(this.#now, next.at)
      next.run()
    }
    this.#now = until
  }

  get waiting(): number {
    return this.#timers.length
  }
}
