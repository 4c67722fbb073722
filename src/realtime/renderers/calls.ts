import type { Clock } from '../ports.ts'
import type { Answered } from './protocol.ts'

type Waiting = { left: number; last: Answered | undefined; done(answer: Answered | undefined): void }
type Named = { graphicId: string; graphicName: string }

/** Calls of frames, and who waits for what the renderers here answer. integrations: OGraf Server API */
export class Calls {
  readonly #clock: Pick<Clock, 'after'>
  readonly #answering: (overlayId: number, graphic: Named) => number
  readonly #waiting = new Map<string, Waiting>()

  constructor(clock: Pick<Clock, 'after'>, answering: (overlayId: number, graphic: Named) => number) {
    this.#clock = clock
    this.#answering = answering
  }

  /**
   * Waits for a call that is about to go out: at most so long, for every renderer, or the first one in which it failed. Undefined: none answered.
   * To be begun before the command, whose frames may be answered before it is.
   */
  expect(overlayId: number, id: string, graphic: Named, withinMs: number): Promise<Answered | undefined> {
    const left = this.#answering(overlayId, graphic)
    if (left === 0) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      const cancel = this.#clock.after(withinMs, () => waiting.done(waiting.last))
      const waiting: Waiting = {
        left,
        last: undefined,
        done: (answer) => {
          cancel()
          this.#waiting.delete(id)
          resolve(answer)
        },
      }
      this.#waiting.set(id, waiting)
    })
  }

  /** Nothing went out: nobody will answer. */
  forget(id: string): void {
    this.#waiting.get(id)?.done(undefined)
  }

  answered(answer: Answered): void {
    const waiting = this.#waiting.get(answer.call)
    if (!waiting) return
    waiting.left--
    waiting.last = answer
    if (answer.error !== undefined || waiting.left === 0) waiting.done(answer)
  }
}
