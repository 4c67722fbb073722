import type { Logger } from 'pino'
import { unavailable } from '../errors.ts'
import { Line } from './line.ts'

type Waiting = { dueAt: number; give(up: Error): void }

/** Gives every wait of a node the same limit, with one timer for all of them. */
export class Deadline {
  readonly #limitMs: number
  readonly #log: Logger
  // in the order of their deadlines, since all have the same limit
  readonly #waiting = new Line<Waiting>()
  #armed = false

  constructor(limitMs: number, log: Logger) {
    this.#limitMs = limitMs
    this.#log = log
  }

  /** Settles as `work` does, or rejects with unavailable() at the limit; the work goes on and its failure is logged. */
  within<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const place = this.#waiting.join({ dueAt: performance.now() + this.#limitMs, give: reject })
      if (!this.#armed) this.#arm(this.#limitMs)
      work.then(
        (value) => {
          this.#waiting.leave(place)
          resolve(value)
        },
        (error) => {
          if (!this.#waiting.leave(place))
            this.#log.warn({ err: error }, 'failed after the caller was told to try again')
          reject(error)
        },
      )
    })
  }

  #arm(ms: number): void {
    this.#armed = true
    setTimeout(() => this.#sweep(), ms).unref()
  }

  #sweep(): void {
    this.#armed = false
    const now = performance.now()
    for (let place = this.#waiting.first; place; place = this.#waiting.first) {
      const { dueAt, give } = place.member
      if (dueAt > now) {
        this.#arm(dueAt - now)
        return
      }
      this.#waiting.leave(place)
      give(unavailable())
    }
  }
}
