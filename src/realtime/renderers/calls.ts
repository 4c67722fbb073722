import type { Clock } from '../ports.ts'
import type { Answered, Asked } from './protocol.ts'

/** Whose answer counts: each renderer that is connected here, and each other node for all of its own. */
type Party = object
type Waiting = { left: Set<Party>; last: Answered | undefined; done(answer: Answered | undefined): void }

export type CallsPorts = {
  clock: Pick<Clock, 'after'>
  /** The renderers that are connected here and will answer. */
  here(asked: Asked): readonly Party[]
  /** What each other node has heard of its own, after so long at most; undefined: nothing. None of them rejects. */
  elsewhere(asked: Asked, withinMs: number): readonly Promise<Answered | undefined>[]
}

/**
 * Calls of frames, and who waits for what renderers answer. A renderer is a stranger: it answers what it was asked, and once; all else that it says
 * ends no wait. integrations: OGraf Server API
 */
export class Calls {
  readonly #ports: CallsPorts
  readonly #waiting = new Map<string, Waiting>()
  /** The last answer of each renderer that nobody waited for: the commit may come before another node asks what became of it. */
  readonly #early = new WeakMap<Party, Answered>()

  constructor(ports: CallsPorts) {
    this.#ports = ports
  }

  /**
   * Waits for a call that is about to go out: at most so long, for every renderer of every node, or the first one in which it failed. Undefined: none
   * answered. To be begun before the command, whose frames may be answered before it is.
   */
  expect(asked: Asked, withinMs: number): Promise<Answered | undefined> {
    return this.#wait(asked, withinMs, this.#ports.elsewhere(asked, withinMs))
  }

  /** The same for the renderers here: what another node asks, whose command it is. */
  expectHere(asked: Asked, withinMs: number): Promise<Answered | undefined> {
    return this.#wait(asked, withinMs, [])
  }

  /** Nothing went out: nobody will answer. */
  forget(id: string): void {
    this.#waiting.get(id)?.done(undefined)
  }

  /** A renderer here says how a call ended. */
  answered(renderer: Party, answer: Answered): void {
    const waiting = this.#waiting.get(answer.call)
    if (waiting) hear(waiting, renderer, answer)
    else this.#early.set(renderer, answer)
  }

  /** A renderer is gone, and answers no more. */
  gone(renderer: Party): void {
    for (const waiting of this.#waiting.values()) hear(waiting, renderer, undefined)
  }

  #wait(
    asked: Asked,
    withinMs: number,
    elsewhere: readonly Promise<Answered | undefined>[],
  ): Promise<Answered | undefined> {
    const here = this.#ports.here(asked)
    if (here.length + elsewhere.length === 0) return Promise.resolve(undefined)
    // whoever began to wait before is told what there is: of one call only the last waits
    const before = this.#waiting.get(asked.id)
    before?.done(before.last)
    return new Promise((resolve) => {
      const waiting: Waiting = {
        left: new Set<Party>([...here, ...elsewhere]),
        last: undefined,
        done: (answer) => {
          cancel()
          this.#waiting.delete(asked.id)
          resolve(answer)
        },
      }
      const cancel = this.#ports.clock.after(withinMs, () => waiting.done(waiting.last))
      this.#waiting.set(asked.id, waiting)
      for (const node of elsewhere) void node.then((answer) => hear(waiting, node, answer))
      for (const renderer of here) {
        const early = this.#early.get(renderer)
        if (early?.call === asked.id) hear(waiting, renderer, early)
      }
    })
  }
}

/** Counts what one of those that are waited for says: its first word is its only one. */
function hear(waiting: Waiting, party: Party, answer: Answered | undefined): void {
  if (!waiting.left.delete(party)) return
  waiting.last = answer ?? waiting.last
  if (answer?.error !== undefined || waiting.left.size === 0) waiting.done(waiting.last)
}
