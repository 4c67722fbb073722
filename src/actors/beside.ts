import { setTimeout as pause } from 'node:timers/promises'
import { ChangeRefused, type Journal, RowsLocked } from './journal.ts'
import { type Taken, type Verdict, verdictOf } from './taken.ts'

/** Connections that commits which may have to wait can keep busy. */
const AT_ONCE = 2
const FIRST_RETRY_MS = 20
const LAST_RETRY_MS = 200

/**
 * Commits of single actors beside the group commit, which waits for none of them: rows that are locked by somebody else are tried
 * again, without a claim since nothing was written, for as long as every caller waits.
 */
export class Beside {
  readonly #journal: Journal
  readonly #settled: (taken: Taken, verdict: Verdict, ms: number, outboxRows: number) => void
  #running = 0
  #free = AT_ONCE
  readonly #queue: (() => void)[] = []

  constructor(journal: Journal, settled: (taken: Taken, verdict: Verdict, ms: number, outboxRows: number) => void) {
    this.#journal = journal
    this.#settled = settled
  }

  get busy(): boolean {
    return this.#running > 0
  }

  /** `locked`: it was tried just now, in vain. */
  async commit(taken: Taken, locked: boolean): Promise<void> {
    this.#running++
    const startedMs = performance.now()
    let tried: Tried | undefined
    for (let waitMs = locked ? FIRST_RETRY_MS : 0; !tried; waitMs = again(waitMs)) {
      if (waitMs > 0) await pause(waitMs)
      tried = await this.#limited(() => this.#attempt(taken))
    }
    this.#running--
    this.#settled(taken, tried.verdict, performance.now() - startedMs, tried.outboxRows)
  }

  /** Undefined when it is still locked. */
  async #attempt({ change, pendings }: Taken): Promise<Tried | undefined> {
    // somebody heard 503: that command must not happen any more
    if (pendings.some(({ job }) => job.answered)) return { verdict: { is: 'late' }, outboxRows: 0 }
    try {
      const committed = await this.#journal.commitAlone(change)
      const verdict = verdictOf(change, committed)
      return verdict && { verdict, outboxRows: committed.outboxRows }
    } catch (error) {
      if (error instanceof RowsLocked) return undefined
      const refused = error instanceof ChangeRefused
      return { verdict: refused ? { is: 'refused', error } : { is: 'unknown' }, outboxRows: 0 }
    }
  }

  async #limited<T>(run: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#queue.push(resolve))
    try {
      return await run()
    } finally {
      const next = this.#queue.shift()
      if (next) next()
      else this.#free++
    }
  }
}

type Tried = { verdict: Verdict; outboxRows: number }

const again = (waitMs: number) => Math.min(Math.max(waitMs * 2, FIRST_RETRY_MS), LAST_RETRY_MS)
